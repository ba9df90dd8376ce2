"""Protection: one tile, its records in their order, through the same stages as any table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.classes import value_codes
from coterie.distributed.ordering import UNIT, marks
from coterie.distributed.plan import load
from coterie.distributed.routing import NUMBER
from coterie.distributed.spill import FAST, gather, whole
from coterie.edits.plan import Edits
from coterie.errors import DataError
from coterie.evaluation.declared import declared_tallies
from coterie.partitioning.constraints import Constraints
from coterie.pipeline.assembly import assemble, order
from coterie.pipeline.grouping import group
from coterie.pipeline.preparation import Prepared
from coterie.promises import Promises
from coterie.public import Rule, largest_errors
from coterie.space import Tally
from coterie.space.exact_sums import Moments
from coterie.strata import Strata
from coterie.table.source import from_frame

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Protected", "Tile", "protect"]


@dataclass(frozen=True)
class Tile:
    """A tile: its number, and where its records lie."""

    number: int
    pieces: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True)
class Protected:
    """What became of a tile.

    Attributes
    ----------
    path : str
        What is released of its records, sorted, with the unit of each.
    sizes : Counter
        Groups of each size.
    sse : float
        Of the groups' means, in the coordinates of all tiles.
    moments : tuple of Moments
        Of each coordinate.
    tallies : dict
        What each key lost.
    largest : dict
        What the k - 1 units that matter most add to it.
    marks : pyarrow.Table
        Some of the released values, in order.
    seconds : float
        Of the partition.
    """

    path: str
    rows: int
    sizes: Counter[int]
    sse: float
    moments: tuple[Moments, ...]
    tallies: dict[str, Tally]
    largest: dict[str, tuple[float, ...]]
    marks: pa.Table
    seconds: float
    options: dict[str, Any]


def protect(plan: str, tile: Tile) -> Protected:
    """Group the records of a tile and write what is released of them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    known = load(plan)
    schema = known.schema
    number = known.own(NUMBER)
    table = gather(tile.pieces).sort_by(number).drop_columns([number])
    source = from_frame(table, "parquet", f"tile {tile.number}")
    columns = known.columns(table)
    units = value_codes(source, [schema.unit]) if schema.unit is not None else None
    rows = np.arange(table.num_rows)
    layers = Strata(rows, [rows], schema.strata)
    seed = np.random.SeedSequence(known.seed, spawn_key=(tile.number,))
    points = known.space.coordinates(columns)
    partition = group(
        points,
        known.k,
        layers,
        Constraints(units=units),
        random_state=int(seed.generate_state(1, np.uint64)[0] >> np.uint64(1)),
        **known.search,
    )
    if partition.interrupted:
        raise KeyboardInterrupt
    present = tuple(a for a in schema.attributes if a.name in table.column_names)
    prepared = Prepared(
        known.asked,
        Promises(),
        source,
        replace(schema, attributes=present),
        known.k,
        [schema.keys],
        columns,
        layers,
        units,
        _weights(table, schema.sample_weight),
        Edits(),
    )
    frame = assemble(prepared, [partition]).frame
    rows = pa.array(order(frame, schema))
    released = frame.to_arrow()
    tallies = declared_tallies(table, released, prepared.schema)
    rule = Rule("public", known.k, units)
    largest = largest_errors(source.frame, frame, prepared.schema, rule)
    if schema.unit is not None:
        released = released.append_column(known.own(UNIT), table.column(schema.unit))
    released = released.take(rows)
    path = Path(known.folder) / f"tile-{tile.number:06d}.parquet"
    with whole(path) as temporary:
        pq.write_table(released, temporary, row_group_size=released.num_rows, **FAST)
    return Protected(
        str(path),
        released.num_rows,
        Counter(partition.sizes.tolist()),
        partition.sse,
        tuple(Moments.of(points[:, c]) for c in range(points.shape[1])),
        tallies,
        largest,
        marks(known, released),
        partition.runtime or 0.0,
        dict(partition.options),
    )


def _weights(table: Any, name: str | None) -> Any:
    import pyarrow as pa

    if name is None:
        return None
    weights = table.column(name).cast(pa.float64(), safe=False).to_numpy()
    if not (np.isfinite(weights).all() and (weights > 0).all()):
        raise DataError(f"Column {name!r} must hold finite weights above 0.")
    return weights
