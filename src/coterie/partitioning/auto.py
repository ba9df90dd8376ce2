"""`auto`: the method by the size of the table.

Up to `tile` records, the best of several cut paths. Beyond that the table is cut at medians into
tiles of at most `tile` records, each at least k, and every tile is partitioned by itself: time
grows with n log n instead of n^2, memory stays O(n d).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.constructive.mdav import MdavOptions, mdav
from coterie.partitioning.core import Outcome, sse_of
from coterie.partitioning.driver import Run
from coterie.partitioning.options import integer
from coterie.partitioning.path.groups import order_groups
from coterie.partitioning.path.mhm import cut_tour
from coterie.partitioning.path.npn import npn
from coterie.partitioning.problem import Problem

__all__ = ["AutoOptions", "auto", "tiles"]


@dataclass(frozen=True)
class AutoOptions:
    """`tile`: most records that are partitioned as one; fewer are faster, more lose less."""

    tile: int = integer(4000, at_least=10)


def auto(problem: Problem, run: Run, options: AutoOptions) -> Outcome:
    """The best cut path of each tile of the table."""
    most = max(options.tile, 4 * problem.k)
    parts = tiles(problem.points, most)
    if len(parts) == 1:
        return Outcome(best_path(problem, run))
    streams = [_Tile(problem, part) for part in parts]
    run.drive(streams, phase="tiles")
    labels = np.empty(problem.n, dtype=np.int64)
    groups = 0
    for stream in streams:
        if stream.labels is not None:
            labels[stream.records] = stream.labels + groups
            groups += int(stream.labels.max()) + 1
    return Outcome(labels)


def best_path(problem: Problem, run: Run) -> NDArray[np.int64]:
    """Of MDAV's groups and the nearest-point-next path, each cut as a tour, the lesser SSE."""
    orders = [order_groups(problem.points, mdav(problem, run, MdavOptions()), run)]
    if problem.n <= 4000:
        orders.append(npn(problem, run))
    best = None
    for order in orders:
        labels = np.empty(problem.n, dtype=np.int64)
        labels[order] = cut_tour(problem.points[order], problem.k, run)
        cost = sse_of(problem.points, labels)
        if best is None or cost < best[0]:
            best = cost, labels
    assert best is not None
    return best[1]


def tiles(points: NDArray[np.float64], most: int) -> list[NDArray[np.int64]]:
    """Records in tiles of at most `most`, halved along the axis of greatest variance.

    Halves differ by one record at most, so a tile holds at least `most` / 2 - 1 records.
    """
    waiting, done = [np.arange(len(points))], []
    while waiting:
        part = waiting.pop()
        if len(part) <= most:
            done.append(np.sort(part))
            continue
        axis = int(points[part].var(axis=0).argmax())
        middle = len(part) // 2
        # By value, then by index: equal values are cut the same way every time.
        order = part[np.lexsort((part, points[part, axis]))]
        waiting += [order[middle:], order[:middle]]
    return done


class _Tile:
    """A stream that partitions one tile in one step."""

    def __init__(self, problem: Problem, records: NDArray[np.int64]) -> None:
        self.problem, self.records = problem, records
        self.labels: NDArray[np.int64] | None = None

    @property
    def done(self) -> bool:
        return self.labels is not None

    @property
    def progress(self) -> float:
        return float(self.done)

    def step(self, budget: int) -> int:
        if budget == 0:
            best_path(self.problem.part(slice(4 * self.problem.k)), Run())  # compiles
            return 0
        self.labels = best_path(self.problem.part(self.records), Run())
        return len(self.records)
