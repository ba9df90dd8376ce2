"""Start: the best of several cut paths, tile by tile where the table is large; or halves; or both.

What the other phases improve. There is no partition yet, so it takes a problem and a budget where
they take a course.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from coterie.numbers.renumber import renumber
from coterie.partitioning.constructive.cbfs import CbfsOptions, cbfs
from coterie.partitioning.constructive.mdav import MdavOptions, mdav
from coterie.partitioning.core import sse_of
from coterie.partitioning.driver import Progress, Run, SingleStep
from coterie.partitioning.exact.beginning import no_larger
from coterie.partitioning.path.groups import order_groups
from coterie.partitioning.path.mhm import cut_tour
from coterie.partitioning.path.npn import npn
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.stop import Budget
from coterie.partitioning.tiles import tiles

__all__ = ["Start"]


@dataclass(frozen=True)
class Start:
    """How the first partition is made.

    way
        ``"paths"``, the best of several cut paths; ``"halves"``, the records halved again and
        again: poor, and there at once; ``"both"``: paths, whose rival the search makes of halves.
    paths
        How many: through MDAV's groups, through CBFS's, nearest point next.
    uncut
        Records that are not cut into tiles.
    tile
        Records of a tile, at most: every cut of the table costs, the more the more attributes.
    least
        Records of a tile where time is short.
    share, little
        Of the time limit, at most, or so many seconds of it, if that is more.
    patience
        Seconds for 100,000 records, without a time limit.
    granted
        Seconds for MDAV of the whole table, whatever the limit: what it gives is a promise. Nothing
        better could be had sooner, as the search itself takes longer for such a table.
    distance
        Seconds of an attribute's part in a distance: what MDAV takes is told by these.
    pieces
        Of a large table, about, that halves are made in.
    """

    way: str = "paths"
    paths: int = 3
    uncut: int = 10_000
    tile: int = 500_000
    least: int = 1000
    share: float = 0.2
    little: float = 0.3
    patience: float = 4.0
    granted: float = 2.0
    distance: float = 2e-10
    pieces: int = 2000

    def run(self, problem: Problem, budget: Budget, tile: int | None = None) -> NDArray[np.int64]:
        """Groups of k..2k-1 records; tiles of `tile` records, by default of what time allows."""
        if self.way == "halves":
            return self.halves(problem)
        tile = tile or self.tile_size(problem.n, problem.d, problem.k, budget)
        return no_larger(problem, self.cut(problem, budget, tile))

    def cut(self, problem: Problem, budget: Budget, tile: int) -> NDArray[np.int64]:
        """The best path's groups; of each tile, MDAV's cut anew, where the table is large."""
        if problem.n <= max(self.uncut, 4 * problem.k):
            return _best_path(problem, budget, self.paths)
        labels = np.empty(problem.n, dtype=np.int64)
        parts = tiles(problem.points, max(tile, 4 * problem.k))
        caller, run = threading.get_ident(), budget.run

        def on_progress(reported: Progress) -> None:
            """Within a tile: end with the whole; where it is the only one, tell how far it is."""
            if run.stopping.is_set():
                raise KeyboardInterrupt
            if threading.get_ident() == caller:
                run.tell("tiles", fraction=reported.fraction)

        streams = [
            SingleStep(partial(_cut_tile, problem, on_progress, labels, part)) for part in parts
        ]
        run.drive(streams, phase="tiles")
        groups = 0
        for part in parts:
            labels[part] += groups
            groups = int(labels[part].max()) + 1
        return labels

    def tile_size(self, n: int, d: int, k: int, budget: Budget) -> int:
        """Records of a tile: as many as time allows, by what MDAV takes for normal records, about.

        It computes a share of 3 r^2 / (4 k) distances for r records that grows with d: a tenth for
        ten attributes, all for thirty and more. One tile holds the whole table where that takes no
        more than is `granted`, however little time there is: so the search is never above MDAV.
        """
        if budget.limited:
            seconds = max(self.share * budget.limit, min(self.little, budget.limit))
        else:
            seconds = self.patience * (1 + n / 100_000)
        share = min(1.0, 0.1 * (d / 10) ** 2)
        record = n * 0.75 / k * share * d * self.distance  # seconds for each record of a tile
        if n <= self.tile and n * record <= self.granted:
            return self.tile
        tile = self.tile
        while tile > self.least and min(n, tile) * record > seconds:
            tile //= 2
        return tile

    def halves(self, problem: Problem) -> NDArray[np.int64]:
        """Groups of k..2k-1 records by halving again and again: poor, and there at once.

        Of a large table, halves of some size are cut along their widest attribute.
        """
        labels = np.empty(problem.n, dtype=np.int64)
        groups = 0
        for part in tiles(problem.points, max(2 * problem.k - 1, problem.n // self.pieces)):
            points = problem.points[part]
            order = part[np.argsort(points[:, np.ptp(points, axis=0).argmax()], kind="stable")]
            for group in np.array_split(order, len(order) // problem.k):
                labels[group] = groups
                groups += 1
        return labels


def _best_path(problem: Problem, budget: Budget, count: int) -> NDArray[np.int64]:
    """Of some paths, through MDAV's and CBFS's groups and of nearest point next, the best cut."""
    run = budget.run
    orders: tuple[Callable[[], NDArray[np.int64]], ...] = (
        lambda: order_groups(problem.points, mdav(problem, run, MdavOptions()), run),
        lambda: order_groups(problem.points, cbfs(problem, run, CbfsOptions()), run),
        lambda: npn(problem, run),
    )
    best: tuple[float, NDArray[np.int64]] | None = None
    for make in orders[:count]:
        if best is not None and budget.late:
            break
        order = make()
        labels = np.empty(problem.n, dtype=np.int64)
        labels[order] = cut_tour(problem.points[order], problem.k, run)
        cost = sse_of(problem.points, labels)
        if best is None or cost < best[0]:
            best = cost, labels
    assert best is not None
    return best[1]


def _cut_tile(
    problem: Problem,
    on_progress: Callable[[Progress], object],
    labels: NDArray[np.int64],  # out
    tile: NDArray[np.int64],
    whole: bool,
) -> int:
    """Group one tile by MDAV, cut anew; a few of its records only, and in vain, unless `whole`."""
    part = tile if whole else tile[: 4 * problem.k]
    some = problem.part(part)
    run = Run(callback=on_progress)
    order = order_groups(some.points, mdav(some, run, MdavOptions()), run)
    found = np.empty(some.n, dtype=np.int64)
    found[order] = cut_tour(some.points[order], some.k, run)
    if whole:
        labels[part] = renumber(found)
    return len(part)
