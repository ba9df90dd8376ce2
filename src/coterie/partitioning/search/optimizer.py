"""`optimize`: annealing of regions, column generation and integer programs; anytime, and the best.

1. *start*: the best of several cut paths, tile by tile where the table is large; or halves.
2. *annealing*: everything cools down together, twice, the first time quickly.
3. *regions*: small regions are melted and cooled down again and again, where much is lost first;
   a region stays as it was unless it has become better.
4. *columns*, where the table is small enough: column generation bounds what any partition can
   reach, and tells groups that are certain, mostly of outliers. All other records are annealed
   anew. Once partition and bound are near, an integer program may prove the optimum.

Then regions again, for ever longer. Two and three cost the same for a record whatever their number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.candidates import candidates
from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import Run
from coterie.partitioning.exact.branching import ColumnSearch, ColumnsOptions
from coterie.partitioning.exact.optimum import ExactOptions, exact
from coterie.partitioning.exact.relaxation import CLOSED, cost_of, no_larger
from coterie.partitioning.exact.solver import have_highs
from coterie.partitioning.options import flag, integer, number, one_of
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.paths import first_partition, halves, tile_size
from coterie.partitioning.search.stop import Stop
from coterie.partitioning.search.trace import Trace
from coterie.partitioning.search.walks import Walks
from coterie.partitioning.tiles import tiles

__all__ = ["OptimizeOptions", "optimize"]

WALKS = 8
WHOLE = 8000  # records that are melted all through; more begin cooler, and with less work for each
QUICK = 500  # proposals for each record in a first annealing, which also tells the pace
MELT = 10_000  # in the second, without a time limit; less for large tables
MELT_SHARE = 0.4  # of the time left, with one
MELT_MOST = 300_000
HOT, COLD = 2.0, 0.005  # temperatures of everything, in mean squared distances
WARM = 0.4  # the first of large tables: there is less time to repair
MELTED, COOLED = 4.0, 0.01  # of a region, in its own
SAMPLES = 6  # groups drawn, of which a region takes that of largest SSE as its centre
RARE = 100  # proposals for one that dissolves or distills a group
ROUND = 30  # regions that hold a record, on average, before columns are tried
FEW = 10  # such regions where the caller sets no limit of any kind
LEVEL = 50_000  # proposals at one temperature, at least
LEVELS = 300  # of the temperature in the annealing of everything, each with other territories
LEVELS_LARGE = 30  # of large tables, where cutting territories takes longer
NEIGHBOURHOOD = 1000  # records that lie side by side in memory
LAST = 30  # proposals for each record at temperature 0
EPOCH = 2**20  # proposals of a walk between two looks at the clock, about
SMALL = 14  # records of which the optimum is found at once
LISTED = 50  # tiles in which near records are sought, for one of the start
SEEN = 50  # of the latest partitions that columns may recombine
LONGER = 1.5  # factor of a region's proposals from one round to the next

# Seconds of column generation for 1000 records by k, roughly, after which it is of use. For more
# than six the number of groups to be priced grows too fast, and annealing alone comes further.
COLUMN_SECONDS = {2: 1.0, 3: 2.0, 4: 4.0, 5: 5.5, 6: 20.0}
COLUMN_SHARE = 0.4  # of the time limit, at most
CHEAP = 0.15  # of it: integer programs follow at once, for k up to
FEW_COMPANIONS = 3
COLUMN_RECORDS = 10_000  # the most: beyond, a linear program takes too long
REST_SHARE = 0.4  # of the time left, to anneal what the certain groups leave
PROMISING = 1e-3  # relative: a partition from columns this much worse is tried all the same
NEAR = 1e-3  # relative distance of partition and bound that an integer program may close
FAR = 5e-3  # the same, once regions hardly improve any more
IDLE = 1e-5  # relative gain of a round of regions, so little
AGAIN = 0.7  # of that distance at which it is tried again


@dataclass(frozen=True)
class OptimizeOptions:
    """How `optimize` searches.

    neighbours
        Near records of each, to whose groups it may move.
    region
        Records of a region; by default 60, or 15 k if that is more.
    proposals
        Moves proposed for each record of a region while it cools down; half as many again from one
        round to the next.
    rounds
        Regions that hold a record, on average, after which to stop. By default ten, fewer beyond
        8000 records; no limit if anything else ends the search.
    melt
        Moves proposed for each record while everything cools down together, before the regions. By
        default 10,000, less for large tables; with a time limit, what 40 % of it allow: the
        partition's `options` tell how many that were.
    start
        What comes before: ``"paths"``, the best of several cut paths; ``"halves"``, the records
        halved again and again, which is there at once and as good where everything is melted.
    tile
        Records of a tile, of which MDAV makes the first groups, beyond 10,000 records. By default
        500,000, fewer if the time limit is short.
    columns
        Whether column generation and integer programs take part, where the table is small enough
        for the time limit and highspy is installed. They also prove a lower bound.
    target, patience
        Stop at this information loss in percent, or after so many regions of each walk without
        improvement.

    `iterations` counts the regions of each walk. Without a time limit columns take no part.
    """

    neighbours: int = integer(20, at_least=2)
    region: int | None = integer(None, at_least=4)
    proposals: int = integer(700)
    rounds: float | None = number(None, 0.0)
    melt: int | None = integer(None, at_least=0)
    start: str = one_of("paths", "halves")
    tile: int | None = integer(None, at_least=2)
    columns: bool = flag(True)
    target: float | None = number(None, 0.0, 100.0)
    patience: int | None = integer(None)


def optimize(problem: Problem, run: Run, options: OptimizeOptions) -> Outcome:
    """The least information loss that the time allows.

    A proposal costs O(d), whatever the number of records; memory is O(n (d + neighbours)).

    References
    ----------
    Kirkpatrick, Gelatt, Vecchi (1983), Science 220:671-680 (annealing); Shaw (1998), CP98, LNCS
    1520:417-431 (regions: large neighbourhood search); Aloise, Hansen, Rocha, Santi (2014),
    Journal of Global Optimization (columns). Their composition is this package's own.
    """
    if problem.d == 1 or problem.n <= SMALL or problem.n < 2 * problem.k:
        return exact(problem, run, ExactOptions())
    if problem.n <= WHOLE:
        return _Optimizer(problem, run, options).search()
    # A step of annealing looks at records that are near each other: they should be so in memory.
    try:
        order = np.concatenate(tiles(problem.points, NEIGHBOURHOOD))
        ordered = problem.part(order)
    except KeyboardInterrupt:
        return Outcome(halves(problem), interrupted=True)
    outcome = _Optimizer(ordered, run, options).search()
    labels = np.empty(problem.n, dtype=np.int64)
    labels[order] = outcome.labels
    return replace(outcome, labels=labels)


class _Optimizer:
    """The best partition so far, and the phases that improve it."""

    def __init__(self, problem: Problem, run: Run, options: OptimizeOptions) -> None:
        self.problem, self.run, self.options = problem, run, options
        self.trace = Trace(problem, run)
        self.region = options.region or max(60, 15 * problem.k)
        self.tile = options.tile or tile_size(problem.n, problem.d, problem.k, run)
        self.count = 1  # of walks: a power of two
        while self.count < WALKS and self.count * 4 * self.region <= problem.n:
            self.count *= 2
        # Regions of each walk that hold every record once, on average.
        self.turn = max(problem.n // (self.count * self.region), 1)
        # Without limits a table of more than WHOLE records gets as much work as one of WHOLE.
        self.small = min(1.0, WHOLE / problem.n)
        self.quick = max(30, int(QUICK * self.small))
        self.stop = Stop.of(
            run, options.target, options.patience, self.trace.spread, self.most_regions()
        )
        self.lower_bound: float | None = None
        self.epochs = self.done = self.improved = 0
        self.interrupted = False
        self.pace = 0.0  # seconds of the last annealing
        self.wants_columns = self.columns_fit()
        self.seen: list[NDArray[np.int64]] = []  # partitions whose groups columns may recombine
        self.columns: ColumnSearch | None = None
        self.near = math.inf  # distance of partition and bound when integer programs were tried

    def search(self) -> Outcome:
        problem, run = self.problem, self.run
        seed = run.seed.spawn(1)[0]
        labels = None
        try:
            if self.options.start == "halves":
                labels = halves(problem)
            else:
                labels = no_larger(problem, first_partition(problem, run, self.tile))
            near = candidates(problem, self.options.neighbours, run, self.tile // LISTED)
        except KeyboardInterrupt:
            return Outcome(halves(problem) if labels is None else labels, interrupted=True)
        self.walks = Walks(problem, labels, near, seed, self.count)
        self.trace.note(0, self.walks.sse)
        melt = 0
        try:
            # Without any limit nobody asks for the pace, and large tables have no time for two.
            # With iterations there are two: they may replay a run that the clock ended.
            hurried = problem.n > WHOLE and run.time_limit is None and run.iterations is None
            if not (self.ended or hurried):
                self.anneal(self.quick)
            melt = self.melt()
            if melt > 0 and not self.ended:
                self.anneal(melt)
            self.improve()
        except KeyboardInterrupt:  # between two drives, where no walk is at work
            self.interrupted = True
        return Outcome(
            self.walks.labels,
            trace=self.trace.points,
            lower_bound=self.lower_bound,
            epochs=self.epochs,
            interrupted=self.interrupted,
            settings={"melt": melt, "region": self.region, "tile": self.tile},
        )

    def improve(self) -> None:
        """Regions, then columns, then regions for ever longer."""
        proposals = float(self.options.proposals)
        while not self.over:
            before = self.walks.sse
            self.regions(int(proposals))
            proposals *= LONGER
            if self.wants_columns and not self.over:
                if self.relax():
                    self.close()
                if not self.over:
                    self.fix(int(proposals))
            elif not self.over and self.nearly(idle=self.walks.sse > before * (1 - IDLE)):
                self.close()

    @property
    def ended(self) -> bool:
        """Whether the clock, Ctrl-C, the target or a proof has ended the search."""
        best = self.walks.sse
        proved = self.lower_bound is not None and best <= self.lower_bound * (1 + CLOSED)
        reached = best <= max(self.stop.goal, 0.0)
        return self.interrupted or self.run.out_of_time or proved or reached

    @property
    def over(self) -> bool:
        """The same, or the regions wanted have been annealed."""
        lately = self.done - self.improved
        return self.ended or self.done >= self.stop.iterations or lately >= self.stop.patience

    def melt(self) -> int:
        """Proposals for each record in the annealing of everything."""
        if self.options.melt is not None:
            return self.options.melt
        if self.run.time_limit is None:
            return int(MELT * self.small)
        share = MELT_SHARE / 3 if self.wants_columns else MELT_SHARE
        left = max(self.run.time_limit - self.run.seconds, 0.0)
        return min(MELT_MOST, int(share * left * self.quick / max(self.pace, 1e-3)))

    def anneal(self, proposals: int) -> None:
        """Melt and cool down everything: one temperature for all walks, falling.

        The territories change as it does, so that no border stays.
        """
        n, began = self.problem.n, self.run.seconds
        before, labels = self.walks.sse, self.current
        unit = before / n
        large = n > WHOLE
        # Fewer borders are better: a record near one waits until it has moved on.
        parts = min(self.count, 2 if n < WHOLE // 2 else 8 if large else 4)
        levels = max(20, min(LEVELS_LARGE if large else LEVELS, n * proposals // LEVEL))
        hottest = WARM if large else HOT
        ends = hottest * (COLD / hottest) ** (np.arange(levels + 1) / levels)
        try:
            for hot, cold in (*pairwise(ends), (0.0, 0.0)):
                each = max(proposals // levels, 1) if hot else LAST
                self.walks.schedule = self.schedule(0, each, hot, cold, unit)
                turns = self.walks.share_out(parts)
                self.drive("annealing", epoch=turns, iterations=turns, count=False, final=False)
                if self.interrupted or self.run.out_of_time:
                    break
        finally:
            if self.walks.sse > before:
                self.walks.replace(labels)
            self.trace.note(self.done, self.walks.sse)
            self.pace = self.run.seconds - began

    def regions(self, proposals: int) -> None:
        """Regions until every record has been in `ROUND` of them, or something ends the search."""
        self.walks.schedule = self.schedule(self.region, proposals)
        left = ROUND * self.turn
        while left > 0 and not self.over:
            self.walks.share_out()
            if self.wants_columns:
                self.seen = [*self.seen[1 - SEEN :], self.walks.labels]
            turn = min(left, max(self.turn // 2, 1))
            limit = min(turn, self.stop.iterations - self.done)
            epoch = max(1, min(turn, EPOCH // (self.region * proposals)))
            self.drive("regions", epoch=epoch, iterations=limit)
            left -= turn

    def most_regions(self) -> float:
        """Regions of a walk where neither iterations nor seconds are given."""
        rounds = self.options.rounds
        if rounds is None:
            return max(1, int(FEW * self.turn * self.small))
        return int(rounds * self.problem.n / (self.count * self.region))

    def schedule(
        self,
        records: int,
        proposals: int,
        hot: float = MELTED,
        cold: float = COOLED,
        unit: float = 0.0,
    ) -> Any:
        """What the walks do: regions of so many records, or for 0 their whole territories.

        With a `unit` of temperature a region is kept as it is when it has cooled down.
        """
        from coterie.kernels import annealing

        return annealing.Schedule(
            records, proposals, float(hot), float(cold), float(unit), unit > 0, SAMPLES, RARE
        )

    def columns_fit(self) -> bool:
        """Whether column generation is likely to be of use in its share of the time."""
        n, limit = self.problem.n, self.run.time_limit
        if not self.options.columns or limit is None or n > COLUMN_RECORDS or not have_highs():
            return False
        return COLUMN_SECONDS.get(self.problem.k, math.inf) * n / 1000 <= COLUMN_SHARE * limit

    def relax(self) -> bool:
        """Column generation: a lower bound, and the groups that are certain.

        Returns whether this was so cheap that integer programs should go on at once.
        """
        self.wants_columns = False
        self.columns = ColumnSearch(self.problem, self.run, ColumnsOptions(), self.current)
        for other in self.seen:
            self.columns.add(other)
        self.seen = []
        limit, began = self.run.time_limit, self.run.seconds
        assert limit is not None
        try:
            self.columns.relax(COLUMN_SHARE * limit)
        finally:
            self.lower_bound = self.columns.relaxation.bound
        spent = self.run.seconds - began
        cheap = self.problem.k <= FEW_COMPANIONS and spent <= CHEAP * limit
        if cheap:
            self.columns.fix()
        return cheap

    def fix(self, proposals: int) -> None:
        """Keep the certain groups and anneal all other records anew, then regions for a round."""
        assert self.columns is not None
        before, labels = self.walks.sse, self.current
        found = self.columns.fix(self.rest)
        if found is None or cost_of(self.problem, found) > before * (1 + PROMISING):
            return
        self.walks.replace(found)
        try:
            self.regions(proposals)
        finally:
            if self.walks.sse > before:
                self.walks.replace(labels)
            self.note()

    def rest(self, part: Problem) -> NDArray[np.int64]:
        """A partition of the records that the certain groups leave."""
        run = self.run
        assert run.time_limit is not None
        share = REST_SHARE * max(run.time_limit - run.seconds, 0.0)
        options = replace(self.options, columns=False, rounds=FEW, target=None, patience=None)
        with run.within(share), run.telling(self.done, self.trace.loss):
            outcome = optimize(part, run, options)
        self.interrupted = outcome.interrupted
        return outcome.labels

    def nearly(self, idle: bool) -> bool:
        """Whether the bound is near, or nothing else improves any more and it is not far."""
        if self.lower_bound is None:
            return False
        distance = self.walks.sse - self.lower_bound
        return distance <= min((FAR if idle else NEAR) * self.lower_bound, self.near)

    def close(self) -> None:
        """Integer programs, for an optimum with proof."""
        assert self.columns is not None
        columns = self.columns
        columns.add(self.current)
        try:
            columns.close()
        finally:
            self.lower_bound = min(columns.relaxation.bound, columns.sse)
            if columns.sse < self.walks.sse:
                self.walks.replace(columns.labels)
            self.near = AGAIN * (self.walks.sse - self.lower_bound)
            self.note()

    def note(self) -> None:
        """Trace what columns have come to; a gain of theirs counts for `patience`, too."""
        if self.walks.sse < self.trace.points[-1].sse:
            self.improved = self.done
        self.trace.note(self.done, self.walks.sse)

    @property
    def current(self) -> NDArray[np.int64]:
        """The walks' partition, its groups numbered 0..g-1."""
        return np.unique(self.walks.labels, return_inverse=True)[1].astype(np.int64)

    def drive(
        self,
        phase: str,
        epoch: int,
        iterations: float,
        count: bool = True,
        final: bool = True,
    ) -> None:
        """Let the walks do up to `iterations` regions each, in epochs of `epoch`.

        What they come to is noted unless it is not `final`.
        """
        before = self.done

        def barrier(regions: int) -> float:
            if count:
                self.done = before + regions
            known = self.trace.points[-1].sse
            loss = self.trace.note(self.done, min(self.walks.sse, known) if final else known)
            if self.trace.points[-1].sse < known:
                self.improved = self.done
            return loss

        drive = self.run.drive(
            self.walks.streams,
            phase=phase,
            epoch=epoch,
            barrier=barrier,
            anytime=True,
            iterations=iterations,
        )
        self.epochs += drive.epochs
        if drive.ended == "interrupted":
            self.interrupted = True
            self.walks.settle()
