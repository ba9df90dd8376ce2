"""A release beside the originals of its records: what must be equal, and what lies among them."""

from __future__ import annotations

import math
from typing import Any

from tests.fuzz.asked import Asked, Finding, classes
from tests.fuzz.grid import FORMULA, Grid, Nearest, number


def kept(asked: Asked, before: Grid, after: Grid, rows: list[int]) -> list[Finding]:
    """Columns that are no keys are released as they are; no record is lost without leave."""
    found = []
    for name in after.names:
        if name in asked.keys or name in asked.strata:
            continue
        for new, old in zip(after.values[name], rows, strict=True):
            if not same(before.values[name][old], new):
                text = f"{before.values[name][old]!r} became {new!r} in column {name!r}"
                found.append(Finding("changed", text))
                break
    return found + lost(asked, before, rows)


def lost(asked: Asked, before: Grid, rows: list[int]) -> list[Finding]:
    """Units of which a record is missing: none, or no more than may be."""
    if asked.drops:
        return []
    units = before.tokens[asked.unit] if asked.unit is not None else list(range(before.rows))
    gone = {units[row] for row in set(range(before.rows)) - set(rows)}
    most = asked.may_suppress * len(set(units)) + 1e-6
    if len(gone) > most:
        text = f"{len(gone)} of {len(set(units))} units have lost records, {int(most)} may"
        return [Finding("rows", text)]
    return []


def of_units(asked: Asked, before: Grid, after: Grid, rows: list[int]) -> list[Finding]:
    """Columns of a unit are released alike for all of its records."""
    for name in asked.plan.get("unit_columns") or ():
        seen: dict[Any, Any] = {}
        for row, cell in zip(rows, after.tokens[name], strict=True):
            unit = before.tokens[asked.unit or ""][row]
            if seen.setdefault(unit, cell) != cell:
                text = f"{name!r} has {seen[unit][1]!r} and {cell[1]!r} in a unit"
                return [Finding("unit column", text)]
    return []


def same(old: Any, new: Any) -> bool:
    """Whether a cell means what it did; a cell of another type is not judged."""
    nothing = (None, "", "nan")  # the word of a text file too, where a number might stand
    if old in nothing or new in nothing:
        return old in nothing and new in nothing
    if old == new or str(old) == str(new):
        return True
    one, other = number(old), number(new)
    if one is not None and other is not None:
        # Seconds since 1582 are doubles in SPSS.
        digits = 2**24 if isinstance(old, Nearest) else 10**14
        return abs(one - other) <= abs(one) / digits
    if isinstance(old, (int, float)) and isinstance(new, float) and math.isinf(new):
        return False
    if isinstance(old, str) and isinstance(new, str):
        return old.startswith(FORMULA) and new.lstrip("'") == old
    return type(old) is not type(new)


def strata(asked: Asked, before: Grid, after: Grid, rows: list[int]) -> list[Finding]:
    """Strata are released as they are, unless small ones were to be pooled."""
    if asked.plan.get("small_strata") == "merge":
        return []
    for name in asked.strata:
        for new, old in zip(after.values[name], rows, strict=True):
            if not same(before.values[name][old], new):
                return [Finding("stratum", f"{name!r} was changed")]
    return []


def centroids(asked: Asked, before: Grid, after: Grid, rows: list[int]) -> list[Finding]:
    """What a class releases lies among its members' originals, unless P3M or rules move it."""
    if asked.plan.get("aggregation") == "p3m" or asked.plan.get("rules"):
        return []
    # Columns of units have centroids of whole units, whose records may be in several classes.
    of_units = [name for name in asked.plan.get("unit_columns") or () if name in asked.keys]
    for counted in (asked.keys, of_units):
        own = [name for name in counted if counted is of_units or name not in of_units]
        names = [name for name in own if name not in asked.generalized]
        for members in classes(after, [*counted, *asked.strata]).values() if names else ():
            for name in names:
                new = after.values[name][members[0]]
                old = [before.values[name][rows[row]] for row in members]
                wrong = _not_among(asked, name, new, old)
                if wrong is not None:
                    return [wrong]
    return []


def _not_among(asked: Asked, name: str, new: Any, old: list[Any]) -> Finding | None:
    """What is wrong with a value that is released of some originals."""
    if name in asked.codes or new is None:
        if name not in asked.codes and any(value is not None for value in old):
            return Finding("gap", f"a value of {name!r} became a gap")
        return None
    if any(value is None for value in old):
        return Finding("gap", f"a gap in {name!r} became {new!r}")
    if name in asked.orders:
        order = asked.orders[name]
        if order is not None and not _between(order, old, new):
            return Finding("centroid", f"{name!r} releases {new!r}, beyond its class")
        return None
    numbers = [number(value) for value in old]
    middle = number(new)
    if middle is None or None in numbers:
        if not any(same(value, new) for value in old):
            return Finding("centroid", f"{name!r} releases {new!r}, of none of its class")
        return None
    known = [n for n in numbers if n is not None]
    low, high = min(known), max(known)
    room = max(abs(low), abs(high)) / 10**3 + 1  # whole numbers, days, half precision
    if not low - room <= middle <= high + room:
        text = f"{name!r} releases {new!r}, members have {float(low)} to {float(high)}"
        return Finding("centroid", text)
    return None


def _between(order: list[Any], old: list[Any], new: Any) -> bool:
    """Whether a level lies among those of the members."""
    place = {str(level): position for position, level in enumerate(order)}
    levels = [place.get(str(value), -1) for value in old]
    told = str(new)
    if told not in place and told.removeprefix("'").startswith(FORMULA):
        told = told.removeprefix("'")  # the mark of what a spreadsheet would run
    return min(levels) <= place.get(told, -1) <= max(levels)
