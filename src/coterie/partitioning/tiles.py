"""Tiles: a large table cut at medians into pieces that are treated one by one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["tiles"]


def tiles(
    points: NDArray[np.float64], most: int, rng: np.random.Generator | None = None
) -> list[NDArray[np.int64]]:
    """Records in tiles of at most `most`, each half of the one before, in a fixed order.

    Cut along the axis of greatest variance, or with `rng` along a direction drawn for each cut, the
    axes weighted by their spread, so that the borders of one cutting lie within the tiles of
    another. Halves differ by one record at most, so a tile holds at least `most` / 2 - 1 records.
    """
    waiting, done = [np.arange(len(points))], []
    while waiting:
        part = waiting.pop()
        if len(part) <= most:
            done.append(np.sort(part))
            continue
        inside = points[part]
        if rng is None:
            height = inside[:, int(inside.var(axis=0).argmax())]
        else:
            height = inside @ (rng.standard_normal(points.shape[1]) * inside.std(axis=0))
        middle = len(part) // 2
        # By height, then by index: equal heights are cut the same way every time.
        order = part[np.lexsort((part, height))]
        waiting += [order[middle:], order[:middle]]
    return done
