"""A path through the groups of a constructive method, for MHM to cut anew."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import Run
from coterie.partitioning.path.npn import farthest_from_mean, npn_path
from coterie.partitioning.problem import Problem

__all__ = ["group_path", "order_groups"]


def group_path(
    problem: Problem, run: Run, base: Callable[[Problem, Run], Outcome]
) -> NDArray[np.int64]:
    """Partition by `base`, then order the records group by group."""
    return order_groups(problem.points, base(problem, run), run)


def order_groups(points: NDArray[np.float64], outcome: Outcome, run: Run) -> NDArray[np.int64]:
    """An order of the records in which every group stands together.

    Groups follow each other by nearest point next over their centroids, from the group of the
    outcome's first record (else of the record farthest from the centroid of all). A group begins
    with the record nearest to the centroid of the group before it, the rest follow by distance
    from that one.

    References
    ----------
    Domingo-Ferrer et al. (2006), VLDB Journal 15:355-369, section 4.2.3, steps 6 and 7; the start
    without a first record: Mortazavi, Jalili (2015), ISeCure 7(1), section 4.2.
    """
    head = outcome.first if outcome.first is not None else farthest_from_mean(points)
    labels = np.unique(outcome.labels, return_inverse=True)[1]
    sizes = np.bincount(labels)
    members = np.argsort(labels, kind="stable")
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    centroids = np.add.reduceat(points[members], starts) / sizes[:, None]

    groups = npn_path(centroids, int(labels[head]), run)
    place = np.empty_like(groups)
    place[groups] = np.arange(len(groups))
    before = np.empty_like(centroids)
    before[groups[1:]] = centroids[groups[:-1]]
    before[groups[0]] = points[head]

    rank = place[labels]
    by_entry = np.lexsort((_squared(points, before[labels]), rank))
    entries = by_entry[np.concatenate(([0], np.cumsum(sizes[groups])[:-1]))]
    entries[0] = head
    entry = np.empty_like(groups)
    entry[groups] = entries
    distance = _squared(points, points[entry[labels]])
    distance[entries] = -1.0  # before its own duplicates
    return np.lexsort((distance, rank))


def _squared(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    difference = a - b
    return np.einsum("ij,ij->i", difference, difference)
