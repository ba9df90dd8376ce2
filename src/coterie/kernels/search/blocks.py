"""Groups in blocks: a partition of many records, laid out so that a proposal looks at few places.

Entry points: `blocks` (Python, makes the state), `fill`, `put`, `refresh`, `cost`, `along`,
`coarse`, `signed`.

A block is a slot: its centroid, then the coordinates of its members, one row after the other.
Whoever proposes a move to a group reads one stretch of memory, not a line for each member; size,
owner and version of all slots are short enough to stay in the cache. Coordinates are of single
precision where that is fine enough: then ten attributes fill one cache line. They only decide which
moves are made; what a partition loses is computed elsewhere, from the records themselves.

What is known of the ways out of a record lies in one line, too: its near records, and for each of
them in bytes the cost of a move to its group, when last looked at, and the signature of both groups
at that time. A signature is wrong once in 256 times, which puts off a look.

Threads share the state as they do that of `slots`: walk w writes to the slots that it owns and to
the records in them, and of another walk's record it reads the label. Integers have no sign, which
spares a test for negative indices at every look.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import inlined, inner, kernel
from coterie.kernels.base.strips import apart, center, copy, fetch, inside, padded

__all__ = ["Blocks", "along", "blocks", "coarse", "cost", "fill", "put", "refresh", "signed"]

Blocks = namedtuple(
    "Blocks",
    [
        "ways",  # (n, ...): the nearest of each record, then costs and signatures
        "asked",  # (n, ...): the same bytes: costs from 4 `reach` on, signatures from 5 `reach` on
        "reach",  # near records of each
        "scale",  # by which a cost is multiplied before it is told in a byte
        "k",
        "limit",  # most records in a group
        "labels",  # (n,): slot of each record
        "place",  # (n,): its place among the members
        "size",  # (slots,)
        "owner",  # (slots,): the walk that may change it
        "version",  # (slots,): another one whenever it changes
        "members",  # (slots, limit + 1)
        "rows",  # (slots * (limit + 2), d): of each slot its centroid, then room for its members
        "parts",  # (limit + 3,): 1 / i
    ],
)

AHEAD = 16  # slots by which those to come are fetched
OCTAVES = 22  # by which the least cost told apart is below the mean squared distance in groups
ONE = 127 << 3  # the bits of 1.0 that count
LEAST = 1e-300  # below it a mean squared distance is none


def blocks(points, near, labels, k, slots, unit, dtype):
    """State for the partition `labels`, numbered below `slots`, of mean squared distance `unit`."""
    n, d = points.shape
    limit = 2 * k - 1
    parts = np.zeros(limit + 3, dtype=dtype)
    parts[1:] = 1.0 / np.arange(1, limit + 3)
    reach = near.shape[1]
    ways = padded((n, reach + (reach + 1) // 2), np.uint32)
    ways[:, :reach] = near
    state = Blocks(
        ways=ways,
        asked=ways.view(np.uint8),
        reach=reach,
        scale=2.0**OCTAVES / max(float(unit), LEAST),
        k=k,
        limit=limit,
        labels=labels.astype(np.uint32),
        place=np.zeros(n, dtype=np.uint32),
        size=np.zeros(slots, dtype=np.min_scalar_type(max(limit, 2**8))),
        owner=np.zeros(slots, dtype=np.uint8),
        version=(97 * np.arange(slots)).astype(np.uint8),
        members=padded((slots, limit + 1), np.uint32),
        rows=padded((slots * (limit + 2), d), dtype),
        parts=parts,
    )
    fill(state, points, np.arange(n))
    return state


@kernel
def fill(state, points, order):
    """Build all blocks from the labels; record i of the state is row order[i] of `points`."""
    members, size, rows = state.members, state.size, state.rows
    stride = state.limit + 2
    for g in range(size.shape[0]):
        size[g] = 0
    for i in range(state.labels.shape[0]):
        g = np.int64(state.labels[i])
        m = np.int64(size[g])
        state.place[i] = m
        members[g, m] = i
        size[g] = m + 1
        for a in range(points.shape[1]):
            rows[g * stride + 1 + m, a] = points[order[i], a]
    for g in range(size.shape[0]):
        refresh(state, g)


@inner
def refresh(state, g):
    """The centroid of slot `g` anew from its members."""
    count = np.int64(state.size[g])
    state.version[g] = (np.int64(state.version[g]) + 1) & 255
    if count > 0:
        center(state.rows, g * (state.limit + 2), count, state.parts[count])


@kernel
def along(
    state,
    slots,
    direction,
    height,  # out
):
    """How far the centroids of some slots lie in a direction."""
    rows = state.rows
    stride = state.limit + 2
    for t in range(slots.shape[0]):
        if t + AHEAD < slots.shape[0]:
            fetch(rows, slots[t + AHEAD] * stride, np.int64(1))
        height[t] = inside(rows, slots[t] * stride, direction)


@inlined
def coarse(state, change):
    """A cost in a byte: eight steps for each factor of two, 0 up to 2^-22 of the unit."""
    found = np.int64(np.float32(change * state.scale).view(np.int32)) >> 20
    return min(max(found - ONE, np.int64(0)), np.int64(255))


@inlined
def signed(state, a, b):
    """The signature of two slots: another byte if one of them has changed, all but always."""
    return (3 * np.int64(state.version[a]) + np.int64(state.version[b])) & 255


@inner
def cost(state, g):
    """The SSE of slot `g`."""
    total = 0.0
    at = g * (state.limit + 2)
    for m in range(np.int64(state.size[g])):
        total += apart(state.rows, at, at + 1 + m)
    return total


@inner
def put(state, x, g):
    """Move record `x` to slot `g`; the last of its block takes the place that it leaves.

    Both centroids stay as they were.
    """
    members, size, rows, place = state.members, state.size, state.rows, state.place
    stride = state.limit + 2
    old = np.int64(state.labels[x])
    m = np.int64(place[x])
    last = np.int64(size[old]) - 1
    q = np.int64(size[g])
    copy(rows, g * stride + 1 + q, old * stride + 1 + m)
    members[g, q] = x
    size[g] = q + 1
    place[x] = q
    state.labels[x] = g
    size[old] = last
    if m < last:
        y = np.int64(members[old, last])
        copy(rows, old * stride + 1 + m, old * stride + 1 + last)
        members[old, m] = y
        place[y] = m
