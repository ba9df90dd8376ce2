"""Influence: how much of a figure about all records the k - 1 units that matter most make up.

It decides how many digits of the figure everybody may know (`coterie.public`). Over records each
figure here is a sum or a ratio of sums, so what a unit adds to it is known to first order: what its
records add to the sums, less the figure's own share of what they add to the denominator.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.encoding import Column
from coterie.errors import DataError
from coterie.public.rule import Rule

if TYPE_CHECKING:
    import narwhals as nw

    from coterie.table.schema import Schema

__all__ = ["Influence", "of_correlations", "of_mean"]

UNORDERED = ("nominal", "boolean")
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Influence:
    """Of k - 1 units on the loss of each key and of all keys, in percentage points.

    Infinite where it is not known: such a figure is not told.
    """

    loss: float
    losses: Mapping[str, float]

    @classmethod
    def of(
        cls,
        original: nw.DataFrame[Any],
        released: nw.DataFrame[Any],
        schema: Schema,
        rule: Rule,
    ) -> Influence:
        """The influence on the losses of two aligned tables."""
        if rule.internal:
            return cls(0.0, dict.fromkeys(schema.keys, 0.0))
        together = np.zeros(len(original))
        losses: dict[str, float] = {}
        weights = {name: float(schema[name].weight) for name in schema.keys}
        total = sum(weights.values())
        for name in schema.keys:
            try:
                pair = [Column.of(schema[name], f[name].to_arrow()) for f in (original, released)]
            except DataError:
                losses[name] = math.inf
                continue
            if schema[name].type in UNORDERED:
                parts = _of_categories(*pair)
            else:
                parts = _of_numbers(*pair)
            losses[name] = rule.most(parts)
            together += weights[name] / total * parts if total > 0 else parts
        known = all(map(math.isfinite, losses.values()))
        return cls(rule.most(together) if known else math.inf, losses)


def of_mean(values: Floats, rule: Rule) -> float:
    """The influence on the mean of some values."""
    return rule.most((values - values.mean()) / len(values))


def of_correlations(values: Floats, rule: Rule) -> Floats:
    """The influence on each correlation of the columns of a matrix.

    A record with the standard scores u and v adds (u v - r (u^2 + v^2) / 2) / n to the correlation
    r of two columns: Hampel (1974), JASA 69:383-393, for the covariance over two deviations.
    """
    centred = values - values.mean(axis=0)
    spread = np.sqrt(np.square(centred).mean(axis=0))
    scores = centred / np.where(spread > 0, spread, 1.0)
    d = values.shape[1]
    found = np.zeros((d, d))
    for i in range(d):
        for j in range(i):
            u, v = scores[:, i], scores[:, j]
            r = float((u * v).mean())
            added = (u * v - r * (u * u + v * v) / 2) / len(values)
            found[i, j] = found[j, i] = rule.most(np.abs(added))
    return found


def _of_numbers(before: Column, after: Column) -> Floats:
    """What each record adds to 100 SSE / SST, in absolute value."""
    there = ~(before.missing | after.missing)
    added = np.zeros(len(there))
    x = before.values[there]
    y = after.values[there] + (after.origin - before.origin)
    if not len(x):
        return added
    scale = max(float(np.abs(x).max()), float(np.abs(y).max()), 1e-300)
    errors = np.square((x - y) / scale)
    squares = np.square((x - x.mean()) / scale)
    total = float(squares.sum())
    if total > 0:
        # The larger of the two: a loss may hide a large value in either.
        added[there] = 100 * np.maximum(errors, squares * errors.sum() / total) / total
    return added


def _of_categories(before: Column, after: Column) -> Floats:
    """What each record can add at most to 100 times the changed values over the spread of all."""
    there = ~(before.missing | after.missing)
    shares = np.bincount(before.values[there].astype(np.int64)) / max(int(there.sum()), 1)
    total = there.sum() * (1.0 - float(np.square(shares).sum())) / 2
    return np.where(there, 100.0 / total, 0.0) if total > 0 else np.zeros(len(there))
