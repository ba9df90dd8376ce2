"""Spill: records sorted by a code into one file, a batch of Arrow's for each code.

One file a task whatever the number of codes; whoever wants the records of a code reads that batch
from every file. They are Arrow's own files: to find a batch in one of them takes no look at the
others, as the footer of a Parquet file with many row groups does. A file appears whole under its
name or not at all, and a task that runs twice, since a worker was lost, writes the same file again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, shown
from coterie.numbers.renumber import by_code
from coterie.table.atomic import whole

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["EVERY", "Pieces", "Spilled", "gather", "pieces_of", "put", "scatter"]

Pieces = tuple[tuple[str, tuple[int, ...]], ...]  # files, and some batches of each
EVERY: tuple[int, ...] = ()  # in place of batches: all of a file


@dataclass(frozen=True, eq=False)
class Spilled:
    """A file, the codes in it, the number of records of each, and the units if that matters.

    Attributes
    ----------
    ends : (c,) int array
        Where the batches of each code end: a code has one, or more where its texts are too long.
    """

    path: str
    codes: NDArray[np.int64]
    counts: NDArray[np.int64]
    ends: NDArray[np.int64]
    units: Mapping[int, set[Any]] = field(default_factory=dict)

    def batches(self, code: int) -> range:
        """The batches that hold a code; none if the file has no such record."""
        place = int(np.searchsorted(self.codes, code))
        if place == len(self.codes) or self.codes[place] != code:
            return range(0)
        return range(int(self.ends[place - 1]) if place else 0, int(self.ends[place]))


def scatter(table: pa.Table, codes: NDArray[np.int64], path: Path) -> Spilled:
    """Write the records whose code is at least 0, by code and then in their order."""
    import pyarrow as pa

    order = by_code(codes)
    order = order[np.searchsorted(codes[order], 0) :]
    found, starts, counts = np.unique(codes[order], return_index=True, return_counts=True)
    ends = _write(table.take(pa.array(order)), starts.tolist(), path)
    return Spilled(str(path), found, counts, np.array(ends, dtype=np.int64))


def put(table: pa.Table, path: Path) -> str:
    """Write what is read once and then removed, whole; gives its name."""
    _write(table, [0], path)
    return str(path)


def _write(table: pa.Table, starts: Sequence[int], path: Path) -> list[int]:
    """Write a table in batches that begin at some of its records; gives where those of each end."""
    import pyarrow as pa

    table = table.combine_chunks().unify_dictionaries()
    how = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
    ends, written = [], 0
    with (
        whole(path) as temporary,
        pa.OSFile(str(temporary), "wb") as sink,
        pa.ipc.new_file(sink, table.schema, options=how) as writer,
    ):
        for start, stop in zip(starts, [*starts[1:], table.num_rows], strict=True):
            for batch in table.slice(start, stop - start).to_batches():
                writer.write_batch(batch)
                written += 1
            ends.append(written)
    return ends


def pieces_of(spilled: Sequence[Spilled], codes: Sequence[int]) -> Pieces:
    """Where the records of some codes lie."""
    found = ((one.path, tuple(b for code in codes for b in one.batches(code))) for one in spilled)
    return tuple((path, batches) for path, batches in found if batches)


def gather(
    pieces: Sequence[tuple[str, tuple[int, ...]]], columns: list[str] | None = None
) -> pa.Table:
    """The records of some batches of several files, or some columns of them."""
    import pyarrow as pa

    how = pa.ipc.IpcReadOptions(use_threads=False)
    tables = []
    for path, wanted in pieces:
        try:
            with pa.OSFile(path) as file, pa.ipc.open_file(file, options=how) as reader:
                batches = map(reader.get_batch, wanted or range(reader.num_record_batches))
                table = pa.Table.from_batches(batches, reader.schema)
        except (OSError, pa.ArrowException) as error:
            raise DataError(
                f"{path} cannot be read ({shown(str(error), 120)}). Look at the disk that the "
                "scratch folder is on; nothing was written."
            ) from None
        tables.append(table if columns is None else table.select(columns))
    return pa.concat_tables(tables)
