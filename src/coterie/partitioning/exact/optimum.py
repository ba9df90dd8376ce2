"""The proved optimum, where it can be had."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError
from coterie.partitioning.core import Outcome, Partition
from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.path.mhm import cut_path
from coterie.partitioning.problem import Problem

__all__ = ["ExactOptions", "exact"]

MOST = 20  # records of several attributes; each one more trebles the time and doubles the memory


@dataclass(frozen=True)
class ExactOptions:
    """It has none: the optimum is the optimum."""


def exact(problem: Problem, run: Run, options: ExactOptions) -> Outcome:
    """The partition of least SSE of all: one attribute and any n, or up to 20 records.

    Its SSE is also its lower bound: the gap is 0.

    With one attribute the best groups are neighbors in sorted order. Otherwise all subsets of the
    records are gone through: 20 records take one to two seconds and 15 MB, 11 a third of a
    millisecond.

    References
    ----------
    Hansen, Mukherjee (2003), IEEE TKDE 15(4):1043-1044, for one attribute; Domingo-Ferrer,
    Mateo-Sanz (2002), IEEE TKDE 14(1):189-201: no group of an optimum needs 2k records.
    """
    labels = _optimum(problem, run)
    scaled = Problem(problem.points, problem.points, 1.0, problem.k)
    return Outcome(labels, lower_bound=Partition.of(scaled, Outcome(labels)).sse)


def _optimum(problem: Problem, run: Run) -> NDArray[np.int64]:
    n, k = problem.n, problem.k
    labels = np.zeros(n, dtype=np.int64)
    if n < 2 * k:
        return labels
    if problem.d == 1:
        order = np.argsort(problem.points[:, 0], kind="stable")
        labels[order] = cut_path(problem.points[order], [k], run)[0]
        return labels
    if n > MOST:
        raise DataError(
            f"Method 'exact' must have one attribute, at most {MOST} records, or fewer than 2k. "
            f"Got {n} records of {problem.d} attributes; use 'auto' instead."
        )
    return _over_subsets(problem, run)


def _over_subsets(problem: Problem, run: Run) -> NDArray[np.int64]:
    from coterie.kernels.exact import subsets as kernel

    state = kernel.subsets(problem.points, problem.k)
    stream = KernelStream(
        kernel.step,
        state,
        finished=lambda s: s.cursor[kernel.PHASE] == kernel.DONE,
        # The work below a subset grows as 3^(log2 of the subset).
        share=lambda s: (
            float((s.cursor[kernel.NEXT] / len(s.best)) ** 1.585)
            if s.cursor[kernel.PHASE] == kernel.BEST
            else 0.0
        ),
    )
    run.drive([stream], phase="subsets")
    labels = np.empty(problem.n, dtype=np.int64)
    for number, subset in enumerate(kernel.groups(state)):
        labels[subset >> np.arange(problem.n) & 1 == 1] = number
    return labels
