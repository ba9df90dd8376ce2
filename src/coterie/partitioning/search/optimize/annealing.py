"""Annealing of everything: melted, then cooled down at one temperature for all walks."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from coterie.partitioning.search.optimize.course import LARGE, Course

__all__ = ["Annealing"]


@dataclass(frozen=True)
class Annealing:
    """How everything cools down.

    proposals
        Moves proposed for each record.
    hot, cold
        First and last temperature, in mean squared distances.
    warm, cool
        Those of large tables: there is less time to repair, and none for what hardly moves.
    level
        Proposals at one temperature, at least.
    levels, levels_large
        Temperatures, at most, each with other territories; those of large tables take long to cut.
    last, last_large
        Proposals for each record at temperature 0.
    rare
        Proposals for one that dissolves or distills a group.
    window
        Records of large tables that proposals are made for at a time: they stay in the cache.
    """

    proposals: int
    hot: float = 2.0
    cold: float = 0.005
    warm: float = 0.4
    cool: float = 0.06
    level: int = 50_000
    levels: int = 300
    levels_large: int = 30
    last: int = 30
    last_large: int = 10
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
        # Fewer borders are better: a record near one waits until it has moved on.
        parts = min(len(walks.streams), 2 if n < LARGE // 2 else 8 if course.large else 4)
        most = self.levels_large if course.large else self.levels
        levels = max(min(20, most), min(most, n * self.proposals // self.level))
        first, end = (self.warm, self.cool) if course.large else (self.hot, self.cold)
        last = self.last_large if course.large else self.last
        window = self.window if course.large else 0
        ends = first * (end / first) ** (np.arange(levels + 1) / levels)
        try:
            for hot, cold in (*pairwise(ends), (0.0, 0.0)):
                each = max(self.proposals // levels, 1) if hot else last
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
