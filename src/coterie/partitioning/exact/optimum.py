"""The proved optimum, where it can be had."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.errors import DataError
from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import Run
from coterie.partitioning.path.mhm import cut_path
from coterie.partitioning.problem import Problem

__all__ = ["ExactOptions", "exact"]


@dataclass(frozen=True)
class ExactOptions:
    """It has none: the optimum is the optimum."""


def exact(problem: Problem, run: Run, options: ExactOptions) -> Outcome:
    """The optimum of one attribute: in sorted order the best groups are neighbours.

    References
    ----------
    Hansen, Mukherjee (2003), IEEE TKDE 15(4):1043-1044.
    """
    if problem.n < 2 * problem.k:
        return Outcome(np.zeros(problem.n, dtype=np.int64))
    if problem.d > 1:
        raise DataError(
            f"Method 'exact' must have one attribute, or fewer than 2k records. Got {problem.n} "
            f"records of {problem.d} attributes; use 'mdav-mhm' instead."
        )
    order = np.argsort(problem.points[:, 0], kind="stable")
    labels = np.empty(problem.n, dtype=np.int64)
    labels[order] = cut_path(problem.points[order], [problem.k], run)[0]
    return Outcome(labels)
