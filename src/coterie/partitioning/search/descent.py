"""A descent as a stream: from a start to the local optimum, then from the next start."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.problem import Problem

__all__ = ["Descent", "Found", "begin", "best_of", "epoch_length"]

REMEMBERED = 2048  # groups; of more, what is remembered of pairs would take beyond 32 MB


@dataclass(frozen=True, eq=False)
class Found:
    """A partition and its place in the order of preference: SSE, then number of the start."""

    sse: float
    number: int
    labels: NDArray[np.int64]

    @property
    def rank(self) -> tuple[float, int]:
        """What to compare by."""
        return self.sse, self.number


class Finder(Protocol):
    """A stream that may have found a partition."""

    @property
    def found(self) -> Found | None:
        """The best so far."""


def best_of(streams: Iterable[Finder]) -> Found:
    """The best of what streams have found, one of them at least."""
    return min((s.found for s in streams if s.found is not None), key=lambda found: found.rank)


@dataclass
class Kernels:
    """The compiled state of one descent."""

    plan: Any
    groups: Any
    pair: Any
    words: Any

    @property
    def sse(self) -> float:
        """SSE of the present partition."""
        return float(self.groups.sums[0] + self.groups.sums[1])


def begin(
    problem: Problem,
    labels: NDArray[np.int64],
    words: NDArray[np.int64],
    *,
    most: int,
    every: bool,
    passes: int | None = None,
) -> Kernels:
    """The state for a descent from `labels` in which every group is a target at first."""
    from coterie.kernels.base import groups
    from coterie.kernels.search import descent, visits

    state = groups.groups(problem.points, labels, problem.k, most)
    more = {} if passes is None else {"passes": passes}
    plan = descent.descent(len(state.size), every, **more)
    descent.target_all(plan, int(state.cursor[groups.COUNT]))
    slots = len(state.size) if every and len(state.size) <= REMEMBERED else 0
    return Kernels(plan, state, visits.pair(problem.n, slots), words)


def epoch_length(problem: Problem, work: int) -> int:
    """Units between two barriers: about `work` distances.

    A unit scans all groups and tests the members of a near one against its own.
    """
    return max(1, work // (problem.n // problem.k + problem.k * problem.k))


@dataclass
class Descent:
    """Descents one after another; a unit of work is a target visited.

    Attributes
    ----------
    numbers : sequence of int
        The starts that this stream takes, best in the order (SSE, number).
    make : callable
        The state of the descent for a number.
    """

    numbers: Sequence[int]
    make: Callable[[int], Kernels]
    at: int = 0
    passes: int = 0
    now: Kernels | None = None
    best: Found | None = None

    @property
    def done(self) -> bool:
        """See `Stream`."""
        return self.at == len(self.numbers)

    @property
    def progress(self) -> float | None:
        """See `Stream`."""
        return self.at / len(self.numbers)

    def step(self, budget: int) -> int:
        """See `Stream`."""
        from coterie.kernels.search import descent

        if self.now is None:
            self.now = self.make(self.numbers[self.at])
        now = self.now
        work = int(descent.step(now.plan, now.groups, now.pair, now.words, budget))
        if now.plan.cursor[descent.DONE] == 1:
            self.best = self.found
            self.passes += int(now.plan.cursor[descent.PASS])
            self.now = None  # before `at` moves on: an interrupt between the two finds `best`
            self.at += 1
        return work

    @property
    def found(self) -> Found | None:
        """The best partition so far; a descent under way counts with what it has."""
        if self.now is None:
            return self.best
        mine = Found(self.now.sse, self.numbers[self.at], self.now.groups.labels)
        return mine if self.best is None or mine.rank < self.best.rank else self.best
