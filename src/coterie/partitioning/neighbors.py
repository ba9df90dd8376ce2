"""The nearest neighbors of every record, for methods that work along short edges.

Of few records all pairs are compared at once: nothing to compile, nothing to load. Of more, leaves
out of reach are passed over (`coterie.kernels.base.leaves`). Both give the same lists to the last
bit. A search asks for `candidates`, the near ones to whose groups it may move a record: beyond some
ten thousand records those of the same tile in two different cuttings, and the near ones of these. A
few of the nearest may be missing then, and the work grows with n alone.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import KernelStream, Run, SingleStep
from coterie.partitioning.problem import Problem
from coterie.partitioning.tiles import tiles

__all__ = ["Neighbors", "candidates", "nearest_neighbors"]

FEW = 2000  # records whose pairs are all compared
ROWS = 128  # of them at a time
ALL_PAIRS = 20_000  # records up to which all pairs are looked at
NEAR_TILE = 10_000  # of records; fewer if the caller is in a hurry
CUTTINGS = 2


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


def candidates(
    problem: Problem, count: int, run: Run, tile: int | None = None
) -> NDArray[np.int32] | None:
    """The `count` nearest of each record, nearest first, or nearly so for large tables.

    None once the time limit is over: what is left could not be used any more.
    """
    n = problem.n
    count = min(count, n - 1)
    if n <= ALL_PAIRS:
        near, _, reached = nearest_neighbors(problem.points, count, run, in_time=True)
        return near.astype(np.int32) if reached == n else None
    rng = np.random.default_rng(run.seed.spawn(1)[0])
    lists = _Lists(problem.points, count, run)
    for cutting in range(CUTTINGS):
        parts = tiles(problem.points, max(tile or NEAR_TILE, 4 * count), rng if cutting else None)
        streams = [SingleStep(partial(lists.fill, part)) for part in parts]
        run.drive(streams, phase="neighbors")
    before = lists.near.copy()
    streams = [SingleStep(partial(lists.join, before, part)) for part in parts]
    run.drive(streams, phase="neighbors")
    return None if lists.late else lists.near


class _Lists:
    """The nearest found so far of each record, nearest first; tiles that come late are left out."""

    def __init__(self, points: NDArray[np.float64], count: int, run: Run) -> None:
        self.points, self.run = points, run
        self.late = False
        self.near = np.full((len(points), count), -1, dtype=np.int32)
        self.away = np.full((len(points), count), np.inf)

    def merge(
        self, part: NDArray[np.int64], near: NDArray[np.int64], away: NDArray[np.float64]
    ) -> None:
        """Take in the lists of the records `part`, each the nearest of its tile."""
        from coterie.kernels.base import shortlist

        shortlist.merge(part, near, away, self.near, self.away)

    def fill(self, tile: NDArray[np.int64], whole: bool) -> int:
        """Find the neighbors within one tile; of a few records only, unless `whole`."""
        from coterie.kernels.base import neighbors

        if self._over(whole):
            return 0
        count = self.near.shape[1]
        part = tile if whole else tile[: count + 1]
        state = neighbors.neighbors(np.ascontiguousarray(self.points[part]), count)
        while state.cursor[0] < len(part):  # boxes count, too: a step may end before the last list
            neighbors.step(state, len(part) ** 2)
        self.merge(part, state.near, state.away)
        return len(part)

    def join(self, before: NDArray[np.int32], tile: NDArray[np.int64], whole: bool) -> int:
        """Records of one tile look at the near ones of near ones; none do, unless `whole`."""
        from coterie.kernels.base import shortlist

        if self._over(whole):
            return 0
        part = tile if whole else tile[:0]
        shortlist.join(self.points, part, before, self.near, self.away)
        return len(part)

    def _over(self, whole: bool) -> bool:
        """Whether time is over for a tile; once for one, for all that follow."""
        self.late = self.late or (whole and self.run.out_of_time)
        return whole and self.late
