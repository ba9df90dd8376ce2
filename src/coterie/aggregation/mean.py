"""The mean of each group, plain or weighted, and the papers' renormalisation of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.aggregation.result import Aggregate, Grouped, record_weights
from coterie.errors import bad_parameter

__all__ = ["group_means", "mean"]


def mean(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    renormalise: bool = False,
) -> Aggregate:
    """Each group's mean, the value with the least squared error.

    Parameters
    ----------
    X : (n, d) array of numbers
        Records, in any units.
    labels : (n,) array of integers
        The group of each record.
    weights : (n,) array, optional
        Positive weight of each record; the mean is then the weighted one.
    renormalise : bool
        Widen the means until they have the variance of `X` in every attribute: Equations (5) and
        (6) of Mortazavi, Jalili (2017), Transactions on Data Privacy 10:117-144. An attribute whose
        group means are all equal stays as it is.

    Examples
    --------
    >>> from coterie.aggregation import mean
    >>> mean([[0.0], [2.0], [8.0], [10.0]], [0, 0, 1, 1]).table.ravel().tolist()
    [1.0, 1.0, 9.0, 9.0]
    >>> mean([[0.0], [2.0], [8.0], [10.0]], [0, 0, 1, 1], renormalise=True).table.std().round(6)
    np.float64(4.123106)
    """
    grouped = Grouped.of(X, labels, "mean")
    weight = record_weights(weights, len(grouped.X), "mean")
    values = group_means(grouped, weight)
    if not isinstance(renormalise, bool):
        raise bad_parameter("renormalise", "mean", "True or False", renormalise)
    if renormalise:
        w = np.ones(len(grouped.X)) if weight is None else weight
        size = np.bincount(grouped.labels, weights=w)
        centre = np.average(grouped.X, axis=0, weights=w)
        spread = np.sqrt(np.average(np.square(grouped.X - centre), axis=0, weights=w))
        kept = np.sqrt(np.average(np.square(values - centre), axis=0, weights=size))
        moved = kept > 1e-12 * spread
        factor = np.divide(spread, kept, out=np.ones_like(spread), where=moved)
        values = centre + (values - centre) * factor
    return Aggregate(values, grouped.labels)


def group_means(
    grouped: Grouped, weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Means of the groups, taken as offsets from each group's first record.

    So equal values give exactly that value, and large ones lose nothing to cancellation.
    """
    first = grouped.X[grouped.order[grouped.starts]]
    offset = grouped.X[grouped.order] - np.repeat(first, grouped.sizes, axis=0)
    if weights is None:
        return first + np.add.reduceat(offset, grouped.starts) / grouped.sizes[:, None]
    w = weights[grouped.order]
    total = np.add.reduceat(w, grouped.starts)
    return first + np.add.reduceat(offset * w[:, None], grouped.starts) / total[:, None]
