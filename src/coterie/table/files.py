"""Sources: whatever holds a table, as Parquet files, without ever holding all of it.

Parquet files are used where they are. CSV files, PyArrow datasets and readers, Polars lazy frames
and DuckDB relations are streamed into Parquet parts in the scratch folder, a block at a time.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.errors import CoterieError, DataError, bad_parameter, listed, shown
from coterie.table import formats
from coterie.table.formats.blocks import convert
from coterie.table.parts import PARQUET, ROWS, spool

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["check_apart", "files_of", "locate"]

TEXT = (".csv", ".tsv", ".txt")


def files_of(
    table: Any, folder: Path, text: Mapping[str, Any], tell: Callable[[float], object]
) -> tuple[list[Path], dict[str, Any]]:
    """The Parquet files of a table; and how it was written, if it was text.

    Parameters
    ----------
    table
        As `coterie.distributed.anonymize` takes it.
    folder : path
        Where what is no Parquet goes as Parquet.
    text : mapping
        Delimiter, encoding, line_breaks and dates of CSV files.
    tell : callable
        Hears the share that is done.
    """
    batches = _stream(table)
    if batches is not None:
        formats.check_options(formats.by_name("parquet"), dict(text))
        return _written(batches, folder, type(table).__name__), {}
    files = locate(table)
    chosen = {formats.by_extension(path).name for path in files}
    if chosen == {"parquet"}:
        formats.check_options(formats.by_name("parquet"), dict(text))
        return files, {}
    if chosen == {"csv"}:
        how = (text["delimiter"], text["encoding"], bool(text["line_breaks"]))
        return convert(files, folder, *how, tell, text["dates"])
    raise DataError(
        f"{listed(map(str, files), 2)} must be Parquet files or CSV files. Got "
        f"{' and '.join(sorted(chosen))}; convert it first, or protect it in memory."
    )


def locate(table: Any) -> list[Path]:
    """The files of a table: one file, several, or all files of a folder."""
    if isinstance(table, (str, os.PathLike)):
        path = Path(table)
        if not path.is_dir():
            return [path]
        hidden = (".", "_")
        files = [p for p in path.iterdir() if p.is_file() and not p.name.startswith(hidden)]
        if not files:
            raise DataError(f"{path} is a folder without files. Name the folder of the parts.")
        wanted = TEXT if all(file.suffix.lower() in TEXT for file in files) else PARQUET
        for file in files:
            if file.suffix.lower() not in wanted:
                raise DataError(
                    f"{path} must hold Parquet files only, or CSV files only. Got {file.name!r}; "
                    "move it elsewhere."
                )
        return sorted(files, key=lambda p: _natural(p.name))
    if isinstance(table, Sequence) and table and all(isinstance(p, (str, Path)) for p in table):
        return [Path(p) for p in table]
    rule = (
        "Parquet or CSV files, a folder of them, a PyArrow dataset or reader, a Polars LazyFrame "
        "or a DuckDB relation"
    )
    raise bad_parameter("table", "anonymize", rule, table)


def check_apart(table: Any, target: Path) -> None:
    """Refuse a target that is a file of the table, or lies in its folder."""
    held = getattr(table, "files", None)  # of a PyArrow dataset
    files = [Path(name) for name in held] if isinstance(held, list) else []
    if not files and not _kind(table):
        files = locate(table)
    real = Path(os.path.realpath(target))
    for file in files:
        if file.exists() and target.exists() and file.samefile(target):
            raise DataError(
                f"{target} must be a file of its own. Got one that holds the table; choose another "
                "name."
            )
    folder = isinstance(table, (str, os.PathLike)) and os.path.isdir(table)
    if folder and Path(os.path.realpath(table)) in (real, *real.parents):
        raise DataError(
            f"{target} must lie outside the folder of the table. Got one in {table}, where the "
            "release would be taken for a part of it; choose another folder."
        )


def _kind(table: Any) -> str:
    """Which library holds a table that is read as a stream; empty for all else."""
    kind = type(table)
    package = kind.__module__.partition(".")[0].lstrip("_")
    if package == "polars" and kind.__name__ == "LazyFrame":
        return "polars"
    if package == "duckdb" and (
        hasattr(table, "to_arrow_reader") or hasattr(table, "fetch_arrow_reader")
    ):
        return "duckdb"
    if package == "pyarrow" and (hasattr(table, "to_batches") and hasattr(table, "scanner")):
        return "dataset"
    if package == "pyarrow" and kind.__name__ == "RecordBatchReader":
        return "reader"
    return ""


def _stream(table: Any) -> Iterator[pa.RecordBatch] | None:
    """The records in batches, in their order; None for what is no stream."""
    kind = _kind(table)
    if kind == "polars":
        return _of_polars(table)
    if kind == "duckdb":
        reader = getattr(table, "to_arrow_reader", None) or table.fetch_arrow_reader
        return iter(reader(ROWS))
    if kind == "dataset":
        return _of_dataset(table)
    return iter(table) if kind == "reader" else None


def _of_dataset(table: Any) -> Iterator[pa.RecordBatch]:
    """What a dataset gives, row group by row group: its own scan reads ahead by a gigabyte."""
    try:
        fragments = list(table.get_fragments())
    except ValueError:  # what a filter leaves, only the whole can say
        yield from table.to_batches(batch_size=ROWS, batch_readahead=1, fragment_readahead=1)
        return
    for fragment in fragments:
        divide = getattr(fragment, "split_by_row_group", lambda one=fragment: [one])
        for piece in divide():
            yield from piece.to_batches(schema=table.schema, batch_size=ROWS)


def _of_polars(table: Any) -> Iterator[pa.RecordBatch]:
    """What a lazy frame gives, part of its rows at a time."""
    if hasattr(table, "collect_batches"):
        frames = table.collect_batches(chunk_size=ROWS, maintain_order=True)
        for frame in frames:
            yield from frame.to_arrow().to_batches()
        return
    first = 0
    while True:
        part = table.slice(first, ROWS).collect()
        yield from part.to_arrow().to_batches()
        first += part.height
        if part.height < ROWS:
            return


def _written(batches: Iterator[pa.RecordBatch], folder: Path, name: str) -> list[Path]:
    """A stream as Parquet parts of about as many records as a task holds."""
    files: list[Path] = []
    waiting: list[pa.RecordBatch] = []
    held = 0
    try:
        for batch in batches:
            waiting.append(batch)
            held += batch.num_rows
            if held >= ROWS:
                files.append(_part(waiting, folder, len(files)))
                waiting, held = [], 0
    except (CoterieError, MemoryError):
        raise
    except Exception as error:  # every library has its own words for what it cannot read
        raise DataError(
            f"The {name} cannot be read ({shown(str(error), 120)}). Check where its records come "
            "from; nothing was written."
        ) from None
    if held or (waiting and not files):
        files.append(_part(waiting, folder, len(files)))
    if not files:
        raise DataError(f"The {name} has no rows. Check the filter or program it came from.")
    return files


def _part(batches: list[pa.RecordBatch], folder: Path, number: int) -> Path:
    import pyarrow as pa

    path = folder / f"input-{number:06d}.parquet"
    spool(pa.Table.from_batches(batches), path, ROWS)
    return path


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Names in an order where part-2 comes before part-10."""
    pieces = re.findall(r"\d+|\D+", name)
    return [(0, int(p), p) if p.isdigit() else (1, 0, p) for p in pieces]
