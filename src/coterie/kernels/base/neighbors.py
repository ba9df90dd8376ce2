"""The nearest neighbors of every record, nearest first.

Entry points: `neighbors` (Python, makes the state), `step` (resumable). n^2 distances at worst,
without those to leaves out of reach; memory O(n (d + count)). Ties go to the lowest index, at the
end of a list as well.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.asking import looked, nearest
from coterie.kernels.base.jit import kernel
from coterie.kernels.base.leaves import leaves, renewing
from coterie.kernels.base.rows import coordinates

__all__ = ["NeighborState", "neighbors", "step"]

NeighborState = namedtuple(
    "NeighborState",
    [
        "rest",  # Leaves: nobody leaves
        "query",  # (d,)
        "near",  # (n, count): the neighbors of each record
        "away",  # (n, count): their squared distances
        "cursor",  # (1,): records done
    ],
)


def neighbors(points, count):
    """State for the `count` nearest of each of (n, d) `points`, count < n."""
    n, d = points.shape
    return NeighborState(
        rest=leaves(points, count + 1),
        query=np.empty(d),
        near=np.empty((n, count), dtype=np.int64),
        away=np.empty((n, count)),
        cursor=np.zeros(1, dtype=np.int64),
    )


@kernel
def rounds(state, budget):
    """Look at `budget` records and boxes unless all lists are full; return how many."""
    rest, near, away = state.rest, state.near, state.away
    n, count = near.shape
    before = looked(rest.count)
    work = 0
    while work < budget and state.cursor[0] < n:
        record = state.cursor[0]
        coordinates(rest.points, record, state.query)
        nearest(rest, record, state.query, count + 1)
        for c in range(count):
            near[record, c] = rest.near[c + 1]
            away[record, c] = rest.near_d2[c + 1]
        state.cursor[0] += 1
        work = looked(rest.count) - before
    return work


step = renewing(rounds)
