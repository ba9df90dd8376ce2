"""What is said of single columns beyond their role: hierarchies, intervals, recodings."""

from __future__ import annotations

from typing import Any

from tests.fuzz.chooser import Chooser

NUMBERS = ("integer", "float", "decimal")
TIMES = ("date", "moment")
WIDTHS: list[list[Any]] = [[5], [5, 10], [1, 10, 100], [0.5, 5], [100, 1000]]
SPANS = [["month"], ["year"], ["month", "year"], ["quarter", "decade"], ["day", "month", "year"]]
STEPS: list[Any] = [10, 5, 1, 0.25, 1000, 7.5]
DATE_STEPS = ["month", "quarter", "year", "decade", "day"]


def hierarchy(choose: Chooser, kind: str, values: list[Any]) -> Any:
    """A rule by which a column has a tree; None where no rule is for its kind."""
    if kind in TIMES:
        return {"dates": choose.one(SPANS)}
    if kind in NUMBERS and choose.chance(70):
        return {"bands": choose.one(WIDTHS)}
    if kind in ("text", "integer") and choose.chance(50):
        return {"prefix": choose.one([[1], [1, 2], [2], [1, 3]])}
    if kind == "text":
        return {"tree": _tree(choose, values)}
    return {"tree": {"either": ["true", "false"]}} if kind == "boolean" else None


def _tree(choose: Chooser, values: list[Any]) -> dict[str, Any]:
    """Two or three branches, some of them deeper; seldom a value stands nowhere."""
    known = sorted({v for v in values if v is not None})
    branches: dict[str, Any] = {}
    for value in known[1:] if choose.chance(10) else known:
        branches.setdefault(choose.one(["left", "right", "far"]), []).append(value)
    for label in list(branches):
        if len(branches[label]) > 1 and choose.chance(40):
            some = branches[label]
            branches[label] = {f"{label} 1": some[:1], f"{label} 2": some[1:]}
    return branches or {"left": ["nobody"]}


def step(choose: Chooser, kind: str) -> Any:
    """What the ends of an interval are rounded to; None where a kind has no intervals."""
    if kind in TIMES:
        return choose.one(DATE_STEPS)
    return choose.one(STEPS) if kind in NUMBERS else None


def recoding(choose: Chooser, kind: str, values: list[Any]) -> dict[str, Any] | None:
    """What is done to a column first; None where no rule is for its kind."""
    known = [v for v in values if v is not None and v == v]
    if kind == "text" and known:
        if choose.chance(40):
            return {"prefix": choose.integer(1, 3)}
        some = sorted(set(known))[: choose.integer(1, 3)]
        return {"merge": {choose.one(["some", "some", known[0] or "none"]): some}}
    if kind not in NUMBERS or not known:
        return None
    form = choose.integer(0, 3)
    if form == 0:
        return {"bands": choose.one([10, 5, 2.5, 1000])}
    made: dict[str, Any] = {}
    if form in (1, 3):
        made["round"] = choose.one([10, 100, 0.5, 3])
    if form in (2, 3):
        end = "auto" if choose.chance(70) or kind == "decimal" else choose.one(known)
        usual = isinstance(end, str) or abs(end) < 1e300
        made[choose.one(["top", "bottom"])] = end if usual else "auto"
    return made
