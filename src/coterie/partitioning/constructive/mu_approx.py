"""mu-approx: a forest of short edges, its large trees cut to between k and 2k-1 records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.problem import Problem

__all__ = ["MuApproxOptions", "mu_approx"]


@dataclass(frozen=True)
class MuApproxOptions:
    """It has none."""


def mu_approx(problem: Problem, run: Run, options: MuApproxOptions) -> Outcome:
    """Grow trees of at least k records, cut the large ones, split what still has 2k or more.

    1. Forest. Every record is a tree. While a tree has fewer than k records, the one vertex of it
       that has not chosen an edge, its root, chooses the one to the nearest record outside. The
       publications take any such tree; here it is the one with the shortest edge to choose.
    2. Cuts. A tree of max(2k, 3k-4) records or more is cut in two of at least k. From the root the
       search walks into the largest branch as long as fewer than k - 1 records lie behind it; then
       (a) an edge with k on both sides is cut, (b) a vertex joins the side that lacks one, or (c)
       small branches are gathered until they are k. In (b) and (c) the cut goes through a vertex:
       it stays on one side, and a stand-in that counts for nothing connects the other. A stand-in
       with branches below k may leave up to 3k-3 records that no such cut divides; step 3 does.
       Of equal branches the one at the longer edge goes first, and (c) begins at the longest edge.
    3. Splits. Of a tree that has 2k or more records left, the record farthest from the centroid
       and the k - 1 nearest to it are one group and the rest is another.

    Time O(n^2 d) for the neighbour lists, O(n k) memory.

    References
    ----------
    Domingo-Ferrer, Sebe, Solanas (2008), "A polynomial-time approximation to optimal multivariate
    microaggregation", Computers and Mathematics with Applications 55(4):714-732; forest and cuts:
    Aggarwal et al. (2005), "Approximation algorithms for k-anonymity", Journal of Privacy
    Technology; the splits as told by Kabir, Wang (2011), "Systematic clustering-based
    microaggregation", section III.
    """
    from coterie.kernels import forest as kernel
    from coterie.kernels import neighbours

    n, k, points = problem.n, problem.k, problem.points
    if n < 2 * k:
        return Outcome(np.zeros(n, dtype=np.int64))
    lists = neighbours.neighbours(points, k - 1)
    run.drive(
        [KernelStream(neighbours.step, lists, lambda s: s.cursor[0] == n, lambda s: s.cursor[0] / n)],
        phase="neighbours",
    )
    chosen = np.empty(n, dtype=np.int64)
    # Stable: of equal edges the lower vertex goes first.
    order = np.argsort(lists.away.ravel(), kind="stable")
    kernel.forest(lists.near, order, k, chosen, np.empty(n, dtype=np.int64))
    state = kernel.trees(chosen, points, k)
    run.drive(
        [KernelStream(kernel.step, state, lambda s: s.cursor[kernel.TODO] == 0)], phase="trees"
    )
    split(points, k, state.labels)
    return Outcome(state.labels)


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
