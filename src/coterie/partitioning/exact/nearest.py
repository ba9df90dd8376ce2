"""The quick bound: what the k - 1 nearest neighbours of every record cost at least.

A group G of m records has SSE(G) = 1/(2m) times the sum of the squared distances of all ordered
pairs of its members. Member i has m - 1 companions, whose squared distances sum to at least
s(i, m-1), the sum of the m - 1 least ones. So SSE(G) >= sum over G of s(i, m-1) / (2m), and
s(i, m-1) / m, the mean of zero and of a rising sequence, does not fall as m grows. With m >= k,

    SSE of any partition >= sum over all records of s(i, k-1) / (2k).

The same numbers are prices p(i) = s(i, k-1) / (2k) that no group can beat: where column generation
starts. A record not yet looked at counts zero, so the sum is a bound at any time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import Run
from coterie.partitioning.problem import Problem

__all__ = ["ROUNDING", "Nearest", "nearest"]

CHUNK = 2048  # records whose neighbours are looked up between two looks at the clock
ROUNDING = 1e-11  # relative: more than the roundings of any sum of squares here can add up to


@dataclass(frozen=True, eq=False)
class Nearest:
    """Sums of least squared distances, and the records in question.

    Attributes
    ----------
    sums : (n, most + 1) float array
        Column j: sum of the j least squared distances to other records, a trifle rounded down; a
        j beyond the other records is infinite. Zero for records that were not reached in time.
    neighbours : (n, least) int array
        The record itself and its nearest ones.
    complete : bool
        Whether all records were reached.
    """

    sums: NDArray[np.float64]
    neighbors: NDArray[np.int64]
    complete: bool

    def prices(self, k: int) -> NDArray[np.float64]:
        """What each record's nearest neighbours make it cost at least: they sum to a bound."""
        return self.sums[:, k - 1] / (2 * k)


def nearest(problem: Problem, run: Run, most: int) -> Nearest:
    """Sums over up to `most` nearest neighbours of every record, until the time is up."""
    from scipy.spatial import cKDTree

    n, k = problem.n, problem.k
    points = problem.points
    found = min(most, n - 1)
    sums = np.zeros((n, most + 1))
    neighbors = np.zeros((n, k), dtype=np.int64)
    tree = cKDTree(points)
    for start in range(0, n, CHUNK):
        if run.out_of_time:
            return Nearest(sums, neighbors, complete=False)
        rows = slice(start, min(start + CHUNK, n))
        _, near = tree.query(points[rows], found + 1)
        difference = points[near] - points[rows, None, :]
        # The record itself, or a duplicate in its place: the first is zero either way.
        d2 = np.sort(np.einsum("ijk,ijk->ij", difference, difference), axis=1)[:, 1:]
        sums[rows, 1 : found + 1] = np.cumsum(d2, axis=1) * (1.0 - ROUNDING)
        sums[rows, found + 1 :] = np.inf
        neighbors[rows] = _itself_first(near, np.arange(rows.start, rows.stop))[:, :k]
        run.tell("neighbors", fraction=rows.stop / n)
    return Nearest(sums, neighbors, complete=True)


def _itself_first(near: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Neighbour lists with the record itself in front, whatever its duplicates."""
    at = np.where(near == rows[:, None], -1, np.arange(near.shape[1]))
    ordered = np.take_along_axis(near, np.argsort(at, axis=1, kind="stable"), axis=1)
    ordered[:, 0] = rows  # more duplicates than neighbours asked for: it may be missing
    return ordered
