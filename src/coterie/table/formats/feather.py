"""Feather files (Arrow IPC), by pyarrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from coterie.table.formats import arrow

ROWS = 1 << 16  # of a record batch, as others write Feather


def read(path: Path, origin: str) -> tuple[Any, dict[str, Any]]:
    """The table in a Feather file, and its pandas types where pandas wrote it."""
    import pyarrow.feather as feather

    return arrow.taken(feather.read_table(path, memory_map=False))


def write(table: Any, path: Path, details: dict[str, Any]) -> None:
    """Write a Feather file; nothing of an earlier file's metadata but the pandas types goes in."""
    import pyarrow as pa

    # Not feather.write_feather, which loads pandas to ask whether the table is one of its own.
    noted = arrow.given(table, details)
    packed = pa.ipc.IpcWriteOptions(
        compression="lz4" if pa.Codec.is_available("lz4") else None,
        unify_dictionaries=True,
        allow_64bit=True,
    )
    with (
        pa.OSFile(str(path), "wb") as file,
        pa.ipc.new_file(file, noted.schema, options=packed) as writer,
    ):
        writer.write_table(noted, max_chunksize=ROWS)
