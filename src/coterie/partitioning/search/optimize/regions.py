"""Regions: some sixty records are melted and cooled down by themselves, again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.search.optimize.course import Course

__all__ = ["Regions"]

EPOCH = 2**20  # proposals of a walk between two looks at the clock, about


@dataclass(frozen=True)
class Regions:
    """How regions are chosen and annealed.

    records
        Of a region, about.
    proposals
        Moves proposed for each of them.
    hot, cold
        First and last temperature, in mean squared distances within the region.
    samples
        Groups drawn, of which that of largest SSE is the center.
    rare
        Proposals for one that dissolves or distills a group.
    """

    records: int
    proposals: int
    hot: float = 4.0
    cold: float = 0.01
    samples: int = 6
    rare: int = 100

    def turn(self, course: Course) -> int:
        """Regions of each walk that hold every record once, on average."""
        return max(course.problem.n // (len(course.walks.streams) * self.records), 1)

    @property
    def schedule(self) -> Any:
        """What the kernel is told."""
        from coterie.kernels.search.regions import Schedule

        return Schedule(
            records=self.records,
            proposals=self.proposals,
            hot=self.hot,
            cold=self.cold,
            unit=0.0,
            always=False,
            samples=self.samples,
            rare=self.rare,
        )

    def run(self, course: Course, rounds: int, seen: list[NDArray[np.int64]] | None = None) -> None:
        """Regions until every record has been in `rounds` of them, or something ends the search.

        A region stays as it was unless it has become better. Partitions on the way go to `seen`.
        """
        course.walks.schedule = self.schedule
        turn = self.turn(course)
        left = rounds * turn
        while left > 0 and not course.over:
            course.walks.share_out()
            if seen is not None:
                seen.append(course.labels)
            some = min(left, max(turn // 2, 1))
            limit = min(some, course.budget.stop.iterations - course.budget.done)
            epoch = max(1, min(some, EPOCH // (self.records * self.proposals)))
            course.drive("regions", epoch=epoch, iterations=limit)
            left -= some
