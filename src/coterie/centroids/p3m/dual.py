"""A concave function of two variables, maximized by cutting planes through the center of gravity.

The value and a supergradient at a point cut off the half plane in which no better point lies. What
is left is a convex polygon; the next point is its center of gravity, so each cut removes at least
37 % of the area whatever the function looks like (Levin 1965, Newman 1965). That suits dual
functions of many small non-convex pieces, which have kinks everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["CuttingPlane", "maximize"]

ENLARGED = 8  # times that the box may grow by a factor of 4
AREA = 1e-14  # relative area at which the search ends


@dataclass(frozen=True)
class CuttingPlane:
    """What the function says at a point: a value, where finite, and an upward direction."""

    value: float
    gradient: tuple[float, float]
    exact: bool = False  # the gradient is as good as zero


def maximize(
    function: Callable[[float, float], CuttingPlane],
    center: tuple[float, float],
    reach: float,
    evaluations: int,
) -> tuple[float, float]:
    """The best point found with about so many evaluations, starting from a box round `center`."""
    best, best_value = center, -np.inf
    left = evaluations
    for _ in range(ENLARGED):
        x, y = best
        corners = [(x - reach, y - reach), (x + reach, y - reach)]
        corners += [(x + reach, y + reach), (x - reach, y + reach)]
        polygon = np.array(corners)
        whole = 4.0 * reach * reach
        point = best
        while left > 0:
            left -= 1
            cut = function(*point)
            if cut.value > best_value:
                best, best_value = point, cut.value
            if cut.exact:
                return best
            polygon = clip(polygon, point, cut.gradient)
            area, middle = gravity(polygon)
            if not area > AREA * whole:
                break
            point = middle
        edge = max(abs(best[0] - x), abs(best[1] - y))
        if edge < 0.9 * reach or left <= 0:
            return best
        reach *= 4.0
    return best


def clip(polygon: NDArray, point: tuple[float, float], gradient: tuple[float, float]) -> NDArray:
    """The part of the polygon on the side of `point` that `gradient` points to."""
    side = (polygon - np.array(point)) @ np.array(gradient)
    corners = []
    for i in range(len(polygon)):
        j = (i + 1) % len(polygon)
        if side[i] >= 0:
            corners.append(polygon[i])
        if (side[i] > 0) != (side[j] > 0) and side[i] != side[j] and side[i] * side[j] != 0:
            share = side[i] / (side[i] - side[j])
            corners.append(polygon[i] + share * (polygon[j] - polygon[i]))
    return np.array(corners) if corners else np.empty((0, 2))


def gravity(polygon: NDArray) -> tuple[float, tuple[float, float]]:
    """Area and center of gravity."""
    if len(polygon) < 3:
        return 0.0, (0.0, 0.0)
    origin = polygon[0]
    p = polygon - origin
    q = np.roll(p, -1, axis=0)
    cross = p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]
    area = cross.sum() / 2.0
    if not area > 0:
        return 0.0, (0.0, 0.0)
    middle = origin + ((p + q) * cross[:, None]).sum(axis=0) / (6.0 * area)
    return float(area), (float(middle[0]), float(middle[1]))
