"""The records that a loop of constructive rounds leaves over."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.problem import Problem

__all__ = ["place"]


def place(
    problem: Problem,
    labels: NDArray[np.int64],  # out
    *,
    together: bool,
) -> None:
    """Give every record with label -1 a group: one of their own from k on, else the nearest ones.

    Fewer than k go each to the group with the nearest centroid, or `together` to the one nearest
    to their own centroid. The centroids are those of the groups as they stand before anyone joins;
    of equally near groups the one with the lowest label wins.
    """
    left = np.flatnonzero(labels < 0)
    groups = int(labels.max()) + 1
    if len(left) >= problem.k:
        labels[left] = groups
    if len(left) == 0 or len(left) >= problem.k:
        return
    grouped = np.flatnonzero(labels >= 0)
    members = grouped[np.argsort(labels[grouped], kind="stable")]
    sizes = np.bincount(labels[grouped])
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    centroids = np.add.reduceat(problem.points[members], starts) / sizes[:, None]
    guests = problem.points[left]
    if together:
        guests = guests.mean(axis=0, keepdims=True)
    for guest, rows in zip(guests, np.array_split(left, len(guests)), strict=True):
        labels[rows] = np.square(centroids - guest).sum(axis=1).argmin()
