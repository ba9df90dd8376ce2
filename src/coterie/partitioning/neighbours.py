"""The nearest neighbours of every record, for methods that work along short edges."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import KernelStream, Run

__all__ = ["Neighbours", "nearest_neighbours"]

PLAIN = 30_000  # records up to which plain passes take seconds
DEEP = 16  # attributes from which a tree hardly prunes


class Neighbours(NamedTuple):
    """For each record its nearest others, nearest first, and their squared distances."""

    near: NDArray[np.int64]
    away: NDArray[np.float64]


def nearest_neighbours(points: NDArray[np.float64], count: int, run: Run) -> Neighbours:
    """The `count` nearest of each point, count < n; ties go to the lowest index.

    Plain passes over the records, n^2 distances. Large tables of few attributes go through SciPy's
    k-d tree; there, of equally distant records at the end of a list, any may be left out.
    """
    n, d = points.shape
    if n > PLAIN and d < DEEP:
        return _by_tree(points, count)
    from coterie.kernels import neighbours as kernel

    state = kernel.neighbours(points, count)
    stream = KernelStream(
        kernel.step,
        state,
        finished=lambda s: s.cursor[0] == n,
        share=lambda s: s.cursor[0] / n,
    )
    run.drive([stream], phase="neighbours")
    return Neighbours(state.near, state.away)


def _by_tree(points: NDArray[np.float64], count: int) -> Neighbours:
    from scipy.spatial import cKDTree

    n = len(points)
    near = cKDTree(points).query(points, k=count + 1)[1].astype(np.int64)
    # Of many duplicates the record itself may be missing: then the last one leaves instead.
    own = near == np.arange(n)[:, None]
    own[~own.any(axis=1), -1] = True
    near = near[~own].reshape(n, count)
    away = np.square(points[near] - points[:, None, :]).sum(axis=2)
    order = np.lexsort((near, away), axis=1)
    return Neighbours(np.take_along_axis(near, order, 1), np.take_along_axis(away, order, 1))
