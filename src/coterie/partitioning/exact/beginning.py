"""Partitions that columns begin with: one that is quickly made, in groups that columns can hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.numbers.renumber import renumber
from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import Run
from coterie.partitioning.exact.columns import group_costs, groups_of
from coterie.partitioning.problem import Problem

__all__ = ["cost_of", "first_outcome", "no_larger"]


def cost_of(problem: Problem, labels: NDArray[np.int64]) -> float:
    """SSE of a partition in the units of `problem.points`."""
    widest = int(np.bincount(renumber(labels)).max())
    return float(group_costs(problem.points, groups_of(labels, widest)).sum())


def first_outcome(problem: Problem, run: Run) -> Outcome:
    """A partition to begin with: MDAV's groups, cut anew along a path."""
    from coterie.partitioning.constructive.mdav import MdavOptions, mdav
    from coterie.partitioning.path.groups import group_path
    from coterie.partitioning.path.mhm import MhmOptions, ordered

    def base(problem: Problem, run: Run) -> Outcome:
        return mdav(problem, run, MdavOptions())

    def order(problem: Problem, run: Run) -> NDArray[np.int64]:
        return group_path(problem, run, base)

    return ordered(problem, run, MhmOptions(), order)


def no_larger(problem: Problem, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """The partition with groups of 2k and more cut into pieces of k..2k-1: never worse."""
    codes = renumber(labels)
    sizes = np.bincount(codes)
    following = len(sizes)
    for code in np.flatnonzero(sizes >= 2 * problem.k):
        rows = np.flatnonzero(codes == code)
        for piece in np.array_split(rows, len(rows) // problem.k)[1:]:
            codes[piece] = following
            following += 1
    return codes
