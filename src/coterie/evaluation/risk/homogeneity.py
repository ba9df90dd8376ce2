"""What a class tells about its members' confidential values, without telling them apart.

Machanavajjhala et al. (2007), "l-diversity", ACM TKDD 1(1): distinct and entropy l. Li, Li,
Venkatasubramanian (2007), "t-closeness", ICDE: the earth mover's distance of a class from the whole
table, by ranks for numbers and with equal distances for categories.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case, Finding
from coterie.evaluation.pair import Column

__all__ = ["distinct_l", "entropy_l", "t_closeness"]


def distinct_l(case: Case) -> Finding:
    """Least number of different confidential values in a class."""

    def least(column: Column) -> float:
        owner, _, _ = _counts(case, column)
        return float(np.bincount(owner).min())

    return _worst(case, least, min)


def entropy_l(case: Case) -> Finding:
    """Least exp(entropy) of the confidential values in a class: as many values, evenly spread."""

    def least(column: Column) -> float:
        owner, _, count = _counts(case, column)
        share = count / case.classes[1][owner]
        return float(np.exp(-np.bincount(owner, weights=share * np.log(share))).min())

    return _worst(case, least, min)


def t_closeness(case: Case) -> Finding:
    """Largest distance of a class's confidential values from those of the whole table."""

    def largest(column: Column) -> float:
        distance = _ordered(case, column) if column.numeric else _equal(case, column)
        return float(distance.max())

    return _worst(case, largest, max)


def _worst(case: Case, measure: Callable[[Column], float], worst: Callable[..., float]) -> Finding:
    by_column = {column.name: measure(column) for column in case.pair.confidential}
    return Finding(worst(by_column.values()), by_column=by_column)


def _counts(case: Case, column: Column) -> tuple[NDArray[np.int64], NDArray, NDArray[np.int64]]:
    """Each (class, value) that occurs: the class, the value, and how often."""
    released = column.distinct[1]
    order = np.lexsort((released, case.classes[0]))
    labels, values = case.classes[0][order], released[order]
    fresh = np.ones(case.n, dtype=bool)
    fresh[1:] = (labels[1:] != labels[:-1]) | (values[1:] != values[:-1])
    starts = np.flatnonzero(fresh)
    return labels[starts], values[starts], np.diff(np.append(starts, case.n))


def _equal(case: Case, column: Column) -> NDArray[np.float64]:
    """Total variation distance of each class: half the sum of |p - q|, by what occurs in it."""
    owner, code, count = _counts(case, column)
    share = np.bincount(column.released)[code] / case.n
    # What exceeds its share in the class is exactly what the other values lack.
    excess = np.maximum(count / case.classes[1][owner] - share, 0.0)
    return np.bincount(owner, weights=excess).astype(np.float64)


def _ordered(case: Case, column: Column) -> NDArray[np.float64]:
    """Sum over the m different values of |F_class - F|, divided by m - 1.

    F_class is constant between two of the class's own values, so a class of s records costs s
    pieces, each split where F crosses the constant: n log n in all, however many values there are.
    """
    labels, sizes = case.classes
    values, rank = np.unique(column.distinct[1], return_inverse=True)
    m = len(values)
    if m == 1:
        return np.zeros(len(sizes))
    whole = np.cumsum(np.bincount(rank)) / case.n
    before = np.concatenate(([0.0], np.cumsum(whole)))  # sum of F over the first v values
    order = np.lexsort((rank, labels))
    owner, at = labels[order], rank[order]
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    level = (np.arange(case.n) - starts[owner] + 1) / sizes[owner]
    end = np.append(at[1:], m)
    end[np.append(owner[1:] != owner[:-1], True)] = m
    total = np.bincount(owner, _area(whole, before, level, at, end)).astype(np.float64)
    head = at[starts]
    total += _area(whole, before, np.zeros(len(sizes)), np.zeros_like(head), head)
    return total / (m - 1)


def _area(
    whole: NDArray, before: NDArray, level: NDArray, start: NDArray, end: NDArray
) -> NDArray[np.float64]:
    """Sum over the values start..end-1 of |level - F|."""
    cross = np.clip(np.searchsorted(whole, level, "right"), start, end)
    below = level * (cross - start) - (before[cross] - before[start])
    above = (before[end] - before[cross]) - level * (end - cross)
    return below + above
