"""Cuts: a kd tree over a sample, whose leaves are the tiles that are protected by themselves.

Every cut lies at the median of the sample's values along the axis of greatest variance. Whether a
leaf has enough records is seen when all of them were counted: leaves with too few are joined with
their neighbors in the tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

__all__ = ["Cut", "Tree", "grow", "join", "leaves", "route"]


@dataclass(frozen=True)
class Cut:
    """Records with a coordinate of at most `at` go to `low`, the others to `high`."""

    axis: int
    at: float
    low: Tree
    high: Tree


Tree = Cut | int  # a leaf is its number


def grow(sample: NDArray[np.float64], records: float, most: int, numbers: count[int]) -> Tree:
    """A tree over `sample`, which stands for `records`, with about `most` of these in a leaf."""
    if records <= most or len(sample) < 4:
        return next(numbers)
    for axis in np.argsort(-sample.var(axis=0), kind="stable").tolist():
        values = np.sort(sample[:, axis])
        at = values[(len(values) - 1) // 2]
        if at == values[-1]:  # more than half are equal to the greatest: cut below those
            below = values[values < at]
            if not len(below):
                continue  # all are equal
            at = below[-1]
        low = sample[:, axis] <= at
        share = low.sum() / len(sample)
        return Cut(
            axis,
            float(at),
            grow(sample[low], records * share, most, numbers),
            grow(sample[~low], records * (1 - share), most, numbers),
        )
    return next(numbers)


def route(tree: Tree, points: NDArray[np.float64]) -> NDArray[np.int64]:
    """The leaf of each record."""
    found = np.empty(len(points), dtype=np.int64)
    waiting: list[tuple[Tree, NDArray[np.int64]]] = [(tree, np.arange(len(points)))]
    while waiting:
        node, rows = waiting.pop()
        if isinstance(node, int):
            found[rows] = node
            continue
        low = points[rows, node.axis] <= node.at
        waiting += [(node.low, rows[low]), (node.high, rows[~low])]
    return found


def leaves(tree: Tree) -> list[int]:
    """The leaves from low to high."""
    return [tree] if isinstance(tree, int) else leaves(tree.low) + leaves(tree.high)


def join(tree: Tree, enough: Callable[[list[int]], bool]) -> list[list[int]]:
    """Leaves that make one tile: each by itself if that is `enough`, else with the next.

    What is enough stays so when more is added.

    >>> sizes = [7, 2, 9]
    >>> join(Cut(0, 0.0, Cut(0, -1.0, 0, 1), 2), lambda tile: sum(sizes[i] for i in tile) >= 5)
    [[0, 1], [2]]
    """
    if isinstance(tree, int):
        return [[tree]]
    low, high = (join(side, enough) for side in (tree.low, tree.high))
    # Within a side only its single tile can be too small: others were joined further down.
    for side in (low, high):
        if len(side) == 1 and not enough(side[0]):
            return [*low[:-1], low[-1] + high[0], *high[1:]]
    return low + high
