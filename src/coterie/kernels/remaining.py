"""The records that no group holds yet, and the queries that constructive methods ask of them.

Entry points: `remaining` (Python, makes the state), `centroid`, `farthest`, `closest`, `nearest`,
`approach`, `take`, `take_near`, `take_all`.
Records are kept as a structure of arrays, attribute by attribute, always dense: a record that
leaves is overwritten by one from the end, so a query reads what remains and nothing else.

A query costs one fused pass, size * d operations, and O(d + k) extra memory; leaving costs O(k d).
Every tie goes to the record with the lowest index in the caller's table.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.jit import kernel

__all__ = [
    "Remaining",
    "approach",
    "centroid",
    "closest",
    "coordinates",
    "farthest",
    "nearest",
    "remaining",
    "take",
    "take_all",
    "take_near",
]

BLOCK = 256  # distances computed at a time: they stay in the first-level cache

Remaining = namedtuple(
    "Remaining",
    [
        "columns",  # (d, n): attribute by attribute; the first `size` records are the live ones
        "ids",  # (n,): index of each live record in the caller's table
        "total",  # (d,): sum of the live records, kept up to date as they leave
        "size",  # (1,): how many records remain
        "block",  # (BLOCK,): scratch, squared distances of one block
        "near_d2",  # (most,): the selection heap of `nearest`, farthest on top
        "near_at",  # (most,): positions of the records in the heap
    ],
)


def remaining(points, most):
    """State for (n, d) `points`, able to select up to `most` nearest at a time."""
    n = points.shape[0]
    return Remaining(
        columns=points.T.copy(),  # a copy even of one attribute, as records are overwritten
        ids=np.arange(n),
        total=points.sum(axis=0),
        size=np.array([n]),
        block=np.empty(BLOCK),
        near_d2=np.empty(most),
        near_at=np.empty(most, dtype=np.int64),
    )


@kernel
def squared_distances(columns, start, stop, query, out):
    """Write |x - query|^2 of the records start..stop-1 into ``out[:stop - start]``.

    Two attributes at a time: a third less time than one, as `out` is read and written half as
    often. The order of additions within a record is that of the plain loop.
    """
    length = stop - start
    d = columns.shape[0]
    for i in range(length):
        out[i] = 0.0
    for a in range(0, d - 1, 2):
        p = query[a]
        q = query[a + 1]
        for i in range(length):
            s = columns[a, start + i] - p
            t = columns[a + 1, start + i] - q
            out[i] = (out[i] + s * s) + t * t
    if d % 2 == 1:
        q = query[d - 1]
        for i in range(length):
            t = columns[d - 1, start + i] - q
            out[i] += t * t


@kernel
def centroid(rest, out):
    """Write the mean of what remains into `out`."""
    for a in range(out.shape[0]):
        out[a] = rest.total[a] / rest.size[0]


@kernel
def coordinates(rest, at, out):
    """Write the record at position `at` into `out`."""
    for a in range(out.shape[0]):
        out[a] = rest.columns[a, at]


@kernel
def farthest(rest, query):
    """Position of the remaining record farthest from `query`."""
    best = -1.0
    best_at = -1
    size = rest.size[0]
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        squared_distances(rest.columns, start, stop, query, rest.block)
        for i in range(stop - start):
            d2 = rest.block[i]
            if d2 >= best and (d2 > best or rest.ids[start + i] < rest.ids[best_at]):
                best = d2
                best_at = start + i
    return best_at


@kernel
def closest(rest, query):
    """Position of the remaining record nearest to `query`."""
    best = np.inf
    best_at = -1
    size = rest.size[0]
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        squared_distances(rest.columns, start, stop, query, rest.block)
        for i in range(stop - start):
            d2 = rest.block[i]
            if d2 <= best and (d2 < best or rest.ids[start + i] < rest.ids[best_at]):
                best = d2
                best_at = start + i
    return best_at


@kernel
def approach(
    rest,
    query,
    name,
    near,  # out
    source,  # out
):
    """Let `query` join a set of points; return the position of the record now nearest to the set.

    `near` holds each remaining record's squared distance to the set and `source` the name of the
    point at that distance, of equals the first that joined. `take_near` keeps both in step.
    """
    best = np.inf
    best_at = -1
    size = rest.size[0]
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        squared_distances(rest.columns, start, stop, query, rest.block)
        for i in range(stop - start):
            at = start + i
            if rest.block[i] < near[at]:
                near[at] = rest.block[i]
                source[at] = name
            if near[at] <= best and (near[at] < best or rest.ids[at] < rest.ids[best_at]):
                best = near[at]
                best_at = at
    return best_at


@kernel
def nearest(rest, seed_at, query, count):
    """Select the record at `seed_at` and its `count` - 1 nearest; return the farthest's position.

    `query` holds the seed's coordinates. The selection is left in ``near_at[:count]`` in no
    particular order; the same pass finds the farthest record (-1 if only the seed remains).
    """
    best = -1.0
    best_at = -1
    filled = 0
    size = rest.size[0]
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        squared_distances(rest.columns, start, stop, query, rest.block)
        if start <= seed_at < stop:
            rest.block[seed_at - start] = -1.0  # the seed is in, whatever its duplicates
        for i in range(stop - start):
            d2 = rest.block[i]
            at = start + i
            if d2 >= best and (d2 > best or rest.ids[at] < rest.ids[best_at]):
                if at != seed_at:
                    best = d2
                    best_at = at
            if filled < count:
                sift_up(rest, filled, d2, at)
                filled += 1
            elif d2 <= rest.near_d2[0] and precedes(rest, d2, at, 0):
                sift_down(rest, count, d2, at)
    return best_at


@kernel
def precedes(rest, d2, at, slot):
    """Whether (d2, index) comes before the heap's entry in `slot`."""
    if d2 != rest.near_d2[slot]:
        return d2 < rest.near_d2[slot]
    return rest.ids[at] < rest.ids[rest.near_at[slot]]


@kernel
def sift_up(rest, slot, d2, at):
    """Insert (d2, at) at the free `slot` and restore the heap upwards."""
    while slot > 0:
        parent = (slot - 1) // 2
        if precedes(rest, d2, at, parent):
            break
        rest.near_d2[slot] = rest.near_d2[parent]
        rest.near_at[slot] = rest.near_at[parent]
        slot = parent
    rest.near_d2[slot] = d2
    rest.near_at[slot] = at


@kernel
def sift_down(rest, count, d2, at):
    """Replace the heap's top by (d2, at) and restore the heap downwards."""
    slot = 0
    while True:
        child = 2 * slot + 1
        if child >= count:
            break
        if child + 1 < count and precedes(
            rest, rest.near_d2[child], rest.near_at[child], child + 1
        ):
            child += 1
        if not precedes(rest, d2, at, child):
            break
        rest.near_d2[slot] = rest.near_d2[child]
        rest.near_at[slot] = rest.near_at[child]
        slot = child
    rest.near_d2[slot] = d2
    rest.near_at[slot] = at


@kernel
def take(
    rest,
    count,
    label,
    labels,  # out
    tracked,
):
    """Give the selected `count` records the group `label` and let them leave.

    Returns where the record at position `tracked` stands afterwards, -1 if it left too.
    """
    size = rest.size[0]
    left = size - count
    for c in range(count):
        at = rest.near_at[c]
        labels[rest.ids[at]] = label
        rest.ids[at] = -1
        for a in range(rest.total.shape[0]):
            rest.total[a] -= rest.columns[a, at]
    if tracked >= 0 and rest.ids[tracked] < 0:
        tracked = -1
    last = size - 1
    for c in range(count):
        at = rest.near_at[c]
        if at >= left:
            continue  # it stood at the end: nothing to fill
        while rest.ids[last] < 0:
            last -= 1
        for a in range(rest.total.shape[0]):
            rest.columns[a, at] = rest.columns[a, last]
        rest.ids[at] = rest.ids[last]
        if tracked == last:
            tracked = at
        last -= 1
    rest.size[0] = left
    return tracked


@kernel
def take_near(
    rest,
    at,
    label,
    labels,  # out
    near,  # out
    source,  # out
):
    """Give the record at position `at` the group `label` and let it leave, `approach`'s too."""
    rest.near_at[0] = at
    take(rest, 1, label, labels, -1)
    near[at] = near[rest.size[0]]  # as the record from the end fills its place
    source[at] = source[rest.size[0]]


@kernel
def take_all(
    rest,
    label,
    labels,  # out
):
    """Give everything that remains the group `label`."""
    for at in range(rest.size[0]):
        labels[rest.ids[at]] = label
    rest.size[0] = 0
