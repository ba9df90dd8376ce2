"""Annealing of everything: melted, then cooled down at one temperature for all walks."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from coterie.partitioning.search.optimize.course import LARGE, Course
from coterie.partitioning.search.walks import Walks

__all__ = ["Annealing", "breadth"]

SAMPLE = 10_000  # records that tell how far groups spread
LEAST = 3.0  # dimensions


@dataclass(frozen=True)
class Annealing:
    """How everything cools down.

    proposals
        Moves proposed for each record.
    hot, cold
        First and last temperature, in mean squared distances.
    warm, cool
        Those of large tables whose groups spread over `usual` dimensions: there is less time to
        repair, and none for what hardly moves. In more dimensions distances differ less, by the
        square root of their number, and so do the costs of moves.
    level
        Proposals at one temperature, at least.
    levels
        Temperatures, at most, each with other territories.
    levels_large, most_large, brief
        Those of large tables, at least and at most; in between, a record has `brief` proposals at
        each. Many records are near a border, where little can move: borders should change often.
    settled
        Proposals for each record of a large table, after which all are arranged anew in memory.
    last, last_large
        Proposals for each record at temperature 0.
    territories
        How many, of large tables; None for 4. Fewer are better: in many dimensions a cut passes
        between a third of all near records, and one near a border waits until it has moved on.
    rare
        Proposals for one that dissolves or distills a group.
    window
        Records of large tables that proposals are made for at a time: they stay in the cache.
    """

    proposals: int
    hot: float = 2.0
    cold: float = 0.005
    warm: float = 0.4
    cool: float = 0.08
    usual: float = 10.0
    level: int = 50_000
    levels: int = 300
    levels_large: int = 30
    most_large: int = 1000
    brief: int = 5
    settled: int = 100
    last: int = 30
    last_large: int = 10
    territories: int | None = None
    rare: int = 100
    window: int = 4096

    def run(self, course: Course) -> None:
        """Melt and cool down; what has become worse in the end is put back.

        The territories change as the temperature falls, so that no border stays.
        """
        from coterie.kernels.search.regions import Schedule

        walks, n = course.walks, course.problem.n
        before, labels = course.sse, course.labels
        unit = before / n
        parts = min(len(walks.streams), self.territories or (2 if n < LARGE // 2 else 4))
        levels = max(20, min(self.levels, n * self.proposals // self.level))
        if course.large:
            levels = max(self.levels_large, min(self.most_large, self.proposals // self.brief))
        first, end = self.hot, self.cold
        if course.large:
            usual = np.sqrt(self.usual / breadth(walks))
            first, end = self.warm * usual, self.cool * usual
        last = self.last_large if course.large else self.last
        window = self.window if course.large else 0
        ends = first * (end / first) ** (np.arange(levels + 1) / levels)
        try:
            made = self.settled
            for hot, cold in (*pairwise(ends), (0.0, 0.0)):
                each = max(self.proposals // levels, 1) if hot else last
                if course.large and made >= self.settled:
                    walks.arrange()
                    made = 0
                made += each
                walks.schedule = Schedule(
                    records=0,
                    proposals=each,
                    hot=float(hot),
                    cold=float(cold),
                    unit=float(unit),
                    always=True,
                    samples=1,
                    rare=self.rare,
                    window=window,
                )
                turns = walks.share_out(parts)
                course.drive("annealing", epoch=turns, iterations=turns, count=False, final=False)
                if course.budget.ended:
                    break
        finally:
            if course.sse > before:
                walks.replace(labels)
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
