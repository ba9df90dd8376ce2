"""Influence: how much of a figure about all records the k - 1 units that matter most make up.

It decides how many digits of the figure everybody may know (`coterie.public`). Over records each
figure here is a sum or a ratio of sums, so what a unit adds to it is known to first order: what its
records add to the sums, less the figure's own share of what they add to the denominator.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from coterie.numbers.magnitude import magnitude
from coterie.public.rule import DocumentRule
from coterie.space.exact_sums import float_sum

if TYPE_CHECKING:
    from coterie.table.schema import Schema

__all__ = ["Influence", "Largest", "of_correlations", "of_mean"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Largest:
    """What the k - 1 units that matter most add, in a part, to the loss of each key and of all.

    In shares of what there was to lose (`coterie.space.loss`); nothing where that is not known.
    """

    keys: Mapping[str, tuple[float, ...]]
    together: tuple[float, ...]

    @classmethod
    def of(cls, shares: Mapping[str, Floats], schema: Schema, rule: DocumentRule) -> Largest:
        """Of what each record of the part adds to each key."""

        def most(parts: Floats) -> tuple[float, ...]:
            return tuple(rule.largest(parts).tolist())

        if not shares:
            return cls({}, ())
        with np.errstate(invalid="ignore"):  # no part of what is beyond all numbers
            weights = _weights(schema)
            both = np.sum([weights[n] * parts for n, parts in shares.items()], axis=0)
        return cls({name: most(parts) for name, parts in shares.items()}, most(both))


@dataclass(frozen=True)
class Influence:
    """Of k - 1 units on the loss of each key and of all keys, in percentage points.

    Infinite where it is not known: such a figure is not told.
    """

    loss: float
    losses: Mapping[str, float]

    @classmethod
    def of(cls, shares: Mapping[str, Floats], schema: Schema, rule: DocumentRule) -> Influence:
        """The influence by what each record of a table adds to the loss of each key."""
        if rule.internal:
            return cls(0.0, dict.fromkeys(schema.keys, 0.0))
        return cls.of_parts([Largest.of(shares, schema, rule)], schema, rule.k)

    @classmethod
    def of_parts(cls, parts: Sequence[Largest], schema: Schema, k: int) -> Influence:
        """The influence on the losses of a table in parts: the same figure, however it is cut.

        Where units have several records it is at most that, since one may have some in every part.
        """
        apart = len(parts) > 1 and schema.unit is not None

        def most(found: Sequence[Sequence[float]]) -> float:
            values = sorted((one for part in found for one in part), reverse=True)
            percent = 100.0 * float_sum(values if apart else values[: k - 1])
            return percent if math.isfinite(percent) else math.inf

        if any(set(part.keys) != set(schema.keys) for part in parts):
            return cls(math.inf, dict.fromkeys(schema.keys, math.inf))
        losses = {name: most([part.keys[name] for part in parts]) for name in schema.keys}
        return cls(most([part.together for part in parts]), losses)


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


def _weights(schema: Schema) -> dict[str, float]:
    """How much each key counts in the loss of all."""
    total = math.fsum(key.weight for key in schema.key_attributes)
    return {
        key.name: float(key.weight) / total if total > 0 else 1.0 for key in schema.key_attributes
    }
