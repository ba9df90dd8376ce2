"""The mode of each group: the value that most of its records have, for categories."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from coterie.aggregation.result import Aggregate, Grouped

__all__ = ["mode"]


def mode(X: ArrayLike, labels: ArrayLike) -> Aggregate:
    """Each group's most frequent value, attribute by attribute; the least one among equals.

    Examples
    --------
    >>> from coterie.aggregation import mode
    >>> mode([["b"], ["a"], ["b"], ["c"], ["a"]], [0, 0, 0, 1, 1]).values.tolist()
    [['b'], ['a']]
    """
    grouped = Grouped.of(X, labels, "mode", numbers=False)
    g, d = len(grouped.sizes), grouped.X.shape[1]
    values = np.empty((g, d), dtype=grouped.X.dtype)
    for t in range(d):
        levels, code = np.unique(grouped.X[:, t], return_inverse=True)
        pairs, count = np.unique(grouped.labels * len(levels) + code, return_counts=True)
        group, level = np.divmod(pairs, len(levels))
        # By group, then most frequent, then least value: the first of each group is its mode.
        order = np.lexsort((level, -count, group))
        first = np.unique(group[order], return_index=True)[1]
        values[:, t] = levels[level[order][first]]
    return Aggregate(values, grouped.labels)
