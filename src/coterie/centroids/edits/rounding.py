"""Controlled rounding: whole numbers near given ones that still keep every condition.

Rounding each number of a vector to the nearest breaks sums: 3.4 + 3.4 = 6.8 becomes 3 + 3 = 7. A
sum is put right by moving as many of its numbers by one as are missing, those first whose rounding
costs least to undo (largest remainders; optimal for one sum, since costs are convex). What that
leaves, nested sums or conditions with odd coefficients, is a small integer program for each group.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.edits.project import Conditions, project

__all__ = ["round_within"]

KEPT = 1e-10  # of a condition's own size
REACH = (3.0, 100.0, 1e4)  # steps that a number may be moved by, tried in this order
PASSES = 3  # over the sums: putting one right may break another


def round_within(
    values: NDArray[np.float64],
    steps: NDArray[np.float64],
    weights: NDArray[np.float64],
    conditions: Conditions,
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Vectors near `values` on the grid that keep `conditions`; and for which groups they were had.

    Parameters
    ----------
    values : (g, d) array
        Vectors that keep the conditions before rounding.
    steps : (d,) array
        Multiples of this are released: 1 for whole numbers, 0.01 for cents, 0 for any number.
    weights : (d,) array
        Cost of a squared change in each attribute.
    conditions : Conditions
        What must hold.

    Examples
    --------
    >>> import numpy as np
    >>> from coterie.centroids.edits.project import Conditions
    >>> from coterie.centroids.edits.rounding import round_within
    >>> total = Conditions(np.array([[1.0, -1.0, -1.0]]), np.array([True]), np.zeros((1, 1)))
    >>> round_within(np.array([[6.8, 3.4, 3.4]]), np.ones(3), np.ones(3), total)[0].tolist()
    [[7.0, 4.0, 3.0]]
    """
    grid = steps > 0
    rounded = nearest(values, steps)
    possible = np.ones(len(values), dtype=bool)
    if not len(conditions.rows):
        return rounded, possible
    if grid.any():
        for _ in range(PASSES):
            if not _put_right(rounded, values, steps, weights, conditions):
                break
    rounded = _absorb(rounded, values, grid, weights, conditions)
    wrong = np.flatnonzero((conditions.excess(rounded, KEPT) > 0).any(axis=1))
    for group in wrong:
        found = _program(values[group], steps, weights, conditions.some(np.array([group])))
        if found is None:
            possible[group] = False
        else:
            rounded[group] = found
    return rounded, possible


def nearest(values: NDArray[np.float64], steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each number to the nearest multiple of its step, halves to the even one."""
    rounded = values.copy()
    for column in np.flatnonzero(steps > 0):
        rounded[:, column] = np.rint(values[:, column] / steps[column]) * steps[column] + 0.0
    return rounded


def _put_right(
    rounded: NDArray[np.float64],  # out
    values: NDArray[np.float64],
    steps: NDArray[np.float64],
    weights: NDArray[np.float64],
    conditions: Conditions,
) -> bool:
    """Put sums right where all numbers have one grid and count once; whether any was wrong."""
    changed = False
    equations = np.flatnonzero(conditions.equal)
    limits = np.flatnonzero(~conditions.equal)
    for at in equations:
        row = conditions.rows[at]
        used = np.flatnonzero(row)
        step = steps[used[0]]
        if step == 0 or (steps[used] != step).any() or (np.abs(row[used]) != 1).any():
            continue
        shared = (conditions.rows[np.setdiff1d(equations, at)][:, used] != 0).any(axis=0)
        while True:
            short = np.rint((conditions.bounds[:, at] - rounded @ row) / step)
            groups = np.flatnonzero(short)
            # A difference that is no multiple of the grid, or a large one, is no rounding error.
            groups = groups[np.abs(short[groups]) <= len(used)]
            if not len(groups):
                break
            way = np.sign(short[groups])[:, None] * row[used] * step
            off = rounded[groups][:, used] - values[groups][:, used]
            cost = weights[used] * (np.square(off + way) - np.square(off))
            cost = np.where(shared, cost + np.abs(cost).max(initial=0.0) + 1.0, cost)
            before = rounded[groups] @ conditions.rows[limits].T
            room = conditions.bounds[groups][:, limits]
            for place, column in enumerate(used):
                after = before + way[:, place, None] * conditions.rows[limits, column]
                size = KEPT * (np.abs(room) + np.abs(after))
                breaks = (after > room + size) & (after > before)
                cost[breaks.any(axis=1), place] = np.inf
            best = cost.argmin(axis=1)
            free = np.isfinite(cost[np.arange(len(groups)), best])
            if not free.any():
                break
            groups, best, way = groups[free], best[free], way[free]
            rounded[groups, used[best]] += way[np.arange(len(groups)), best]
            changed = True
            if not free.all():
                break
    return changed


def _absorb(
    rounded: NDArray[np.float64],
    values: NDArray[np.float64],
    grid: NDArray[np.bool_],
    weights: NDArray[np.float64],
    conditions: Conditions,
) -> NDArray[np.float64]:
    """Numbers that need not be whole take up what rounding the others has changed."""
    free = ~grid
    touching = (conditions.rows[:, free] != 0).any(axis=1)
    if not free.any() or not touching.any() or not grid.any():
        return rounded
    rows = conditions.rows[touching]
    taken = rounded[:, grid] @ rows[:, grid].T
    left = Conditions(
        rows[:, free], conditions.equal[touching], conditions.bounds[:, touching] - taken
    )
    moved, possible = project(values[:, free], weights[free], left)
    adjusted = rounded.copy()
    adjusted[np.ix_(np.flatnonzero(possible), np.flatnonzero(free))] = moved[possible]
    return adjusted


def _program(
    values: NDArray[np.float64],
    steps: NDArray[np.float64],
    weights: NDArray[np.float64],
    conditions: Conditions,
) -> NDArray[np.float64] | None:
    """One group's vector by a mixed integer program: the least sum of sqrt(w) |change|.

    Variables are steps away from the number below, so that they are small, and the changes.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    d = len(values)
    grid = steps > 0
    unit = np.where(grid, steps, 1.0)
    base = np.where(grid, np.floor(values / unit) * unit, values)
    rows = conditions.rows * unit
    scale = np.abs(rows).max(axis=1)
    left = (conditions.bounds[0] - conditions.rows @ base) / scale
    rows = rows / scale[:, None]
    low = np.where(conditions.equal, left, -np.inf)
    target = (values - base) / unit
    eye = np.eye(d)
    constraints = [
        LinearConstraint(np.hstack([rows, np.zeros_like(rows)]), low, left),
        LinearConstraint(np.hstack([eye, -eye]), -np.inf, target),  # change >= y - target
        LinearConstraint(np.hstack([-eye, -eye]), -np.inf, -target),
    ]
    cost = np.concatenate([np.zeros(d), np.sqrt(weights) * unit])
    cost /= cost.max()
    for reach in REACH:
        limit = np.where(grid, reach, np.inf)
        found = milp(
            cost,
            integrality=np.concatenate([grid.astype(np.int64), np.zeros(d, dtype=np.int64)]),
            bounds=Bounds(
                np.concatenate([-limit, np.zeros(d)]),
                np.concatenate([limit + 1, np.full(d, np.inf)]),
            ),
            constraints=constraints,
            options={"time_limit": 5.0, "presolve": False},
        )
        if found.x is None:
            continue
        y = base + np.where(grid, np.rint(found.x[:d]), found.x[:d]) * unit
        y = _absorb(y[None], y[None], grid, weights, conditions)[0]
        y = nearest(y[None], steps)[0]
        if not (conditions.excess(y[None], KEPT) > 0).any():
            return y
    return None
