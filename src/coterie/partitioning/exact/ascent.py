"""Ascent: prices that nearly solve the linear relaxation over a pool of groups, without a solver.

The Lagrangian function of a pool, ``L(p) = sum of p + sum of min(0, SSE(G) - p(G))``, is concave
and piecewise linear; record i's entry of a subgradient is one less the number of groups of
negative reduced cost that hold it. Steps are Polyak's, toward the best known partition, along a
direction that remembers its predecessors; the step is cut when nothing is gained for a while.

References
----------
Polyak (1969), USSR Computational Mathematics and Mathematical Physics 9(3):14-29; Caprara,
Fischetti, Toth (1999), Operations Research 47(5):730-743 (pricing between the ascents);
Camerini, Fratta, Maffioli (1975), Mathematical Programming Study 3:26-34 (the direction).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import Run
from coterie.partitioning.exact.columns import ColumnPool

__all__ = ["ascend"]

STEPS = 400
PATIENCE = 15  # steps without gain before the next ones are shortened
SHORTER = 0.7
SHORTEST = 0.005
MEMORY = 0.7  # weight of the last direction in the next one


def ascend(
    columns: ColumnPool, prices: NDArray[np.float64], target: float, run: Run
) -> NDArray[np.float64]:
    """Better prices for the pool; `target` is the SSE of a known partition."""
    n = len(prices)
    members = columns.members
    mask = members >= 0
    record = members[mask].astype(np.int64)
    column = np.repeat(np.arange(len(members)), mask.sum(axis=1))
    best, best_value = prices, -np.inf
    current = prices
    direction = np.zeros(n)
    step, idle = 1.0, 0
    for turn in range(STEPS):
        if turn % 20 == 0:
            if run.out_of_time:
                break
            run.tell("ascent")
        reduced = columns.costs - np.bincount(column, current[record], len(members))
        negative = reduced < 0
        value = float(current.sum() + reduced[negative].sum())
        if value > best_value:
            best, best_value, idle = current, value, 0
        else:
            idle += 1
            if idle == PATIENCE:
                step, idle, current = step * SHORTER, 0, best
                if step < SHORTEST:
                    break
        slope = 1.0 - np.bincount(record[negative[column]], minlength=n)
        direction = slope + MEMORY * direction
        length = float(direction @ direction)
        if length == 0.0:
            break
        current = current + (step * max(target - value, 0.0) / length) * direction
    return best
