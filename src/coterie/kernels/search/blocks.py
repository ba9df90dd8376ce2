"""Groups in blocks: a partition of many records, laid out so that a proposal looks at few places.

Entry points: `blocks` (Python, makes the state), `fill`, `put`, `refresh`, `cost`.

A block is a slot: its centroid, then the coordinates of its members, one row after the other, and a
head with size, owner and who they are. Whoever proposes a move to a group reads two stretches of
memory, not a line for each member. Coordinates are of single precision where that is fine enough:
then ten attributes fill one cache line. They only decide which moves are made; what a partition
loses is computed elsewhere, from the records themselves.

Threads share the state as they do that of `slots`: walk w writes to the slots that it owns and to
the records in them, and of another walk's record it reads the label. Integers have no sign, which
spares a test for negative indices at every look.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.base.strips import apart, center, copy, padded

__all__ = ["MEMBERS", "OWNER", "SIZE", "Blocks", "blocks", "cost", "fill", "put", "refresh"]

Blocks = namedtuple(
    "Blocks",
    [
        "near",  # (n, m): the nearest of each record
        "k",
        "limit",  # most records in a group
        "labels",  # (n,): slot of each record
        "place",  # (n,): its place among the members
        "head",  # (slots, ...): SIZE, OWNER, and from MEMBERS on the members
        "rows",  # (slots * (limit + 2), d): of each slot its centroid, then room for its members
        "parts",  # (limit + 3,): 1 / i
    ],
)

SIZE, OWNER, MEMBERS = 0, 1, 2


def blocks(points, near, labels, k, slots, dtype):
    """State for the partition `labels`, numbered below `slots`."""
    n, d = points.shape
    limit = 2 * k - 1
    parts = np.zeros(limit + 3, dtype=dtype)
    parts[1:] = 1.0 / np.arange(1, limit + 3)
    state = Blocks(
        near=near.astype(np.uint32),
        k=k,
        limit=limit,
        labels=labels.astype(np.uint32),
        place=np.zeros(n, dtype=np.uint32),
        head=padded((slots, MEMBERS + limit + 1), np.uint32),
        rows=padded((slots * (limit + 2), d), dtype),
        parts=parts,
    )
    fill(state, points, np.arange(n))
    return state


@kernel
def fill(state, points, order):
    """Build all blocks from the labels; record i of the state is row order[i] of `points`."""
    head, rows = state.head, state.rows
    stride = state.limit + 2
    for g in range(head.shape[0]):
        head[g, SIZE] = 0
    for i in range(state.labels.shape[0]):
        g = np.int64(state.labels[i])
        m = np.int64(head[g, SIZE])
        state.place[i] = m
        head[g, MEMBERS + m] = i
        head[g, SIZE] = m + 1
        for a in range(points.shape[1]):
            rows[g * stride + 1 + m, a] = points[order[i], a]
    for g in range(head.shape[0]):
        refresh(state, g)


@inner
def refresh(state, g):
    """The centroid of slot `g` anew from its members."""
    count = np.int64(state.head[g, SIZE])
    if count > 0:
        center(state.rows, g * (state.limit + 2), count, state.parts[count])


@inner
def cost(state, g):
    """The SSE of slot `g`."""
    total = 0.0
    at = g * (state.limit + 2)
    for m in range(np.int64(state.head[g, SIZE])):
        total += apart(state.rows, at, at + 1 + m)
    return total


@inner
def put(state, x, g):
    """Move record `x` to slot `g`; the last of its block takes the place that it leaves.

    Both centroids stay as they were.
    """
    head, rows, place = state.head, state.rows, state.place
    stride = state.limit + 2
    old = np.int64(state.labels[x])
    m = np.int64(place[x])
    last = np.int64(head[old, SIZE]) - 1
    q = np.int64(head[g, SIZE])
    copy(rows, g * stride + 1 + q, old * stride + 1 + m)
    head[g, MEMBERS + q] = x
    head[g, SIZE] = q + 1
    place[x] = q
    state.labels[x] = g
    head[old, SIZE] = last
    if m < last:
        y = np.int64(head[old, MEMBERS + last])
        copy(rows, old * stride + 1 + m, old * stride + 1 + last)
        head[old, MEMBERS + m] = y
        place[y] = m
