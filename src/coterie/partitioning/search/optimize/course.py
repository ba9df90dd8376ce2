"""The course of a search: the partition that all phases improve, its trace and its bound."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from coterie.numbers.renumber import renumber
from coterie.partitioning.core import Trace
from coterie.partitioning.exact.relaxation import CLOSED
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.stop import Budget
from coterie.partitioning.search.walks import Walks
from coterie.partitioning.streams import Stream

__all__ = ["LARGE", "WALKS", "Course", "walks_for"]

LARGE = 8000  # records beyond which not everything is melted all through
WALKS = 8


class Course:
    """One partition, held by walks, and what is known about it.

    Attributes
    ----------
    problem : Problem
    budget : Budget
    walks : Walks
    trace : Trace
    lower_bound : float or None
        In the units of `problem.points`.
    """

    def __init__(self, problem: Problem, budget: Budget, walks: Walks) -> None:
        self.problem, self.budget, self.walks = problem, budget, walks
        self.trace = Trace(problem, budget.run)
        self.lower_bound: float | None = None
        self.trace.note(0, walks.sse)

    @property
    def large(self) -> bool:
        """Whether there is too much to melt."""
        return self.problem.n > LARGE

    @property
    def sse(self) -> float:
        """Of the partition as it is, in the units of `problem.points`."""
        return self.walks.sse

    @property
    def labels(self) -> NDArray[np.int64]:
        """The partition, its groups numbered 0..g-1."""
        return renumber(self.walks.labels).astype(np.int64)

    @property
    def ended(self) -> bool:
        """Whether the clock, Ctrl-C, the target or a proof has ended the search."""
        proved = self.lower_bound is not None and self.sse <= self.lower_bound * (1 + CLOSED)
        return proved or self.sse <= max(self.budget.stop.goal, 0.0) or self.budget.ended

    @property
    def over(self) -> bool:
        """The same, or iterations or patience are at their end."""
        return self.ended or self.budget.over

    def note(self) -> None:
        """Trace the partition as it is; a gain counts for `patience`."""
        if self.sse < self.trace.points[-1].sse:
            self.budget.improved = self.budget.done
        self.trace.note(self.budget.done, self.sse)

    def drive(
        self,
        phase: str,
        epoch: int,
        iterations: float,
        count: bool = True,
        final: bool = True,
        streams: Sequence[Stream] | None = None,
    ) -> None:
        """Let the walks, or other `streams`, do up to `iterations` each, in epochs of `epoch`.

        They are counted unless `count` says otherwise. What they come to is noted unless it is not
        `final`.
        """
        budget = self.budget
        before = budget.done

        def barrier(regions: int) -> float:
            if count:
                budget.done = before + regions
            known = self.trace.points[-1].sse
            loss = self.trace.note(budget.done, min(self.sse, known) if final else known)
            if self.trace.points[-1].sse < known:
                budget.improved = budget.done
            return loss

        drive = budget.run.drive(
            streams or self.walks.streams,
            phase=phase,
            epoch=epoch,
            barrier=barrier,
            anytime=True,
            iterations=iterations,
        )
        budget.epochs += drive.epochs
        if drive.ended == "interrupted":
            budget.interrupted = True
            self.walks.settle()


def walks_for(n: int, region: int) -> int:
    """How many walks share `n` records: a power of two that follows from n alone."""
    count = 1
    while count < WALKS and count * 4 * region <= n:
        count *= 2
    return count
