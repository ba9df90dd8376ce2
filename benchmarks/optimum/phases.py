"""The phases of `optimize`, each alone: processor seconds, losses, proposals a second.

    make bench-optimum.phases                                     2,000 records, k = 3
    make bench-optimum.phases ARGS="--records 50000 --k 5"        a large table cools down in sweeps
    make bench-optimum.phases ARGS="--records 400 --seconds 20"   what a longer relaxation proves

Normal records of six attributes, one worker, kernels compiled before. *Start* makes the first
partition, out of one group of all records, and ends by itself; each of the others begins with what
it gave, not with what another has made of it, and has `--seconds` processor seconds: annealing by
the pace that a quick one tells, the others until they are over. Near records, walks and sweeps
stand ready and do not count. A relaxation moves no record: it tells what no partition is below. Its
linear programs heed the clock on the wall: on a busy machine it ends with seconds to spare. Losses
are in percent.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.measured import by_processor
from coterie.partitioning.core import sse_of
from coterie.partitioning.driver import Run
from coterie.partitioning.exact.solver import have_highs
from coterie.partitioning.neighbors import candidates
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.optimize.composition import USUAL
from coterie.partitioning.search.optimize.course import LARGE, Course, walks_for
from coterie.partitioning.search.stop import Budget, Stop
from coterie.partitioning.search.sweeps import Sweeps
from coterie.partitioning.search.walks import Walks

ATTRIBUTES = 6
FEW = 200  # records on which everything is compiled
ROUNDS = 10**6  # of regions: more than there is time for


@dataclass(frozen=True)
class Table:
    """What all phases work on, and the partition that they begin with."""

    problem: Problem
    labels: NDArray[np.int64]
    near: NDArray[np.int32]

    @property
    def spread(self) -> float:
        """The SSE of one group of all records."""
        return sse_of(self.problem.points, np.zeros(self.problem.n, dtype=np.int64))

    @property
    def region(self) -> int:
        """Records of a region, as `optimize` chooses them."""
        return USUAL.rounds.records(self.problem.k)

    def course(self, seconds: float | None) -> Course:
        """A course of its own from the first partition; its time begins now."""
        count = walks_for(self.problem.n, self.region)
        walks = Walks(self.problem, self.labels, self.near, np.random.SeedSequence(1), count)
        return Course(self.problem, budget_of(seconds), walks)


@dataclass(frozen=True)
class Measured:
    """What a phase took and gave."""

    phase: str
    seconds: float
    before: float
    after: float
    proposals: int | None = None
    note: str = ""

    def line(self, spread: float) -> str:
        """A line; losses in percent of `spread`."""
        pace = "-" if self.proposals is None else f"{self.proposals / self.seconds / 1e6:.2f}"
        before, after = (f"{100 * sse / spread:.4f}" for sse in (self.before, self.after))
        line = f"{self.phase:>10} {self.seconds:8.2f} {before:>9} {after:>9} {pace:>10}"
        return f"{line}  {self.note}".rstrip()


def budget_of(seconds: float | None) -> Budget:
    """One that the clock alone ends, from now on."""
    run = Run(time_limit=seconds, seed=np.random.SeedSequence(0))
    return Budget(run, Stop(np.inf, -1.0, 2**62))


def timed(work: Callable[[], object]) -> float:
    """Processor seconds, of all threads."""
    began = time.process_time()
    work()
    return time.process_time() - began


def started(X: NDArray[np.float64], k: int, seconds: float) -> tuple[Table, Measured]:
    """The first partition, and what it took."""
    problem, budget, found = Problem.of(X, k), budget_of(seconds), []
    took = timed(lambda: found.append(USUAL.start.run(problem, budget)))
    near = candidates(problem, USUAL.nearness.chosen(k, problem.n > LARGE), Run())
    table = Table(problem, found[0], near)
    return table, Measured("Start", took, table.spread, sse_of(problem.points, table.labels))


def annealed(table: Table, seconds: float) -> Measured:
    """Melted and cooled down, as often as the pace of a quick annealing allows."""
    quick = USUAL.melting.quick
    pace = timed(lambda: quick.run(table.course(None))) / (quick.proposals + quick.last)
    slow = replace(quick, proposals=max(1, int(seconds / pace) - quick.last))
    course = table.course(None)  # what the clock ends is not cold
    before = course.sse
    took = timed(lambda: slow.run(course))
    proposals = course.walks.tally()["proposals"]
    note = f"{slow.proposals:,} proposals for each record"
    return Measured("Annealing", took, before, course.sse, proposals, note)


def cooled(table: Table, seconds: float) -> Measured:
    """The same of a large table, by sweeps, part by part as the clock allows."""

    def swept(limit: float | None) -> tuple[Course, Sweeps]:
        count = USUAL.territories.usual
        seed, loss = np.random.SeedSequence(2), sse_of(table.problem.points, table.labels)
        sweeps = Sweeps(table.problem, table.labels, table.near, seed, count, loss)
        sweeps.arrange()
        return table.course(limit), sweeps

    pace = USUAL.melting.quick_large.run(*swept(None)).pace
    course, sweeps = swept(seconds)
    before, given = course.sse, []
    took = timed(lambda: given.append(USUAL.melting.slow_large.run(course, sweeps, pace)))
    note = f"{sum(given[0].proposals):,} proposals for each record"
    return Measured("Cooling", took, before, course.sse, sweeps.tally()["proposals"], note)


def regional(table: Table, seconds: float) -> Measured:
    """Region by region, until the time is over."""
    regions = replace(USUAL.rounds.regions, records=table.region)
    course = table.course(seconds)
    before = course.sse
    took = timed(lambda: regions.run(course, ROUNDS))
    tally = course.walks.tally()
    note = f"{tally['regions']:,} regions, {tally['kept']:,} kept"
    return Measured("Regions", took, before, course.sse, tally["proposals"], note)


def relaxed(table: Table, seconds: float) -> Measured:
    """The relaxation, which bounds what any partition can reach."""
    relaxing = replace(USUAL.columns.relaxing, share=1.0)
    course, found = table.course(seconds), []
    before = course.sse
    took = timed(lambda: found.append(relaxing.run(course)))
    steps, bound = found[0].relaxation.steps.done, 100 * course.lower_bound / table.spread
    note = f"{steps} steps, none is below {bound:.4f}"
    return Measured("Relaxing", took, before, course.sse, note=note)


def left_out(table: Table) -> str | None:
    """Why there is no relaxation, if there is none."""
    if not have_highs():
        return "highspy is not installed"
    if table.problem.n > LARGE or table.problem.k not in dict(USUAL.columns.work):
        return "it takes too long for such a table"
    return None


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--records", type=int, default=2000)
    parser.add_argument("--k", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0, help="processor seconds of a phase")
    args = parser.parse_args(arguments)
    by_processor()
    rng = np.random.default_rng(0)
    anneal = annealed if args.records <= LARGE else cooled
    few, _ = started(rng.normal(size=(max(FEW, 4 * args.k), ATTRIBUTES)), args.k, 1.0)
    for compiled in (anneal, regional, *([] if left_out(few) else [relaxed])):
        compiled(few, 0.01)
    table, start = started(rng.normal(size=(args.records, ATTRIBUTES)), args.k, args.seconds)
    print(
        f"{args.records:,} normal records of {ATTRIBUTES} attributes, k = {args.k}: each phase "
        f"alone, processor seconds: {args.seconds:g}"
    )
    print(f"{'phase':>10} {'seconds':>8} {'before':>9} {'after':>9} {'millions/s':>10}")
    print(start.line(table.spread))
    for phase in (anneal, regional):
        print(phase(table, args.seconds).line(table.spread), flush=True)
    why = left_out(table)
    if why:
        print(f"{'Relaxing':>10} left out: {why}")
    else:
        print(relaxed(table, args.seconds).line(table.spread))


if __name__ == "__main__":
    main()
