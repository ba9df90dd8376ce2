"""Columns: column generation bounds what any partition can reach, and tells what is certain.

Phases over one `ColumnSearch`. *Relaxing* solves the linear relaxation: its prices say what each
record should have to pay, so regions are chosen where a group pays more. A *dive* keeps the groups
to which the relaxation gives almost their full weight, and anneals all other records anew, as a
table of their own. A *plunge* relaxes those others, too, keeps what is certain among them, and so
on to the ground. *Tightening* cuts the relaxation, one round at a time: the bound rises, and what
is certain becomes more so. *Closing* recombines by integer programs what dives and the relaxation
have found, and may prove the optimum.

Steps of column generation are counted over all relaxations, those of plunges included. Once the
clock has ended one of them there are no more: so their number alone tells what was done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.exact.beginning import cost_of, first_outcome
from coterie.partitioning.exact.branching import ColumnSearch, ColumnsOptions
from coterie.partitioning.exact.dual import Steps
from coterie.partitioning.exact.fixing import Left, Rest
from coterie.partitioning.exact.relaxation import CLOSED, Relaxation
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.optimize.course import Course
from coterie.partitioning.search.optimize.regions import Regions
from coterie.partitioning.search.stop import Budget

__all__ = ["Closing", "Dive", "Plunge", "Relaxing", "Tightening"]

Anneal = Callable[[Problem], NDArray[np.int64]]


@dataclass(frozen=True)
class Relaxing:
    """How long column generation goes on.

    share
        Of the time limit, at most.
    steps
        The most; None for no limit. What was done in a share of the clock replays with these.
    tolerance
        Relative distance of bound and value at which it is solved. What is certain does not change
        any more; the last thousandths are left to closing.
    """

    share: float = 0.5
    steps: int | None = None
    tolerance: float = 1e-4

    def run(self, course: Course, seen: Sequence[NDArray[np.int64]] = ()) -> ColumnSearch:
        """Solve the relaxation as far as that; regions know the prices from then on.

        Groups of the partitions `seen` are among the first columns.
        """
        steps = Steps(most=self.steps)
        options = ColumnsOptions(rounds=0)  # no cuts yet
        search = ColumnSearch(course.problem, course.budget.run, options, course.labels, steps)
        search.relaxation.tolerance = self.tolerance
        for labels in seen:
            search.add(labels)
        try:
            with _stepping(course.budget, course.budget.deadline(self.share), steps):
                search.relax()
        finally:
            _learn(course, search)
        return search


@dataclass(frozen=True)
class Tightening:
    """How far the relaxation is cut.

    share
        Of the time limit, at most, for a round.
    gain
        Of the bound, by which a round of cuts must raise it for another one.
    """

    share: float = 0.3
    gain: float = 1e-4

    def run(self, course: Course, columns: ColumnSearch) -> bool:
        """One round of cuts: bound, prices and certain groups are those of the cut relaxation.

        Whether another is worth it.
        """
        course.budget.done += 1
        relaxation, run = columns.relaxation, course.budget.run
        before = relaxation.bound
        try:
            deadline = course.budget.deadline(self.share)
            with _stepping(course.budget, deadline, relaxation.steps):
                cut = relaxation.exact and relaxation.cut(run)
        finally:
            _learn(course, columns)
        return cut and relaxation.bound >= before * (1 + self.gain)


@dataclass(frozen=True)
class Dive:
    """Which groups stay, and how the partition that this gives is improved.

    certain
        Weight from which on a group stays.
    promising
        Relative: a partition this much worse than the best is improved all the same.
    rounds
        Of regions, before the two are compared.
    """

    certain: float = 0.6
    promising: float = 0.02
    rounds: int = 15

    def run(
        self,
        course: Course,
        columns: ColumnSearch,
        anneal: Anneal,
        regions: Regions,
    ) -> bool:
        """One dive; the partition is replaced, and True told, if it has become better."""
        return self.follow(course, columns, lambda left: anneal(left.problem), regions)

    def follow(self, course: Course, columns: ColumnSearch, rest: Rest, regions: Regions) -> bool:
        """The same, whatever `rest` does with what the certain groups leave."""
        budget = course.budget
        before, labels = course.sse, course.labels
        budget.done += 1
        found = columns.fix(rest, self.certain)
        if found is None or cost_of(course.problem, found) > before * (1 + self.promising):
            return False
        course.walks.replace(found)
        try:
            if not budget.ended:
                regions.run(course, self.rounds)
        finally:
            columns.add(course.labels)
            better = course.sse < before  # the trace knows of gains alone: by it a run is replayed
            if not better:
                course.walks.replace(labels)
            course.note()
        return better


@dataclass(frozen=True)
class Plunge:
    """How the relaxation is followed to the ground.

    share
        Of the time limit, at most.
    near
        Relative distance of partition and relaxation, within which this is worth it.
    certain
        Weight from which on a group stays.
    cuts
        Rounds of cuts for what is left.
    tolerance
        As of `Relaxing`, for what is left.
    hopeless
        Relative: what is left is annealed once no partition with the groups taken is nearer to the
        best one than this.
    """

    share: float = 0.25
    near: float = 0.015
    certain: float = 0.6
    cuts: int = 4
    tolerance: float = 1e-5
    hopeless: float = 2e-3

    def due(self, course: Course, columns: ColumnSearch) -> bool:
        """Whether the relaxation was solved over all groups and is near."""
        value = columns.relaxation.value
        if value is None or not columns.relaxation.exact or columns.relaxation.closed:
            return False
        return course.sse - value <= self.near * course.sse

    def run(self, course: Course, columns: ColumnSearch, anneal: Anneal, regions: Regions) -> bool:
        """A dive in which what is left is relaxed, too; `anneal` is for what that is not worth."""
        budget, steps = course.budget, columns.relaxation.steps
        deadline = budget.deadline(self.share)
        limit = course.sse * (1 + self.hopeless)

        def deeper(left: Left) -> NDArray[np.int64] | Relaxation:
            if left.stuck:
                return anneal(left.problem)
            start = first_outcome(left.problem, budget.run).labels
            relaxation = Relaxation(left.problem, start, steps, self.tolerance)
            with _stepping(budget, deadline, steps):
                relaxation.start(budget.run, left.shares)
                relaxation.solve(budget.run, cuts=0)
                if left.paid + relaxation.bound < limit:
                    relaxation.tighten(budget.run, self.cuts)
            if relaxation.closed:
                return start
            # What was left half-way tells nothing: it is looked at by result, not by the clock.
            hopeless = left.paid + relaxation.bound >= limit
            return anneal(left.problem) if hopeless or not relaxation.exact else relaxation

        return Dive(self.certain).follow(course, columns, deeper, regions)


@dataclass(frozen=True)
class Closing:
    """When integer programs are tried.

    near
        Relative distance of partition and bound.
    far
        The same, once nothing else improves any more.
    again
        Of the distance at which they were tried, before they are tried again.
    share, gain
        As of `Tightening`: before, the relaxation is solved to its end and cut further.
    """

    near: float = 1e-3
    far: float = 5e-3
    again: float = 0.7
    share: float = 0.3
    gain: float = 2e-5

    def due(self, course: Course, idle: bool, last: float) -> bool:
        """Whether the bound is near, and nearer than when it was last tried."""
        if course.lower_bound is None:
            return False
        distance = course.sse - course.lower_bound
        return distance <= min((self.far if idle else self.near) * course.lower_bound, last)

    def run(self, course: Course, columns: ColumnSearch) -> float:
        """Integer programs, for an optimum with proof; the distance at which to try again."""
        budget, relaxation = course.budget, columns.relaxation
        budget.done += 1
        columns.add(course.labels)
        try:
            if relaxation.tolerance > CLOSED:
                relaxation.tolerance = CLOSED
                with _stepping(budget, budget.deadline(self.share), relaxation.steps):
                    if relaxation.exact:
                        relaxation.generate(budget.run)
                        relaxation.tighten(budget.run, gain=self.gain)
                columns.settle()
            columns.close()
        finally:
            _learn(course, columns)
            course.lower_bound = min(relaxation.bound, columns.sse)
            if columns.sse < course.sse:
                course.walks.replace(columns.labels)
            course.note()
        return self.again * (course.sse - course.lower_bound)


@contextmanager
def _stepping(budget: Budget, deadline: float, steps: Steps) -> Iterator[None]:
    """Steps until then; if the clock ends them, no others follow, so that their number replays."""
    with budget.until(deadline):
        yield
        if budget.late:
            steps.most = steps.done


def _learn(course: Course, columns: ColumnSearch) -> None:
    """Regions know the best prices from then on."""
    course.lower_bound = columns.relaxation.bound
    course.walks.state.price[:] = columns.relaxation.best.records
