"""The centroid of a group by the attribute's type: computed once a group, then broadcast.

| type | released for a group |
| --- | --- |
| continuous | mean |
| integer | mean, to the nearest integer, halves to the even one |
| date, datetime | mean, to the nearest day or unit of the column |
| ordinal | median category, the lower one of two |
| nominal, boolean | most frequent category, of equals the first in order |

``"median"`` releases the median of numbers and dates as well; ``"p3m"`` moves the means of numbers
away from the members' values and keeps mean and variance (see `coterie.aggregation.p3m`). Sample
weights count as so many records each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.aggregation.p3m import p3m
from coterie.encoding import Column
from coterie.errors import ParameterError

__all__ = ["AGGREGATIONS", "centroids", "disclosure_aware"]

AGGREGATIONS = ("mean", "median", "p3m")
NUMBERS = ("continuous", "integer")


def centroids(
    column: Column,
    labels: NDArray[np.int64],
    weights: NDArray[np.float64] | None = None,
    aggregation: str = "mean",
) -> NDArray[np.float64]:
    """What each group 0..g-1 releases for `column`, as values or category positions."""
    kind = column.attribute.type
    weight = np.ones(len(labels)) if weights is None else weights
    if kind in ("nominal", "boolean"):
        return _mode(column.values, labels, weight, len(column.categories))
    if kind == "ordinal" or aggregation == "median":
        middle = _median(column.values, labels, weight)
    else:
        middle = _mean(column.values, labels, weight)
    return middle if kind == "continuous" else np.rint(middle)


def disclosure_aware(
    columns: Sequence[Column],
    labels: NDArray[np.int64],
    wishes: Mapping[str, Any],
    table: Any,
) -> dict[str, NDArray[np.float64]]:
    """P3M's values of each group for the numeric ones of `columns`, by name.

    Whole numbers are rounded afterwards, to the nearest, halves to the even one.
    """
    numeric = [c for c in columns if c.attribute.type in NUMBERS]
    if not numeric:
        return {}
    gaps = [c.name for c in numeric if c.missing.any()]
    if gaps:
        raise ParameterError(
            f"aggregation='p3m' must have keys without missing values. Got gaps in "
            f"{', '.join(map(repr, gaps))}; use missing='drop', or aggregation='mean'."
        )
    found = p3m(
        np.column_stack([c.values for c in numeric]),
        labels,
        attributes=[c.name for c in numeric],
        table=table,
        **wishes,
    )
    values = found.values.T
    return {
        c.name: np.rint(v) if c.attribute.type == "integer" else v
        for c, v in zip(numeric, values, strict=True)
    }


def _mean(
    values: NDArray[np.float64], labels: NDArray[np.int64], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Weighted means, taken from each group's first value: equal values give exactly that value."""
    first = np.zeros(labels.max() + 1)
    first[labels[::-1]] = values[::-1]
    offset = np.bincount(labels, weight * (values - first[labels]))
    return first + offset / np.bincount(labels, weight)


def _median(
    values: NDArray[np.float64], labels: NDArray[np.int64], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The least value with at least half of the group's weight at or below it."""
    order = np.lexsort((values, labels))
    running = np.cumsum(weight[order])
    sums = np.bincount(labels, weight)
    before = np.concatenate(([0.0], np.cumsum(sums)[:-1]))
    reached = running - before[labels[order]] >= sums[labels[order]] / 2 * (1 - 1e-12)
    at = np.flatnonzero(reached)
    _, first = np.unique(labels[order][at], return_index=True)
    return values[order][at[first]]


def _mode(
    values: NDArray[np.float64],
    labels: NDArray[np.int64],
    weight: NDArray[np.float64],
    categories: int,
) -> NDArray[np.float64]:
    groups = int(labels.max()) + 1
    best = np.full(groups, -1.0)
    mode = np.zeros(groups)
    codes = values.astype(np.int64)
    for category in range(categories):  # group by group counts, one category at a time: O(g) memory
        here = codes == category
        count = np.bincount(labels[here], weight[here], minlength=groups)
        better = count > best
        mode[better] = category
        best[better] = count[better]
    return mode
