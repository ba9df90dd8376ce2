"""The nearest point that keeps linear conditions, for many points at once.

Each group's vector x is moved to the point of the polyhedron {E x = e, G x <= h} with the least
sum of w (change)^2. Equations are solved for all groups together (the move is linear); a group that
then still breaks an inequality is a least distance problem, solved as non-negative least squares
(Lawson and Hanson 1974, Solving Least Squares Problems, chapter 23), and its active conditions are
solved once more so that they hold to the last digit. O(g d m), and a few small systems for each
group with an active inequality.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Conditions", "project"]

TIGHT = 1e-11  # of a condition's own size: what counts as kept while solving
PASSES = 4
DIGIT = 2e-16  # of the largest values of the columns that a condition compares
NOTHING = 1e-10  # residual of the non-negative system at which no point keeps the conditions


@dataclass(frozen=True, eq=False)
class Conditions:
    """Linear conditions on the vectors of g groups.

    Attributes
    ----------
    rows : (m, d) array
        Coefficients.
    equal : (m,) bool array
        Which conditions are equations; the others say "at most".
    bounds : (g, m) array
        Right-hand side of each condition in each group.
    """

    rows: NDArray[np.float64]
    equal: NDArray[np.bool_]
    bounds: NDArray[np.float64]

    def some(self, groups: NDArray) -> Conditions:
        """The same conditions for some of the groups."""
        return Conditions(self.rows, self.equal, self.bounds[groups])

    def excess(self, values: NDArray[np.float64], slack: float) -> NDArray[np.float64]:
        """By how much each group's vector breaks each condition, beyond `slack` of its terms."""
        total = values @ self.rows.T - self.bounds
        size = np.abs(values) @ np.abs(self.rows).T + np.abs(self.bounds)
        # Between columns, what is lost in the last digit of the largest values is nothing.
        largest = np.abs(values).max(axis=0, initial=0.0) @ np.abs(self.rows).T
        nothing = np.where((self.rows != 0).sum(axis=1) > 1, DIGIT * largest, 0.0)
        return np.where(self.equal, np.abs(total), total) - slack * size - nothing


def project(
    values: NDArray[np.float64], weights: NDArray[np.float64], conditions: Conditions
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The nearest vectors that keep `conditions`, and for which groups there are any.

    Parameters
    ----------
    values : (g, d) array
        A vector for each group. Those that keep every condition are given back unchanged.
    weights : (d,) array
        Cost of a squared change in each attribute, above 0.
    conditions : Conditions
        What must hold.

    Examples
    --------
    >>> import numpy as np
    >>> from coterie.centroids.edits.project import Conditions, project
    >>> total = Conditions(np.array([[1.0, -1.0, -1.0]]), np.array([True]), np.zeros((1, 1)))
    >>> moved, possible = project(np.array([[9.0, 2.0, 4.0]]), np.ones(3), total)
    >>> moved.tolist(), possible.tolist()
    ([[8.0, 3.0, 5.0]], [True])
    """
    moved = values.copy()
    possible = np.ones(len(values), dtype=bool)
    # A number that moves from a million to zero arrives with a millionth's digits: once more.
    for _ in range(PASSES):
        broken = (conditions.excess(moved, TIGHT) > 0).any(axis=1)
        wrong = np.flatnonzero(broken & possible)
        if not len(wrong):
            break
        moved[wrong], possible[wrong] = _once(moved[wrong], weights, conditions.some(wrong))
    # What is left of a number that went to zero is zero, as any other tool would have it.
    left = np.abs(moved) < 4.0 * DIGIT * np.abs(values).max(axis=0, initial=0.0)
    moved[left & (moved != values)] = 0.0
    return moved, possible


def _once(
    values: NDArray[np.float64], weights: NDArray[np.float64], here: Conditions
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The nearest vectors, to the digits that the size of the move leaves."""
    root = np.sqrt(weights)
    rows = here.rows / root
    lengths = np.linalg.norm(rows, axis=1)
    rows = rows / lengths[:, None]
    missing = (here.bounds - values @ here.rows.T) / lengths
    # Where to go from the old point, in units of the largest distance to a condition.
    unit = np.abs(missing).max(axis=1)
    unit[unit == 0] = 1.0
    missing /= unit[:, None]
    equations, limits = rows[here.equal], rows[~here.equal]
    inverse = np.linalg.pinv(equations, rcond=1e-12)
    step = missing[:, here.equal] @ inverse.T
    possible = (np.abs(step @ equations.T - missing[:, here.equal]) < 1e-9).all(axis=1)
    null = _null_space(equations, rows.shape[1])
    room = missing[:, ~here.equal] - step @ limits.T
    for place in np.flatnonzero((room < -1e-13).any(axis=1) & possible):
        further = _least_distance(limits @ null, room[place])
        if further is None:
            possible[place] = False
            continue
        active, way = further
        step[place] += null @ way
        step[place] = _polished(step[place], rows, here.equal, active, missing[place])
    return _clamped(values + step * unit[:, None] / root, here), possible


def _clamped(values: NDArray[np.float64], conditions: Conditions) -> NDArray[np.float64]:
    """Bounds on one attribute hold to the last digit, as any other tool would check them."""
    for row, bounds in zip(
        conditions.rows[~conditions.equal], conditions.bounds[:, ~conditions.equal].T, strict=True
    ):
        used = np.flatnonzero(row)
        if len(used) == 1:
            at, limit = used[0], bounds / row[used[0]]
            side = np.minimum if row[at] > 0 else np.maximum
            values[:, at] = side(values[:, at], limit) + 0.0  # no -0.0
    return values


def _null_space(rows: NDArray[np.float64], d: int) -> NDArray[np.float64]:
    """Orthonormal directions (as columns) that change no equation."""
    if not len(rows):
        return np.eye(d)
    _, sizes, directions = np.linalg.svd(rows)
    rank = int((sizes > 1e-12 * sizes.max(initial=0.0)).sum())
    return directions[rank:].T


def _least_distance(
    rows: NDArray[np.float64], room: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]] | None:
    """The shortest y with rows y <= room and the conditions that hold it; None if there is none."""
    from scipy.optimize import nnls

    system = np.vstack([-rows.T, -room[None, :]])
    target = np.zeros(len(system))
    target[-1] = 1.0
    try:
        multipliers, distance = nnls(system, target, maxiter=50 * len(room))
    except RuntimeError:  # cycling between conditions that are all but the same
        return None
    residual = system @ multipliers - target
    # The last one is minus the square of the distance; 0 where rounding has swallowed it.
    if distance < NOTHING or residual[-1] >= 0.0:
        return None
    return np.flatnonzero(multipliers > 0), -residual[:-1] / residual[-1]


def _polished(
    step: NDArray[np.float64],
    rows: NDArray[np.float64],
    equal: NDArray[np.bool_],
    active: NDArray[np.int64],
    missing: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The active conditions solved as equations; `step` itself if that breaks another one."""
    chosen = np.concatenate([np.flatnonzero(equal), np.flatnonzero(~equal)[active]])
    better = np.linalg.lstsq(rows[chosen], missing[chosen], rcond=1e-12)[0]
    over = (rows @ better - missing)[~equal]
    return better if (over < 1e-9).all() else step
