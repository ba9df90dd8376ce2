"""Feather files (Arrow IPC), by pyarrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from coterie.table.formats import arrow


def read(path: Path, origin: str) -> tuple[Any, dict[str, Any]]:
    """The table in a Feather file, and its pandas types where pandas wrote it."""
    import pyarrow.feather as feather

    return arrow.taken(feather.read_table(path, memory_map=False))


def write(table: Any, path: Path, details: dict[str, Any]) -> None:
    """Write a Feather file; nothing of an earlier file's metadata but the pandas types goes in."""
    import pyarrow.feather as feather

    feather.write_feather(arrow.given(table, details), str(path))
