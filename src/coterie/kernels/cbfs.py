"""CBFS: one group a round, round the record farthest from the centroid.

Entry points: `cbfs` (Python, makes the state), `step` (resumable). A round takes two fused passes,
farthest from the centroid and nearest to the seed: in all n^2 / k distances for n records; memory
O(n d).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.jit import kernel
from coterie.kernels.remaining import centroid, coordinates, farthest, nearest, remaining, take

__all__ = ["Cbfs", "cbfs", "step"]

Cbfs = namedtuple(
    "Cbfs",
    [
        "rest",  # Remaining
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
        rest=remaining(points, k),
        k=k,
        enough=enough,
        steady=steady,
        sum=points.sum(axis=0),
        labels=np.full(points.shape[0], -1),
        query=np.empty(points.shape[1]),
        cursor=np.array([0, -1]),
    )


@kernel
def centre(state):
    """Write into `query` the point from which the next seed is the farthest."""
    rest, query = state.rest, state.query
    if state.steady:
        n = state.labels.shape[0]
        gone = n - rest.size[0]
        for a in range(query.shape[0]):
            query[a] = (n * rest.total[a] + gone * state.sum[a]) / (n * n)
    else:
        centroid(rest, query)


@kernel
def step(state, budget):
    """Compute at least `budget` distances unless fewer than `enough` remain; return how many."""
    rest, cursor, query = state.rest, state.cursor, state.query
    work = 0
    while work < budget and rest.size[0] >= state.enough:
        work += 2 * rest.size[0]
        centre(state)
        at = farthest(rest, query)
        if cursor[FIRST] < 0:
            cursor[FIRST] = rest.ids[at]
        coordinates(rest, at, query)
        nearest(rest, at, query, state.k)
        take(rest, state.k, cursor[GROUPS], state.labels, -1)
        cursor[GROUPS] += 1
    return work
