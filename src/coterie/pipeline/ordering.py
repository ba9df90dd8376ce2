"""Ordering: released records of all tiles, sorted by their released values into final parts.

Which tile a record was in must not show: rows are sorted through the whole release as they are in
one of a table in memory, and a part ends where a combination of released values does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from coterie.pipeline.assembly import order
from coterie.pipeline.engines.spill import EVERY, Pieces, Spilled, gather, put, scatter
from coterie.pipeline.work import Work, load
from coterie.table import categories
from coterie.table.atomic import whole
from coterie.table.formats import arrow
from coterie.table.source import from_frame

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "NUMBER",
    "UNIT",
    "Final",
    "amount",
    "borders",
    "finish",
    "marks",
    "sort_out",
    "unreleased_columns",
]

UNIT = "coterie: unit"
NUMBER = "coterie: number of the record"
MARKS = 32  # of a tile: enough to cut all tiles together into parts of about equal size


@dataclass(frozen=True)
class Final:
    """A released part, its records, and the file that holds what the proof needs of each."""

    path: str
    rows: int
    unreleased: str | None


def amount(work: Work, name: str) -> str:
    """The column of a tile that holds the original amounts of a column."""
    return work.own(f"coterie: amount of {name}")


def unreleased_columns(work: Work) -> list[str]:
    """The columns that are not released, but needed to prove what is."""
    unit = [work.own(UNIT)] if work.schema.unit is not None else []
    return unit + [amount(work, name) for name in work.guarantees.amounts]


def marks(work: Work, released: pa.Table) -> pa.Table:
    """Some rows of a sorted tile, keys and strata alone, at even distances."""
    import pyarrow as pa

    places = np.unique(np.linspace(0, released.num_rows - 1, MARKS).astype(np.int64))
    return _keys(work, released).take(pa.array(places))


def borders(found: Sequence[pa.Table], parts: int) -> pa.Table:
    """The released values at which the second and every later part begins."""
    import pyarrow as pa

    table = pa.concat_tables(found)
    table = table.take(pa.array(_sorted(table)))
    places = np.unique((np.arange(1, parts) * table.num_rows) // parts)
    return table.take(pa.array(places))


def sort_out(work: str, job: tuple[int, str, pa.Table]) -> Spilled:
    """Write the records of a tile by the part that they belong to."""
    import pyarrow as pa

    known = load(work)
    number, path, starts = job
    table = gather([(path, EVERY)])
    keys = _keys(known, table)
    # Borders and records are sorted together; of equal ones the border comes first.
    both = pa.concat_tables([starts, keys])
    is_record = np.arange(both.num_rows) >= starts.num_rows
    both = both.append_column("coterie: border", pa.array(is_record.astype(np.int8)))
    rows = _sorted(both)
    passed = np.cumsum(~is_record[rows])
    code = np.empty(both.num_rows, dtype=np.int64)
    code[rows] = passed
    parted = Path(known.folder) / f"sorted-{number:06d}.arrow"
    return scatter(table, code[starts.num_rows :], parted)


def finish(work: str, job: tuple[int, Pieces]) -> Final:
    """Write a part of the release, its rows sorted by all released values."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    known = load(work)
    number, pieces = job
    table = gather(pieces)
    kept, hidden, numbers = None, unreleased_columns(known), known.own(NUMBER)
    names = [name for name in table.column_names if name not in (*hidden, numbers)]
    if known.keeps_order:
        rows = pa.array(np.argsort(table.column(numbers).to_numpy(), kind="stable"))
    else:
        rows = pa.array(order(from_frame(table.select(names)).frame, known.schema))
    if hidden:
        place = Path(known.folder) / f"beside-{number:06d}.arrow"
        kept = put(table.select(hidden).take(rows), place)
    released = categories.used_in_arrow(table.select(names).take(rows))
    path = Path(known.out) / f"part-{number:05d}.parquet"
    with whole(path, lasting=True) as temporary:
        noted = arrow.given(released, dict(known.details))
        pq.write_table(noted, temporary, row_group_size=released.num_rows)
    return Final(str(path), released.num_rows, kept)


def _keys(work: Work, table: pa.Table) -> pa.Table:
    """What records are sorted by: keys and strata, categories as their values; or their numbers."""
    import pyarrow as pa

    columns = {}
    by = [work.own(NUMBER)] if work.keeps_order else [*work.schema.keys, *work.schema.strata]
    for place, name in enumerate(by):
        column = table.column(name)
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        columns[str(place)] = column
    return pa.table(columns)


def _sorted(table: pa.Table) -> NDArray[np.int64]:
    import pyarrow.compute as pc

    keys = [(name, "ascending") for name in table.column_names]
    return pc.sort_indices(table, sort_keys=keys).to_numpy().astype(np.int64)
