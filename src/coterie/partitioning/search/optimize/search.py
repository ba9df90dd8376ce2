"""`optimize`: annealing, regions, column generation and integer programs; anytime, and the best.

1. *start*: the best of several cut paths, tile by tile where the table is large; or halves; or the
   better of both once they were annealed quickly.
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
their number. Each phase is an object of its own with frozen parameters (`start`, `annealing`,
`cooling`, `regions`, `columns`); all share one `Course` and its `Budget`. A `Composition` holds
them, with what decides when each comes and for how long.
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
from coterie.partitioning.exact.branching import ColumnSearch
from coterie.partitioning.exact.optimum import ExactOptions, exact
from coterie.partitioning.exact.solver import have_highs
from coterie.partitioning.neighbors import candidates
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.optimize.annealing import compete
from coterie.partitioning.search.optimize.columns import Dive, Plunge
from coterie.partitioning.search.optimize.composition import USUAL, Composition
from coterie.partitioning.search.optimize.course import LARGE, WALKS, Course, walks_for
from coterie.partitioning.search.optimize.options import OptimizeOptions
from coterie.partitioning.search.optimize.regions import Regions
from coterie.partitioning.search.stop import Budget, Stop
from coterie.partitioning.search.sweeps import Sweeps
from coterie.partitioning.search.walks import Walks

__all__ = ["OptimizeOptions", "optimize"]


def optimize(
    problem: Problem, run: Run, options: OptimizeOptions, composition: Composition | None = None
) -> Outcome:
    """The least information loss that the time allows.

    A proposal costs O(d), whatever the number of records; memory is O(n (d + neighbors)). The
    phases are those of `composition`, by default `USUAL`.

    References
    ----------
    Kirkpatrick, Gelatt, Vecchi (1983), Science 220:671-680 (annealing); Shaw (1998), CP98, LNCS
    1520:417-431 (regions: large neighborhood search); Aloise, Hansen, Rocha, Santi (2014),
    Journal of Global Optimization (columns). Their composition is this package's own.
    """
    composition = composition or USUAL
    if problem.d == 1 or problem.n <= composition.small or problem.n < 2 * problem.k:
        return exact(problem, run, ExactOptions())
    return _Search(problem, run, options, composition).outcome()


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

    def __init__(
        self, problem: Problem, run: Run, options: OptimizeOptions, composition: Composition
    ) -> None:
        self.problem, self.run, self.options = problem, run, options
        self.composition = composition
        self.large = problem.n > LARGE
        # Without limits a table of more than LARGE records gets as much work as one of LARGE.
        self.small = min(1.0, LARGE / problem.n)
        region = options.region or composition.rounds.records(problem.k)
        self.walks = walks_for(problem.n, region)
        spread = float(np.square(problem.points - problem.points.mean(axis=0)).sum())
        most = self.most_regions(region)
        stop = Stop.of(run, options.target, options.patience, spread, most)
        if options.rounds is not None:
            stop = replace(stop, iterations=min(stop.iterations, most))
        self.budget = Budget(run, stop)
        size = composition.start.tile_size
        tile = options.tile or size(problem.n, problem.d, problem.k, self.budget)
        self.settings = _Settings(region, tile, self.territories())
        self.dives = 0
        self.seed = run.seed.spawn(1)[0]

    def outcome(self) -> Outcome:
        """Search, and tell what came out."""
        problem, run, nearness = self.problem, self.run, self.composition.nearness
        start = replace(self.composition.start, way=self.options.start)
        labels = None
        try:
            labels = start.run(problem, self.budget, self.settings.tile)
            if self.budget.late:
                return self.start_alone(labels)
            count = self.options.neighbors or nearness.chosen(problem.k, self.large)
            near = candidates(problem, count, run, self.settings.tile // nearness.listed)
            if near is None:
                return self.start_alone(labels)
            walks = Walks(problem, labels, near, self.seed, self.walks)
            course = Course(problem, self.budget, walks)
        except KeyboardInterrupt:
            found = start.halves(problem) if labels is None else labels
            return Outcome(found, interrupted=True)
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
        """What came out if nothing can follow, as near records were not there in time."""
        trace = Trace(self.problem, self.run)
        trace.note(0, sse_of(self.problem.points, labels))
        return Outcome(labels, trace=trace.points, settings=asdict(self.settings))

    def search(self, course: Course) -> None:
        """All phases until something ends the search."""
        melting, budget = self.composition.melting, self.budget
        limited = budget.limited or self.run.iterations is not None
        sweeps = self.sweeps(course) if course.large and not course.ended else None
        pace = 0.0  # seconds of a proposal for each record
        # Without any limit nobody asks for the pace, and large tables have no time for two.
        # With iterations there are two: they may replay a run that the clock ended.
        if sweeps and limited and not course.ended:
            pace = melting.quick_large.run(course, sweeps).pace
        elif not (sweeps or course.ended):
            began = budget.spent
            melting.quick.run(course)
            pace = (budget.spent - began) / melting.quick.proposals
            if self.options.start == "both" and not course.ended:
                compete(course, melting.quick, self.composition.start.halves(self.problem))
        self.settings.columns = not course.over and self.columns_fit(pace)
        if sweeps and not course.ended:
            cooling = replace(melting.slow_large, proposals=self.parts())
            cooled = cooling.run(course, sweeps, pace).proposals
            self.settings.melt, self.settings.parts = sum(cooled), cooled
        elif not sweeps:
            self.settings.melt = self.melt(pace)
            if self.settings.melt > 0 and not course.ended:
                replace(melting.slow, proposals=self.settings.melt).run(course)
        if sweeps and not course.over:
            course.walks.arrange()
        self.improve(course)

    def sweeps(self, course: Course) -> Sweeps:
        """The partition of a large table, ready to cool down."""
        usual = self.composition.territories.usual
        near, count = course.walks.state.near, min(self.settings.territories or usual, WALKS)
        sweeps = Sweeps(self.problem, course.labels, near, self.seed, count, course.sse)
        sweeps.arrange()
        return sweeps

    def regions(self) -> Regions:
        """A round of regions as the options say."""
        records, proposals = self.settings.region, self.options.proposals
        return replace(self.composition.rounds.regions, records=records, proposals=proposals)

    def dive(self, course: Course, columns: ColumnSearch, dive: Dive | Plunge) -> None:
        """Anneal all but the groups that stay, longer each time, then regions."""
        dive.run(course, columns, partial(self.rest, course, self.dives), self.regions())
        self.dives += 1

    def relax(self, course: Course, seen: list[NDArray[np.int64]]) -> ColumnSearch:
        """Column generation, which knows the groups of partitions seen; it counts as a step.

        Then a plunge where the bound is near, and cuts with a dive after each round of them.
        """
        self.budget.done += 1
        phases, dive = self.composition.columns, self.composition.dives.dive
        search = replace(phases.relaxing, steps=self.options.relaxation).run(course, seen)
        try:
            if not course.over and phases.plunge.due(course, search):
                self.dive(course, search, phases.plunge)
            more = True
            while more and not course.over:
                more = phases.tightening.run(course, search)
                if not course.over:
                    self.dive(course, search, dive)
        finally:
            self.settings.relaxation = search.relaxation.steps.done
        return search

    def improve(self, course: Course) -> None:
        """Regions, then columns where they fit, then regions for ever longer with dives between."""
        rounds, phases = self.composition.rounds, self.composition.columns
        dives = self.composition.dives
        regions = self.regions()
        columns: ColumnSearch | None = None
        seen: list[NDArray[np.int64]] = []  # partitions whose groups columns may recombine
        certain = cycle(dives.certain)
        last = math.inf
        while not course.over:
            before = course.sse
            wanted = self.settings.columns and columns is None
            often = rounds.early if wanted else rounds.usual
            regions.run(course, often, seen if wanted else None)
            regions = replace(regions, proposals=int(regions.proposals * rounds.longer))
            if not self.settings.columns or course.over:
                continue
            columns = columns or self.relax(course, seen[-phases.seen :])
            if not course.over:
                self.dive(course, columns, replace(dives.dive, certain=next(certain)))
            idle = course.sse > before * (1 - rounds.idle)
            if not course.over and phases.closing.due(course, idle, last):
                last = phases.closing.run(course, columns)
                self.settings.relaxation = columns.relaxation.steps.done

    def rest(self, course: Course, dives: int, part: Problem) -> NDArray[np.int64]:
        """A partition of the records that the certain groups leave, another one each time."""
        options = self.composition.dives.chosen(self.options, dives, self.settings.melt)
        with self.run.telling(self.budget.done, course.trace.loss):
            outcome = optimize(part, self.run, options, self.composition)
        self.budget.interrupted = outcome.interrupted
        return outcome.labels

    def melt(self, pace: float) -> int:
        """Proposals for each record in the annealing of everything."""
        if self.options.melt is not None:
            return self.options.melt
        melting = self.composition.melting
        return melting.chosen(self.budget, pace, self.small, self.settings.columns)

    def parts(self) -> tuple[int | None, ...]:
        """The same for a large table, in each part of the temperatures; None: by the clock."""
        if self.options.parts is not None:
            return self.options.parts
        if self.options.melt is not None or not self.budget.limited:
            return (self.melt(0.0),)
        return self.composition.melting.slow_large.proposals

    def territories(self) -> int | None:
        """Of a large table."""
        if not self.large:
            return None
        if self.options.territories is not None:
            return self.options.territories
        return self.composition.territories.chosen(self.budget)

    def columns_fit(self, pace: float) -> bool:
        """Whether column generation is likely to be of use in its share of the time."""
        if not self.options.columns or self.large:
            return False
        return self.columns_pay(pace) and have_highs()  # loaded only where it is used

    def columns_pay(self, pace: float) -> bool:
        """Whether its steps are given, or there is as much time or work as they take."""
        if self.options.relaxation is not None:
            return True
        each = self.walks * self.settings.region * self.options.proposals / self.problem.n
        return self.composition.columns.worth(self.problem.k, self.budget, pace, each)

    def most_regions(self, region: int) -> float:
        """Regions of a walk where neither iterations nor seconds are given."""
        each = self.walks * region
        if self.options.rounds is None:
            alone = self.composition.rounds.alone
            return max(1, int(alone * max(self.problem.n // each, 1) * self.small))
        return int(self.options.rounds * self.problem.n / each)
