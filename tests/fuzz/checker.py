"""What a release must be, judged from the original, the plan and what was written.

Nothing here knows coterie. A class is a set of records whose keys and strata no reader can tell
apart. Where the table has a tag, a column of its own for every record that is released as it is,
records are found again by it, and classes are held against the originals of their members.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from tests.fuzz.asked import Asked, Finding, classes
from tests.fuzz.grid import Grid
from tests.fuzz.limits import limits, rules
from tests.fuzz.originals import centroids, kept, of_units, strata
from tests.fuzz.recoded import recoded
from tests.fuzz.truth import true_of_all


def check(asked: Asked, before: Grid, after: Grid) -> list[Finding]:
    """Every rule that the release breaks."""
    found: list[Finding] = []
    wanted = [name for name in before.names if name not in asked.hidden]
    if after.names != wanted:
        return [Finding("columns", f"{after.names} instead of {wanted}")]
    if not 0 < after.rows <= before.rows:
        return [Finding("rows", f"{after.rows} of {before.rows}")]
    rows = aligned(asked, before, after)
    if isinstance(rows, Finding):
        return [rows]
    for names in asked.key_sets:
        found += _anonymous(asked, names, before, after, rows)
    found += secrets(asked.secret, after)
    found += _categories(asked, before, after)
    found += _together(asked, after)
    found += _finite(asked, before, after)
    before = recoded(asked, before)
    if rows is not None:
        found += kept(asked, before, after, rows)
        found += strata(asked, before, after, rows)
        found += of_units(asked, before, after, rows)
        found += true_of_all(asked, before, after, rows)
        if len(asked.key_sets) == 1:
            found += centroids(asked, before, after, rows)
    elif not asked.drops and not asked.may_suppress and after.rows != before.rows:
        found.append(Finding("rows", f"{after.rows} of {before.rows}, though none may be dropped"))
    found += limits(asked, before, after)
    found += rules(asked, after)
    return found


def smallest(grid: Grid, names: list[str], units: list[Any] | None = None) -> int:
    """Units, or records, of the smallest class."""
    return min(
        len({units[row] for row in rows}) if units is not None else len(rows)
        for rows in classes(grid, names).values()
    )


def secrets(secret: str, grid: Grid) -> list[Finding]:
    """Values of identifiers, wherever they are."""
    found = []
    for name in grid.names:
        if any(isinstance(t[1], str) and secret in t[1] for t in grid.tokens[name]):
            found.append(Finding("identifier", f"released in column {name!r}"))
        if any(isinstance(v, str) and secret in v for v in grid.listed.get(name, ())):
            found.append(Finding("identifier", f"listed as a category of {name!r}"))
    if any(secret in text for text in grid.beside):
        found.append(Finding("identifier", "in metadata"))
    if any(text.startswith("index ") for text in grid.beside):
        found.append(Finding("index", "the rows tell where they came from"))
    return found


def aligned(asked: Asked, before: Grid, after: Grid) -> list[int] | Finding | None:
    """Original row of each released one, by the tag; None where there is none.

    A text that was damaged may have one tag twice. It tells no rows apart then, but no tag may be
    released more often than it was there.
    """
    if asked.tag is None or asked.tag not in after.names:
        return None
    tags, released = (list(map(_plain, grid.values[asked.tag])) for grid in (before, after))
    if Counter(released) - Counter(tags):
        return Finding("tag", "a record was changed, or released twice")
    place = {tag: row for row, tag in enumerate(tags)}
    if len(place) < len(tags):
        return None if asked.damaged else Finding("tag", "two originals have the same")
    return [place[tag] for tag in released]


def _plain(value: Any) -> Any:
    """A tag as a number, whatever a format made of it."""
    try:
        return int(value)
    except (TypeError, ValueError):
        return value


def _anonymous(
    asked: Asked, names: list[str], before: Grid, after: Grid, rows: list[int] | None
) -> list[Finding]:
    units = None
    if asked.unit is not None and asked.unit in after.names:
        units = after.tokens[asked.unit]
    elif asked.unit is not None and rows is not None:
        units = [before.tokens[asked.unit][row] for row in rows]
    least = smallest(after, names, units)
    if least >= asked.k:
        return []
    what = "records" if units is None else "units"
    return [Finding("k", f"a class of {names} has {least} {what}, k is {asked.k}")]


def _categories(asked: Asked, before: Grid, after: Grid) -> list[Finding]:
    """A list of categories, where it has no order, names none that no record has."""
    found = []
    for name, listed in after.listed.items():
        present = set(map(repr, after.values[name]))
        left = [value for value in listed if repr(value) not in present]
        if left:
            found.append(Finding("category", f"column {name!r} still lists {left[0]!r}"))
    return found


def _together(asked: Asked, after: Grid) -> list[Finding]:
    """Sorted by released values, equal ones stand together, whatever the order is."""
    if asked.plan.get("row_order") == "keep":
        return []
    for names in ([*asked.keys, *asked.strata], after.names):
        seen, last = set(), None
        for cells in zip(*(after.tokens[name] for name in names), strict=True):
            if cells != last and cells in seen:
                return [Finding("order", f"equal values of {names} do not stand together")]
            seen.add(cells)
            last = cells
    return []


def _finite(asked: Asked, before: Grid, after: Grid) -> list[Finding]:
    found = []
    for name in asked.keys:
        odd = [v for v in after.values[name] if isinstance(v, float) and math.isinf(v)]
        if odd and not any(isinstance(v, float) and math.isinf(v) for v in before.values[name]):
            found.append(Finding("finite", f"key {name!r} releases {odd[0]}"))
        gaps = [sum(v is None for v in grid.values[name]) for grid in (before, after)]
        if gaps[1] > gaps[0]:
            found.append(Finding("gap", f"key {name!r} has {gaps[1]} gaps, the original {gaps[0]}"))
    return found
