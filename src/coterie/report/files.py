"""A summary into a file: rendered by its ending, replaced whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coterie.errors import bad_parameter
from coterie.table import atomic

__all__ = ["ENDINGS", "check_path", "write"]

ENDINGS = (".html", ".htm", ".json")


def check_path(path: str | os.PathLike[str], owner: str = "report") -> Path:
    """The path, or one line that says which endings there are."""
    if not isinstance(path, (str, os.PathLike)) or Path(path).suffix.lower() not in ENDINGS:
        rule = f"a file that ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
        raise bad_parameter("path", owner, rule, str(path) if isinstance(path, Path) else path)
    return Path(path)


def write(summary: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Render a summary and write it; an older file stays until the new one is whole.

    Raises
    ------
    ParameterError
        If the path ends in none of the known endings.
    DataError
        If it cannot be written.
    """
    from coterie.report.page import html

    target = check_path(path)
    if target.suffix.lower() == ".json":
        text = json.dumps(summary, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    else:
        text = html(summary)
    atomic.write_text(target, text)
