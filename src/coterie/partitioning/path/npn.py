"""Nearest point next: an order of points in which neighbours follow each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.problem import Problem

__all__ = ["npn", "npn_path"]


def npn(problem: Problem, run: Run) -> NDArray[np.int64]:
    """The path from the record farthest from the centroid, always on to the nearest one left.

    References
    ----------
    Domingo-Ferrer et al. (2006), VLDB Journal 15:355-369, section 4.2.1.
    """
    return npn_path(problem.points, farthest_from_mean(problem.points), run)


def npn_path(points: NDArray[np.float64], start: int, run: Run) -> NDArray[np.int64]:
    """The nearest-point-next order of `points` that begins at `start`."""
    from coterie.kernels import npn as kernel
    from coterie.kernels.leaves import SIZE

    n = len(points)
    state = kernel.npn(points, start)
    stream = KernelStream(
        kernel.step,
        state,
        finished=lambda s: s.rest.count[SIZE] == 0,
        share=lambda s: 1.0 - (s.rest.count[SIZE] / n) ** 2,
    )
    run.drive([stream], phase="path")
    order = np.empty(n, dtype=np.int64)
    order[state.rank] = np.arange(n)
    return order


def farthest_from_mean(points: NDArray[np.float64]) -> int:
    """The record farthest from the centroid of all; of equals, the first."""
    return int(np.square(points - points.mean(axis=0)).sum(axis=1).argmax())
