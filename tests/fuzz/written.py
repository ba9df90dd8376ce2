"""What stands on the disk after a run: the target alone, or nothing new."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.fuzz import grid, strict_csv
from tests.fuzz.asked import Finding
from tests.fuzz.cases import Case
from tests.fuzz.grid import FORMULA, Grid
from tests.fuzz.plans import SECRET

OLD = "an older file\n"


def nothing(case: Case, target: Path) -> None:
    """After a refusal the target is as it was."""
    if case.get("old"):
        if target.read_text() != OLD:
            raise AssertionError("a refused run has changed the older file")
        target.unlink()
    if list(target.parent.iterdir()):
        raise AssertionError(f"a refused run has left {list(target.parent.iterdir())}")


def leftovers(target: Path) -> list[Finding]:
    others = [path.name for path in target.parent.iterdir() if path != target]
    return [Finding("left behind", str(others))] if others else []


def raw(target: Path) -> list[Finding]:
    if SECRET.encode() in target.read_bytes() or SECRET.encode("utf-16-le") in target.read_bytes():
        return [Finding("identifier", "in the bytes of the file")]
    return []


def formulas(content: bytes, delimiter: str) -> list[Finding]:
    """Fields that a spreadsheet would run."""
    for record in strict_csv.parse(strict_csv.sniff(content), delimiter):
        for cell in record:
            if _runs(cell):
                return [Finding("formula", f"the field {cell!r}")]
    return []


def unmarked(after: Grid) -> Grid:
    """Names without the apostrophe that keeps a spreadsheet from running them."""
    for columns in (after.tokens, after.values):
        for name in list(columns):
            cells = columns.pop(name)
            columns[name[1:] if name[:1] == "'" and _runs(name[1:]) else name] = cells
    return after


def without_empty(before: Grid) -> Grid:
    """A table of SPSS or Stata, where an empty text is none."""
    values = {n: [None if cell == "" else cell for cell in c] for n, c in before.values.items()}
    return replace(before, values=values)


def in_cells(before: Grid) -> Grid:
    """A table as workbooks hold it: one line break, whichever was meant; times of milliseconds.

    A double of SPSS, seconds since 1582, is a microsecond off.
    """
    breaks = re.compile("\r\n?")
    values = {
        name: [breaks.sub("\n", cell) if isinstance(cell, str) else cell for cell in cells]
        for name, cells in before.values.items()
    }
    for name in before.times:
        values[name] = list(map(_milliseconds, values[name]))
    return replace(before, values=values)


def in_text(before: Grid, columns: list[dict[str, Any]]) -> Grid:
    """A table as a text file holds it: durations are written as ISO 8601 has it."""
    lasting = [column["name"] for column in columns if column["kind"] == "duration"]
    texts = {n: list(map(_lasting, before.values[n])) for n in lasting if n in before.values}
    return replace(before, values={**before.values, **texts})


def _lasting(ticks: Any) -> Any:
    """So many billionths of a second as ISO 8601 has it."""
    if not isinstance(ticks, int):
        return ticks
    rest, parts = abs(ticks), []
    for letter, size in (("D", 86_400), ("H", 3600), ("M", 60)):
        count, rest = divmod(rest, size * 10**9)
        parts.append(f"{count}{letter}" if count else "")
    second, rest = divmod(rest, 10**9)
    tail = f"{second}.{rest:09d}".rstrip("0") if rest else f"{second}"
    parts.append(f"{tail}S" if tail != "0" or not any(parts) else "")
    clock = "".join(parts[1:])
    return f"{'-' if ticks < 0 else ''}P{parts[0]}{'T' if clock else ''}{clock}"


def labeled(before: Grid, after: Grid) -> Grid:
    """A table as SPSS and Stata hold it.

    No text is an empty one, blanks at its end are filling, and times are seconds since 1582, of
    which a double has millionths.
    """
    values = {}
    for name, cells in after.values.items():
        after.values[name] = [cell.rstrip(" ") if isinstance(cell, str) else cell for cell in cells]
    for name in after.times:
        after.values[name] = list(map(_milliseconds, after.values[name]))
    for name, cells in before.values.items():
        text = any(isinstance(cell, str) for cell in after.values.get(name, ()))
        values[name] = [
            cell.rstrip(" ") if isinstance(cell, str) else "" if text and cell is None else cell
            for cell in cells
        ]
        if name in after.times:
            values[name] = list(map(_milliseconds, values[name]))
    return replace(before, values=values)


def _milliseconds(ticks: Any) -> Any:
    return round(ticks, -6) if isinstance(ticks, int) else ticks


def _runs(cell: str) -> bool:
    """It begins as a formula, and is neither a number, a time, nor a sign before mere digits."""
    if not cell.startswith(FORMULA) or not isinstance(grid.meaning_of_text(cell), str):
        return False
    return cell[0] in "=@" or bool(set(cell[1:]) - set("0123456789., %\t"))
