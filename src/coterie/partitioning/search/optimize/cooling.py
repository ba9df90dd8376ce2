"""Annealing of large tables: sweeps that cool down from where a good start is not yet lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from coterie.numbers.renumber import renumber
from coterie.partitioning.core import sse_of
from coterie.partitioning.search.optimize.course import Course
from coterie.partitioning.search.sweeps import Sweeps
from coterie.partitioning.search.walks import Walks

__all__ = ["Cooling", "breadth"]

SAMPLE = 10_000  # records that tell how far groups spread
LEAST = 3.0  # dimensions


class Cooled(NamedTuple):
    """How a large table was cooled down."""

    pace: float  # seconds of a proposal for each record
    proposals: tuple[int, ...]  # for each record, part by part


@dataclass(frozen=True)
class Cooling:
    """How a large table cools down.

    proposals
        Moves proposed for each record, in each part of the way down from the first temperature to
        the last, these being equal factors; None for as many as the clock allows. Colder ones are
        made quicker, and who else is at work nobody knows: part by part by the pace of the last.
    warm, cool
        First and last temperature, in mean squared distances, where groups spread over `usual`
        dimensions: there is too little time to melt all, and none for what hardly moves. In more
        dimensions distances differ less, by the square root of their number, and so do the costs
        of moves. In fewer there is more to win where it is warm: temperatures rise by another
        fourth root.
    fewest, most
        Temperatures, each with other territories.
    brief, level
        In between, proposals at one temperature for each record and in all, at least. Many records
        are near a border, where little can move: borders should change often, but for small
        tables, where cutting takes as long as a sweep.
    settled
        Moves of each record after which all are arranged anew in memory: where it is cold they stay
        where they are.
    last
        Proposals for each record at temperature 0.
    rare
        Proposals for one that dissolves or distills a group.
    window
        Groups that are swept again and again before the next: they stay in the cache.
    bold
        Temperatures up to which a group is dissolved or distilled. What that costs is mostly won
        back by the moves that follow: by chance, as these are, it hardly ever comes about. In few
        dimensions it is as many fewer as they are higher by the fourth root.
    fading
        Steps by which a cost that is remembered falls once a group has changed; see `sweeps`.
    share
        Of the time left, for all parts.
    longest
        Proposals for each record in a part, at most, whatever the pace seems to be.
    """

    proposals: tuple[int | None, ...]
    warm: float = 0.3
    cool: float = 0.06
    usual: float = 10.0
    fewest: int = 30
    most: int = 4000
    brief: int = 2
    level: int = 100_000
    settled: float = 5.0
    last: int = 10
    rare: int = 300
    window: int = 1000
    bold: float = 12.0
    fading: int = 255
    share: float = 0.97
    longest: int = 40_000

    def run(self, course: Course, sweeps: Sweeps, pace: float = 0.0) -> Cooled:
        """Cool down; what has become worse in the end is left as it was.

        The territories change as the temperature falls, so that no border stays. `pace` is what a
        proposal for each record is expected to take.
        """
        budget, before, n = course.budget, course.sse, course.problem.n
        narrow = self.usual / breadth(course.walks)
        warmer = max(1.0, narrow) ** 0.25
        unit = before / n * np.sqrt(narrow) * warmer
        bold = self.bold / warmer
        turns = 0  # of every record so far
        arranged = sweeps.tally()["moves"]  # when all were last arranged
        began, end = budget.spent, budget.spent + self.share * budget.left
        proposals: list[int] = []
        try:
            for part, wanted in enumerate(self.proposals):
                since, earlier = budget.spent, sweeps.tally()["proposals"]
                some = wanted
                if some is None:
                    left = (end - since - self.last * pace) / (len(self.proposals) - part)
                    some = max(0, min(int(left / max(pace, 1e-9)), self.longest))
                proposals.append(some)
                for heat, each in self.levels(n, part, some):
                    left = budget.left
                    if turns and left < self.last * pace:
                        break  # what is not yet cold is worth nothing: all that is left to the last
                    moves = sweeps.tally()["moves"]
                    if moves - arranged >= self.settled * n:
                        sweeps.arrange()
                        arranged = moves
                    turns += each
                    self.sweep(course, sweeps, heat * unit, each, bold)
                    done = sweeps.tally()["proposals"] - earlier
                    pace = (budget.spent - since) * n / max(done, 1)
                    if budget.ended:
                        break
            if not budget.ended:
                self.sweep(course, sweeps, 0.0, self.last, bold)
            return Cooled((budget.spent - began) / max(turns, 1), tuple(proposals))
        finally:
            labels = renumber(sweeps.labels).astype(np.int64)
            if sse_of(course.problem.points, labels) < before:
                course.walks.replace(labels)
            course.note()

    def levels(self, n: int, part: int, proposals: int) -> list[tuple[float, int]]:
        """Temperatures of one part, in units, and the turns of each record at them."""
        parts = len(self.proposals)
        most = min(self.most // parts, proposals // max(self.brief, self.level // n))
        count = max(-(-self.fewest // parts), most)
        turns = np.diff(np.arange(count + 1) * proposals // count)
        way = (part + (np.arange(count) + 0.5) / count) / parts
        falling = self.warm * (self.cool / self.warm) ** way
        return [(float(t), int(each)) for t, each in zip(falling, turns, strict=True) if each]

    def sweep(
        self, course: Course, sweeps: Sweeps, temperature: float, turns: int, bold: float
    ) -> None:
        """Some turns of every record at one temperature, in new territories."""
        from coterie.kernels.search.sweeps import Level

        sweeps.level = Level(
            float(temperature), turns, self.rare, self.window, float(bold), self.fading
        )
        sweeps.share_out()
        course.drive("annealing", 1, 1, count=False, final=False, streams=sweeps.streams)


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
