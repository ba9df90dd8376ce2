"""Nearest point next: a path that always goes on to the nearest point not yet visited.

Entry points: `npn` (Python, makes the state), `step` (resumable). n^2 / 2 distances, memory O(n d).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.jit import kernel
from coterie.kernels.remaining import closest, coordinates, remaining, take

__all__ = ["Npn", "npn", "step"]

Npn = namedtuple(
    "Npn",
    [
        "rest",  # Remaining
        "rank",  # (n,): place of each point on the path, -1 while it has none
        "query",  # (d,): the end of the path
        "cursor",  # (2,): VISITED points, AT (position of the next one)
    ],
)

VISITED, AT = 0, 1


def npn(points, start):
    """State for a path over (n, d) `points` that begins at the point `start`."""
    return Npn(
        rest=remaining(points, 1),
        rank=np.full(points.shape[0], -1),
        query=np.empty(points.shape[1]),
        cursor=np.array([0, start]),
    )


@kernel
def step(state, budget):
    """Compute at least `budget` distances unless the path is complete; return how many."""
    rest, cursor = state.rest, state.cursor
    work = 0
    while work < budget and rest.size[0] > 0:
        coordinates(rest, cursor[AT], state.query)
        rest.near_at[0] = cursor[AT]
        take(rest, 1, cursor[VISITED], state.rank, -1)
        cursor[VISITED] += 1
        cursor[AT] = closest(rest, state.query)
        work += rest.size[0] + 1
    return work
