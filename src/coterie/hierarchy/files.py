"""Hierarchies in files, in the layout that ARX uses: a row a value, a column a level, root last.

Fields are separated by ``;`` (or, where a file has none, by a comma or a tab) and may be quoted;
there is no header.
"""

from __future__ import annotations

import csv
import difflib
import io
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from coterie.errors import DataError, listed, shown, together
from coterie.hierarchy.checker import of_paths

__all__ = ["read_levels", "write_levels"]

RULES = ("prefix", "bands", "dates")  # what a flag names before a colon


def read_levels(path: str | os.PathLike[str]) -> list[tuple[str, ...]]:
    """The rows of a hierarchy file: values first, the most general level last.

    Raises
    ------
    DataError
        If it cannot be read, or rows have different lengths.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DataError(
            f"Hierarchy file {os.fspath(path)} cannot be read ({error.strerror}). "
            f"{_meant(os.fspath(path))}"
        ) from error
    except UnicodeDecodeError:
        raise DataError(f"Hierarchy file {os.fspath(path)} must be UTF-8. Convert it.") from None
    try:
        rows = [
            tuple(field.strip() for field in row)
            for row in csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
            if any(field.strip() for field in row)
        ]
    except csv.Error as error:
        raise DataError(
            f"Hierarchy file {os.fspath(path)} is no CSV ({error}). Repair it."
        ) from None
    if not rows:
        raise DataError(f"Hierarchy file {os.fspath(path)} must hold a row a value. Got no row.")
    if all(len(row) > 1 and not row[-1] for row in rows):  # a separator at the end of every row
        rows = [row[:-1] for row in rows]
    _refuse_header(rows, os.fspath(path))
    counts = Counter(map(len, rows))
    depth = max(counts, key=lambda size: (counts[size], size))
    if len(counts) > 1:
        odd = [(number, row) for number, row in enumerate(rows, 1) if len(row) != depth]
        reported = listed((f"row {number} ({len(row)}): {shown(row[0])}" for number, row in odd), 3)
        problems = [
            f"rows must have as many levels, which are {depth} in most, but not in {reported}; "
            "repeat a label on the levels that a short branch lacks",
            *of_paths([row for row in rows if len(row) == depth])[1],
        ]
        raise DataError(
            f"Hierarchy file {os.fspath(path)} must be a tree. Got: {together(problems)}"
        )
    return rows


def _meant(path: str) -> str:
    """What to do where there is no such file: it may be a rule with a typo."""
    kind, colon, rest = path.partition(":")
    near = difflib.get_close_matches(kind, RULES, n=1)
    return f"Did you mean '{near[0]}:{rest}'?" if colon and near else "Check the path."


def _refuse_header(rows: Sequence[Sequence[str]], path: str) -> None:
    """Names of levels in the first row would be a branch of their own, with a root of its own."""
    first, *others = rows
    roots = {row[-1] for row in others}
    if len(others) < 2 or len(first) < 2 or len(roots) != 1 or first[-1] in roots:
        return
    below = {label for row in others for label in row}
    if not below & set(first):
        raise DataError(
            f"Hierarchy file {path} must not begin with names of levels. Got "
            f"{listed(map(shown, first), 4)} above rows that all end with "
            f"{shown(others[0][-1])}; delete the first row, or move it if it is a value."
        )


def write_levels(paths: Iterable[Sequence[str]]) -> str:
    """Paths as the text of a file in that layout, in the order given."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=";", lineterminator="\n")
    writer.writerows(paths)
    return text.getvalue()


def _delimiter(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return next((sign for sign in ";\t," if sign in first), ";")
