"""The median of each group: the value with the least absolute error."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from coterie.aggregation.result import Aggregate, Grouped

__all__ = ["median"]


def median(X: ArrayLike, labels: ArrayLike) -> Aggregate:
    """Each group's median, attribute by attribute; the mean of the middle two for even sizes.

    Examples
    --------
    >>> from coterie.aggregation import median
    >>> median([[0.0], [1.0], [8.0]], [0, 0, 0]).values.tolist()
    [[1.0]]
    """
    grouped = Grouped.of(X, labels, "median")
    low = grouped.starts + (grouped.sizes - 1) // 2
    high = grouped.starts + grouped.sizes // 2
    values = np.empty((len(grouped.sizes), grouped.X.shape[1]))
    for t in range(grouped.X.shape[1]):
        ranked = grouped.X[np.lexsort((grouped.X[:, t], grouped.labels)), t]
        values[:, t] = ranked[low] + (ranked[high] - ranked[low]) / 2.0
    return Aggregate(values, grouped.labels)
