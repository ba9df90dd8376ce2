"""Labels and intervals that are released must be true of each record that carries them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tests.fuzz.asked import Asked, Finding, classes
from tests.fuzz.grid import FORMULA, NUMBER, Grid, Nearest, number

ROOT = "*"
DAY = 86_400 * 10**9
DATE = re.compile(r"\d{4}-\d\d-\d\d")
BAND = re.compile(r"\[(\S+), (\S+)\)")
MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
EPOCH = dt.date(1970, 1, 1).toordinal()


def true_of_all(asked: Asked, before: Grid, after: Grid, rows: list[int]) -> list[Finding]:
    """Every label and interval of a class, beside the originals of its members."""
    found = []
    whole = len(asked.key_sets) == 1  # else a class is no group
    # Columns of units have labels of whole units, whose records may be in several classes.
    of_units = [name for name in asked.plan.get("unit_columns") or () if name in asked.keys]
    for name in asked.generalized:
        if name in asked.codes:
            continue  # a code stands there as text
        counted = of_units if name in of_units else asked.keys
        for members in classes(after, [*counted, *asked.strata]).values():
            kind, label = after.tokens[name][members[0]]
            old = [before.values[name][rows[row]] for row in members]
            cells = [before.tokens[name][rows[row]][1] for row in members]
            if label is None or label == "" or (kind, label) == ("float", "nan"):
                if any(value not in (None, "") for value in old):
                    found.append(Finding("gap", f"a value of {name!r} became a gap"))
                continue
            label = str(label)
            if label.lstrip("'").lstrip().startswith(FORMULA):
                label = label.removeprefix("'")  # the mark of what a spreadsheet would run
            # Among words "+1" is a word: true of what it means, or of how it is written.
            wrong = [
                value
                for value, cell in zip(old, cells, strict=True)
                if not _true(asked, name, label, value)
                and not (isinstance(cell, str) and cell and _true(asked, name, label, cell))
            ]
            if wrong:
                text = f"{name!r} releases {label!r} of {wrong[0]!r}"
                found.append(Finding("truth", text))
            elif whole and label == ROOT and len(set(map(repr, old))) == 1 and str(old[0]) != ROOT:
                found.append(Finding("root", f"{name!r} tells nothing of {old[0]!r} alone"))
    return found[:1]


def _true(asked: Asked, name: str, label: str, value: Any) -> bool:
    if value is None:
        return False
    rule = (asked.plan.get("hierarchies") or {}).get(name) or {}
    released = (asked.plan.get("releases") or {}).get(name)
    if released == "interval":
        step = (asked.plan.get("steps") or {}).get(name)
        dated = isinstance(step, str) or (step is None and "dates" in rule)
        return _in_days(label, value) if dated else _in_band(label, value)
    if label == ROOT or label in _spellings(value):
        return True
    if "prefix" in rule:
        return any(text.startswith(label) for text in _spellings(value))
    if "bands" in rule:
        return _in_band(label, value)
    if "dates" in rule or DATE.fullmatch(label):
        return _in_days(label, value)
    tree = rule.get("tree", rule)
    return any(label in _above(tree, text) for text in _spellings(value))


def spelled(value: Any) -> str:
    """A value as rules spell it: whole numbers without a point, words for truth values."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return f"{value.normalize():f}" if isinstance(value, Decimal) else str(value)


def _spellings(value: Any) -> set[str]:
    """What a value may be called: in a text file 1.0 may be meant as text."""
    return {spelled(value), str(value), str(value).lower()}


def _in_band(label: str, value: Any) -> bool:
    """``[20, 35)``: 20 belongs to it, 35 does not. A label that is a number is that number."""
    # A number may stand as text in a file, with blanks around it.
    spelled_so = isinstance(value, str) and NUMBER.fullmatch(value.strip())
    exact = Fraction(value.strip()) if spelled_so else number(value)
    if isinstance(value, float):
        exact = Fraction(repr(value))
    found = BAND.fullmatch(label)
    if exact is None or not (found or NUMBER.fullmatch(label)):
        return False
    if found is None:
        digits = 2**23 if isinstance(value, Nearest) else 10**14
        return abs(Fraction(label) - exact) <= abs(exact) / digits
    low, high = map(Fraction, found.groups())
    return low <= exact < high


def _in_days(label: str, value: Any) -> bool:
    """A day, month, quarter, year or decade, or from one to another."""
    if not isinstance(value, int):
        return True  # a text that was read as a date: by the letter it is none
    day = value // DAY + EPOCH
    first, _, last = label.partition("..")
    starts, ends = _days(first)[0], _days(last or first)[1]
    return starts - 1 <= day <= ends  # a day more on either side: of other time zones


def _days(label: str) -> tuple[int, int]:
    """The first day, and the first one after it, of what a label names; as ordinals."""
    if label.endswith("0s"):
        year, month, step = int(label[:-1]), 1, "decade"
    elif "Q" in label:
        year, month, step = int(label[:4]), 3 * int(label[-1]) - 2, "quarter"
    elif re.fullmatch(r"\d{4}(-\d\d)?", label):
        year, month = int(label[:4]), int(label[5:] or 1)
        step = "month" if "-" in label else "year"
    else:
        day = dt.datetime.fromisoformat(label).toordinal()
        return day, day + 1
    after = 12 * year + month - 1 + MONTHS[step]
    start = dt.date(max(year, 1), month, 1).toordinal()
    if after // 12 > dt.MAXYEAR:
        return start, dt.date.max.toordinal() + 1
    return start, dt.date(after // 12, after % 12 + 1, 1).toordinal()


def _above(tree: Any, value: str) -> set[str]:
    """Labels above a value in a nested mapping."""
    if isinstance(tree, Mapping):
        for label, below in tree.items():
            inner = _above(below, value)
            if inner:
                return {label, *inner}
        return set()
    return {value} if value in map(str, tree) else set()
