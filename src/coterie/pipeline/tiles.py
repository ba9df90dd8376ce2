"""Tasks on a tile: it is judged, grouped and protected by the same stages as any table."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.declared import declared_sums
from coterie.evaluation.utility.analyses import Sides
from coterie.numbers.renumber import by_code, first_rows
from coterie.pipeline.cutting import CutTile, Tile
from coterie.pipeline.drawing import Linked, drawn, filed, linked, unfiled
from coterie.pipeline.engines.row_hash import chosen
from coterie.pipeline.engines.spill import EVERY, Pieces, gather, put
from coterie.pipeline.evidence import MOST_JUDGED
from coterie.pipeline.ordering import NUMBER, UNIT, amount, marks
from coterie.pipeline.protection import (
    GroupedPart,
    PartOutcome,
    ReleasedPart,
    find_groups,
    release,
)
from coterie.pipeline.stages import Stages
from coterie.pipeline.suppression import SuppressionCosts
from coterie.pipeline.survey import Survey
from coterie.pipeline.work import Work, load
from coterie.public import DocumentRule, Largest
from coterie.space import Stake
from coterie.space.exact_sums import Moments
from coterie.table.arrays import take_rows
from coterie.table.atomic import whole
from coterie.table.classes import plain_array, value_codes
from coterie.table.ranks import row_order
from coterie.table.source import from_frame

if TYPE_CHECKING:
    import pyarrow as pa


__all__ = ["Costs", "Protected", "admissible", "cost", "influence", "protect", "survey_kept"]


@dataclass(frozen=True)
class Protected:
    """What became of a tile.

    Attributes
    ----------
    path : str
        What is released of its records, with the unit of each and what else the proof needs.
    stratum : int
        The one that it is in.
    outcome : PartOutcome
        What it adds to the evidence.
    moments : tuple of Moments
        Of each coordinate.
    keys : str
        The file with the keys of its records, what they were and what is released of them.
    linked : Linked
        How some of its records are linked.
    drawn : pyarrow.Table
        Those records, what they were and what is released of them.
    marks : pyarrow.Table
        Some of the released values, in order.
    sums : tuple
        What the declared analyses need of its records.
    """

    path: str
    stratum: int
    outcome: PartOutcome
    moments: tuple[Moments, ...]
    keys: str
    linked: Linked
    drawn: pa.Table
    marks: pa.Table
    sums: tuple[Sides, ...] = ()


@dataclass(frozen=True, eq=False)
class Costs:
    """The groups of a tile, in a file, and what each of them costs.

    Attributes
    ----------
    moments, found : tuple of Moments, Survey
        Of the tile: of each coordinate, and of the keys.
    """

    path: str
    groups: SuppressionCosts
    moments: tuple[Moments, ...]
    found: Survey


def admissible(work: str, pieces: Pieces) -> bool:
    """Whether some records can keep every guarantee as one group."""
    known = load(work)
    unit = known.schema.unit
    table = gather(pieces, list(known.watched))
    source = from_frame(table, "parquet", "a tile")
    units = None if unit is None else value_codes(source, [unit])
    constraints = known.guarantees.arrays(source, units, spreads=known.spreads)
    one = np.zeros(table.num_rows, dtype=np.int64)
    return not any(finding.failing for finding in constraints.findings(one, known.k))


def cost(work: str, tile: Tile) -> Costs:
    """Group the records of a tile, and say what its groups cost."""
    known = load(work)
    cut = CutTile.of(known, tile)
    grouped = _grouped(known, tile, cut)
    unit = known.schema.unit
    units = None if unit is None else plain_array(cut.prepared.source, unit).to_pylist()
    numbers = cut.numbered.column(known.own(NUMBER)).to_numpy()
    partition, points = grouped.partitions[0], grouped.points[0]
    path = Path(known.folder) / f"groups-{tile.number:06d}.pickle"
    with whole(path) as temporary:
        temporary.write_bytes(pickle.dumps(partition))
    return Costs(
        str(path),
        SuppressionCosts.of(cut.prepared, partition, points, numbers, units),
        _moments(grouped),
        cut.survey(known),
    )


def survey_kept(work: str, tile: Tile) -> Survey:
    """What is found of the keys of the records that are not suppressed."""
    known = load(work)
    cut = CutTile.of(known, tile)
    prepared = _grouped(known, tile, cut).prepared
    return cut.some(prepared.layers.rows, prepared).survey(known)


def _grouped(known: Work, tile: Tile, cut: CutTile) -> GroupedPart:
    """The records in groups: found now, or before; then without the suppressed ones."""
    prepared = cut.prepared
    if tile.grouped is None or tile.suppressed is None:
        found = find_groups(
            prepared,
            known.guarantees.arrays(prepared.source, prepared.units, spreads=known.spreads),
            lambda columns: known.space_of([c.name for c in columns]),
            Stages(None),
            seed=_tile_seed(known, tile),
            part=cut.table.num_rows / known.records,
            workers=known.workers,
        )
        if any(groups.interrupted for groups in found.partitions):
            raise KeyboardInterrupt
        return found
    partition = pickle.loads(Path(tile.grouped).read_bytes())
    points = known.space_of(prepared.sets[0]).coordinates(prepared.columns)
    return GroupedPart(prepared, [points], (partition,)).without(tile.suppressed)


def _moments(grouped: GroupedPart) -> tuple[Moments, ...]:
    """Of each coordinate."""
    return tuple(Moments.of(one[:, c]) for one in grouped.points for c in range(one.shape[1]))


def protect(work: str, tile: Tile) -> Protected:
    """Group the records of a tile and write what is released of them."""
    import pyarrow as pa

    known = load(work)
    schema, number = known.schema, known.own(NUMBER)
    cut = CutTile.of(known, tile)
    part = release(_grouped(known, tile, cut), Stages(None))
    prepared, frame, original = part.prepared, part.assembled.frame, part.assembled.kept
    cut = cut.some(prepared.layers.rows, prepared)
    numbered, came, table = cut.numbered, cut.came, cut.table
    released = frame.to_arrow()
    rows = chosen(numbered.column(number).to_numpy(), MOST_JUDGED / known.records)
    if schema.unit is not None:
        released = released.append_column(known.own(UNIT), table.column(schema.unit))
    for name in known.guarantees.amounts:
        released = released.append_column(amount(known, name), table.column(name))
    if known.keeps_order:
        released = released.append_column(number, numbered.column(number))
    else:
        released = released.take(pa.array(_by_keys(known, part)))
    units = (
        None if schema.unit is None else value_codes(from_frame(original.to_arrow()), [schema.unit])
    )
    path = Path(known.folder) / f"tile-{tile.number:06d}.arrow"
    pair = part.pair()
    return Protected(
        put(released, path),
        tile.stratum,
        PartOutcome.of(part, pair),
        _moments(part.grouped),
        put(filed(pair, units), path.with_name(f"keys-{tile.number:06d}.arrow")),
        linked(known, [known.column_before(c, came) for c in prepared.columns], part, rows),
        drawn(known, original.to_arrow(), frame, rows),
        marks(known, released),
        declared_sums(
            original.to_native(), frame.to_native(), prepared.schema, known.plan.analyses
        ),
    )


def _by_keys(known: Work, part: ReleasedPart) -> NDArray[np.int64]:
    """The records of a tile in the order of what is released of their keys and strata."""
    keys = part.assembled.frame.select([*known.schema.keys, *known.schema.strata])
    if len(part.partitions) > 1 or known.pools:
        return row_order(keys.to_arrow())
    labels = part.partitions[0].labels  # a group shares them all
    rows = row_order(take_rows(keys, first_rows(labels)).to_arrow())
    place = np.empty(len(rows), dtype=np.int64)
    place[rows] = np.arange(len(rows))
    return by_code(place[labels])


def influence(work: str, job: tuple[str, Mapping[str, Stake]]) -> Largest:
    """What the units that matter most in a tile add to the losses, whose stakes are known now."""
    known = load(work)
    path, stakes = job
    schema = known.judged_schema
    pair, units = unfiled(gather([(path, EVERY)]), schema.keys)
    return Largest.of(pair.shares(stakes), schema, DocumentRule("public", known.k, units))


def _tile_seed(known: Work, tile: Tile) -> int:
    """The seed of a tile: the job's where it is all of a stratum, as in memory."""
    if tile.alone:
        return known.seed
    spawned = np.random.SeedSequence(known.seed, spawn_key=(tile.number,))
    return int(spawned.generate_state(1, np.uint64)[0] >> np.uint64(1))
