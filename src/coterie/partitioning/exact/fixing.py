"""Relax and fix: a partition read off the relaxation, the certain groups first.

Groups to which the linear program gives almost their full weight are taken; the records left are a
smaller problem of the same kind, relaxed anew over all groups of theirs, until none is left. There
is always a partition of what is left, so it never runs into a corner, as rounding within a fixed
pool of columns would. Or a search takes over after the first round: the certain groups are those of
the outliers, which cost most and which a search finds hardest to get right.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import Run
from coterie.partitioning.exact.beginning import first_outcome
from coterie.partitioning.exact.relaxation import Relaxation
from coterie.partitioning.problem import Problem

__all__ = ["CERTAIN", "relax_and_fix"]

CERTAIN = 0.6  # weight of a group that is taken at once; of two that overlap one has less
PART = 8  # at least one in so many records is settled in a round
CUTS = 4  # rounds of cuts for what is left


def relax_and_fix(
    relaxation: Relaxation,
    run: Run,
    rest: Callable[[Problem], NDArray[np.int64]] | None = None,
    certain: float = CERTAIN,
) -> NDArray[np.int64] | None:
    """A partition close to the relaxation's solution; None if that has none yet.

    What the certain groups, of weight `certain` and more, leave is relaxed again, or partitioned by
    `rest`. When the time is up, what is left is partitioned by MDAV and cut anew along a path.
    """
    whole = relaxation.problem
    labels = np.full(whole.n, -1)
    rows = np.arange(whole.n)
    groups = 0
    while relaxation.solution is not None:
        taken = _certain(relaxation, certain)
        for group in taken:
            labels[rows[group]] = groups
            groups += 1
        rows = np.flatnonzero(labels < 0)
        if len(rows) == 0:
            return labels
        part = Problem(whole.values[rows], whole.points[rows], whole.scale, whole.k)
        if len(rows) < 2 * whole.k:
            labels[rows] = groups
            return labels
        if rest is not None:
            labels[rows] = groups + rest(part)
            return labels
        start = first_outcome(part, run).labels
        relaxation = Relaxation(part, start)
        relaxation.solve(run, cuts=CUTS)
        if (
            not taken or relaxation.solution is None
        ):  # no progress, the start is optimal, or the time is up
            labels[rows] = groups + start
            return labels
    return None


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
