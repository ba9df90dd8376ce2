"""Whether rules contradict each other: a linear program over their columns, whole numbers included.

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

from coterie.edits.rule import Part, Rule
from coterie.errors import ParameterError, listed

__all__ = ["bounds_of", "matrix", "refuse_contradictions"]

SECONDS = 2.0  # for the whole-number program; undecided counts as possible
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
    >>> from coterie.edits import read_rules, refuse_contradictions
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
    told = [repr(rule.text) for rule in left]
    if len(told) == 1:
        raise ParameterError(
            f"A rule must be possible. Got {told[0]}, which no value keeps; correct it."
        )
    raise ParameterError(
        f"Rules must not contradict each other. Got {listed(told[:-1])} and {told[-1]}, which no "
        "record can keep together; correct or leave out one of them."
    )


def matrix(parts: Sequence[Part], names: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Coefficients of the conditions, a row each, over the columns `names`."""
    return np.array(
        [[part.coefficients.get(name, 0.0) for name in names] for part in parts], dtype=np.float64
    ).reshape(len(parts), len(names))


def bounds_of(part: Part) -> tuple[float, float]:
    """Least and greatest value of the condition's sum."""
    return (part.bound if part.equal else -np.inf, part.bound)


def _possible(rules: Sequence[Rule], integers: Collection[str]) -> bool:
    from scipy.optimize import Bounds, LinearConstraint, milp

    parts = [part for rule in rules for part in rule.parts]
    if not all(_whole_solution(part, integers) for part in parts):
        return False
    names = list(dict.fromkeys(name for rule in rules for name in rule.columns))
    rows = matrix(parts, names)
    # Rows of one size, so that the solver's tolerance means the same for each of them.
    scale = np.abs(rows).max(axis=1)
    low, high = (np.array(side) for side in zip(*map(bounds_of, parts), strict=True))
    within = LinearConstraint(rows / scale[:, None], low / scale, high / scale)
    free = Bounds(-np.inf, np.inf)
    whole = np.array([name in integers for name in names], dtype=np.int64)
    for integrality in (np.zeros_like(whole), whole):
        found = milp(
            np.zeros(len(names)),
            integrality=integrality,
            bounds=free,
            constraints=within,
            # Presolve was seen to fail on small infeasible programs, and to print about it.
            options={"time_limit": SECONDS, "presolve": False},
        )
        if found.status == INFEASIBLE:
            return False
        if not whole.any():
            break
    return True


def _whole_solution(part: Part, integers: Collection[str]) -> bool:
    """Whether an equation between whole numbers has a solution: what their gcd divides has one.

    Branch and bound would look for it without end where nothing bounds the columns.
    """
    if not part.equal or not set(part.coefficients) <= set(integers):
        return True
    figures = [Fraction(c).limit_denominator(10**6) for c in part.coefficients.values()]
    bound = Fraction(part.bound).limit_denominator(10**6)
    common = math.lcm(*(f.denominator for f in figures))
    divisor = math.gcd(*(int(f * common) for f in figures))
    return divisor == 0 or (bound * common / divisor).denominator == 1
