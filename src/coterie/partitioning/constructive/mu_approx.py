"""mu-approx: a forest of short edges, its large trees cut to between k and 2k-1 records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.neighbors import nearest_neighbors
from coterie.partitioning.problem import Problem

__all__ = ["MuApproxOptions", "mu_approx"]


@dataclass(frozen=True)
class MuApproxOptions:
    """It has none."""


def mu_approx(problem: Problem, run: Run, options: MuApproxOptions) -> Outcome:
    """Grow trees of at least k records, cut the large ones, split what still has 2k or more.

    1. Forest. Every record is a tree. While a tree has fewer than k records, the one vertex of it
       that has not chosen an edge, its root, chooses the one to the nearest record outside. The
       publications take any such tree; here it is the one with the shortest edge to choose, and
       of two roots that choose each other the one nearer to the centroid of all.
    2. Cuts. A tree of max(2k, 3k-4) records or more is cut in two of at least k. From the root the
       search walks into the largest branch as long as fewer than k - 1 records lie behind it; then
       (a) an edge with k on both sides is cut, (b) a vertex joins the side that lacks one, or (c)
       small branches are gathered until they are k. In (b) and (c) the cut goes through a vertex:
       it stays on one side, and a stand-in that counts for nothing connects the other. Three
       branches of k-1 records at a stand-in are 3k-3 records that no such cut divides, although
       max(2k-1, 3k-5) is quoted as the most that is left; step 3 divides them as well.
       Of equal branches the one at the longer edge goes first, and (c) begins at the longest edge.
    3. Splits. Of a tree that has 2k or more records left, the record farthest from the centroid
       and the k - 1 nearest to it are one group and the rest is another.

    Bound. The squared lengths of the forest's edges add up to at most 2k times the SSE of any
    partition. The tree of a root has at most k - 1 records, so one of the root's k - 1 nearest lies
    outside, and its edge is no longer than the distance to the (k-1)-th nearest. Of the m >= k
    records of its group in the partition, m - k + 1 are at least as far away, so the square is at
    most their share of the sum of squared distances within the group; over all records that is
    2 m SSE / (m - k + 1) of the group, at most 2k SSE. What the cuts and splits make of it, the
    publication bounds and we do not: trees of up to 3k-3 records are more than it allows for.

    Time O(n^2 d) for the neighbor lists, O(n k) memory.

    References
    ----------
    Domingo-Ferrer, Sebe, Solanas (2008), "A polynomial-time approximation to optimal multivariate
    microaggregation", Computers and Mathematics with Applications 55(4):714-732; forest and cuts:
    Aggarwal et al. (2005), "Approximation algorithms for k-anonymity", Journal of Privacy
    Technology; the splits as told by Kabir, Wang (2011), "Systematic clustering-based
    microaggregation", section III.
    """
    from coterie.kernels.constructive import trees as kernel

    n, k, points = problem.n, problem.k, problem.points
    if n < 2 * k:
        return Outcome(np.zeros(n, dtype=np.int64))
    state = kernel.trees(chosen_edges(problem, run), points, k)
    run.drive(
        [KernelStream(kernel.step, state, lambda s: s.cursor[kernel.TODO] == 0)],
        phase="trees",
    )
    split(points, k, state.labels)
    return Outcome(state.labels)


def chosen_edges(problem: Problem, run: Run) -> NDArray[np.int64]:
    """The forest: where the edge leads that each record chose, -1 for the root of a tree."""
    from coterie.kernels.constructive import forest as kernel

    lists = nearest_neighbors(problem.points, problem.k - 1, run)
    wood = kernel.forest(lists.near, by_length(problem.points, lists.away), problem.k)
    edges = len(wood.order)
    run.drive([KernelStream(kernel.step, wood, lambda s: s.cursor[0] == edges)], phase="forest")
    chosen: NDArray[np.int64] = wood.chosen
    return chosen


def by_length(points: NDArray[np.float64], away: NDArray[np.float64]) -> NDArray[np.int64]:
    """The edges to the nearest neighbors by rising length.

    Of the two directions of one edge, the one out of the record nearer to the centroid of all goes
    first, so that the outer one is left to choose: then the order of the rows decides nothing.
    """
    outer = np.square(len(points) * points - points.sum(axis=0)).sum(axis=1)
    rank = np.empty(len(points), dtype=np.int64)
    rank[np.argsort(outer, kind="stable")] = np.arange(len(points))
    return np.lexsort((np.repeat(rank, away.shape[1]), away.ravel()))


def split(
    points: NDArray[np.float64],
    k: int,
    labels: NDArray[np.int64],  # out
) -> None:
    """Split each group of 2k to 3k-1 records in two of at least k."""
    sizes = np.bincount(labels)
    large = np.flatnonzero(sizes >= 2 * k)
    members = np.argsort(labels, kind="stable")
    ends = np.cumsum(sizes)
    for number, group in enumerate(large):
        rows = members[ends[group] - sizes[group] : ends[group]]
        own = points[rows]
        # Times the size: no division, so a tie of whole numbers is a tie.
        far = np.square(sizes[group] * own - own.sum(axis=0)).sum(axis=1).argmax()
        away = np.square(own - own[far]).sum(axis=1)
        away[far] = -1.0
        labels[rows[np.argsort(away, kind="stable")[:k]]] = len(sizes) + number
