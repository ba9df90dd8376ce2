"""Annealing of everything: melted, then cooled down at one temperature for all walks."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.search.optimize.course import LARGE, Course

__all__ = ["Annealing", "compete"]


@dataclass(frozen=True)
class Annealing:
    """How everything cools down.

    proposals
        Moves proposed for each record.
    hot, cold
        First and last temperature, in mean squared distances.
    level
        Proposals at one temperature, at least.
    levels
        Temperatures, at most, each with other territories.
    last
        Proposals for each record at temperature 0.
    rare
        Proposals for one that dissolves or distills a group.
    """

    proposals: int
    hot: float = 2.0
    cold: float = 0.005
    level: int = 50_000
    levels: int = 300
    last: int = 30
    rare: int = 100

    def run(self, course: Course) -> None:
        """Melt and cool down; what has become worse in the end is put back.

        The territories change as the temperature falls, so that no border stays.
        """
        from coterie.kernels.search.regions import Schedule

        walks, n = course.walks, course.problem.n
        before, labels = course.sse, course.labels
        unit = before / n
        parts = min(len(walks.streams), 2 if n < LARGE // 2 else 4)
        levels = max(20, min(self.levels, n * self.proposals // self.level))
        ends = self.hot * (self.cold / self.hot) ** (np.arange(levels + 1) / levels)
        try:
            for hot, cold in (*pairwise(ends), (0.0, 0.0)):
                each = max(self.proposals // levels, 1) if hot else self.last
                walks.schedule = Schedule(
                    records=0,
                    proposals=each,
                    hot=float(hot),
                    cold=float(cold),
                    unit=float(unit),
                    always=True,
                    samples=1,
                    rare=self.rare,
                )
                turns = walks.share_out(parts)
                course.drive("annealing", epoch=turns, iterations=turns, count=False, final=False)
                if course.budget.ended:
                    break
        finally:
            if course.sse > before:
                walks.replace(labels)
            course.note()


def compete(course: Course, quick: Annealing, rival: NDArray[np.int64]) -> None:
    """Anneal another start as well, and go on with the better of the two.

    What melts most records leaves outliers where they are. No start has them right in every table:
    paths lose a fifth less than halves where tails are heavy, halves a hundredth less elsewhere.
    """
    found, loss = course.labels, course.sse
    try:
        course.walks.replace(rival)
        quick.run(course)
    finally:
        if course.sse >= loss:
            course.walks.replace(found)
