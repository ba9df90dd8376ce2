"""Parquet files, by pyarrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from coterie.table.formats import arrow


def read(path: Path, origin: str) -> tuple[Any, dict[str, Any]]:
    """The table in a Parquet file, and its pandas types where pandas wrote it."""
    import pyarrow.parquet as pq

    # Not pq.read_table: that one makes columns out of folder names such as "year=2020".
    with pq.ParquetFile(path) as file:
        return arrow.taken(file.read())


def write(table: Any, path: Path, details: dict[str, Any]) -> None:
    """Write a Parquet file; nothing of an earlier file's metadata but the pandas types goes in."""
    import pyarrow.parquet as pq

    pq.write_table(arrow.given(table, details), path)
