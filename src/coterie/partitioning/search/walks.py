"""Walks over one partition: territories that tile the table, each changed by a walk of its own.

All walks improve the same partition at the same time. Between two epochs the groups are shared out
anew, along other directions, so that no border stays. How many walks there are follows from the
number of records, never from the number of workers: the same seed gives the same partition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.problem import Problem
from coterie.partitioning.tiles import tiles

__all__ = ["STEP", "Laid", "Region", "Walks", "near_first", "spare_slots"]

STEP = 2**18  # proposals after which a step ends: well below 0.1 s
SPARE = 4  # empty slots of a walk, beyond those that fall empty,
RESERVE = 250  # and one more for so many records
NEIGHBORHOOD = 64  # groups that lie side by side in memory


class Region:
    """One walk as a stream; a unit of work is a region annealed."""

    def __init__(self, owner: Walks, state: Any) -> None:
        self.owner, self.state = owner, state

    @property
    def done(self) -> bool:
        """See `Stream`."""
        from coterie.kernels.search import regions

        cursor = self.state.cursor
        if cursor[regions.INSIDE]:
            return False
        if self.owner.schedule.records == 0:
            return bool(cursor[regions.NEXT] == cursor[regions.PARTS])
        return bool(cursor[regions.TERRITORY] == 0)

    @property
    def progress(self) -> float | None:
        """See `Stream`."""
        from coterie.kernels.search import regions

        cursor = self.state.cursor
        if self.owner.schedule.records:
            return None
        return float(cursor[regions.NEXT] / max(cursor[regions.PARTS], 1))

    def step(self, budget: int) -> int:
        """See `Stream`."""
        from coterie.kernels.search import annealing

        most = STEP if budget else 0
        return int(annealing.step(self.owner.state, self.state, self.owner.schedule, budget, most))


class Laid:
    """A partition whose records lie in memory in an order of their own, and streams over it."""

    _laid: tuple[NDArray[np.int64], Any]  # as one, so that Ctrl-C never parts them
    streams: Sequence[Any]

    def __init__(
        self, problem: Problem, state: Any, seed: np.random.SeedSequence, count: int
    ) -> None:
        cutting, *self._seeds = seed.spawn(count + 1)
        self.rng = np.random.default_rng(cutting)
        self.problem = problem
        self._laid = np.arange(problem.n), state

    @property
    def state(self) -> Any:
        """The groups, which all kernels work on."""
        return self._laid[1]

    @property
    def labels(self) -> NDArray[np.int64]:
        """Slot of each record."""
        order, state = self._laid
        found = np.empty(len(order), dtype=np.int64)
        found[order] = state.labels
        return found

    def counted(self, **names: int) -> dict[str, int]:
        """What all streams have done so far: a sum of cursors for each name."""
        return {
            name: sum(int(one.state.cursor[at]) for one in self.streams)
            for name, at in names.items()
        }


class Walks(Laid):
    """A partition in slots and the walks that change it.

    Attributes
    ----------
    streams : list of Region
        For `Run.drive`.
    schedule : Schedule
        What the walks do next.
    """

    def __init__(
        self,
        problem: Problem,
        labels: NDArray[np.int64],
        near: NDArray[np.int32],
        seed: np.random.SeedSequence,
        count: int,
    ) -> None:
        from coterie.kernels.base import draws
        from coterie.kernels.search import regions, slots

        spare = spare_slots(problem, count)
        state = slots.slots(problem.points, near, labels, problem.k, 2 * problem.k - 1, spare)
        super().__init__(problem, state, seed, count)
        self.schedule = regions.Schedule(0, 0, 0.0, 0.0, 0.0, False, 1, 1)
        self.streams = [
            Region(self, regions.walk(state, number, draws.seeded(one)))
            for number, one in enumerate(self._seeds)
        ]

    @property
    def sse(self) -> float:
        """Of the partition, in the units of `problem.points`."""
        return float(self.state.sse.sum())

    def tally(self) -> dict[str, int]:
        """What was done so far: proposals, moves, regions, regions that were kept."""
        from coterie.kernels.search import regions

        return self.counted(
            proposals=regions.PROPOSALS,
            moves=regions.MOVES,
            regions=regions.REGIONS,
            kept=regions.KEPT,
        )

    def replace(self, labels: NDArray[np.int64]) -> None:
        """Go on from another partition, numbered 0..g-1."""
        from coterie.kernels.search import slots

        order, state = self._laid
        state.labels[:] = labels[order]
        slots.fill(state)

    def arrange(self) -> None:
        """Lay the records in memory group by group, near groups side by side.

        A step of annealing looks at all members of two near groups: side by side they cost a few
        cache lines, not one each. As records move on, this has to be done again.
        """
        from coterie.kernels.search import slots

        before, state = self._laid
        live = np.flatnonzero(state.size > 0)
        labels, order, place = near_first(state.labels, live, state.centroids[live])
        laid = state._replace(
            points=state.points[order],
            near=place[state.near[order]],
            price=state.price[order],
            labels=labels[order],
        )
        slots.fill(laid)
        self._laid = before[order], laid

    def settle(self) -> None:
        """End the regions that an interrupt left half-way: better than before, or as before."""
        from coterie.kernels.search import annealing, regions

        for stream in self.streams:
            if stream.state.cursor[regions.INSIDE]:
                annealing.step(self.state, stream.state, self.schedule, 0, -1)

    def share_out(self, parts: int | None = None) -> int:
        """Cut all groups into about so many parts, by default one for each walk, and deal them out.

        Returns the most parts that a walk has.
        """
        live = np.flatnonzero(self.state.size > 0)
        each = -(-len(live) // (parts or len(self.streams)))
        cut = tiles(self.state.centroids[live], each, self.rng)
        self._hand_out([live[part] for part in cut])
        return -(-len(cut) // len(self.streams))

    def _hand_out(self, parts: list[NDArray[np.int64]]) -> None:
        """Deal parts, and empty slots with them, out to the walks in turn."""
        from coterie.kernels.search import regions

        empty = np.flatnonzero(self.state.size == 0)
        walks = len(self.streams)
        for number, stream in enumerate(self.streams):
            walk = stream.state
            mine = [
                np.concatenate([parts[at], empty[at :: len(parts)]])
                for at in range(number, len(parts), walks)
            ]
            territory = np.concatenate(mine) if mine else np.empty(0, dtype=np.int64)
            walk.territory[: len(territory)] = territory
            walk.parts[1 : len(mine) + 1] = np.cumsum([len(part) for part in mine])
            bare = territory[self.state.size[territory] == 0]
            walk.empty[: len(bare)] = bare
            walk.cursor[regions.TERRITORY] = len(territory)
            walk.cursor[regions.EMPTY] = len(bare) if self.schedule.records else 0
            walk.cursor[regions.PARTS] = len(mine)
            walk.cursor[regions.NEXT] = 0
            self.state.owner[territory] = 2 * number


def spare_slots(problem: Problem, count: int) -> int:
    """Empty slots that so many walks need beside those of the groups."""
    return SPARE * (count + 2) + problem.n // RESERVE


def near_first(
    labels: NDArray[Any], live: NDArray[np.int64], centroids: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
    """Groups numbered by place, records group by group.

    Returns the new label of each record, the order in which records come, and where each comes.
    """
    by_place = live[np.concatenate(tiles(centroids, NEIGHBORHOOD))]
    rank = np.empty(int(live[-1]) + 1, dtype=np.int32)
    rank[by_place] = np.arange(len(live), dtype=np.int32)
    numbered = rank[labels]
    order = np.argsort(numbered, kind="stable")
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return numbered, order, place
