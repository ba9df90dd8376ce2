"""The centroid of a group by the attribute's type: computed once a group, then broadcast.

| type | released for a group |
| --- | --- |
| continuous | mean |
| integer | mean, to the nearest integer, halves to the even one |
| date, datetime | mean, to the nearest day or unit of the column |
| ordinal | category nearest to the mean position, the lower one of two |
| nominal, boolean | most frequent category, of equals the first in order |

Each is the value that loses least of its group (`coterie.space.loss`). ``"median"`` releases the
median of numbers and dates, and the median category, the lower one of two; ``"p3m"`` moves the
means of numbers away from the members' values and keeps mean and variance (see
`coterie.centroids.p3m`). Sample weights count as so many records each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.mean import group_means
from coterie.centroids.median import group_middles
from coterie.centroids.mode import group_modes
from coterie.centroids.p3m.release import HELD, p3m
from coterie.centroids.p3m.targets import distance_target
from coterie.centroids.result import Grouped
from coterie.errors import ParameterError
from coterie.numbers.magnitude import magnitude
from coterie.table.encoding import Column

__all__ = ["DisclosureAware", "centroids", "disclosure_aware", "rounded"]

NUMBERS = ("continuous", "integer")
HALF = 1e-9  # a mean position this near to the middle of two levels lies in the middle


def centroids(
    column: Column,
    labels: NDArray[np.int64],
    weights: NDArray[np.float64] | None = None,
    aggregation: str = "mean",
) -> NDArray[np.float64]:
    """What each group 0..g-1 has for `column`, as values or category positions, not yet rounded."""
    kind = column.attribute.type
    grouped = Grouped.numbered(column.values, labels)
    if kind in ("nominal", "boolean"):
        return group_modes(grouped, weights)
    if aggregation == "median":
        return group_middles(grouped, weights)[0]
    means = group_means(grouped, weights)[:, 0]
    return np.ceil(means - 0.5 - HALF) if kind == "ordinal" else means


def rounded(column: Column, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values as the column's type releases them: whole numbers, halves to the even one.

    A number never becomes a missing code of its column, which would be read as no answer: the
    nearest other one is released.
    """
    whole = column.attribute.type != "continuous"
    released = (np.rint(values) if whole else values) + 0.0  # -0.0 would be a class of its own
    if column.attribute.type in NUMBERS and column.attribute.missing_codes:
        codes = np.array([float(code) for code in column.attribute.missing_codes])
        for place in np.flatnonzero(np.isin(released, codes)):
            released[place] = _nearest_free(
                float(values[place]), float(released[place]), codes, whole
            )
    return released


def _nearest_free(value: float, taken: float, codes: NDArray[np.float64], whole: bool) -> float:
    """The number nearest to `value` that is no code: `taken` is one."""
    low = high = taken
    while True:
        low = low - 1.0 if whole else float(np.nextafter(low, -np.inf))
        high = high + 1.0 if whole else float(np.nextafter(high, np.inf))
        for other in sorted((low, high), key=lambda number: abs(number - value)):
            if other not in codes:
                return other


@dataclass(frozen=True, eq=False)
class DisclosureAware:
    """P3M's values of each group for numeric columns, not yet rounded, and what they were for.

    Attributes
    ----------
    values : dict of column to (g,) array
        What P3M gives.
    """

    values: dict[str, NDArray[np.float64]]
    columns: Sequence[Column]
    labels: NDArray[np.int64]
    delta: NDArray[np.float64]
    importance: NDArray[np.float64]
    infeasible: tuple[int, ...]

    def reported(self, released: Mapping[str, NDArray[np.float64]]) -> dict[str, dict[str, Any]]:
        """How well values that are really released, rounded and moved, do: by column.

        Raises
        ------
        ParameterError
            If they break a hard distance target, which only a move after P3M can do.
        """
        reported = {}
        for place, column in enumerate(self.columns):
            given, weight = released[column.name][self.labels], self.importance[:, place]
            power = magnitude(column.values)
            original = np.ldexp(column.values, -power)
            spread = _spread(original)
            unit = spread if spread > 0 else 1.0
            with np.errstate(over="ignore"):  # a rule may move them far: beyond any target
                value = np.ldexp(given, -power)
                kept = np.abs(original - value) / unit >= self.delta[:, place] - HELD
            moved = given != self.values[column.name][self.labels]
            denied = int((~kept & moved & (weight == 1.0)).sum())
            if denied:
                raise ParameterError(
                    f"importance=1 (a hard target) for {column.name!r} must leave room for the "
                    f"rules. Got {denied} record(s) whose target a rule breaks; use an importance "
                    "below 1, or leave the rule out."
                )
            total = weight.sum()
            large = magnitude(np.concatenate([column.values, given]))
            far, near = np.ldexp(given, -large), np.ldexp(column.values, -large)
            shift, width, lift = far.mean() - near.mean(), _spread(far), large - power
            reported[column.name] = {
                "targets_met": round(float(weight @ kept / total) if total > 0 else 1.0, 4),
                "mean_shift_sd": _ratio(shift, spread, lift, same=0.0),
                "sd_ratio": _ratio(width, spread, lift, same=1.0),
                "feasible": place not in self.infeasible,
            }
        return reported


def _spread(values: NDArray[np.float64]) -> float:
    """The standard deviation; none of equal numbers, whose mean may be rounded to another one."""
    return float(values.std()) if np.ptp(values) > 0 else 0.0


def _ratio(size: float, spread: float, lift: int, same: float) -> float | None:
    """`size` by `spread`, times 2^lift, to six digits; `same` if both are nothing.

    None where there is no such number: beside a column of one value, or beyond float64.
    """
    if spread == 0.0:
        return same if size == 0.0 else None
    with np.errstate(over="ignore"):
        ratio = float(np.ldexp(size / spread, lift))
    return round(ratio, 6) if np.isfinite(ratio) else None


def disclosure_aware(
    columns: Sequence[Column],
    labels: NDArray[np.int64],
    distance_targets: Mapping[str, Any],
    table: Any,
) -> DisclosureAware:
    """P3M's values of each group for the numeric ones of `columns`.

    Whole numbers are rounded afterwards, to the nearest, halves to the even one; the moments told
    are those of the rounded values. Rounding could break a hard target, so those are refused for
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
    names = [c.name for c in numeric]
    found = p3m(
        np.column_stack([c.values for c in numeric]),
        labels,
        attributes=names,
        table=table,
        **distance_targets,
    )
    delta = distance_target("delta", distance_targets.get("delta", 0.1), len(labels), names, table)
    weight = distance_target(
        "importance", distance_targets.get("importance", 0.001), len(labels), names, table
    )
    whole = [c.attribute.type == "integer" for c in numeric]
    assert weight is not None
    assert delta is not None
    if (weight[:, whole] == 1.0).any():
        raise ParameterError(
            "importance=1 (a hard distance target) must be for keys that need not be whole. Got "
            f"{next(n for n, w in zip(names, whole, strict=True) if w)!r}, an integer; declare it "
            "continuous, or use an importance below 1."
        )
    values = {name: found.values[:, place] for place, name in enumerate(names)}
    return DisclosureAware(values, numeric, labels, delta, weight, found.infeasible)
