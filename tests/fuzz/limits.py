"""Diversity and rules of a release, recomputed."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any

from tests.fuzz.asked import Asked, Finding, classes
from tests.fuzz.grid import NUMBER, Grid, number


def limits(asked: Asked, before: Grid, after: Grid) -> list[Finding]:
    """Diversity of confidential columns that are no keys, class by class.

    Shares of the whole table are those of what is released, judged where nobody is missing of it.
    """
    found = []
    whole = before.rows == after.rows
    watched = [n for n in asked.plan.get("confidential") or () if n not in asked.keys]
    all_of = {n: Counter(_value(after, n, row) for row in range(after.rows)) for n in watched}
    for name in watched:
        for members in classes(after, [*asked.keys, *asked.strata]).values():
            if len(asked.key_sets) > 1:
                break
            counts = Counter(_value(after, name, row) for row in members)
            shares = [count / len(members) for count in counts.values()]
            often = sorted(counts.values(), reverse=True)
            grown = _grown(all_of[name], counts) if whole else []
            entropy = math.exp(-sum(share * math.log(share) for share in shares))
            for rule, value, kept in (
                ("min_distinct", len(counts), lambda v, limit: v >= limit),
                ("max_share", max(shares), lambda v, limit: v <= limit + 1e-9),
                ("entropy_l", entropy, lambda v, limit: v >= limit - 1e-9),
                ("alpha_k", max(shares), lambda v, limit: v <= limit + 1e-9),
                ("recursive_cl", often, lambda v, limit: v[0] < limit[0] * sum(v[limit[1] - 1 :])),
                ("beta_likeness", grown, lambda v, limit: all(_like(*s, limit) for s in v)),
                ("delta_disclosure", grown, lambda v, limit: all(_near(*s, limit) for s in v)),
            ):
                limit = asked.plan.get(rule)
                if isinstance(limit, (int, float, tuple)) and not kept(value, limit):
                    found.append(Finding(rule, f"{name!r} has {value} in a class, asked {limit}"))
    return found[:1]


def _grown(everywhere: Counter[Any], here: Counter[Any]) -> list[tuple[float, float]]:
    """The share of each value in the table and in a class."""
    n, m = sum(everywhere.values()), sum(here.values())
    return [(count / n, here[value] / m) for value, count in everywhere.items()]


def _like(table: float, share: float, beta: float) -> bool:
    """Enhanced beta-likeness: a share grows at most by so much, relatively."""
    return share <= table or share / table - 1 <= min(beta, -math.log(table)) + 1e-9


def _near(table: float, share: float, delta: float) -> bool:
    """delta-disclosure privacy: a value is there, with a share not far from the table's."""
    return share > 0 and abs(math.log(share / table)) <= delta + 1e-9


def _value(grid: Grid, name: str, row: int) -> Any:
    value = grid.values[name][row]
    if isinstance(value, float) and value == 0.0:
        value = 0.0  # whatever its sign: nobody's secret
    return None if value is None else repr(value)


def rules(asked: Asked, after: Grid) -> list[Finding]:
    """Rules of the forms that plans have: ``a >= number`` and ``a <= b``."""
    for rule in asked.plan.get("rules") or ():
        left, sign, right = rule.split()
        if {left, right} & asked.coded:
            continue  # it does not apply to codes
        # Beside huge numbers, small ones are lost in their last digit.
        lost = Fraction(2 * sum(_largest(after, name) for name in (left, right))) / 10**15
        for row in range(after.rows):
            one = number(after.values[left][row])
            # A column may be named "0", which is the number, or "nan", which is none.
            figure = NUMBER.fullmatch(right) and right.lower() != "nan"
            named = right in after.values and not figure
            other = number(after.values[right][row]) if named else Fraction(right)
            if one is None or other is None:
                continue
            gap = other - one if sign == ">=" else one - other
            room = (abs(one) + abs(other)) / 10**6
            if gap > room + lost:
                return [Finding("rule", f"{rule!r} is broken by {float(one)}, {float(other)}")]
    return []


def _largest(after: Grid, name: str) -> Fraction:
    """Of the numbers of a column, whatever their sign; 0 if there is no such column."""
    found = (number(value) for value in after.values.get(name, ()))
    return max((abs(one) for one in found if one is not None), default=Fraction(0))
