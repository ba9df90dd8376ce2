"""The nearest neighbours of every record, for methods that work along short edges."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import KernelStream, Run

__all__ = ["Neighbours", "nearest_neighbours"]


class Neighbours(NamedTuple):
    """For each record its nearest others, nearest first, and their squared distances."""

    near: NDArray[np.int64]
    away: NDArray[np.float64]


def nearest_neighbours(points: NDArray[np.float64], count: int, run: Run) -> Neighbours:
    """The `count` nearest of each point, count < n; ties go to the lowest index.

    n^2 distances at worst, far fewer where leaves are out of reach; see `coterie.kernels.leaves`.
    """
    n = len(points)
    from coterie.kernels import neighbours as kernel

    state = kernel.neighbours(points, count)
    stream = KernelStream(
        kernel.step,
        state,
        finished=lambda s: s.cursor[0] == n,
        share=lambda s: s.cursor[0] / n,
    )
    run.drive([stream], phase="neighbours")
    return Neighbours(state.near, state.away)
