"""`optimize`: annealing, regions, column generation and integer programs; anytime, and the best.

1. *start*: the best of several cut paths, tile by tile where the table is large; or halves.
2. *annealing*: everything cools down together, twice, the first time quickly, which tells the pace.
3. *regions*: small regions are melted and cooled down again and again, where groups cost more than
   they should; a region stays as it was unless it has become better.
4. *columns*, where the table is small enough: column generation bounds what any partition can
   reach. Its prices tell which groups cost more than they should, and which groups are certain.
   Where the bound is near, a plunge keeps these, relaxes the rest, and so on; then cuts raise it,
   round by round, with a dive after each.
5. *dives*: the certain groups stay, all other records are annealed anew, at first shortly;
   regions follow.
6. *closing*: once partition and bound are near, an integer program may prove the optimum.

Then three, five and six again, for ever longer. Two and three cost the same for a record whatever
their number. Each phase is an object of its own with frozen parameters (`annealing`, `regions`,
`columns`); all share one `Course` and its `Budget`.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.core import Outcome, Trace, sse_of
from coterie.partitioning.driver import Run
from coterie.partitioning.exact.beginning import no_larger
from coterie.partitioning.exact.branching import ColumnSearch
from coterie.partitioning.exact.optimum import ExactOptions, exact
from coterie.partitioning.exact.solver import have_highs
from coterie.partitioning.neighbors import candidates
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.optimize.annealing import Annealing
from coterie.partitioning.search.optimize.columns import (
    Closing,
    Dive,
    Plunge,
    Relaxing,
    Tightening,
)
from coterie.partitioning.search.optimize.cooling import Cooling
from coterie.partitioning.search.optimize.course import LARGE, WALKS, Course, walks_for
from coterie.partitioning.search.optimize.options import OptimizeOptions
from coterie.partitioning.search.optimize.regions import Regions
from coterie.partitioning.search.paths import first_partition, halves, tile_size
from coterie.partitioning.search.stop import Budget, Stop
from coterie.partitioning.search.sweeps import Sweeps
from coterie.partitioning.search.walks import Walks

__all__ = ["QUICK", "SMALL", "OptimizeOptions", "optimize"]

QUICK = 500  # proposals for each record in a first annealing, which also tells the pace
QUICK_LARGE = 20  # the same of large tables: a longer one may take all the time, and to no end,
QUICK_LEVELS = 5  # and its temperatures
MELT = 10_000  # in the second, without a time limit; less for large tables
MELT_SHARE = 0.4  # of the time left, with one
PARTS = 8  # of the temperatures of large tables
MELT_SHARE_COLUMNS = 0.13  # the same where columns take part: dives anneal, too
MELT_MOST = 300_000
ROUND = 30  # regions that hold a record, on average, from one round to the next
EARLY = 10  # the same before columns
FEW = 10  # such regions where the caller sets no limit of any kind
NEIGHBORS = 20  # of a record,
NEIGHBORS_LARGE = 10  # and of large tables, or twice k: what is near at hand comes first
TERRITORIES = 4  # of large tables, or, with a time limit, as many as there are workers,
FEWEST, MOST = 2, 8  # from two to eight
SMALL = 14  # records of which the optimum is found at once
LISTED = 50  # tiles in which near records are sought, for one of the start
SEEN = 50  # of the latest partitions
LONGER = 1.5  # factor of a region's proposals from one round to the next
IDLE = 1e-5  # relative gain of a round of regions, so little that nothing improves any more
CERTAIN = (0.6, 0.8, 0.98)  # weights from which on groups stay, dive by dive
DIVE_MELT = 2000  # proposals for each record that the certain groups leave, in the first dive,
DIVE_ROUNDS = 10  # and regions that hold it, before it joins them
DEEPER = 1.25  # factor of both from one dive to the next: many short ones, then ever longer,
REST_MELT = 4  # up to so many times the annealing of everything,
MOST_ROUNDS = 60  # and so many regions
DEEPEST = 40  # dives, after which both have come there: a float holds no power of thousands

# What column generation takes by k, in the time of so many proposals for each record, roughly. For
# more than six, or more than LARGE records, it takes too long to be of use to a search.
COLUMN_WORK = {2: 8e3, 3: 15e3, 4: 20e3, 5: 38e3, 6: 100e3}


def optimize(problem: Problem, run: Run, options: OptimizeOptions) -> Outcome:
    """The least information loss that the time allows.

    A proposal costs O(d), whatever the number of records; memory is O(n (d + neighbors)).

    References
    ----------
    Kirkpatrick, Gelatt, Vecchi (1983), Science 220:671-680 (annealing); Shaw (1998), CP98, LNCS
    1520:417-431 (regions: large neighborhood search); Aloise, Hansen, Rocha, Santi (2014),
    Journal of Global Optimization (columns). Their composition is this package's own.
    """
    if problem.d == 1 or problem.n <= SMALL or problem.n < 2 * problem.k:
        return exact(problem, run, ExactOptions())
    return _Search(problem, run, options).outcome()


@dataclass
class _Settings:
    """What the search chose itself, by the clock: with these a run can be replayed."""

    region: int
    tile: int
    territories: int | None = None
    melt: int = 0
    parts: tuple[int, ...] | None = None
    columns: bool = False
    relaxation: int | None = None


class _Search:
    """The phases in their order, over one course."""

    def __init__(self, problem: Problem, run: Run, options: OptimizeOptions) -> None:
        self.problem, self.run, self.options = problem, run, options
        region = options.region or max(60, 15 * problem.k)
        tile = options.tile or tile_size(problem.n, problem.d, problem.k, run)
        self.settings = _Settings(region, tile, self.territories())
        self.walks = walks_for(problem.n, region)
        # Without limits a table of more than LARGE records gets as much work as one of LARGE.
        self.small = min(1.0, LARGE / problem.n)
        spread = float(np.square(problem.points - problem.points.mean(axis=0)).sum())
        most = self.most_regions()
        stop = Stop.of(run, options.target, options.patience, spread, most)
        if options.rounds is not None:
            stop = replace(stop, iterations=min(stop.iterations, most))
        self.budget = Budget(run, stop)
        self.dives = 0
        self.seed = run.seed.spawn(1)[0]

    def outcome(self) -> Outcome:
        """Search, and tell what came out."""
        problem, run, options = self.problem, self.run, self.options
        labels = None
        try:
            if options.start == "halves":
                labels = halves(problem)
            else:
                labels = no_larger(problem, first_partition(problem, run, self.settings.tile))
            if run.out_of_time:
                return self.start_alone(labels)
            near = candidates(problem, self.neighbors(), run, self.settings.tile // LISTED)
        except KeyboardInterrupt:
            found = halves(self.problem) if labels is None else labels
            return Outcome(found, interrupted=True)
        walks = Walks(problem, labels, near, self.seed, self.walks)
        course = Course(problem, self.budget, walks)
        try:
            self.search(course)
        except KeyboardInterrupt:  # between two drives, where no walk is at work
            self.budget.interrupted = True
        return Outcome(
            walks.labels,
            trace=course.trace.points,
            lower_bound=course.lower_bound,
            epochs=self.budget.epochs,
            interrupted=self.budget.interrupted,
            settings=asdict(self.settings),
        )

    def start_alone(self, labels: NDArray[np.int64]) -> Outcome:
        """What came out if nothing can follow: near records, which take longer, go unsought."""
        trace = Trace(self.problem, self.run)
        trace.note(0, sse_of(self.problem.points, labels))
        return Outcome(labels, trace=trace.points, settings=asdict(self.settings))

    def search(self, course: Course) -> None:
        """All phases until something ends the search."""
        limited = self.run.time_limit is not None or self.run.iterations is not None
        sweeps = self.sweeps(course) if course.large and not course.ended else None
        pace = 0.0  # seconds of a proposal for each record
        # Without any limit nobody asks for the pace, and large tables have no time for two.
        # With iterations there are two: they may replay a run that the clock ended.
        if sweeps and limited and not course.ended:
            pace = Cooling((QUICK_LARGE,), fewest=QUICK_LEVELS).run(course, sweeps).pace
        elif not (sweeps or course.ended):
            began = self.run.seconds
            Annealing(QUICK).run(course)
            pace = (self.run.seconds - began) / QUICK
        self.settings.columns = not course.over and self.columns_fit(pace)
        if sweeps and not course.ended:
            cooled = Cooling(self.parts()).run(course, sweeps, pace).proposals
            self.settings.melt, self.settings.parts = sum(cooled), cooled
        elif not sweeps:
            self.settings.melt = self.melt(pace)
            if self.settings.melt > 0 and not course.ended:
                Annealing(self.settings.melt).run(course)
        if sweeps and not course.over:
            course.walks.arrange()
        self.improve(course)

    def sweeps(self, course: Course) -> Sweeps:
        """The partition of a large table, ready to cool down."""
        near, count = course.walks.state.near, min(self.settings.territories or TERRITORIES, WALKS)
        sweeps = Sweeps(self.problem, course.labels, near, self.seed, count, course.sse)
        sweeps.arrange()
        return sweeps

    def dive(self, course: Course, columns: ColumnSearch, dive: Dive | Plunge) -> None:
        """Anneal all but the groups that stay, longer each time, then regions."""
        regions = Regions(self.settings.region, self.options.proposals)
        dive.run(course, columns, partial(self.rest, course, self.dives), regions)
        self.dives += 1

    def relax(self, course: Course, seen: list[NDArray[np.int64]]) -> ColumnSearch:
        """Column generation, which knows the groups of partitions seen; it counts as a step.

        Then a plunge where the bound is near, and cuts with a dive after each round of them.
        """
        self.budget.done += 1
        search = Relaxing(steps=self.options.relaxation).run(course, seen)
        try:
            plunge = Plunge()
            if not course.over and plunge.due(course, search):
                self.dive(course, search, plunge)
            more = True
            while more and not course.over:
                more = Tightening().run(course, search)
                if not course.over:
                    self.dive(course, search, Dive())
        finally:
            self.settings.relaxation = search.relaxation.steps.done
        return search

    def improve(self, course: Course) -> None:
        """Regions, then columns where they fit, then regions for ever longer with dives between."""
        regions = Regions(self.settings.region, self.options.proposals)
        columns: ColumnSearch | None = None
        seen: list[NDArray[np.int64]] = []  # partitions whose groups columns may recombine
        certain = cycle(CERTAIN)
        closing, last = Closing(), math.inf
        while not course.over:
            before = course.sse
            wanted = self.settings.columns and columns is None
            regions.run(course, EARLY if wanted else ROUND, seen if wanted else None)
            regions = replace(regions, proposals=int(regions.proposals * LONGER))
            if not self.settings.columns or course.over:
                continue
            columns = columns or self.relax(course, seen[-SEEN:])
            if not course.over:
                self.dive(course, columns, Dive(next(certain)))
            idle = course.sse > before * (1 - IDLE)
            if not course.over and closing.due(course, idle, last):
                last = closing.run(course, columns)
                self.settings.relaxation = columns.relaxation.steps.done

    def rest(self, course: Course, dives: int, part: Problem) -> NDArray[np.int64]:
        """A partition of the records that the certain groups leave, another one each time."""
        longer = DEEPER ** min(dives, DEEPEST)
        options = replace(
            self.options,
            columns=False,
            rounds=min(DIVE_ROUNDS * longer, MOST_ROUNDS),
            melt=int(min(DIVE_MELT * longer, REST_MELT * self.settings.melt)),
            start="halves",
            target=None,
            patience=None,
        )
        with self.run.telling(self.budget.done, course.trace.loss):
            outcome = optimize(part, self.run, options)
        self.budget.interrupted = outcome.interrupted
        return outcome.labels

    def melt(self, pace: float) -> int:
        """Proposals for each record in the annealing of everything."""
        if self.options.melt is not None:
            return self.options.melt
        if self.run.time_limit is None:
            return int(MELT * self.small)
        share = MELT_SHARE_COLUMNS if self.settings.columns else MELT_SHARE
        return min(MELT_MOST, int(share * self.budget.left / max(pace, 1e-9)))

    def parts(self) -> tuple[int | None, ...]:
        """The same for a large table, in each part of the temperatures; None: by the clock."""
        if self.options.parts is not None:
            return self.options.parts
        if self.options.melt is not None or self.run.time_limit is None:
            return (self.melt(0.0),)
        return (None,) * PARTS

    def neighbors(self) -> int:
        """Near records of each."""
        if self.problem.n <= LARGE:
            return self.options.neighbors or NEIGHBORS
        return self.options.neighbors or max(NEIGHBORS_LARGE, 2 * self.problem.k)

    def territories(self) -> int | None:
        """Of a large table: by the workers where the clock decides, too, else by nothing."""
        if self.problem.n <= LARGE:
            return None
        if self.options.territories is not None:
            return self.options.territories
        if self.run.time_limit is None:
            return TERRITORIES
        return int(min(max(2 ** math.ceil(math.log2(self.run.workers)), FEWEST), MOST))

    def columns_fit(self, pace: float) -> bool:
        """Whether column generation is likely to be of use in its share of the time."""
        if not self.options.columns or self.problem.n > LARGE:
            return False
        return self.columns_pay(pace) and have_highs()  # loaded only where it is used

    def columns_pay(self, pace: float) -> bool:
        if self.options.relaxation is not None:
            return True
        work = COLUMN_WORK.get(self.problem.k, math.inf)
        if self.run.time_limit is not None:
            return work * pace <= Relaxing.share * self.run.time_limit
        each = self.walks * self.settings.region * self.options.proposals / self.problem.n
        return self.run.iterations is not None and work <= self.run.iterations * each

    def most_regions(self) -> float:
        """Regions of a walk where neither iterations nor seconds are given."""
        each = self.walks * self.settings.region
        if self.options.rounds is None:
            return max(1, int(FEW * max(self.problem.n // each, 1) * self.small))
        return int(self.options.rounds * self.problem.n / each)
