"""The quick bound: what the k - 1 nearest neighbors of every record cost at least.

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
from coterie.partitioning.neighbors import nearest_neighbors
from coterie.partitioning.problem import Problem

__all__ = ["ROUNDING", "Nearest", "nearest"]

ROUNDING = 1e-11  # relative: more than the roundings of any sum of squares here can add up to


@dataclass(frozen=True, eq=False)
class Nearest:
    """Sums of least squared distances, and the records in question.

    Attributes
    ----------
    sums : (n, most + 1) float array
        Column j: sum of the j least squared distances to other records, a trifle rounded down; a
        j beyond the other records is infinite. Zero for records that were not reached in time.
    neighbors : (n, k) int array
        The record itself and its nearest ones.
    complete : bool
        Whether all records were reached.
    """

    sums: NDArray[np.float64]
    neighbors: NDArray[np.int64]
    complete: bool

    def prices(self, k: int) -> NDArray[np.float64]:
        """What each record's nearest neighbors make it cost at least: they sum to a bound."""
        return self.sums[:, k - 1] / (2 * k)


def nearest(problem: Problem, run: Run, most: int) -> Nearest:
    """Sums over up to `most` nearest neighbors of every record, until the time is up."""
    n, k = problem.n, problem.k
    count = min(most, n - 1)
    near, away, reached = nearest_neighbors(problem.points, count, run, in_time=True)
    sums = np.zeros((n, most + 1))
    sums[:reached, 1 : count + 1] = np.cumsum(away[:reached], axis=1) * (1.0 - ROUNDING)
    sums[:reached, count + 1 :] = np.inf
    neighbors = np.zeros((n, k), dtype=np.int64)
    neighbors[:, 0] = np.arange(n)
    neighbors[:reached, 1:] = near[:reached, : k - 1]
    return Nearest(sums, neighbors, complete=reached == n)
