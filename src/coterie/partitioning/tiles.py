"""Tiles: a large table cut at medians into pieces that are treated one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["tiles"]

SAMPLE = 4096  # records of a part that tell how far it spreads, if nothing else is asked


def tiles(
    points: NDArray[Any],
    most: int,
    rng: np.random.Generator | None = None,
    among: NDArray[np.int64] | None = None,
    along: Callable[[NDArray[np.int64], NDArray[np.float64]], NDArray[Any]] | None = None,
    sample: int = SAMPLE,
) -> list[NDArray[np.int64]]:
    """Records in tiles of at most `most`, each half of the one before, in a fixed order.

    Cut along the axis of greatest variance, or with `rng` along a direction drawn for each cut, the
    axes weighted by their spread, so that the borders of one cutting lie within the tiles of
    another. By default all records are cut; `among` names some. `along` may tell how far some lie
    in a direction, where it is quicker; `sample` records of a part tell its spread. Halves differ
    by one record at most, so a tile holds at least `most` / 2 - 1 records.
    """
    waiting, done = [np.arange(len(points)) if among is None else among], []
    while waiting:
        part = waiting.pop()
        if len(part) <= most:
            done.append(part)
            continue
        spread = points[part[:: -(-len(part) // sample)]].std(axis=0)
        if rng is None:
            height = points[part, int(spread.argmax())]
        else:
            direction = rng.standard_normal(points.shape[1]) * spread
            height = points[part] @ direction if along is None else along(part, direction)
        below = _lowest(height, len(part) // 2)
        waiting += [part[~below], part[below]]
    return done


def _lowest(height: NDArray[np.float64], count: int) -> NDArray[np.bool_]:
    """Which are the `count` lowest; of equal ones the first, so they are cut alike every time."""
    border = np.partition(height, count)[count]
    below = height < border
    short = count - np.count_nonzero(below)
    if short:
        below[np.flatnonzero(height == border)[:short]] = True
    return below
