"""Plain passes over the records that remain, and the records of a growing set's surroundings.

Entry points: `squared_distances`; `remaining` (Python, makes the state), `coordinates`, `approach`,
`take_near`. For questions that leaves can answer without a pass, see `leaves`.
Records are kept as a structure of arrays, attribute by attribute, always dense: a record that
leaves is overwritten by the one at the end, so a pass reads what remains and nothing else.

A pass costs size * d operations and O(d) extra memory; leaving costs O(d). Every tie goes to the
record with the lowest index in the caller's table.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import inner

__all__ = [
    "BLOCK",
    "Remaining",
    "approach",
    "coordinates",
    "remaining",
    "squared_distances",
    "take_near",
]

BLOCK = 256  # distances computed at a time: they stay in the first-level cache

Remaining = namedtuple(
    "Remaining",
    [
        "columns",  # (d, n): attribute by attribute; the first `size` records are the live ones
        "ids",  # (n,): index of each live record in the caller's table
        "size",  # (1,): how many records remain
        "block",  # (BLOCK,): scratch, squared distances of one block
    ],
)


def remaining(points):
    """State for (n, d) `points`."""
    n = points.shape[0]
    return Remaining(
        columns=points.T.copy(),  # a copy even of one attribute, as records are overwritten
        ids=np.arange(n),
        size=np.array([n]),
        block=np.empty(BLOCK),
    )


@inner
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


@inner
def coordinates(rest, at, out):
    """Write the record at position `at` into `out`."""
    for a in range(out.shape[0]):
        out[a] = rest.columns[a, at]


@inner
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


@inner
def take_near(
    rest,
    at,
    label,
    labels,  # out
    near,  # out
    source,  # out
):
    """Give the record at position `at` the group `label` and let it leave, `approach`'s too."""
    labels[rest.ids[at]] = label
    last = rest.size[0] - 1
    for a in range(rest.columns.shape[0]):
        rest.columns[a, at] = rest.columns[a, last]
    rest.ids[at] = rest.ids[last]
    near[at] = near[last]
    source[at] = source[last]
    rest.size[0] = last
