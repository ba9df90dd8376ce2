"""Good starts: the best of several cut paths, tile by tile where the table is large."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from coterie.numbers.renumber import renumber
from coterie.partitioning.constructive.cbfs import CbfsOptions, cbfs
from coterie.partitioning.constructive.mdav import MdavOptions, mdav
from coterie.partitioning.core import sse_of
from coterie.partitioning.driver import Progress, Run, SingleStep
from coterie.partitioning.path.groups import order_groups
from coterie.partitioning.path.mhm import cut_tour
from coterie.partitioning.path.npn import npn
from coterie.partitioning.problem import Problem
from coterie.partitioning.tiles import tiles

__all__ = ["best_path", "first_partition", "halves", "tile_size"]

UNCUT = 10_000  # records that are not cut into tiles
START_TILE = 500_000  # every cut of the table costs, the more the more attributes
LEAST = 1000  # records of a tile where time is short
DISTANCE = 2e-10  # seconds of an attribute's part in a distance
PATIENCE = 4.0  # seconds for 100,000 records, without a time limit
HALVES = 2000  # tiles at once, about
SHARE = 0.2  # of the time limit, at most, for a first partition,
LITTLE = 0.3  # or so many seconds of it, if that is more
LEAST_TO_GIVE = 2.0  # seconds for MDAV of the whole table, whatever the limit: what it gives is a
# promise. Nothing better could be had sooner, as the search itself takes longer for such a table.


def best_path(problem: Problem, run: Run) -> NDArray[np.int64]:
    """Of paths through MDAV's and CBFS's groups and of nearest point next, the best cut."""
    orders: tuple[Callable[[], NDArray[np.int64]], ...] = (
        lambda: order_groups(problem.points, mdav(problem, run, MdavOptions()), run),
        lambda: order_groups(problem.points, cbfs(problem, run, CbfsOptions()), run),
        lambda: npn(problem, run),
    )
    best: tuple[float, NDArray[np.int64]] | None = None
    for make in orders:
        if best is not None and run.out_of_time:
            break
        order = make()
        labels = np.empty(problem.n, dtype=np.int64)
        labels[order] = cut_tour(problem.points[order], problem.k, run)
        cost = sse_of(problem.points, labels)
        if best is None or cost < best[0]:
            best = cost, labels
    assert best is not None
    return best[1]


def first_partition(problem: Problem, run: Run, tile: int = START_TILE) -> NDArray[np.int64]:
    """The best path's groups; of each tile, MDAV's cut anew, where the table is large."""
    if problem.n <= max(UNCUT, 4 * problem.k):
        return best_path(problem, run)
    labels = np.empty(problem.n, dtype=np.int64)
    parts = tiles(problem.points, max(tile, 4 * problem.k))
    caller = threading.get_ident()

    def on_progress(reported: Progress) -> None:
        """Within a tile: end with the whole, and tell how far it is where it is the only one."""
        if run.stopping.is_set():
            raise KeyboardInterrupt
        if threading.get_ident() == caller:
            run.tell("tiles", fraction=reported.fraction)

    streams = [SingleStep(partial(_cut_tile, problem, on_progress, labels, part)) for part in parts]
    run.drive(streams, phase="tiles")
    groups = 0
    for part in parts:
        labels[part] += groups
        groups = int(labels[part].max()) + 1
    return labels


def tile_size(n: int, d: int, k: int, run: Run) -> int:
    """Records of a tile: as many as time allows, by what MDAV takes for normal records, about.

    It computes a share of 3 r^2 / (4 k) distances for r records that grows with d: a tenth for ten
    attributes, all for thirty and more. One tile holds the whole table where that takes no more
    than `LEAST_TO_GIVE`, however little time there is: so the search is never above MDAV.
    """
    limit = run.time_limit
    if limit is None:
        seconds = PATIENCE * (1 + n / 100_000)
    else:
        seconds = max(SHARE * limit, min(LITTLE, limit))
    share = min(1.0, 0.1 * (d / 10) ** 2)
    record = n * 0.75 / k * share * d * DISTANCE  # seconds for each record of a tile
    if n <= START_TILE and n * record <= LEAST_TO_GIVE:
        return START_TILE
    tile = START_TILE
    while tile > LEAST and min(n, tile) * record > seconds:
        tile //= 2
    return tile


def halves(problem: Problem) -> NDArray[np.int64]:
    """Groups of k..2k-1 records by halving again and again: poor, and there at once.

    Of a large table, halves of some size are cut along their widest attribute.
    """
    labels = np.empty(problem.n, dtype=np.int64)
    groups = 0
    for part in tiles(problem.points, max(2 * problem.k - 1, problem.n // HALVES)):
        points = problem.points[part]
        order = part[np.argsort(points[:, np.ptp(points, axis=0).argmax()], kind="stable")]
        for group in np.array_split(order, len(order) // problem.k):
            labels[group] = groups
            groups += 1
    return labels


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
