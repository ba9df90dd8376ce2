"""Nearest point next: an order of points in which neighbors follow each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import Run
from coterie.partitioning.problem import Problem
from coterie.partitioning.streams import KernelStream, leaving

__all__ = ["head", "most_distant", "npn", "npn_path"]


def npn(problem: Problem, run: Run, start: str = "first") -> NDArray[np.int64]:
    """The path from the record farthest from the centroid, always on to the nearest one left.

    With ``start="opposite"`` it begins at the record farthest from that one, with ``"pair"`` at one
    of the two most distant records: that which comes first in the table.

    References
    ----------
    Domingo-Ferrer et al. (2006), VLDB Journal 15:355-369, section 4.2.1: ``"first"``, told as a
    faster variant of an earlier construction.
    """
    if start == "pair":
        return npn_path(problem.points, min(most_distant(problem.points, run)), run)
    return npn_path(problem.points, head(problem.points, None, start), run)


def npn_path(points: NDArray[np.float64], start: int, run: Run) -> NDArray[np.int64]:
    """The nearest-point-next order of `points` that begins at `start`."""
    from coterie.kernels.base.leaves import SIZE
    from coterie.kernels.path import npn as kernel

    n = len(points)
    state = kernel.npn(points, start)
    stream = leaving(kernel.step, state, lambda s: s.rest.count[SIZE] == 0)
    run.drive([stream], phase="path")
    order = np.empty(n, dtype=np.int64)
    order[state.rank] = np.arange(n)
    return order


def most_distant(points: NDArray[np.float64], run: Run) -> tuple[int, int]:
    """The two most distant records; of equal pairs, that with the lowest index in it."""
    from coterie.kernels.constructive import md as kernel

    # The first pair of MD. A step as short as can be ends with the pair, before others follow.
    state = kernel.md(points, 1)
    stream = KernelStream(
        lambda state, budget: kernel.step(state, min(budget, 1)),
        state,
        finished=lambda s: s.cursor[kernel.PHASE] != kernel.PAIR,
    )
    run.drive([stream], phase="pair")
    return int(state.cursor[kernel.FIRST]), int(state.cursor[kernel.OTHER])


def head(points: NDArray[np.float64], first: int | None, start: str) -> int:
    """Where a path begins: at `first`, or ``"opposite"``, at the record farthest from that one.

    Without a first record it is the one farthest from the centroid of all.
    """
    at = farthest_from_mean(points) if first is None else first
    if start == "opposite":
        at = int(np.square(points - points[at]).sum(axis=1).argmax())
    return at


def farthest_from_mean(points: NDArray[np.float64]) -> int:
    """The record farthest from the centroid of all; of equals, the first."""
    return int(np.square(points - points.mean(axis=0)).sum(axis=1).argmax())
