"""Candidates: for each record the near ones to whose groups a search may move it.

Up to some ten thousand records they are the nearest neighbours. Beyond that, those of the same tile
in two different cuttings: a few of the nearest may be missing, and the work grows with n alone.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import Run, SingleStep
from coterie.partitioning.neighbors import nearest_neighbors
from coterie.partitioning.problem import Problem
from coterie.partitioning.tiles import tiles

__all__ = ["candidates"]

WHOLE = 20_000  # records up to which all pairs are looked at
TILE = 10_000  # of records; fewer if the caller is in a hurry
CUTTINGS = 2


def candidates(
    problem: Problem, count: int, run: Run, tile: int | None = None
) -> NDArray[np.int32]:
    """The `count` nearest of each record, nearest first, or nearly so for large tables."""
    n = problem.n
    count = min(count, n - 1)
    if n <= WHOLE:
        return nearest_neighbors(problem.points, count, run).near.astype(np.int32)
    rng = np.random.default_rng(run.seed.spawn(1)[0])
    lists = _Lists(problem.points, count)
    for cutting in range(CUTTINGS):
        parts = tiles(problem.points, max(tile or TILE, 4 * count), rng if cutting else None)
        streams = [SingleStep(partial(lists.fill, part)) for part in parts]
        run.drive(streams, phase="neighbors")
    return lists.near


class _Lists:
    """The nearest found so far of each record, nearest first."""

    def __init__(self, points: NDArray[np.float64], count: int) -> None:
        self.points = points
        self.near = np.full((len(points), count), -1, dtype=np.int32)
        self.away = np.full((len(points), count), np.inf)

    def merge(
        self, part: NDArray[np.int64], near: NDArray[np.int64], away: NDArray[np.float64]
    ) -> None:
        """Take in the lists of the records `part`, each the nearest of its tile."""
        from coterie.kernels.base import shortlist

        shortlist.merge(part, near, away, self.near, self.away)

    def fill(self, tile: NDArray[np.int64], whole: bool) -> int:
        """Find the neighbours within one tile; of a few records only, unless `whole`."""
        from coterie.kernels.base import neighbors

        count = self.near.shape[1]
        part = tile if whole else tile[: count + 1]
        state = neighbors.neighbors(np.ascontiguousarray(self.points[part]), count)
        while state.cursor[0] < len(part):  # boxes count, too: a step may end before the last list
            neighbors.step(state, len(part) ** 2)
        self.merge(part, state.near, state.away)
        return len(part)
