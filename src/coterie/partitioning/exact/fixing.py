"""Relax and fix: a partition read off the relaxation, the certain groups first.

Groups to which the linear program gives almost their full weight are taken; the records left are a
smaller problem of the same kind, relaxed anew over all groups of theirs, until none is left. There
is always a partition of what is left, so it never runs into a corner, as rounding within a fixed
pool of columns would. Or a search takes over after the first round: the certain groups are those of
the outliers, which cost most and which a search finds hardest to get right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import Run
from coterie.partitioning.exact.beginning import first_outcome
from coterie.partitioning.exact.relaxation import Relaxation
from coterie.partitioning.problem import Problem

__all__ = ["CERTAIN", "Left", "Rest", "relax_and_fix"]

CERTAIN = 0.6  # weight of a group that is taken at once; of two that overlap one has less
PART = 8  # at least one in so many records is settled in a round
CUTS = 4  # rounds of cuts for what is left


@dataclass(frozen=True, eq=False)
class Left:
    """What the certain groups leave.

    Attributes
    ----------
    problem : Problem
        Of the records left.
    shares : array or None
        Theirs, which hold for any choice of records: a relaxation of them need not find others.
    paid : float
        SSE of all groups taken so far.
    stuck : bool
        Whether the last relaxation had no group to take.
    """

    problem: Problem
    shares: NDArray[np.float64] | None
    paid: float
    stuck: bool


Rest = Callable[[Left], "NDArray[np.int64] | Relaxation"]


def relax_and_fix(
    relaxation: Relaxation, run: Run, rest: Rest | None = None, certain: float = CERTAIN
) -> NDArray[np.int64] | None:
    """A partition close to the relaxation's solution; None if that has none yet.

    What the certain groups, of weight `certain` and more, leave is relaxed again, or `rest` gives
    its relaxation, which is followed in the same way, or its partition, which ends it. When the
    time is up, what is left is partitioned by MDAV and cut anew along a path.
    """
    whole = relaxation.problem
    labels = np.full(whole.n, -1)
    rows = np.arange(whole.n)
    groups, paid = 0, 0.0
    while relaxation.solution is not None:
        taken = _certain(relaxation, certain)
        for group in taken:
            points = whole.points[rows[group]]
            paid += float(np.square(points - points.mean(axis=0)).sum())
            labels[rows[group]] = groups
            groups += 1
        left = np.flatnonzero(labels[rows] < 0)
        rows = rows[left]
        if len(rows) == 0:
            return labels
        part = whole.part(rows)
        if len(rows) < 2 * whole.k:
            labels[rows] = groups
            return labels
        shares = None if relaxation.shares is None else relaxation.shares[left]
        remains = Left(part, shares, paid, stuck=not taken)
        found = _relaxed(remains, run) if rest is None else rest(remains)
        if not isinstance(found, Relaxation):
            labels[rows] = groups + found
            return labels
        relaxation = found
    return None


def _relaxed(left: Left, run: Run) -> NDArray[np.int64] | Relaxation:
    """The relaxation of what is left; a partition if there is no progress, or no time."""
    start = first_outcome(left.problem, run).labels
    if left.stuck:
        return start
    relaxation = Relaxation(left.problem, start)
    relaxation.start(run, left.shares)
    relaxation.solve(run, cuts=CUTS)
    return start if relaxation.closed or relaxation.solution is None else relaxation


def _certain(relaxation: Relaxation, certain: float) -> list[NDArray[np.integer]]:
    """The groups to take now: the heaviest, disjoint, leaving no rest below k records."""
    solution = relaxation.solution
    assert solution is not None
    n, k = relaxation.problem.n, relaxation.problem.k
    free = np.ones(n, dtype=bool)
    left = n
    taken: list[NDArray[np.integer]] = []
    for at in np.argsort(-solution.weights, kind="stable").tolist():
        weight = solution.weights[at]
        if weight < certain and (n - left) * PART >= n:
            break
        if weight <= 0.0:
            break
        group = relaxation.columns.members[solution.places[at]]
        group = group[group >= 0]
        rest = left - len(group)
        if free[group].all() and (rest == 0 or rest >= k):
            free[group] = False
            left = rest
            taken.append(group)
    return taken
