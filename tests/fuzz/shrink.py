"""A smaller case with the same finding: fewer records, columns and arguments."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from tests.fuzz.cases import Case


def shrink(case: Case, still: Callable[[Case], bool], seconds: float) -> Case:
    """The smallest case met in that time for which `still` holds."""
    end = time.monotonic() + seconds
    moved = True
    while moved and time.monotonic() < end:
        moved = False
        for smaller in _smaller(case):
            if time.monotonic() > end:
                break
            if still(smaller):
                case, moved = smaller, True
                break
    return case


def _smaller(case: Case) -> Iterator[Case]:
    """Cases with something left out, the largest cuts first."""
    rows = case["rows"]
    if not case.get("content") and "shuffled" not in case:
        size = rows // 2
        while size:
            for start in range(0, rows, size):
                yield _without_rows(case, range(start, min(start + size, rows)))
            size //= 2
    plan = case.get("plan", {})
    for name in plan:
        if name not in ("k", "quasi_identifiers", "declared", "method"):
            yield {**case, "plan": {n: v for n, v in plan.items() if n != name}}
    if plan.get("method", "mdav") != "mdav":
        yield {**case, "plan": {**plan, "method": "mdav"}}
    if not case.get("content"):
        for column in case["columns"]:
            if len(case["columns"]) > 1:
                yield _without_column(case, column["name"])


def _without_rows(case: Case, gone: range) -> Case:
    kept = [row for row in range(case["rows"]) if row not in gone]
    columns = [{**c, "values": [c["values"][row] for row in kept]} for c in case["columns"]]
    return {**case, "columns": columns, "rows": len(kept)}


def _without_column(case: Case, name: str) -> Case:
    """Without a column, wherever it is named."""
    columns = [column for column in case["columns"] if column["name"] != name]
    roles = {role: [n for n in names if n != name] for role, names in case["roles"].items()}
    smaller: dict[str, Any] = {**case, "columns": columns, "roles": roles}
    for plan in ("plan", "second"):
        if plan in case:
            smaller[plan] = _without_name(case[plan], name)
    return smaller


def _without_name(plan: dict[str, Any], name: str) -> dict[str, Any]:
    left: dict[str, Any] = {}
    for argument, value in plan.items():
        if isinstance(value, list):
            value = [v for v in value if v != name and v != [name]]
        elif isinstance(value, dict):
            value = {n: v for n, v in value.items() if n != name}
        elif value == name:
            continue
        if value not in ([], {}):
            left[argument] = value
    return left
