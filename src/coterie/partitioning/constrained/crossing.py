"""Crossing two partitions: of each part of the table that both divide, the cheaper division.

A part is a smallest set of records that is a union of groups of either partition. Groups are taken
whole, so what comes out is admissible if both are, and it costs no more than either. Time is O(n d)
and O(n) for each pass that finds parts, of which a long chain of groups takes many.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.numbers.renumber import renumber

__all__ = ["crossed"]

SLACK = 1e-12  # a part that gains less than this share of what it costs is rounding

Labels = NDArray[np.int64]


def crossed(points: NDArray[np.float64], first: Labels, second: Labels) -> Labels:
    """Labels of the cheaper groups, part by part; those of `first` where it makes no difference."""
    first, second = renumber(first), renumber(second)
    part = _parts(first, second)
    kept, new = (np.bincount(part, _squares(points, labels)) for labels in (first, second))
    gains = new < kept * (1.0 - SLACK)
    return renumber(np.where(gains[part], second + len(points), first)).astype(np.int64)


def _parts(first: Labels, second: Labels) -> Labels:
    """Of each record the least group of `first` in its part."""
    part = first
    while True:
        lower = _least(_least(part, second), first)
        if np.array_equal(lower, part):
            return part
        part = lower


def _least(values: Labels, labels: Labels) -> Labels:
    """The least of the values in each record's group."""
    least = np.full(int(labels.max()) + 1, len(labels))
    np.minimum.at(least, labels, values)
    return least[labels]


def _squares(points: NDArray[np.float64], labels: Labels) -> NDArray[np.float64]:
    """Squared distance of each record from the mean of its group."""
    held = np.bincount(labels)
    squares = np.zeros(len(points))
    for column in points.T:
        squares += np.square(column - (np.bincount(labels, column) / held)[labels])
    return squares
