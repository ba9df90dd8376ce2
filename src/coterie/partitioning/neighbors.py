"""The nearest neighbours of every record, for methods that work along short edges.

Of few records all pairs are compared at once: nothing to compile, nothing to load. Of more, leaves
out of reach are passed over (`coterie.kernels.base.leaves`). Both give the same lists to the last
bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import KernelStream, Run

__all__ = ["Neighbors", "nearest_neighbors"]

FEW = 2000  # records whose pairs are all compared
ROWS = 128  # of them at a time


class Neighbors(NamedTuple):
    """For each record its nearest others, nearest first, and their squared distances.

    The first `reached` records have theirs: all of them, unless the time was up before.
    """

    near: NDArray[np.int64]
    away: NDArray[np.float64]
    reached: int


def nearest_neighbors(
    points: NDArray[np.float64], count: int, run: Run, *, in_time: bool = False
) -> Neighbors:
    """The `count` nearest of each point, count < n; ties go to the lowest index.

    n^2 distances at worst, far fewer of many points where leaves are out of reach. If it is to end
    `in_time`, only as many points are reached as the time limit allows.
    """
    n = len(points)
    if n <= FEW:
        if in_time and run.out_of_time:
            return Neighbors(np.empty((n, count), dtype=np.int64), np.empty((n, count)), 0)
        return _among_few(points, count)
    from coterie.kernels.base import neighbors as kernel

    state = kernel.neighbors(points, count)
    stream = KernelStream(
        kernel.step,
        state,
        finished=lambda s: s.cursor[0] == n or (in_time and run.out_of_time),
        share=lambda s: s.cursor[0] / n,
    )
    run.drive([stream], phase="neighbors")
    return Neighbors(state.near, state.away, int(state.cursor[0]))


def _among_few(points: NDArray[np.float64], count: int) -> Neighbors:
    """The same from all pairs of points, some rows at a time."""
    n, d = points.shape
    near = np.empty((n, count), dtype=np.int64)
    away = np.empty((n, count))
    for start in range(0, n, ROWS):
        stop = min(start + ROWS, n)
        squares = np.zeros((stop - start, n))
        for a in range(d):  # attribute after attribute, as the kernels add them up
            apart = points[start:stop, a, None] - points[None, :, a]
            apart *= apart
            squares += apart
        squares[np.arange(stop - start), np.arange(start, stop)] = np.inf  # itself
        last = np.partition(squares, count - 1, axis=1)[:, count - 1, None]
        tied = squares == last
        room = count - (squares < last).sum(axis=1, keepdims=True)
        chosen = (squares < last) | (tied & (np.cumsum(tied, axis=1) <= room))
        found = np.nonzero(chosen)[1].reshape(-1, count)
        distance = np.take_along_axis(squares, found, axis=1)
        order = np.argsort(distance, axis=1, kind="stable")
        near[start:stop] = np.take_along_axis(found, order, axis=1)
        away[start:stop] = np.take_along_axis(distance, order, axis=1)
    return Neighbors(near, away, n)
