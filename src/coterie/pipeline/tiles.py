"""Protection: one tile, its records in their order, through the same stages as any table."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from operator import ne
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.generalized import shown_as
from coterie.evaluation.case import link_groups
from coterie.evaluation.declared import declared_columns
from coterie.guarantees.strata import Strata, cell_codes, cells_at, stand_ins
from coterie.pipeline.assembly import order
from coterie.pipeline.engines.row_hash import chosen
from coterie.pipeline.engines.spill import gather
from coterie.pipeline.evidence import MOST_JUDGED
from coterie.pipeline.ordering import NUMBER, UNIT, amount, marks
from coterie.pipeline.preparation import Prepared, weights_of
from coterie.pipeline.protection import Made, Outcome, make
from coterie.pipeline.stages import Stages
from coterie.pipeline.work import Work, load
from coterie.public import DocumentRule, largest_errors
from coterie.space import tally_of
from coterie.space.exact_sums import Moments
from coterie.table.arrays import take_rows
from coterie.table.classes import value_codes
from coterie.table.encoding import Column, texts_of
from coterie.table.parts import spool
from coterie.table.source import Source, from_frame

if TYPE_CHECKING:
    import pyarrow as pa


BEFORE, AFTER = "original ", "released "  # what columns of drawn records begin with

__all__ = ["AFTER", "BEFORE", "Protected", "Tile", "admissible", "protect"]

Pieces = tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True)
class Tile:
    """A tile: its number, where its records lie, and whether it is all of a stratum.

    Then it has the seed that a stratum of a table in memory has.
    """

    number: int
    pieces: Pieces
    alone: bool = False


@dataclass(frozen=True)
class Linked:
    """How an intruder who knows all keys links some originals to the released records of a tile.

    Attributes
    ----------
    records : int
        Originals that were looked at.
    chance, squares : float
        Sums over them of the chance to be linked to oneself, and of its square.
    hits : int
        Those whose own released values are among the nearest.
    """

    records: int = 0
    chance: float = 0.0
    squares: float = 0.0
    hits: int = 0


@dataclass(frozen=True)
class Protected:
    """What became of a tile.

    Attributes
    ----------
    path : str
        What is released of its records, with the unit of each and what else the proof needs.
    outcome : Outcome
        What it adds to the evidence.
    moments : tuple of Moments
        Of each coordinate.
    largest : dict
        What the k - 1 units that matter most add to the loss of each key.
    linked : Linked
        How some of its records are linked.
    drawn : pyarrow.Table
        Those records, what they were and what is released of them.
    marks : pyarrow.Table
        Some of the released values, in order.
    """

    path: str
    outcome: Outcome
    moments: tuple[Moments, ...]
    largest: dict[str, tuple[float, ...]]
    linked: Linked
    drawn: pa.Table
    marks: pa.Table


def admissible(work: str, pieces: Pieces) -> bool:
    """Whether some records can keep every promise as one group."""
    known = load(work)
    unit = known.schema.unit
    table = gather(pieces, list(known.watched))
    source = from_frame(table, "parquet", "a tile")
    units = None if unit is None else value_codes(source, [unit])
    made = known.assurance.arrays(source, units, spreads=known.spreads)
    one = np.zeros(table.num_rows, dtype=np.int64)
    return not any(finding.failing for finding in made.findings(one, known.k))


def protect(work: str, tile: Tile) -> Protected:
    """Group the records of a tile and write what is released of them."""
    import pyarrow as pa

    known = load(work)
    schema, number = known.schema, known.own(NUMBER)
    numbered = gather(tile.pieces).sort_by(number)
    came = numbered.drop_columns([number])
    table = known.without(came)
    source = from_frame(table, "parquet", f"tile {tile.number}")
    prepared = _prepared(known, source, table)
    if known.recodings:
        prepared = replace(
            prepared, unrecoded=replace(source, frame=_framed(known.as_it_was(came)))
        )
    original = prepared.original.frame
    made = make(
        prepared,
        known.assurance.arrays(source, prepared.units, spreads=known.spreads),
        lambda columns: known.space_of([c.name for c in columns]),
        Stages(None),
        seed=_seed(known, tile),
        part=table.num_rows / known.records,
        workers=known.workers,
    )
    if any(groups.interrupted for groups in made.partitions):
        raise KeyboardInterrupt
    frame = made.assembled.frame
    released = frame.to_arrow()
    rows = chosen(numbered.column(number).to_numpy(), MOST_JUDGED / known.records)
    rule = DocumentRule("public", known.k, prepared.units)
    if schema.unit is not None:
        released = released.append_column(known.own(UNIT), table.column(schema.unit))
    for name in known.assurance.amounts:
        released = released.append_column(amount(known, name), table.column(name))
    if known.keeps_order:
        released = released.append_column(number, numbered.column(number))
    else:
        released = released.take(pa.array(order(frame, schema)))
    path = Path(known.folder) / f"tile-{tile.number:06d}.parquet"
    return Protected(
        spool(released, path, released.num_rows),
        _given_up(known, prepared, Outcome.of(made)),
        tuple(Moments.of(one[:, c]) for one in made.points for c in range(one.shape[1])),
        largest_errors(original, frame, prepared.schema, rule),
        _linked(known, [known.column_before(c, came) for c in prepared.columns], made, rows),
        _drawn(known, original.to_arrow(), frame, rows),
        marks(known, released),
    )


def _seed(known: Work, tile: Tile) -> int:
    """The seed of a tile: the job's where it is all of a stratum, as in memory."""
    if tile.alone:
        return known.seed
    spawned = np.random.SeedSequence(known.seed, spawn_key=(tile.number,))
    return int(spawned.generate_state(1, np.uint64)[0] >> np.uint64(1))


def _prepared(known: Work, source: Source, table: pa.Table) -> Prepared:
    """The tile as a table that nothing speaks against protecting."""
    schema = known.judged_schema
    columns = known.columns(table)
    rows = np.arange(table.num_rows)
    present = tuple(a for a in schema.attributes if a.name in table.column_names)
    edits = known.edits
    if edits.rules:
        edits = replace(edits.seen(source, schema.keys), breakers=None)
    return Prepared(
        known.plan,
        known.promises,
        source,
        replace(schema, attributes=present),
        known.k,
        list(known.sets),
        columns,
        Strata(rows, [rows], schema.strata, released=_pooled(known, source, columns)),
        value_codes(source, [schema.unit]) if schema.unit is not None else None,
        weights_of(source, schema, rows),
        edits,
    )


def _framed(table: pa.Table) -> Any:
    import narwhals as nw

    return nw.from_native(table, eager_only=True)


def _pooled(known: Work, source: Source, columns: list[Column]) -> dict[str, pa.Array]:
    """What stands in the strata columns, where strata were pooled."""
    if not known.pooled:
        return {}
    gaps = np.column_stack([column.gaps for column in columns])
    codes, first = cell_codes(source, known.schema.strata, gaps)
    met = cells_at(source, known.schema.strata, gaps, first)
    by_cell = {name: [texts[cell] for cell in met] for name, texts in known.pooled.items()}
    return stand_ins(by_cell, codes)


def _drawn(known: Work, table: pa.Table, frame: Any, rows: NDArray[np.int64]) -> pa.Table:
    """Records of the sample: the original's declared columns, then the released ones."""
    import pyarrow as pa

    names = declared_columns(known.schema)
    before, after = (t.take(pa.array(rows)) for t in (table.select(names), frame.to_arrow()))
    both = {f"{BEFORE}{name}": before.column(name) for name in names}
    return pa.table({**both, **{f"{AFTER}{name}": after.column(name) for name in frame.columns}})


def _linked(known: Work, columns: list[Column], made: Made, rows: NDArray[np.int64]) -> Linked:
    """Links of the records that are in the sample, among all released records of the tile.

    All records of a tile have the same gaps. Records of other tiles would only be further rivals:
    with them an intruder finds no more.
    """
    if not len(rows):
        return Linked()
    frame, own = made.assembled.frame, made.partitions[0].labels
    if len(made.partitions) > 1:  # what is equal in one set of keys is not in another
        own = np.arange(len(frame))
    _, first, sizes = np.unique(own, return_index=True, return_counts=True)
    released = take_rows(frame, first)
    before, after = [np.zeros((len(rows), 1))], [np.zeros((len(first), 1))]
    for place, column in enumerate(columns):
        if not column.missing.all():
            now = shown_as(column.some(first), released[column.name].to_arrow())
            before.append(known.judged.block(place, column.some(rows)))
            after.append(known.judged.block(place, now))
    links = link_groups(np.hstack(before), own[rows], np.hstack(after), sizes)
    chance = links.hit / links.ties
    return Linked(len(rows), math.fsum(chance), math.fsum(np.square(chance)), int(links.hit.sum()))


def _given_up(known: Work, prepared: Prepared, outcome: Outcome) -> Outcome:
    """With the records whose stratum was pooled; a tile without any says so for the sum of all."""
    recoded = any(name in known.recodings for name in known.schema.strata)
    if not known.pooled and not recoded:
        return outcome
    name = f"pooled {', '.join(known.schema.strata)}"
    tallies = dict(outcome.tallies)
    if name not in tallies:
        here = np.ones(len(prepared.layers.rows), dtype=np.bool_)
        own = np.zeros(len(here), dtype=np.int64)
        weights = prepared.weights
        tallies[name] = tally_of("stratum", own, own, here, ~here, weights, ("its own",))
    merged = tallies[name].changed
    if recoded:  # which is no pooling
        apart = [
            (texts_of(prepared.source.frame[n].to_arrow()).to_pylist(), now.to_pylist())
            for n, now in prepared.layers.released.items()
        ]
        rows = zip(*(map(ne, own, now) for own, now in apart), strict=True)
        merged = sum(map(any, rows))
    return replace(outcome, tallies=tallies, merged=merged)
