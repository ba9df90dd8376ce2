"""From admissible groups down to better ones, by work that is counted.

Descent, regrouping, a sweep that dissolves groups, more regrouping; then, where that is cheap,
rounds of annealing, of pools of groups, of single atoms, of regions of a few dozen atoms, as they
are and with a group fewer or more, and of the whole from other groups, as many as can be grown.
What a round finds is crossed with the best so far, so that far parts of a table need not be at
their best at the same time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.numbers.renumber import renumber
from coterie.partitioning.constrained.crossing import crossed
from coterie.partitioning.constrained.walks import AdmissibleWalks, WalkLimits
from coterie.partitioning.driver import KernelStream, Run

__all__ = ["AdmissibleSearch", "SearchTally", "limited", "sweeps_all"]

EPOCH = 50
WORK = 1e9  # distances that regrouping may take if no limit says otherwise
LEAST = 200  # iterations of regrouping
# Where that is cheap, regrouping goes on up to SETTLED iterations a group, and the sweep tries
# every group: SPARE is the work allowed, about a nanosecond each on a slow core. It is counted,
# never timed: a seed gives the same partition on any machine.
SETTLED = 100
SPARE = 1e8
JUDGED, TESTED, SCANNED, TRIED = 50, 3, 2, 3000  # record, pair of members, coordinate, iteration
# Where even more is cheap, regrouping then goes on warm: rounds of so many iterations a group, for
# at most so much work each, from so much of a pool's SSE down to nothing, which leaves some cold.
# Coordinates beyond PLAIN, of codes above all, make the test of a pair dearer; counted here alone.
ROUNDS, ANNEALED = 3, 300
# Of work: each round; all walks of regions in the end; all of groups that are grown anew.
WARM, LATER, LAST = 6e8, 4e8, 2e9
PLAIN = 2
HEAT, COLD = 0.1, 0.1
ON = ("finished", "iterations")  # how a phase ends that lets the next one begin

Labels = NDArray[np.int64]


class SearchTally(NamedTuple):
    """Regroupings tried, those that were kept, and whether Ctrl-C ended them."""

    iterations: int = 0
    accepted: int = 0
    interrupted: bool = False


def limited(run: Run) -> bool:
    """Whether the caller has said how long to search."""
    return run.time_limit is not None or run.iterations is not None


def sweeps_all(n: int, d: int, groups: int) -> bool:
    """Whether it is cheap to try each group, whether it is better to do without."""
    return SCANNED * n * d * groups <= SPARE


class AdmissibleSearch:
    """The search over one set of atoms and rules."""

    def __init__(
        self,
        points: NDArray[np.float64],
        rules: Any,
        k: int,
        run: Run,
        grown: Callable[[], Labels],
    ) -> None:
        """`grown`: makes labels of other admissible groups, as many as there can be."""
        from coterie.kernels.base import draws

        self.points, self.rules, self.k, self.run, self.grown = points, rules, k, run, grown
        self.words = draws.seeded(run.seed.spawn(1)[0])
        self.spread = float(np.square(points - points.mean(axis=0)).sum())
        self.tried = self.kept = 0

    def improve(self, labels: Labels, effort: float) -> tuple[Labels, SearchTally]:
        """Labels after the whole search, and what was done.

        `effort` is the part of the work on a whole table that these records may take.
        """
        cold = _Course(self, labels)
        ended, each = cold.descend()
        best = cold.end()
        iterations = ANNEALED * cold.count
        warms = ended in ON and cold.loss() > 0.0 and iterations * each <= WARM * effort
        rounds = ROUNDS if warms else 0
        try:
            for found, ended in self._rounds(best, rounds, iterations, effort):
                best = found
                if ended not in ON:
                    break
        except KeyboardInterrupt:  # between two phases, where no kernel is at work
            ended = "interrupted"
        return best, SearchTally(self.tried, self.kept, ended == "interrupted")

    def _rounds(
        self, best: Labels, rounds: int, iterations: int, effort: float
    ) -> Iterator[tuple[Labels, str]]:
        """Labels after each round of annealing and each walk, and how it ended."""
        for _ in range(rounds):
            warm = _Course(self, best)
            ended = warm.anneal(iterations)
            best = crossed(self.points, best, warm.end())
            yield best, ended
        if rounds:
            walks = AdmissibleWalks(self.points, self.rules, self.k, self.run, self.words)
            most = WalkLimits(LATER * effort, LAST * effort)
            yield from walks.improved(best, most, self.grown)


class _Course:
    """One way down, from labels: the state of the kernels and its phases."""

    def __init__(self, search: AdmissibleSearch, labels: Labels) -> None:
        from coterie.kernels.base import groups
        from coterie.kernels.constrained import growth, regrouping
        from coterie.kernels.search import descent, visits

        n = len(search.points)
        self.search = search
        labels = renumber(labels).astype(np.int64)
        self.state = groups.groups(search.points, labels, search.k, n)
        slots, self.count = len(self.state.size), int(self.state.cursor[groups.COUNT])
        self.plan = descent.descent(slots, False)
        self.pair = visits.pair(n)
        grown = growth.growth(search.points, search.rules)
        self.work = regrouping.regrouping(grown, n, slots)

    def descend(self) -> tuple[str, float]:
        """Descent, regrouping, sweep, more regrouping; how it ended, and the work of an iteration.

        Infinity where the caller has said how long to search: nothing is to follow.
        """
        from coterie.kernels.constrained import regrouping
        from coterie.kernels.search import descent

        descent.target_all(self.plan, self.count)
        ended = self._advance(
            "admissible descent", lambda c: c[regrouping.DESCENDING] == 0, math.inf
        )
        if limited(self.search.run):
            if ended in ON:
                ended = self._sweep()  # before regrouping, which takes all that is left
            return self._regroup(None) if ended in ON else ended, math.inf
        # An iteration looks at every group: of a large table there are fewer.
        scanned = self.count * self.search.points.shape[1]
        most = max(LEAST, min(max(1000, 3 * self.count), int(WORK / scanned)))
        spent, tests = self._work(), int(self.pair.tally.sum())
        if ended in ON:
            ended = self._regroup(most)
        each = (self._work() - spent) / most + SCANNED * scanned + TRIED
        dearer = max(0, self.search.points.shape[1] - PLAIN)
        wide = dearer * (int(self.pair.tally.sum()) - tests) / most
        further = min(SETTLED * self.count, int(SPARE / each)) - most
        if ended in ON:
            ended = self._sweep()
        if ended in ON and further > 0:
            ended = self._regroup(further)
        return ended, each + wide

    def anneal(self, iterations: int) -> str:
        """Regrouping from warm to cold; how it ended."""
        from coterie.kernels.constrained import regrouping

        self.work.cursor[regrouping.DESCENDING] = 0
        regrouping.warm(self.work, self.state, HEAT, (1.0 - COLD) * iterations)
        return self._regroup(iterations)

    def end(self) -> Labels:
        """The best labels."""
        from coterie.kernels.base import groups
        from coterie.kernels.constrained import regrouping

        groups.restore(self.state)  # an interrupt may leave an iteration half made
        self.search.tried += int(self.work.cursor[regrouping.ITERATIONS])
        self.search.kept += int(self.work.cursor[regrouping.ACCEPTED])
        aside = self.work.warmth[regrouping.LEAST] >= 0.0
        return (self.work.best if aside else self.state.labels).copy()

    def loss(self) -> float:
        """Percent of the spread that the best labels lose."""
        from coterie.kernels.constrained import regrouping

        least = float(self.work.warmth[regrouping.LEAST])
        sse = least if least >= 0.0 else float(self.state.sums[0] + self.state.sums[1])
        return 100.0 * sse / self.search.spread if self.search.spread > 0 else 0.0

    def _work(self) -> int:
        judged, tested = self.search.rules.judged[0], self.pair.tally.sum()
        return JUDGED * int(judged) + TESTED * int(tested)

    def _advance(self, phase: str, until: Callable[[Any], bool], most: float | None) -> str:
        from coterie.kernels.constrained import regrouping

        rules, words = self.search.rules, self.search.words

        def step(work: Any, budget: int) -> int:
            return int(
                regrouping.step(self.plan, self.state, self.pair, rules, words, work, budget)
            )

        return self.search.run.drive(
            [KernelStream(step, self.work, finished=lambda work: until(work.cursor))],
            phase=phase,
            epoch=EPOCH,
            barrier=lambda _: self.loss(),
            anytime=True,
            iterations=most,
        ).ended

    def _sweep(self) -> str:
        from coterie.kernels.constrained import regrouping

        n, d = self.search.points.shape
        self.work.cursor[regrouping.SWEEPING] = 1
        tries = min(self.count, 1 + int(SPARE / (SCANNED * n * d)))
        ended = self._advance("admissible sweep", lambda c: c[regrouping.SWEEPING] == 0, tries)
        self.work.cursor[regrouping.SWEEPING] = 0
        return ended

    def _regroup(self, most: int | None) -> str:
        return self._advance("admissible regrouping", lambda _: False, most)
