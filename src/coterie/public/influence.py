"""Influence: how much of a figure about all records the k - 1 units that matter most make up.

It decides how many digits of the figure everybody may know (`coterie.public`). Over records each
figure here is a sum or a ratio of sums, so what a unit adds to it is known to first order: what its
records add to the sums, less the figure's own share of what they add to the denominator.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError
from coterie.numbers.magnitude import magnitude
from coterie.public.rule import DocumentRule
from coterie.space.exact_sums import float_sum
from coterie.table.arrays import to_numpy
from coterie.table.encoding import Column

if TYPE_CHECKING:
    import narwhals as nw

    from coterie.table.schema import Schema

__all__ = ["Influence", "largest_errors", "of_correlations", "of_mean"]

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
        rule: DocumentRule,
    ) -> Influence:
        """The influence on the losses of two aligned tables."""
        if rule.internal:
            return cls(0.0, dict.fromkeys(schema.keys, 0.0))
        together = np.zeros(len(original))
        losses: dict[str, float] = {}
        weights = _weights(original, schema)
        for name in schema.keys:
            try:
                if schema[name].generalized or schema[name].hierarchy is not None:
                    parts = 100.0 * _whole(original, schema, name, weights)
                else:
                    parts = _of_loss(*_columns(original, released, schema, name), weights)
            except DataError:
                losses[name] = math.inf
                continue
            losses[name] = rule.most(parts)
            together += _share(schema, name) * parts
        known = all(map(math.isfinite, losses.values()))
        return cls(rule.most(together) if known else math.inf, losses)

    @classmethod
    def of_parts(
        cls,
        largest: Sequence[Mapping[str, Sequence[float]]],
        totals: Mapping[str, float],
        schema: Schema,
        k: int,
    ) -> Influence:
        """The influence on the losses of a table in parts.

        Parameters
        ----------
        largest : sequence of mappings of key to floats
            Of each part, what `largest_errors` gave.
        totals : mapping of key to float
            What the squared distances are divided by.
        """
        losses: dict[str, float] = {}
        for name in schema.keys:
            errors = sorted((e for part in largest for e in part[name]), reverse=True)
            # A unit may have records in every part.
            most = float_sum(errors if schema.unit is not None else errors[: k - 1])
            known = math.isfinite(most) and math.isfinite(totals[name])
            share = 100.0 * most / totals[name] if totals[name] > 0 else 0.0
            losses[name] = share if known else math.inf
        # At most as if the same units mattered most in every key.
        return cls(float_sum(_share(schema, n) * one for n, one in losses.items()), losses)


def largest_errors(
    original: nw.DataFrame[Any], released: nw.DataFrame[Any], schema: Schema, rule: DocumentRule
) -> dict[str, tuple[float, ...]]:
    """What the k - 1 units that matter most add to the squared distances of each key, in a part."""
    weights = _weights(original, schema)
    found: dict[str, tuple[float, ...]] = {}
    for name in schema.keys:
        if schema[name].generalized or schema[name].hierarchy is not None:
            with np.errstate(over="ignore"):  # infinity: nothing can be told
                apart = _widths(original, released, schema, name) * weights
            found[name] = tuple(rule.largest(apart).tolist())
            continue
        before, after = _columns(original, released, schema, name)
        found[name] = tuple(rule.largest(_errors(before, after, weights)).tolist())
    return found


def of_mean(values: Floats, mean: float, rule: DocumentRule) -> float:
    """The influence on the mean of some values."""
    return 0.0 if rule.internal else rule.most(values / len(values) - mean / len(values))


def of_correlations(values: Floats, rule: DocumentRule) -> Floats:
    """The influence on each correlation of the columns of a matrix.

    A record with the standard scores u and v adds (u v - r (u^2 + v^2) / 2) / n to the correlation
    r of two columns: Hampel (1974), JASA 69:383-393, for the covariance over two deviations.
    """
    d = values.shape[1]
    small = np.column_stack([np.ldexp(values[:, j], -magnitude(values[:, j])) for j in range(d)])
    centered = small - small.mean(axis=0)
    spread = np.sqrt(np.square(centered).mean(axis=0))
    scores = centered / np.where(spread > 0, spread, 1.0)
    found = np.zeros((d, d))
    for i in range(d):
        for j in range(i):
            u, v = scores[:, i], scores[:, j]
            r = float((u * v).mean())
            added = (u * v - r * (u * u + v * v) / 2) / len(values)
            found[i, j] = found[j, i] = rule.most(np.abs(added))
    return found


def _columns(
    original: nw.DataFrame[Any], released: nw.DataFrame[Any], schema: Schema, name: str
) -> tuple[Column, Column]:
    before, after = (Column.of(schema[name], f[name].to_arrow()) for f in (original, released))
    if before.attribute.type != "ordinal" or before.categories == after.categories:
        return before, after
    # Without a declared order each side has the levels that occur in it.
    place = {level: position for position, level in enumerate(before.categories)}
    if not set(after.categories) <= set(place):
        raise DataError(f"Column {name!r} must have the levels of the original. Got others.")
    levels = np.array([place[level] for level in after.categories], dtype=np.float64)
    moved = levels[after.values.astype(np.int64)] if len(levels) else after.values
    return before, replace(after, values=moved)


def _whole(original: nw.DataFrame[Any], schema: Schema, name: str, weights: Floats) -> Floats:
    """The share of each record in the loss of a label or an interval: all that it could lose."""
    there = ~Column.of(schema[name], original[name].to_arrow()).missing
    held = np.where(there, weights, 0.0)
    if not held.any():
        return held
    held = held / held.max()  # their sum may be beyond all numbers, and only ratios count
    return held / held.sum()


def _widths(
    original: nw.DataFrame[Any], released: nw.DataFrame[Any], schema: Schema, name: str
) -> Floats:
    """What each record can add to the loss of a label, or adds to that of an interval."""
    attribute = schema[name]
    there = ~Column.of(attribute, original[name].to_arrow()).missing
    if attribute.steps is None:
        return there.astype(np.float64)
    texts = released[name].to_list()
    bounds = {
        text: attribute.steps.bounds(text) for text, here in zip(texts, there, strict=True) if here
    }
    wide = {text: high / 2 - low / 2 for text, (low, high) in bounds.items()}  # as they are lost
    return np.array([wide[text] if here else 0.0 for text, here in zip(texts, there, strict=True)])


def _of_loss(before: Column, after: Column, weights: Floats) -> Floats:
    """What each record adds to the loss of a key in percent, in absolute value."""
    there = ~before.missing
    if not there.any():
        return np.zeros(len(there))
    codes = before.values
    if before.attribute.type in UNORDERED:
        held = np.bincount(codes[there].astype(np.int64), weights[there])
        squares = np.where(there & (codes != held.argmax()), weights, 0.0)
        errors = _errors(before, after, weights)
    else:
        power = magnitude(codes[there])
        x = np.ldexp(np.where(there, codes, 0.0), -power)
        weights = weights / weights[there].max()  # only their ratios count, and sums stay finite
        mean = float(np.average(x[there], weights=weights[there]))
        squares = np.where(there, weights * np.square(x - mean), 0.0)
        errors = _errors(before, after, weights, power)
        errors = np.where(there & after.missing, squares, errors)
    total = float(squares.sum())
    if total <= 0:
        return np.zeros(len(there))
    # The larger of the two: a loss may hide a large value in either.
    return 100 * np.maximum(errors, squares * min(errors.sum() / total, 1.0)) / total


def _errors(before: Column, after: Column, weights: Floats, power: int = 0) -> Floats:
    """What each record adds, or can add, to the squared distances of a key, over 4**power."""
    there = ~before.missing
    if before.attribute.type in UNORDERED:
        return np.where(there, weights, 0.0)  # whoever could have changed
    with np.errstate(over="ignore"):  # what is beyond all numbers is told as nothing
        moved = before.values - (after.values + (after.origin - before.origin))
        small = np.ldexp(np.where(there & ~after.missing, moved, 0.0), -power)
        return np.asarray(weights * np.square(small))


def _share(schema: Schema, name: str) -> float:
    """How much a key counts in the loss of all."""
    total = math.fsum(schema[key].weight for key in schema.keys)
    return float(schema[name].weight) / total if total > 0 else 1.0


def _weights(original: nw.DataFrame[Any], schema: Schema) -> Floats:
    """The sampling weight of each record."""
    if schema.sample_weight is None:
        return np.ones(len(original))
    import pyarrow as pa

    column = original[schema.sample_weight].to_arrow().cast(pa.float64(), safe=False)
    return np.asarray(to_numpy(column), dtype=np.float64)
