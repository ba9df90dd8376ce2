"""What an aggregation gives: one value a group and attribute, and the groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.errors import bad_parameter
from coterie.numbers.checks import check_points
from coterie.numbers.renumber import by_code
from coterie.partitioning.core import canonical

__all__ = ["Aggregate", "Grouped", "record_weights"]


@dataclass(frozen=True, eq=False)
class Aggregate:
    """Released values by group.

    Attributes
    ----------
    values : (g, d) array
        The value that all records of a group share.
    labels : (n,) int array
        Group of each record, numbered by each group's first record.
    """

    values: NDArray
    labels: NDArray[np.int64]

    @property
    def table(self) -> NDArray:
        """The released value of every record."""
        return self.values[self.labels]


@dataclass(frozen=True, eq=False)
class Grouped:
    """Records and their groups, checked: what every aggregation starts from.

    Attributes
    ----------
    X : (n, d) array
        The records.
    labels, sizes, order, starts : int arrays
        Group of each record, size of each group, records group by group, where each group begins.
    """

    X: NDArray
    labels: NDArray[np.int64]
    sizes: NDArray[np.int64]
    order: NDArray[np.int64]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, X: ArrayLike, labels: ArrayLike, owner: str, *, numbers: bool = True) -> Grouped:
        """Check both; `numbers` is False where any values that can be sorted will do."""
        values = check_points(X, owner) if numbers else np.asarray(X)
        codes = np.asarray(labels)
        if values.ndim != 2 or codes.shape != (len(values),) or codes.dtype.kind not in "iu":
            rule = f"one integer for each of the {len(values)} records"
            got = f"{codes.dtype} of shape {codes.shape}"
            raise bad_parameter("labels", owner, rule, got)
        return cls(values, *canonical(codes.astype(np.int64)))

    @classmethod
    def numbered(cls, values: NDArray, labels: NDArray[np.int64]) -> Grouped:
        """One column and its groups 0..g-1, which keep their numbers; nothing is checked."""
        sizes = np.bincount(labels).astype(np.int64)
        return cls(values[:, None], labels, sizes, by_code(labels), np.cumsum(sizes) - sizes)

    def evened(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weights over a power of two, one for each group, that brings the largest into [0.5, 1).

        Their ratios within a group stay the same to the last bit, and no sum of them overflows.
        """
        most = np.maximum.reduceat(weights[self.order], self.starts)
        return np.ldexp(weights, -np.frexp(most)[1][self.labels])


def record_weights(given: ArrayLike | None, n: int, owner: str) -> NDArray[np.float64] | None:
    """One number above 0 for each record, or None where all count alike."""
    if given is None:
        return None
    weights = np.asarray(given)
    good = weights.shape == (n,) and weights.dtype.kind in "iuf" and np.isfinite(weights).all()
    if not good or (weights <= 0).any():
        rule = f"one number above 0 for each of the {n} records"
        raise bad_parameter("weights", owner, rule, given)
    return weights.astype(np.float64)
