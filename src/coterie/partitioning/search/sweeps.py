"""Sweeps over one partition of many records: territories that tile it, each with a walk of its own.

As in `walks`, all walks improve the same partition at the same time and the groups are shared out
anew between two drives. The state is another one (`coterie.kernels.search.blocks`): made for looks
at many groups that lie all over the memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.problem import Problem
from coterie.partitioning.search.walks import STEP, Laid, near_first, spare_slots
from coterie.partitioning.tiles import tiles

__all__ = ["Sweeps"]

FINE = 1e-4  # mean distance in groups, by that in the table, down to which single precision will do

SPREAD = 256  # groups that tell roughly in which directions a territory may be cut


class Territory:
    """One walk as a stream; its unit of work is all that a level asks for."""

    def __init__(self, owner: Sweeps, state: Any) -> None:
        self.owner, self.state = owner, state

    @property
    def done(self) -> bool:
        """See `Stream`."""
        from coterie.kernels.search import sweeps

        return bool(self.state.cursor[sweeps.DONE])

    @property
    def progress(self) -> float | None:
        """See `Stream`."""
        return None

    def step(self, budget: int) -> int:
        """See `Stream`."""
        from coterie.kernels.search import sweeps

        most = STEP if budget else 0
        return int(sweeps.step(self.owner.state, self.state, self.owner.level, most))


class Sweeps(Laid):
    """A partition in blocks and the walks that sweep over it.

    Attributes
    ----------
    streams : list of Territory
        For `Run.drive`.
    level : Level
        What the walks do next.
    """

    def __init__(
        self,
        problem: Problem,
        labels: NDArray[np.int64],
        near: NDArray[np.int32],
        seed: np.random.SeedSequence,
        count: int,
        loss: float,
    ) -> None:
        from coterie.kernels.base import draws
        from coterie.kernels.search import blocks, sweeps

        slots = problem.n // problem.k + spare_slots(problem, count)
        coarse = np.square(FINE) * np.einsum("ij,ij->", problem.points, problem.points)
        dtype = np.float32 if loss > coarse else np.float64
        state = blocks.blocks(
            problem.points, near, labels, problem.k, slots, loss / problem.n, dtype
        )
        super().__init__(problem, state, seed, count)
        self.level = sweeps.Level(0.0, 0, 1, 1, 0.0, 0)
        self.streams = [
            Territory(self, sweeps.sweeper(state, number, draws.seeded(one)))
            for number, one in enumerate(self._seeds)
        ]

    def tally(self) -> dict[str, int]:
        """What was done so far: proposals and moves."""
        from coterie.kernels.search import sweeps

        return self.counted(proposals=sweeps.PROPOSALS, moves=sweeps.MOVES)

    def arrange(self) -> None:
        """Lay records and groups in memory by place, so that a window of slots looks at few pages.

        As records move on, this has to be done again.
        """
        from coterie.kernels.base.strips import padded
        from coterie.kernels.search import blocks

        before, state = self._laid
        live = self._live()
        labels, order, place = near_first(
            state.labels, live, self._centroids()[live].astype(np.float64)
        )
        ways = padded(state.ways.shape, np.uint32)
        np.take(state.ways, order, axis=0, out=ways)
        ways[:, : state.reach] = place[ways[:, : state.reach]]
        version = state.version.copy()
        version[labels] = state.version[state.labels]
        laid = state._replace(
            ways=ways, asked=ways.view(np.uint8), labels=labels[order].astype(np.uint32)
        )
        blocks.fill(laid, self.problem.points, before[order])
        laid.version[:] = version  # what is remembered stays true
        self._laid = before[order], laid

    def share_out(self) -> None:
        """Cut all groups into one territory for each walk, in any direction."""
        from coterie.kernels.search import sweeper, sweeps

        owner, walks = self.state.owner, len(self.streams)
        live = self._live()
        empty = np.flatnonzero(self.state.size == 0)
        most = -(-len(live) // walks)
        parts = tiles(
            self._centroids(), most, self.rng, among=live, along=self._along, sample=SPREAD
        )
        for number, stream in enumerate(self.streams):
            walk = stream.state
            mine = parts[number::walks]  # of a number of walks that is no power of two, some more
            slots = np.concatenate(mine) if mine else live[:0]
            bare = empty[number::walks]
            walk.slots[: len(slots)] = slots
            walk.empty[: len(bare)] = bare
            owner[slots] = number
            owner[bare] = number
            walk.cursor[sweeps.SLOTS] = len(slots)
            walk.cursor[sweeps.EMPTY] = len(bare)
            walk.cursor[sweeper.FIRST] = walk.cursor[sweeps.DONE] = 0

    def _live(self) -> NDArray[np.int64]:
        return np.flatnonzero(self.state.size > 0)

    def _centroids(self) -> NDArray[Any]:
        rows = self.state.rows
        return rows.reshape(-1, self.state.limit + 2, rows.shape[1])[:, 0, : self.problem.d]

    def _along(self, slots: NDArray[np.int64], direction: NDArray[np.float64]) -> NDArray[Any]:
        from coterie.kernels.base.strips import padded
        from coterie.kernels.search import blocks

        dtype = self.state.rows.dtype
        height, toward = np.empty(len(slots), dtype=dtype), padded(direction.shape, dtype)
        toward[: len(direction)] = direction
        blocks.along(self.state, slots, toward, height)
        return height
