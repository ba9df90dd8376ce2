"""Spill: records sorted by a code into one Parquet file, a row group for each code.

One file a task whatever the number of codes; whoever wants the records of a code reads that row
group from every file. A file appears whole under its name or not at all, and a task that runs
twice, since a worker was lost, writes the same file again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.table.atomic import whole
from coterie.table.parts import fast, unreadable

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Spilled", "gather", "scatter"]


@dataclass(frozen=True, eq=False)
class Spilled:
    """A file, the codes in it, the number of records of each, and the units if that matters."""

    path: str
    codes: NDArray[np.int64]
    counts: NDArray[np.int64]
    units: Mapping[int, set[Any]] = field(default_factory=dict)

    def group(self, code: int) -> int | None:
        """The row group that holds a code; None if the file has no such record."""
        place = int(np.searchsorted(self.codes, code))
        return place if place < len(self.codes) and self.codes[place] == code else None


def scatter(table: pa.Table, codes: NDArray[np.int64], path: Path) -> Spilled:
    """Write the records whose code is at least 0, by code and then in their order."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    order = np.argsort(codes, kind="stable")
    order = order[np.searchsorted(codes[order], 0) :]
    found, starts, counts = np.unique(codes[order], return_index=True, return_counts=True)
    sorted_table = table.take(pa.array(order))
    how = fast(table.schema)
    with whole(path) as temporary, pq.ParquetWriter(temporary, table.schema, **how) as writer:
        for start, size in zip(starts.tolist(), counts.tolist(), strict=True):
            writer.write_table(sorted_table.slice(start, size), row_group_size=size)
    return Spilled(str(path), found, counts)


def gather(
    pieces: Sequence[tuple[str, tuple[int, ...]]], columns: list[str] | None = None
) -> pa.Table:
    """The records of some row groups of several files, or some columns of them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = []
    for path, groups in pieces:
        try:
            with pq.ParquetFile(path) as file:
                tables.append(file.read_row_groups(list(groups), columns=columns))
        except (OSError, pa.ArrowException) as error:
            raise unreadable(path, error) from None
    return pa.concat_tables(tables)
