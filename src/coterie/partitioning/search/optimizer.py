"""`optimize`: annealing of regions, column generation and integer programs; anytime, and the best.

1. *start*: the best of several cut paths; tile by tile where the table is large.
2. *annealing*: all groups, in parts of some thousand records, twice, cut along other borders.
3. *regions*: small regions are melted and cooled down again and again, where much is lost first;
   a region stays as it was unless it has become better.
4. *columns*, where the table is small enough: column generation bounds what any partition can
   reach, and an integer program recombines its groups with those that the regions came to.

Then regions again, for ever longer. Two and three cost the same for a record whatever their number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.partitioning.candidates import candidates
from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import Run
from coterie.partitioning.exact.branching import ColumnsOptions, optimise_by_columns
from coterie.partitioning.exact.optimum import ExactOptions, exact
from coterie.partitioning.exact.relaxation import no_larger
from coterie.partitioning.exact.solver import have_highs
from coterie.partitioning.options import flag, integer, number
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.paths import first_partition
from coterie.partitioning.search.stop import Stop
from coterie.partitioning.search.trace import Trace
from coterie.partitioning.search.walks import Walks

__all__ = ["OptimizeOptions", "optimize"]

WALKS = 8
PART = 2000  # records that are annealed together at first
MELT = 1000  # proposals for each of them
HOT, COLD = 2.0, 0.01  # temperatures in mean squared distances; below COLD little moves
SAMPLES = 6  # groups drawn, of which a region takes that of largest SSE as its centre
RARE = 100  # proposals for one that dissolves or distills a group
ROUND = 30  # regions that hold a record, on average, before columns are tried
FEW = 10  # such regions where the caller sets no limit of any kind
EPOCH = 2**20  # proposals of a walk between two looks at the clock, about
SMALL = 14  # records of which the optimum is found at once
LONGER = 1.5  # factor of a region's proposals from one round to the next

# Seconds that column generation takes for 1000 records by k, roughly: it is tried only where it
# can end. Beyond, the number of groups to be priced grows too fast.
COLUMN_SECONDS = {2: 5.0, 3: 12.0, 4: 25.0, 5: 120.0}
COLUMN_SHARE = 0.6  # of the time limit


@dataclass(frozen=True)
class OptimizeOptions:
    """How `optimize` searches.

    neighbours
        Near records of each, to whose groups it may move.
    region
        Records of a region; by default 60, or 8 k for large groups.
    proposals
        Moves proposed for each record of a region while it cools down, in the first round.
    columns
        Whether column generation and integer programs take part, where the table is small enough
        for the time limit and highspy is installed. They also prove a lower bound.
    target, patience
        Stop at this information loss in percent, or after so many regions of each walk without
        improvement.

    `iterations` counts the regions of each walk. Without it, `time_limit` and these, every record
    is annealed in about ten regions, and columns take part up to 200 records.
    """

    neighbours: int = integer(20, at_least=2)
    region: int | None = integer(None, at_least=4)
    proposals: int = integer(2000)
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
    return _Optimizer(problem, run, options).search()


class _Optimizer:
    """The best partition so far, and the phases that improve it."""

    def __init__(self, problem: Problem, run: Run, options: OptimizeOptions) -> None:
        self.problem, self.run, self.options = problem, run, options
        self.trace = Trace(problem, run)
        self.region = options.region or max(60, 8 * problem.k)
        self.count = 1  # of walks: a power of two
        while self.count < WALKS and self.count * 4 * self.region <= problem.n:
            self.count *= 2
        # Regions of each walk that hold every record once, on average.
        self.turn = max(problem.n // (self.count * self.region), 1)
        self.stop = Stop.of(
            run, options.target, options.patience, self.trace.spread, FEW * self.turn
        )
        self.lower_bound: float | None = None
        self.epochs = self.done = self.improved = 0
        self.interrupted = False

    def search(self) -> Outcome:
        problem, run = self.problem, self.run
        seed = run.seed.spawn(1)[0]
        labels = no_larger(problem, first_partition(problem, run))
        near = candidates(problem, self.options.neighbours, run)
        self.walks = Walks(problem, labels, near, seed, self.count, -(-problem.n // PART) * 2)
        self.trace.note(0, self.walks.sse)
        for part in (PART, PART * 3 // 4):
            if self.over:
                break
            self.anneal(part)
        proposals = float(self.options.proposals)
        columns = self.columns_fit()
        while not self.over:
            self.regions(int(proposals))
            proposals *= LONGER
            if columns and not self.over:
                self.columns()
                columns = False
        return Outcome(
            self.walks.labels,
            trace=self.trace.points,
            lower_bound=self.lower_bound,
            epochs=self.epochs,
            interrupted=self.interrupted,
        )

    @property
    def over(self) -> bool:
        """Whether the search has reached one of its ends."""
        return (
            self.interrupted
            or self.run.out_of_time
            or self.done >= self.stop.iterations
            or self.walks.sse <= max(self.stop.goal, 0.0)
            or self.done - self.improved >= self.stop.patience
            or self.optimal
        )

    @property
    def optimal(self) -> bool:
        """Whether the partition has been proved to be an optimum."""
        return self.lower_bound is not None and self.walks.sse <= self.lower_bound * (1 + 1e-9)

    def anneal(self, part: int) -> None:
        """Melt and cool down everything, part by part."""
        self.walks.schedule = self.schedule(0, MELT)
        self.walks.mark_out(part)
        self.drive("annealing", epoch=1, iterations=math.inf, count=False)

    def regions(self, proposals: int) -> None:
        """Regions until every record has been in `ROUND` of them, or something ends the search."""
        self.walks.schedule = self.schedule(self.region, proposals)
        left = ROUND * self.turn
        while left > 0 and not self.over:
            self.walks.share_out()
            turn = min(left, max(self.turn // 2, 1))
            limit = min(turn, self.stop.iterations - self.done)
            epoch = max(1, min(turn, EPOCH // (self.region * proposals)))
            self.drive("regions", epoch=epoch, iterations=limit)
            left -= turn

    def schedule(self, records: int, proposals: int) -> Any:
        """What the walks are to do: regions of so many records, or 0 for parts marked out."""
        from coterie.kernels import annealing

        return annealing.Schedule(records, proposals, HOT, COLD, SAMPLES, RARE)

    def columns_fit(self) -> bool:
        """Whether column generation is likely to end in its share of the time."""
        if not (self.options.columns and have_highs()):
            return False
        n, k = self.problem.n, self.problem.k
        seconds = COLUMN_SECONDS.get(k, math.inf) * n / 1000
        if self.run.time_limit is None:
            return n <= 200 and k in COLUMN_SECONDS
        return seconds <= COLUMN_SHARE * self.run.time_limit

    def columns(self) -> None:
        """Recombine by integer programming, and prove a bound."""
        labels = np.unique(self.walks.labels, return_inverse=True)[1]
        outcome = optimise_by_columns(self.problem, self.run, ColumnsOptions(), start=labels)
        self.lower_bound = outcome.lower_bound
        self.interrupted = outcome.interrupted
        self.walks.replace(outcome.labels)
        self.trace.note(self.done, self.walks.sse)

    def drive(self, phase: str, epoch: int, iterations: float, count: bool = True) -> None:
        """Let the walks do up to `iterations` regions each, in epochs of `epoch`."""
        before = self.done

        def barrier(regions: int) -> float:
            if count:
                self.done = before + regions
            best = self.trace.points[-1].sse
            loss = self.trace.note(self.done, self.walks.sse)
            if self.trace.points[-1].sse < best:
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
            self.trace.note(self.done, self.walks.sse)
