"""Nearest point next: a path that always goes on to the nearest point not yet visited.

Entry points: `npn` (Python, makes the state), `step` (resumable). A plain loop takes n^2 / 2
distances; leaves out of reach are passed over here. Memory O(n d).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.asking import fresh, looked, nearest, take
from coterie.kernels.base.jit import kernel
from coterie.kernels.base.leaves import SIZE, leaves, renewing
from coterie.kernels.base.rows import coordinates

__all__ = ["Npn", "npn", "step"]

Npn = namedtuple(
    "Npn",
    [
        "rest",  # Leaves
        "rank",  # (n,): place of each point on the path, -1 while it has none
        "query",  # (d,): the end of the path
        "cursor",  # (2,): VISITED points, NEXT
    ],
)

VISITED, NEXT = 0, 1


def npn(points, start):
    """State for a path over (n, d) `points` that begins at the point `start`."""
    return Npn(
        rest=leaves(points, 2),
        rank=np.full(points.shape[0], -1),
        query=np.empty(points.shape[1]),
        cursor=np.array([0, start]),
    )


@kernel
def rounds(state, budget):
    """Look at `budget` records and boxes unless leaves are stale or the path is complete."""
    rest, count, cursor = state.rest, state.rest.count, state.cursor
    before = looked(count)
    work = 0
    while work < budget and count[SIZE] > 0 and fresh(count):
        coordinates(rest.points, cursor[NEXT], state.query)
        nearest(rest, cursor[NEXT], state.query, min(2, count[SIZE]))
        take(rest, 1, cursor[VISITED], state.rank)
        cursor[VISITED] += 1
        cursor[NEXT] = rest.near[1]
        work = looked(count) - before
    return work


step = renewing(rounds)
