"""Whether rules contradict each other: a linear program over their columns.

Of whole numbers, single bounds and equations are looked at as such (no whole number lies in
0.2..0.8, nor does 2 a equal 1); a contradiction that only arises from several rules over whole
numbers shows when a group finds no values that keep them.

A contradiction is told with a smallest set of rules that cannot hold together: rules are left out
one by one, and those whose absence changes nothing stay out (a deletion filter; Chinneck and
Dravnieks 1991, ORSA Journal on Computing 3(2), section 2).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from coterie.centroids.edits.rule import Condition, Rule
from coterie.errors import ParameterError, listed

__all__ = ["matrix", "refuse_contradictions"]

INFEASIBLE = 2  # scipy's status


def refuse_contradictions(rules: Sequence[Rule], integers: Collection[str] = ()) -> None:
    """Raise one error that names rules which no record can keep together.

    Parameters
    ----------
    rules : sequence of Rule
        As `read_rules` gives them.
    integers : collection of str
        Columns that hold whole numbers.

    Examples
    --------
    >>> from coterie.centroids.edits import read_rules, refuse_contradictions
    >>> refuse_contradictions(read_rules(["a >= 5", "b >= 0", "a <= 3"], ["a", "b"]))
    Traceback (most recent call last):
    coterie.errors.ParameterError: Rules must not contradict each other. Got 'a >= 5' and ...
    """
    if not rules or _possible(rules, integers):
        return
    left = list(rules)
    for rule in rules:
        fewer = [other for other in left if other is not rule]
        if fewer and not _possible(fewer, integers):
            left = fewer
    reported = [repr(rule.text) for rule in left]
    if len(reported) == 1:
        raise ParameterError(
            f"A rule must be possible. Got {reported[0]}, which no value keeps; correct it."
        )
    raise ParameterError(
        f"Rules must not contradict each other. Got {listed(reported[:-1])} and {reported[-1]}, "
        "which no record can keep together; correct or leave out one of them."
    )


def matrix(
    parts: Sequence[Condition], names: Sequence[str]
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Coefficients of the conditions, a row each, over the columns `names`."""
    return np.array(
        [[part.coefficients.get(name, 0.0) for name in names] for part in parts], dtype=np.float64
    ).reshape(len(parts), len(names))


def _possible(rules: Sequence[Rule], integers: Collection[str]) -> bool:
    from scipy.optimize import linprog

    parts = [part for rule in rules for part in rule.parts]
    if not all(_whole_solution(part, integers) for part in parts):
        return False
    names = list(dict.fromkeys(name for rule in rules for name in rule.columns))
    rows = matrix(parts, names)
    # Rows of one size, so that the solver's tolerance means the same for each of them.
    scale = np.abs(rows).max(axis=1)
    rows = rows / scale[:, None]
    bounds = np.array([_whole_bound(part, integers) for part in parts]) / scale
    equal = np.array([part.equal for part in parts], dtype=bool)
    found = linprog(
        np.zeros(len(names)),
        A_ub=rows[~equal] if (~equal).any() else None,
        b_ub=bounds[~equal] if (~equal).any() else None,
        A_eq=rows[equal] if equal.any() else None,
        b_eq=bounds[equal] if equal.any() else None,
        bounds=(None, None),
        method="highs",
    )
    return bool(found.status != INFEASIBLE)


def _whole_bound(part: Condition, integers: Collection[str]) -> float:
    """The bound; of one column of whole numbers, the last whole number within it."""
    ((name, factor), *more) = part.coefficients.items()
    if more or part.equal or name not in integers:
        return part.bound
    limit = part.bound / factor
    near = round(limit)
    if abs(limit - near) < 1e-9 * max(1.0, abs(limit)):
        return factor * near
    return factor * (math.floor(limit) if factor > 0 else math.ceil(limit))


def _whole_solution(part: Condition, integers: Collection[str]) -> bool:
    """Whether an equation between whole numbers has a solution: what their gcd divides has one."""
    if not part.equal or not set(part.coefficients) <= set(integers):
        return True
    figures = [Fraction(c).limit_denominator(10**6) for c in part.coefficients.values()]
    bound = Fraction(part.bound).limit_denominator(10**6)
    common = math.lcm(*(f.denominator for f in figures))
    divisor = math.gcd(*(int(f * common) for f in figures))
    return divisor == 0 or (bound * common / divisor).denominator == 1
