"""CBFS: one group a round, round the record farthest from the centroid.

Entry points: `cbfs` (Python, makes the state), `step` (resumable). A plain loop takes two passes a
round, farthest from the centroid and nearest to the seed: n^2 / k distances for n records. Leaves
that cannot hold the answer are passed over here. Memory O(n d).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.asking import centroid, farthest, fresh, gather, looked
from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.base.leaves import SIZE, leaves, renewing

__all__ = ["Cbfs", "cbfs", "step"]

Cbfs = namedtuple(
    "Cbfs",
    [
        "rest",  # Leaves
        "k",
        "enough",  # a round is begun while this many remain: k or 2k
        "steady",  # whether grouped records stay in the centroid, at the mean of all
        "sum",  # (d,): of all records
        "labels",  # (n,): the group of each record, -1 while it has none
        "query",  # (d,): the point now asked about
        "cursor",  # (2,): GROUPS formed, FIRST (the first one's seed)
    ],
)

GROUPS, FIRST = 0, 1


def cbfs(points, k, enough, steady):
    """State for (n, d) `points`; `step` runs it."""
    return Cbfs(
        rest=leaves(points, k, rim=True),
        k=k,
        enough=enough,
        steady=steady,
        sum=points.sum(axis=0),
        labels=np.full(points.shape[0], -1),
        query=np.empty(points.shape[1]),
        cursor=np.array([0, -1]),
    )


@inner
def center(state):
    """Write into `query` the point from which the next seed is the farthest."""
    rest, query = state.rest, state.query
    if state.steady:
        n = state.labels.shape[0]
        gone = n - rest.count[SIZE]
        for a in range(query.shape[0]):
            query[a] = (n * rest.total[a] + gone * state.sum[a]) / (n * n)
    else:
        centroid(rest.total, rest.count[SIZE], query)


@kernel
def rounds(state, budget):
    """Look at `budget` records and boxes unless leaves are stale or too few remain."""
    rest, count, cursor, query = state.rest, state.rest.count, state.cursor, state.query
    before = looked(count)
    work = 0
    while work < budget and count[SIZE] >= state.enough and fresh(count):
        center(state)
        seed = farthest(rest, query)
        if cursor[FIRST] < 0:
            cursor[FIRST] = seed
        gather(rest, seed, query, state.k, cursor[GROUPS], state.labels)
        cursor[GROUPS] += 1
        work = looked(count) - before
    return work


step = renewing(rounds)
