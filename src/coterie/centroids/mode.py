"""The mode of each group, plain or weighted: the value that most of its records have."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.centroids.result import Aggregate, Grouped, record_weights

__all__ = ["group_modes", "mode"]


def mode(X: ArrayLike, labels: ArrayLike, *, weights: ArrayLike | None = None) -> Aggregate:
    """Each group's most frequent value, attribute by attribute; the least one among equals.

    Parameters
    ----------
    X : (n, d) array
        Records of any values that can be sorted.
    labels : (n,) array of integers
        The group of each record.
    weights : (n,) array, optional
        Positive weight of each record: as so many records with its value.

    Examples
    --------
    >>> from coterie.centroids.mode import mode
    >>> mode([["b"], ["a"], ["b"], ["c"], ["a"]], [0, 0, 0, 1, 1]).values.tolist()
    [['b'], ['a']]
    >>> mode([["b"], ["a"], ["b"]], [0, 0, 0], weights=[1, 3, 1]).values.tolist()
    [['a']]
    """
    grouped = Grouped.of(X, labels, "mode", numbers=False)
    weight = record_weights(weights, len(grouped.X), "mode")
    d = grouped.X.shape[1]
    values = np.empty((len(grouped.sizes), d), dtype=grouped.X.dtype)
    for t in range(d):
        values[:, t] = group_modes(grouped, weight, t)
    return Aggregate(values, grouped.labels)


def group_modes(
    grouped: Grouped, weights: NDArray[np.float64] | None = None, attribute: int = 0
) -> NDArray:
    """The value of the most records, or of the greatest weight, in each group."""
    levels, code = np.unique(grouped.X[:, attribute], return_inverse=True)
    pairs, place, count = np.unique(
        grouped.labels * len(levels) + code, return_inverse=True, return_counts=True
    )
    much = count if weights is None else np.bincount(place, grouped.evened(weights))
    group, level = np.divmod(pairs, len(levels))
    # By group, then most frequent, then least value: the first of each group is its mode.
    order = np.lexsort((level, -much, group))
    first = np.unique(group[order], return_index=True)[1]
    return levels[level[order][first]]
