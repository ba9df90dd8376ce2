"""`auto`: the best that the size of the table allows.

Up to five times `tile` records: the best of several cut paths, then iterated local search from
there. Beyond that the table is cut at medians into tiles of at most `tile` records, each at least
k, and every tile is treated so by itself: time grows with n log n instead of n^2, memory stays
O(n d).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.errors import ParameterError
from coterie.partitioning.constructive.cbfs import CbfsOptions, cbfs
from coterie.partitioning.constructive.mdav import MdavOptions, mdav
from coterie.partitioning.core import Outcome, sse_of
from coterie.partitioning.driver import Progress, Run
from coterie.partitioning.options import integer
from coterie.partitioning.path.groups import order_groups
from coterie.partitioning.path.mhm import cut_tour
from coterie.partitioning.path.npn import npn
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.iterated import IteratedOptions, ilsmc
from coterie.partitioning.tiles import tiles

__all__ = ["AutoOptions", "auto"]

WHOLE = 5  # a table of so many tiles is not cut
ITERATIONS = 2000
STREAMS = 2


@dataclass(frozen=True)
class AutoOptions:
    """How far a table is cut, and how long each part is searched.

    tile
        Most records in a tile, and a fifth of the most that are not cut into tiles; fewer are
        faster, more lose less.
    streams
        Independent searches of a table that is not cut; the best one counts.

    Without `iterations` or `time_limit`, a table that is not cut is searched for 2000 iterations,
    and a tile for as many as it has groups.
    """

    tile: int = integer(2000, at_least=10)
    streams: int = integer(STREAMS)


def auto(problem: Problem, run: Run, options: AutoOptions) -> Outcome:
    """The best cut path, then iterated local search; of each tile where the table is large."""
    if problem.n <= WHOLE * max(options.tile, problem.k):
        search = IteratedOptions(dissolve="biased", limit=True, streams=options.streams)
        if run.time_limit is None and run.iterations is None:
            run.iterations = ITERATIONS
        return ilsmc(problem, run, search, best_path)
    parts = tiles(problem.points, max(options.tile, 4 * problem.k))
    if options.streams != STREAMS:
        raise ParameterError(
            "The 'streams' option of method 'auto' is for tables that are not cut into tiles. Got "
            f"{problem.n} records and tile={options.tile}; leave it out or raise 'tile'."
        )
    seeds = run.seed.spawn(len(parts))
    streams = [_Tile(problem, part, run, seed) for part, seed in zip(parts, seeds, strict=True)]
    for stream in streams:
        stream.all = streams
    drive = run.drive(streams, phase="tiles", anytime=True)
    labels = np.empty(problem.n, dtype=np.int64)
    groups = 0
    for stream in streams:
        # An interrupted run still protects every record: what was not reached gets plain groups.
        found = stream.labels if stream.labels is not None else stream.quick()
        labels[stream.records] = found + groups
        groups += int(found.max()) + 1
    return Outcome(labels, interrupted=drive.ended == "interrupted")


def best_path(problem: Problem, run: Run) -> Outcome:
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
    return Outcome(best[1])


class _Tile:
    """A stream that partitions one tile in one step, and can be stopped within it."""

    def __init__(
        self, problem: Problem, records: NDArray[np.int64], run: Run, seed: np.random.SeedSequence
    ) -> None:
        self.problem, self.records, self.run, self.seed = problem, records, run, seed
        self.all: list[_Tile] = [self]
        self.labels: NDArray[np.int64] | None = None

    @property
    def done(self) -> bool:
        return self.labels is not None

    @property
    def progress(self) -> float:
        return float(self.done)

    def step(self, budget: int) -> int:
        search = IteratedOptions(dissolve="biased", limit=True)
        if budget == 0:  # compiles
            few = Problem(self.problem.values[:12], self.problem.points[:12], 1.0, 2)
            ilsmc(few, Run(iterations=1), search, best_path)
            return 0
        part = self.problem.part(self.records)
        limits = Run(self._seconds(), self.run.iterations, self._heartbeat, seed=self.seed)
        if limits.time_limit is None and limits.iterations is None:
            limits.iterations = part.n // part.k
        found = ilsmc(part, limits, search, best_path)
        self.labels = np.unique(found.labels, return_inverse=True)[1]
        if found.interrupted:  # the search gave its best; the tiles that follow must not begin
            raise KeyboardInterrupt
        return len(self.records)

    def _seconds(self) -> float | None:
        """The share of the time left that this tile may take."""
        if self.run.time_limit is None:
            return None
        waiting = sum(not tile.done for tile in self.all)
        rounds = -(-waiting // max(1, min(self.run.workers, waiting)))
        return max((self.run.time_limit - self.run.seconds) / rounds, 0.001)

    def _heartbeat(self, progress: Progress) -> None:
        """Between two steps of this tile's search: go on, or stop as the others do."""
        if self.run.stopping.is_set():
            raise KeyboardInterrupt
        if self.run.workers == 1:  # on several threads the driver's own thread tells
            share = sum(tile.done for tile in self.all) / len(self.all)
            self.run.tell("tiles", fraction=share)

    def quick(self) -> NDArray[np.int64]:
        """Groups in a few milliseconds."""
        return mdav(self.problem.part(self.records), Run(), MdavOptions()).labels
