"""Groups in slots: a partition that many walks change at once, each within its own territory.

Entry points: `slots` (Python, makes the state), `fill`, `put`, `refresh`.

A slot is a group, or empty. Its members stand in one row in any order, so that a record moves in
O(1); all figures of a group (centroid, SSE, each member's distance) are computed anew from its
members when it changes: O(size d), no drift.

Rows, not the ordered lists of `kernels.base.groups`: with those, annealing makes a fifth fewer
proposals a second, and up to a fifth fewer with rows in ascending order.

Threads share the state. `owner` says whose a slot is: walk w writes to slots marked 2 w or 2 w + 1
and to the records in them, and to nothing else. Of another walk's record it may read the label,
which is always one of that walk's slots. So the result does not depend on who runs when.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.figures import figures
from coterie.kernels.base.jit import inner, kernel

__all__ = ["Slots", "fill", "put", "refresh", "slots"]

Slots = namedtuple(
    "Slots",
    [
        "points",  # (n, d): never written to
        "near",  # (n, m): the nearest of each record, nearest first
        "price",  # (n,): what each record should have to pay of its group's SSE; 0 if unknown
        "k",
        "limit",  # most records in a group
        "labels",  # (n,): slot of each record
        "place",  # (n,): its place in the slot's row
        "own",  # (n,): squared distance to the centroid
        "members",  # (slots, limit + 1): a swap puts one in before it takes the other out
        "size",  # (slots,): 0 for an empty one
        "sse",  # (slots,)
        "centroids",  # (slots, d)
        "owner",  # (slots,): 2 w for walk w, 2 w + 1 while in the region that it works on
    ],
)


def slots(points, near, labels, k, limit, spare):
    """State for the partition `labels`, numbered 0..g-1, with `spare` slots beyond n // k."""
    n, d = points.shape
    count = max(n // k, 1) + spare
    state = Slots(
        points=points,
        near=near,
        price=np.zeros(n),
        k=k,
        limit=limit,
        labels=labels.astype(np.int32),
        place=np.zeros(n, dtype=np.int32),
        own=np.zeros(n),
        members=np.zeros((count, limit + 1), dtype=np.int32),
        size=np.zeros(count, dtype=np.int32),
        sse=np.zeros(count),
        centroids=np.zeros((count, d)),
        owner=np.full(count, -1, dtype=np.int32),
    )
    fill(state)
    return state


@kernel
def fill(state):
    """Build rows and figures from the labels."""
    members, size = state.members, state.size
    for g in range(size.shape[0]):
        size[g] = 0
    for i in range(state.labels.shape[0]):
        g = state.labels[i]
        state.place[i] = size[g]
        members[g, size[g]] = i
        size[g] += 1
    for g in range(size.shape[0]):
        refresh(state.points, state.own, members, size, state.sse, state.centroids, g)


@inner
def refresh(points, own, members, size, sse, centroids, g):
    """Compute all figures of slot `g` from its members; return the change of its SSE."""
    before = sse[g]
    count = size[g]
    if count == 0:
        sse[g] = 0.0
        return -before
    sse[g], _ = figures(points, members, g, count, own, centroids, g)
    return sse[g] - before


@inner
def put(labels, place, members, size, x, g):
    """Move record `x` to slot `g`; the last of its row takes the place that it leaves."""
    old = labels[x]
    size[old] -= 1
    last = members[old, size[old]]
    members[old, place[x]] = last
    place[last] = place[x]
    members[g, size[g]] = x
    place[x] = size[g]
    size[g] += 1
    labels[x] = g
