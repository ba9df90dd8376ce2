"""From attributes to the coordinates in which distance and SSE are measured.

Every attribute weighs alike: its coordinates together have variance 1 over the records that share
them, times the attribute's weight. Numbers are transformed and standardised; ordinals are ranks;
categories are one-hot coordinates over sqrt(2), so that before scaling the squared distance of two
different categories is 1; dates are days. Only distances live here: centroids are always taken in
the column's own units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.checks import check_points
from coterie.errors import DataError

if TYPE_CHECKING:
    from coterie.encoding import Column

__all__ = [
    "MOST_CATEGORIES",
    "NOMINAL",
    "Scale",
    "check_categories",
    "coordinates",
    "one_hot",
    "standardise",
    "transformed",
]

MOST_CATEGORIES = 100  # of a nominal key: each one is a coordinate of every record


def standardise(X: ArrayLike) -> NDArray[np.float64]:
    """Columns of mean 0 and standard deviation 1, so that every attribute weighs alike.

    A constant column becomes all zeros: it tells records apart no more than before.

    Examples
    --------
    >>> import coterie
    >>> coterie.standardise([[1.0, 5.0], [3.0, 5.0]])
    array([[-1.,  0.],
           [ 1.,  0.]])
    """
    values = check_points(X, "standardise")
    return Scale.of(values).coordinates(values)


@dataclass(frozen=True, eq=False)
class Scale:
    """What standardises a table, learned from its records and good for others.

    From the middle of the range, not from zero: an offset of 1e9 must not cost digits; halves keep
    columns as wide as float64 itself from overflowing.
    """

    middle: NDArray[np.float64]
    half: NDArray[np.float64]
    mean: NDArray[np.float64]
    spread: NDArray[np.float64]

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> Scale:
        """Mean 0 and standard deviation 1 for these records; constant columns become zeros."""
        low, high = values.min(axis=0), values.max(axis=0)
        constant = low == high
        half = high / 2 - low / 2
        half[half == 0] = 1.0
        raw = cls(low / 2 + high / 2, half, np.zeros(len(half)), np.ones(len(half)))
        scaled = raw.coordinates(values)
        mean = np.where(constant, scaled[0], scaled.mean(axis=0))
        spread = np.sqrt(np.square(scaled - mean).mean(axis=0))
        spread[constant] = 1.0
        return cls(raw.middle, half, mean, spread)

    @classmethod
    def none(cls, values: NDArray[np.float64]) -> Scale:
        """Leaves records as they are."""
        zeros, ones = np.zeros(values.shape[1]), np.ones(values.shape[1])
        return cls(zeros, ones, zeros, ones)

    def coordinates(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The records in this scale."""
        scaled = (values / 2 - self.middle / 2) / (self.half / 2)
        scaled -= self.mean
        return scaled / self.spread


def coordinates(columns: Sequence[Column]) -> NDArray[np.float64]:
    """The (n, D) coordinates of the records; a gap lies at 0, the mean of the attribute.

    Groups share their pattern of gaps, so what stands at a gap never adds to a distance.
    """
    blocks = []
    for column in columns:
        present = ~column.missing
        block = np.zeros((len(present), 1))
        if present.any():
            values = column.values[present]
            part = (
                _one_hot(column, values)
                if column.attribute.type in NOMINAL
                else _line(column, values)
            )
            block = np.zeros((len(present), part.shape[1]))
            block[present] = part * np.sqrt(column.attribute.weight)
        blocks.append(block)
    return np.hstack(blocks)


NOMINAL = frozenset({"nominal", "boolean"})


def _line(column: Column, values: NDArray[np.float64]) -> NDArray[np.float64]:
    if column.attribute.transform == "rank":
        # Equal values share their mean rank.
        _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
        values = (np.cumsum(counts) - (counts + 1) / 2)[inverse]
    return standardise(transformed(column.attribute.transform, values)[:, None])


def transformed(transform: str, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values after a transform that looks at one value at a time; as they are for the others."""
    if transform == "log1p":
        return np.log1p(values)
    return np.arcsinh(values) if transform == "asinh" else values


def _one_hot(column: Column, values: NDArray[np.float64]) -> NDArray[np.float64]:
    codes, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    check_categories(column.name, len(codes))
    return one_hot(inverse, counts / len(values))


def check_categories(name: str, count: int) -> None:
    """Refuse a nominal key with so many categories that distances would mean nothing."""
    if count > MOST_CATEGORIES:
        raise DataError(
            f"Key {name!r} must have at most {MOST_CATEGORIES} categories to be nominal. "
            f"Got {count}; recode it, give it an order, use it as a stratum, or drop it."
        )


def one_hot(codes: NDArray[np.int64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coordinates of categories 0..c-1 whose `shares` of all records are known: variance 1."""
    if len(shares) == 1:
        return np.zeros((len(codes), 1))
    # One-hot over sqrt(2) has variance (1 - sum of squared shares) / 2; scaled to 1.
    spread = np.sqrt((1.0 - np.square(shares).sum()) / 2.0)
    if len(shares) == 2:
        return (codes[:, None] - shares[1]) / spread  # one coordinate tells two apart
    hot = np.zeros((len(codes), len(shares)))
    hot[np.arange(len(codes)), codes] = 1.0
    return (hot - shares) / (np.sqrt(2.0) * spread)
