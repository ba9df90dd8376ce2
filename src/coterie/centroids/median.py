"""The median of each group, plain or weighted: the value with the least absolute error."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.centroids.result import Aggregate, Grouped, record_weights

__all__ = ["group_middles", "median"]

HALF = 1e-9  # a share of the weight this near to one half is one half
WHOLE = 2.0**52  # stands for all the weight of a group


def median(X: ArrayLike, labels: ArrayLike, *, weights: ArrayLike | None = None) -> Aggregate:
    """Each group's median, attribute by attribute; the mean of the middle two for even sizes.

    Parameters
    ----------
    X, labels
        Records and their groups, as those of `coterie.centroids.mean.mean`.
    weights : (n,) array, optional
        Positive weight of each record: the median is then the value at half of the weight.

    Examples
    --------
    >>> from coterie.centroids.median import median
    >>> median([[0.0], [1.0], [8.0]], [0, 0, 0]).values.tolist()
    [[1.0]]
    >>> median([[0.0], [1.0], [8.0]], [0, 0, 0], weights=[1, 1, 3]).values.tolist()
    [[8.0]]
    """
    grouped = Grouped.of(X, labels, "median")
    weight = record_weights(weights, len(grouped.X), "median")
    values = np.empty((len(grouped.sizes), grouped.X.shape[1]))
    for t in range(grouped.X.shape[1]):
        low, high = group_middles(grouped, weight, t)
        values[:, t] = low + (high / 2.0 - low / 2.0)  # high - low may be no float64
    return Aggregate(values, grouped.labels)


def group_middles(
    grouped: Grouped, weights: NDArray[np.float64] | None = None, attribute: int = 0
) -> tuple[NDArray, NDArray]:
    """The lower and the upper median of each group: alike unless a value ends at just one half."""
    column = grouped.X[:, attribute]
    order = np.lexsort((column, grouped.labels))
    ranked = column[order]
    if weights is None:
        low = grouped.starts + (grouped.sizes - 1) // 2
        return ranked[low], ranked[grouped.starts + grouped.sizes // 2]
    # Shares of the group's weight as whole numbers: what groups before it weigh, though the sum
    # wraps round, is taken off again without any rounding. The last share of a group is 1.
    w = grouped.evened(weights)[order]
    total = np.add.reduceat(w, grouped.starts)
    parts = np.rint(w / np.repeat(total, grouped.sizes) * WHOLE).astype(np.uint64)
    running = np.cumsum(parts, dtype=np.uint64)
    before = running[grouped.starts] - parts[grouped.starts]
    share = (running - np.repeat(before, grouped.sizes)).astype(np.float64) / WHOLE
    middles = []
    for reached in (share >= 0.5 - HALF, share > 0.5 + HALF):
        at = np.flatnonzero(reached)
        middles.append(ranked[at[np.searchsorted(at, grouped.starts)]])
    return middles[0], middles[1]
