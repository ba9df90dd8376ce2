"""Annealing of large tables: sweeps that cool down from where a good start is not yet lost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.numbers.renumber import renumber
from coterie.partitioning.core import sse_of
from coterie.partitioning.search.optimize.course import Course
from coterie.partitioning.search.sweeps import Sweeps
from coterie.partitioning.search.walks import Walks

__all__ = ["Cooling", "breadth"]

SAMPLE = 10_000  # records that tell how far groups spread
LEAST = 3.0  # dimensions


@dataclass(frozen=True)
class Cooling:
    """How a large table cools down.

    proposals
        Moves proposed for each record.
    warm, cool
        First and last temperature, in mean squared distances, where groups spread over `usual`
        dimensions: there is too little time to melt all, and none for what hardly moves. In more
        dimensions distances differ less, by the square root of their number, and so do the costs
        of moves.
    fewest, most
        Temperatures, each with other territories.
    brief, level
        In between, proposals at one temperature for each record and in all, at least. Many records
        are near a border, where little can move: borders should change often, but for small
        tables, where cutting takes as long as a sweep.
    settled
        Proposals for each record after which all are arranged anew in memory.
    last
        Proposals for each record at temperature 0.
    rare
        Proposals for one that dissolves or distills a group.
    window
        Groups that are swept again and again before the next: they stay in the cache.
    """

    proposals: int
    warm: float = 0.4
    cool: float = 0.08
    usual: float = 10.0
    fewest: int = 30
    most: int = 4000
    brief: int = 2
    level: int = 100_000
    settled: int = 100
    last: int = 10
    rare: int = 300
    window: int = 1000
    bold: float = 9.0
    fading: int = 255

    def run(self, course: Course, sweeps: Sweeps) -> float:
        """Cool down; what has become worse in the end is left as it was.

        The territories change as the temperature falls, so that no border stays. Returns the
        seconds of a proposal for each record.
        """
        from coterie.kernels.search.sweeps import Level

        before, n = course.sse, course.problem.n
        unit = before / n * np.sqrt(self.usual / breadth(course.walks))
        each = max(self.brief, self.level // n)
        levels = max(self.fewest, min(self.most, self.proposals // each))
        turns = np.diff(np.arange(levels + 1) * self.proposals // levels)
        falling = self.warm * (self.cool / self.warm) ** ((np.arange(levels) + 0.5) / levels)
        run, made, arranged = course.budget.run, 0, 0
        began, earlier = run.seconds, sweeps.tally()["proposals"]

        def pace() -> float:
            since = sweeps.tally()["proposals"] - earlier
            return (run.seconds - began) * n / max(since, 1)

        try:
            for temperature, some in zip((*falling, 0.0), (*turns, self.last), strict=True):
                left = np.inf if run.time_limit is None else run.time_limit - run.seconds
                if temperature and made and left < self.last * pace():
                    continue  # what is not yet cold is worth nothing: all that is left to the last
                if made - arranged >= self.settled:
                    sweeps.arrange()
                    arranged = made
                made += some
                sweeps.level = Level(float(temperature * unit), int(some), self.rare, self.window, float(self.bold), self.fading)
                sweeps.share_out()
                course.drive("annealing", 1, 1, count=False, final=False, streams=sweeps.streams)
                if course.budget.ended:
                    break
            return pace()
        finally:
            labels = renumber(sweeps.labels).astype(np.int64)
            if sse_of(course.problem.points, labels) < before:
                course.walks.replace(labels)
            course.note()


def breadth(walks: Walks) -> float:
    """Over how many dimensions groups spread evenly: (tr C)^2 / tr C^2 of their covariances C.

    Of a sample of records, from their centroids; `LEAST` at least.
    """
    state = walks.state
    some = slice(None, None, -(-len(state.labels) // SAMPLE))
    apart = state.points[some] - state.centroids[state.labels[some]]
    covariances = apart.T @ apart
    squares = np.square(covariances).sum()
    return max(LEAST, np.trace(covariances) ** 2 / squares) if squares > 0 else LEAST
