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

from coterie.aggregation.mean import group_means
from coterie.aggregation.median import group_middles
from coterie.aggregation.mode import group_modes
from coterie.aggregation.p3m import p3m
from coterie.aggregation.result import Grouped
from coterie.encoding import Column
from coterie.errors import ParameterError
from coterie.wishes import wish

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
    grouped = Grouped.numbered(column.values, labels)
    if kind in ("nominal", "boolean"):
        return group_modes(grouped, weights)
    if kind == "ordinal" or aggregation == "median":
        middle, _ = group_middles(grouped, weights)
    else:
        middle = group_means(grouped, weights)[:, 0]
    return middle if kind == "continuous" else np.rint(middle)


def disclosure_aware(
    columns: Sequence[Column],
    labels: NDArray[np.int64],
    wishes: Mapping[str, Any],
    table: Any,
) -> tuple[dict[str, NDArray[np.float64]], dict[str, dict[str, Any]]]:
    """P3M's values of each group for the numeric ones of `columns`, and how well they do, by name.

    Whole numbers are rounded afterwards, to the nearest, halves to the even one; the moments told
    are those of the rounded values. Rounding could break a hard wish, so those are refused for
    whole numbers.
    """
    numeric = [c for c in columns if c.attribute.type in NUMBERS]
    if not numeric:
        raise ParameterError(
            "aggregation='p3m' must have at least one numeric key. Got "
            f"{', '.join(f'{c.name!r} ({c.attribute.type})' for c in columns)}; use 'mean'."
        )
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
    names = [c.name for c in numeric]
    weight = wish("importance", wishes.get("importance", 0.001), len(labels), names, table)
    whole = [c.attribute.type == "integer" for c in numeric]
    assert weight is not None
    if (weight[:, whole] == 1.0).any():
        raise ParameterError(
            "importance=1 (a hard wish) must be for keys that need not be whole. Got "
            f"{next(n for n, w in zip(names, whole, strict=True) if w)!r}, an integer; declare it "
            "continuous, or use an importance below 1."
        )
    values, told = {}, {}
    for place, column in enumerate(numeric):
        value = np.rint(found.values[:, place]) if whole[place] else found.values[:, place]
        released, spread = value[labels], column.values.std()
        shift = released.mean() - column.values.mean()
        values[column.name] = value
        told[column.name] = {
            "wishes_fulfilled": round(float(found.satisfied[place]), 4),
            "mean_shift_sd": round(float(shift / spread), 6) if spread > 0 else 0.0,
            "sd_ratio": round(float(released.std() / spread), 6) if spread > 0 else 1.0,
            "feasible": place not in found.infeasible,
        }
    return values, told
