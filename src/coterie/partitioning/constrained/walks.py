"""AdmissibleWalks of single atoms between admissible groups: of the whole table, then of regions.

Annealing by shifts, swaps and rings, which pools of groups do not do (`kernels.constrained.rings`).
In a region the best of a few dozen atoms is put aside, not the best of all at the same time; and it
is walked from a group fewer and one more, too, which may pay only after the walk. Where hardly an
atom can be spared, one more does not come about like that: so the whole is walked again, from as
many groups as can be grown down to as many as there are. Crossing takes the best of each part.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable
from itertools import cycle, islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.numbers.renumber import renumber
from coterie.partitioning.constrained.crossing import crossed
from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.neighbors import nearest_neighbors

__all__ = ["AdmissibleWalks", "WalkLimits"]

EPOCH = 50
# Of the whole table: so much work an atom, each walk from so much of an atom's share of the SSE
# down to so much, to NEAR ones.
RINGED, NEAR = 1e6, 12
HOT, COOL = (4.0, 2.0, 1.0), 0.02
# Then of regions of so many atoms, so hot, as many as might cover the table, by so much work an
# atom each time: as they are, with a group fewer, with one more.
REGIONS = ((32, 1.0), (24, 2.0), (40, 1.0), (64, 1.0), (48, 2.0), (64, 2.0))
WALKED, NUMBERS = 2e5, (0, -1, 1)
# Then of the whole again, from groups that are grown: at so many numbers of groups, so much work an
# atom each time, from so much of an atom's share of the SSE of the best. And so many REGIONS on.
COUNTS, COUNTED, FROM, FURTHER = 3, 1e6, 4.0, 3

Labels = NDArray[np.int64]
# Labels after each walk and how it ended; the last labels.
Steps = Generator[tuple[Labels, str], None, Labels]


class WalkLimits(NamedTuple):
    """The most work of all walks of regions, and of groups that are grown."""

    regions: float
    counts: float


class AdmissibleWalks:
    """The walks over one set of atoms and rules."""

    def __init__(
        self, points: NDArray[np.float64], rules: Any, k: int, run: Run, words: Any
    ) -> None:
        self.points, self.rules, self.k, self.run, self.words = points, rules, k, run, words
        self.spread = float(np.square(points - points.mean(axis=0)).sum())
        self.near = nearest_neighbors(points, min(NEAR, len(points) - 1), run).near

    def improved(self, labels: Labels, most: WalkLimits, grown: Callable[[], Labels]) -> Steps:
        """Labels after each walk, and how it ended; `grown` makes other groups, as many as can be.

        Of units that stay together the loss is not quite what the search lowers, the SSE of their
        means: after the first walks, where little is left to gain, it might rise.
        """
        for hot in HOT:
            labels, ended = self._ringed(labels, hot)
            yield labels, ended
        n, regions = len(labels), cycle(REGIONS)
        if len(self.rules.records) != n:
            return labels
        covered = np.zeros(n, dtype=np.int64)
        turns = min(len(REGIONS), int(most.regions / (WALKED * len(NUMBERS) * n)))
        labels = yield from self._regions(labels, islice(regions, turns), covered)
        if COUNTS * COUNTED * n <= most.counts:
            labels = yield from self._counted(labels, grown())
            labels = yield from self._regions(labels, islice(regions, FURTHER), covered)
        return labels

    def _ringed(self, labels: Labels, hot: float) -> tuple[Labels, str]:
        """Labels after a walk of shifts, swaps and rings that begins `hot`; how it ended."""
        from coterie.kernels.base import groups

        state = self._state(labels)
        labels, n = state.labels.copy(), len(labels)
        each = groups.total(state) / n
        if not each > 0.0 or state.cursor[groups.COUNT] < 2:
            return labels, "finished"
        found, ended = self._walk(state, np.arange(n), hot * each, COOL * each, RINGED * n)
        # Ctrl-C may come while a partition is put aside.
        return labels if ended == "interrupted" else crossed(self.points, labels, found), ended

    def _regions(
        self, labels: Labels, turns: Iterable[tuple[int, float]], covered: NDArray[np.int64]
    ) -> Steps:
        """Walks in regions of so many atoms, so hot, each turn as many as would cover all.

        A region lies about the atom that is farthest from the mean of its group, of those that are
        `covered` by the fewest so far.
        """
        n = len(self.points)
        for atoms, hot in turns:
            for _ in range(math.ceil(n / atoms)):
                fewest = covered == covered.min()
                middle = int(np.argmax(np.where(fewest, self._state(labels).own, -1.0)))
                away = np.square(self.points - self.points[middle]).sum(axis=1)
                pool = np.sort(np.argsort(away, kind="stable")[:atoms])
                covered[pool] += 1
                for more in NUMBERS:
                    labels, ended = self._region(labels, pool, hot, more)
                    yield labels, ended
        return labels

    def _counted(self, labels: Labels, grown: Labels) -> Steps:
        """Walks of the whole at a few numbers of groups, from that of `grown` down to ours.

        As hot as suits `labels`: by the SSE of groups that are grown, a walk would end warm.
        """
        from coterie.kernels.base import groups
        from coterie.kernels.constrained import resizing

        n, everyone = len(labels), np.arange(len(labels))
        ours, state = self._state(labels), self._state(grown)
        each, least = groups.total(ours) / n, ours.cursor[groups.COUNT]
        if not each > 0.0:
            return labels
        scratch = (np.empty(n, dtype=np.int64), np.empty(n), np.empty(n + 1, dtype=np.int64))
        fewer = max(1, math.ceil((state.cursor[groups.COUNT] - least) / COUNTS))
        for turn in range(COUNTS):
            for _ in range(fewer if turn else 0):
                if state.cursor[groups.COUNT] <= least or not resizing.resize(
                    state, self.rules, everyone, False, scratch
                ):
                    return labels
            grown = state.labels.copy()
            state = self._state(grown)
            found, ended = self._walk(state, everyone, FROM * each, COOL * each, COUNTED * n)
            if ended != "interrupted":
                grown = crossed(self.points, grown, found)
                labels = crossed(self.points, labels, grown)
            yield labels, ended
            state = self._state(grown)
        return labels

    def _region(
        self, labels: Labels, pool: NDArray[np.int64], hot: float, more: int
    ) -> tuple[Labels, str]:
        """Labels after a walk of the atoms of `pool`, from so many groups more; how it ended."""
        from coterie.kernels.base import groups
        from coterie.kernels.constrained import resizing

        n, state = len(self.points), self._state(labels)
        each = float(state.own[pool].mean())
        if not each > 0.0 or state.cursor[groups.COUNT] < 2:
            return labels, "finished"
        scratch = (np.empty(n, dtype=np.int64), np.empty(n), np.empty(n + 1, dtype=np.int64))
        if more != 0 and not resizing.resize(state, self.rules, pool, more > 0, scratch):
            return labels, "finished"
        work = WALKED * len(pool)
        found, ended = self._walk(state, pool, hot * each, COOL * each, work)
        if ended != "interrupted":
            labels = crossed(self.points, crossed(self.points, labels, found), state.labels)
        return labels, ended

    def _state(self, labels: Labels) -> Any:
        from coterie.kernels.base import groups

        labels = renumber(labels).astype(np.int64)
        return groups.groups(self.points, labels, self.k, len(labels))

    def _walk(
        self, state: Any, pool: NDArray[np.int64], hot: float, cool: float, work: float
    ) -> tuple[Labels, str]:
        """The best labels of a walk of these atoms between two temperatures; how it ended."""
        from coterie.kernels.constrained import rings

        walk = rings.rings(state, self.near, hot, cool, work, pool)

        def step(walk: Any, budget: int) -> int:
            return int(rings.step(walk, state, self.rules, self.words, budget))

        ended = self.run.drive(
            [
                KernelStream(
                    step,
                    walk,
                    finished=lambda walk: walk.cursor[rings.WORK] >= walk.cursor[rings.ALLOWED],
                    share=lambda walk: walk.cursor[rings.WORK] / walk.cursor[rings.ALLOWED],
                )
            ],
            phase="admissible rings",
            epoch=EPOCH,
            barrier=lambda _: 100.0 * float(walk.heat[rings.LEAST]) / self.spread,
            anytime=True,
        ).ended
        return walk.best, ended
