"""The mean of each group, plain or weighted, and the papers' renormalization of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.centroids.result import Aggregate, Grouped, record_weights
from coterie.errors import DataError, bad_parameter
from coterie.numbers.magnitude import magnitude

__all__ = ["group_means", "mean"]

LARGEST = float(np.finfo(np.float64).max)


def mean(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    renormalize: bool = False,
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
    renormalize : bool
        Widen the means until they have the variance of `X` in every attribute: Equations (5) and
        (6) of Mortazavi, Jalili (2017), Transactions on Data Privacy 10:117-144. An attribute whose
        group means are all equal stays as it is.

    Examples
    --------
    >>> from coterie.centroids.mean import mean
    >>> mean([[0.0], [2.0], [8.0], [10.0]], [0, 0, 1, 1]).table.ravel().tolist()
    [1.0, 1.0, 9.0, 9.0]
    >>> mean([[0.0], [2.0], [8.0], [10.0]], [0, 0, 1, 1], renormalize=True).table.std().round(6)
    np.float64(4.123106)
    """
    grouped = Grouped.of(X, labels, "mean")
    weight = record_weights(weights, len(grouped.X), "mean")
    values = group_means(grouped, weight)
    if not isinstance(renormalize, bool):
        raise bad_parameter("renormalize", "mean", "True or False", renormalize)
    if renormalize:
        w = np.ones(len(grouped.X)) if weight is None else np.ldexp(weight, -magnitude(weight))
        for t in range(grouped.X.shape[1]):
            values[:, t] = _widened(grouped.X[:, t], values[:, t], w, grouped.labels)
    return Aggregate(values, grouped.labels)


def group_means(
    grouped: Grouped, weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Means of the groups, taken as offsets from each group's first record.

    So equal values give exactly that value, and large ones lose nothing to cancellation.
    """
    if not np.abs(grouped.X).max() < LARGEST / (8 * grouped.sizes.max()):
        return _means_of_huge(grouped, weights)
    return _means(grouped, weights)


def _means(grouped: Grouped, weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """The same where no difference overflows."""
    ranked = grouped.X[grouped.order]
    first = ranked[grouped.starts]
    offset = ranked - np.repeat(first, grouped.sizes, axis=0)
    if weights is None:
        return first + np.add.reduceat(offset, grouped.starts) / grouped.sizes[:, None]
    w = grouped.evened(weights)[grouped.order]
    total = np.add.reduceat(w, grouped.starts)
    return first + np.add.reduceat(offset * w[:, None], grouped.starts) / total[:, None]


def _means_of_huge(grouped: Grouped, weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Means where differences may overflow: of those groups over a power of two, and back.

    Each group is judged by its own size: one of three holds larger numbers than one of thirty.
    """
    ranked, sizes = grouped.X[grouped.order], grouped.sizes[:, None]
    most = np.maximum.reduceat(np.abs(ranked), grouped.starts)
    exponent = np.where(most < LARGEST / (8 * sizes), 0, np.frexp(16.0 * sizes)[1])
    scaled = np.ldexp(grouped.X, -exponent[grouped.labels])
    values = np.ldexp(_means(replace(grouped, X=scaled), weights), exponent)
    # Rounded upwards, a mean of the largest numbers would be infinite.
    low, high = (
        reduce(ranked, grouped.starts) for reduce in (np.minimum.reduceat, np.maximum.reduceat)
    )
    return np.clip(values, low, high)


def _widened(
    x: NDArray[np.float64],
    means: NDArray[np.float64],
    weights: NDArray[np.float64],
    labels: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Means of one attribute with its variance: Equations (5) and (6)."""
    unit = magnitude(x)
    x, values = np.ldexp(x, -unit), np.ldexp(means, -unit)
    size = np.bincount(labels, weights=weights)
    center = np.average(x, weights=weights)
    spread = np.sqrt(np.average(np.square(x - center), weights=weights))
    kept = np.sqrt(np.average(np.square(values - center), weights=size))
    if not kept > 1e-12 * spread:
        return means
    with np.errstate(over="ignore"):
        widened = np.ldexp(center + (values - center) * (spread / kept), unit)
    if not np.isfinite(widened).all():
        raise DataError(
            "renormalize=True of mean must give numbers within float64. Got an attribute as wide "
            f"as {np.abs(means).max():g}; divide it first."
        )
    return widened
