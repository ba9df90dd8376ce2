"""A short closed tour through all records."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.neighbors import nearest_neighbors
from coterie.partitioning.path.npn import npn
from coterie.partitioning.problem import Problem

__all__ = ["NEIGHBORS", "shorten", "tsp"]

NEIGHBORS = 10  # records that a move may connect a record with


def tsp(problem: Problem, run: Run) -> NDArray[np.int64]:
    """The nearest-point-next path, closed and made shorter by 2-opt and Or-opt moves.

    The tour is given as an order that begins and ends at its longest edge. Moves connect a record
    with one of its ten nearest, so time beyond the neighbor lists and the first path, O(n^2 d)
    each, grows little faster than n. The result is a local optimum, the same on every run.

    References
    ----------
    A tour for MHM: Mortazavi, Jalili (2014), "Fast data-oriented microaggregation algorithm for
    large numerical datasets", Knowledge-Based Systems 67:195-205. The moves: Croes (1958),
    Operations Research 6:791-812; Or (1976), PhD thesis, Northwestern University. Neighbor lists
    and the queue: Bentley (1992), ORSA Journal on Computing 4:387-411.
    """
    order = npn(problem, run)
    if problem.n < 5:
        return order
    return shorten(problem.points, order, min(NEIGHBORS, problem.n - 1), run)


def shorten(
    points: NDArray[np.float64], order: NDArray[np.int64], neighbors: int, run: Run
) -> NDArray[np.int64]:
    """The closed tour `order` of five points or more, locally optimal, from its longest edge on."""
    from coterie.kernels.path import tsp as kernel

    lists = nearest_neighbors(points, neighbors, run)
    state = kernel.tsp(points, lists.near, np.sqrt(lists.away), order)
    stream = KernelStream(
        kernel.step,
        state,
        finished=lambda s: s.cursor[kernel.WAIT] == 0 and s.cursor[kernel.MOVED] == 0,
    )
    run.drive([stream], phase="tour")
    tour = state.tour
    gaps = np.square(points[tour] - points[np.roll(tour, 1)]).sum(axis=1)
    return np.roll(tour, -int(gaps.argmax()))
