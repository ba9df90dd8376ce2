"""Columns: column generation bounds what any partition can reach, and tells what is certain.

Three phases over one `ColumnSearch`. *Relaxing* solves the linear relaxation: its prices say what
each record should have to pay, so regions are chosen where a group pays more. A *dive* keeps the
groups to which the relaxation gives almost their full weight, mostly of outliers, and anneals all
other records anew, as a table of their own. *Closing* recombines by integer programs what dives and
the relaxation have found, and may prove the optimum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.exact.beginning import cost_of
from coterie.partitioning.exact.branching import ColumnSearch, ColumnsOptions
from coterie.partitioning.exact.dual import Steps
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.optimize.course import Course
from coterie.partitioning.search.optimize.regions import Regions

__all__ = ["Closing", "Dive", "Relaxing"]


@dataclass(frozen=True)
class Relaxing:
    """How long column generation goes on.

    share
        Of the time limit, at most.
    steps
        The most; None for no limit. What was done in a share of the clock replays with these.
    """

    share: float = 0.4
    steps: int | None = None

    def run(self, course: Course, seen: Sequence[NDArray[np.int64]] = ()) -> ColumnSearch:
        """Solve the relaxation as far as that; regions know the prices from then on.

        Groups of the partitions `seen` are among the first columns.
        """
        steps = Steps(most=self.steps)
        search = ColumnSearch(
            course.problem, course.budget.run, ColumnsOptions(), course.labels, steps
        )
        for labels in seen:
            search.add(labels)
        try:
            with course.budget.lending(self.share):
                search.relax()
            search.settle()
        finally:
            course.lower_bound = search.relaxation.bound
            course.walks.state.price[:] = search.relaxation.best.records
        return search


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
        rest: Callable[[Problem], NDArray[np.int64]],
        regions: Regions,
    ) -> bool:
        """One dive; the partition is replaced, and True told, if it has become better."""
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
            better = course.sse <= before
            if not better:
                course.walks.replace(labels)
            course.note()
        return better


@dataclass(frozen=True)
class Closing:
    """When integer programs are tried.

    near
        Relative distance of partition and bound.
    far
        The same, once nothing else improves any more.
    again
        Of the distance at which they were tried, before they are tried again.
    """

    near: float = 1e-3
    far: float = 5e-3
    again: float = 0.7

    def due(self, course: Course, idle: bool, last: float) -> bool:
        """Whether the bound is near, and nearer than when it was last tried."""
        if course.lower_bound is None:
            return False
        distance = course.sse - course.lower_bound
        return distance <= min((self.far if idle else self.near) * course.lower_bound, last)

    def run(self, course: Course, columns: ColumnSearch) -> float:
        """Integer programs, for an optimum with proof; the distance at which to try again."""
        course.budget.done += 1
        columns.add(course.labels)
        try:
            columns.close()
        finally:
            course.lower_bound = min(columns.relaxation.bound, columns.sse)
            if columns.sse < course.sse:
                course.walks.replace(columns.labels)
            course.note()
        return self.again * (course.sse - course.lower_bound)
