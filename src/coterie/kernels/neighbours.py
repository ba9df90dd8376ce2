"""The nearest neighbours of every record, nearest first.

Entry points: `neighbours` (Python, makes the state), `step` (resumable). n^2 distances by plain
passes, memory O(n (d + count)). Ties go to the lowest index, at the end of a list as well.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.jit import kernel
from coterie.kernels.remaining import coordinates, nearest, remaining

__all__ = ["Neighbours", "neighbours", "step"]

Neighbours = namedtuple(
    "Neighbours",
    [
        "all",  # Remaining: nobody leaves
        "query",  # (d,)
        "near",  # (n, count): the neighbours of each record
        "away",  # (n, count): their squared distances
        "cursor",  # (1,): records done
    ],
)


def neighbours(points, count):
    """State for the `count` nearest of each of (n, d) `points`, count < n."""
    n, d = points.shape
    return Neighbours(
        all=remaining(points, count + 1),
        query=np.empty(d),
        near=np.empty((n, count), dtype=np.int64),
        away=np.empty((n, count)),
        cursor=np.zeros(1, dtype=np.int64),
    )


@kernel
def step(state, budget):
    """Compute at least `budget` distances unless all lists are full; return how many."""
    everyone, near, away = state.all, state.near, state.away
    n, count = near.shape
    work = 0
    while work < budget and state.cursor[0] < n:
        record = state.cursor[0]
        coordinates(everyone, record, state.query)
        nearest(everyone, record, state.query, count + 1)
        filled = 0
        for c in range(count + 1):
            other = everyone.near_at[c]
            if other == record:
                continue
            d2 = everyone.near_d2[c]
            slot = filled
            while slot > 0 and (
                away[record, slot - 1] > d2
                or (away[record, slot - 1] == d2 and near[record, slot - 1] > other)
            ):
                away[record, slot] = away[record, slot - 1]
                near[record, slot] = near[record, slot - 1]
                slot -= 1
            away[record, slot] = d2
            near[record, slot] = other
            filled += 1
        state.cursor[0] += 1
        work += n
    return work
