"""Which column determines which: equal values of one always come with equal values of the other.

Looked for on the records of some of its values, confirmed on all records, and taken only where
chance would not do it: O(n) for a pair that holds, a few thousand records for one that does not.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from coterie.advice.facts import ColumnFacts

__all__ = ["chance", "determined", "groups_of"]

TRIED = 500  # values whose records are looked at first
ROWS = 20_000  # of them, at most
CHANCE = -20.0  # log of the probability that values agree by chance, at most
LARGEST = 64  # records of a value that count toward it


class SortedColumn:
    """The records of a column, sorted by value; those without one are left out."""

    def __init__(self, codes: NDArray[np.int64]) -> None:
        rows = np.flatnonzero(codes >= 0)
        order = np.argsort(codes[rows], kind="stable")
        self.rows = rows[order]
        inside = codes[self.rows]
        self.starts = np.flatnonzero(np.r_[True, inside[1:] != inside[:-1]])[: len(inside)]
        self.sizes = np.diff(np.r_[self.starts, len(inside)])

    @property
    def adjacent(self) -> bool:
        """Whether the records of every value follow one another in the table."""
        ends = self.starts + self.sizes - 1
        return bool((self.rows[ends] - self.rows[self.starts] == self.sizes - 1).all())

    def constant(self, codes: NDArray[np.int64]) -> bool:
        """Whether all records of a value agree in another column."""
        return _constant(codes[self.rows], self.starts)

    def share(self, codes: NDArray[np.int64]) -> float:
        """The share of values with several records whose records agree in another column."""
        inside = codes[self.rows]
        low = np.minimum.reduceat(inside, self.starts)
        high = np.maximum.reduceat(inside, self.starts)
        several = self.sizes > 1
        return float((low == high)[several].mean()) if several.any() else 0.0


def groups_of(column: ColumnFacts) -> SortedColumn:
    """The records of a column by value."""
    return SortedColumn(column.codes)


def determined(
    by: ColumnFacts, others: Iterable[ColumnFacts], groups: SortedColumn | None = None
) -> list[str]:
    """The columns that a column determines, by more than chance."""
    if by.distinct < 2 or by.present < 2 or by.distinct == by.present:
        return []
    few = SortedColumn(_some(by))
    found = []
    for other in others:
        if other is by or other.distinct + (other.gaps > 0) < 2:
            continue
        if len(few.rows) and not few.constant(other.codes):
            continue
        groups = groups_of(by) if groups is None else groups
        if groups.constant(other.codes) and chance(groups.sizes, other) <= CHANCE:
            found.append(other.name)
    return found


def chance(sizes: NDArray[np.int64], other: ColumnFacts) -> float:
    """Log of the probability that records of groups of these sizes agree by chance."""
    counts, times = np.unique(np.append(other.counts, other.gaps), return_counts=True)
    share = counts / other.rows
    many = np.bincount(np.minimum(sizes, LARGEST))
    met = np.flatnonzero(many[2:]) + 2
    return float(sum(many[m] * np.log(max(float(times @ share**m), 1e-300)) for m in met))


def _some(column: ColumnFacts) -> NDArray[np.int64]:
    """The codes of a column, -1 but for the records of some values that repeat."""
    repeated = np.flatnonzero(column.counts > 1)
    repeated = repeated[:: max(1, len(repeated) // TRIED)]
    repeated = repeated[np.cumsum(column.counts[repeated]) <= ROWS]
    if not len(repeated):  # few values, each of many records: the first ones will do
        return np.where(np.arange(column.rows) < ROWS, column.codes, -1)
    chosen = np.zeros(column.distinct + 1, dtype=bool)  # the last one: gaps
    chosen[repeated] = True
    return np.where(chosen[column.codes], column.codes, -1)


def _constant(codes: NDArray[np.int64], starts: NDArray[np.int64]) -> bool:
    if not len(codes):
        return False
    low = np.minimum.reduceat(codes, starts)
    high = np.maximum.reduceat(codes, starts)
    return bool((low == high).all())
