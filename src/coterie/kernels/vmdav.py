"""V-MDAV: groups of k round the record farthest from the centroid of all, then extended.

Entry points: `vmdav` (Python, makes the state), `step` (resumable). A group takes a pass to find
its seed, one to fill it, one for each member to find the record nearest to the group, and one to
find that record's own neighbour: about n^2 (k + 3) / (2 k) distances in all; memory O(n d).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.jit import kernel
from coterie.kernels.remaining import (
    approach,
    coordinates,
    farthest,
    nearest,
    remaining,
    take,
    take_near,
)

__all__ = ["Vmdav", "step", "vmdav"]

Vmdav = namedtuple(
    "Vmdav",
    [
        "rest",  # Remaining
        "k",
        "gain",  # the gain factor, squared
        "labels",  # (n,): the group of each record, -1 while it has none
        "centre",  # (d,): the centroid of all records
        "members",  # (2k - 1, d): the group that is being formed
        "near",  # (n,): squared distance of each remaining record to that group
        "source",  # (n,): the member at that distance
        "cursor",  # (5,): PHASE, GROUPS begun, SIZE of this one, AT (who may join), FIRST
    ],
)

PHASE, GROUPS, SIZE, AT, FIRST = 0, 1, 2, 3, 4
SEED, APPROACH, EXTEND, DONE = 0, 1, 2, 3


def vmdav(points, k, gain):
    """State for (n, d) `points`; `step` runs it."""
    n, d = points.shape
    return Vmdav(
        rest=remaining(points, k),
        k=k,
        gain=gain * gain,
        labels=np.full(n, -1),
        centre=points.mean(axis=0),
        members=np.empty((2 * k - 1, d)),
        near=np.empty(n),
        source=np.empty(n, dtype=np.int64),
        cursor=np.array([SEED, 0, 0, -1, -1]),
    )


@kernel
def begin(state):
    """Form a group of k round the remaining record farthest from the centroid of all."""
    rest, k, cursor, query = state.rest, state.k, state.cursor, state.members[0]
    at = farthest(rest, state.centre)
    if cursor[FIRST] < 0:
        cursor[FIRST] = rest.ids[at]
    coordinates(rest, at, query)
    nearest(rest, at, query, k)
    for c in range(k):
        coordinates(rest, rest.near_at[c], state.members[c])
    take(rest, k, cursor[GROUPS], state.labels, -1)
    for i in range(rest.size[0]):
        state.near[i] = np.inf
    cursor[GROUPS] += 1
    cursor[SIZE] = 0


@kernel
def neighbour(rest, at, query):
    """Squared distance from the record at `at` to its nearest other; `query` holds it."""
    nearest(rest, at, query, 2)
    return max(rest.near_d2[0], rest.near_d2[1])  # the seed's own place holds -1


@kernel
def step(state, budget):
    """Compute at least `budget` distances unless fewer than k remain; return how many."""
    rest, k, cursor = state.rest, state.k, state.cursor
    work = 0
    while work < budget and cursor[PHASE] != DONE:
        size = rest.size[0]
        work += size + 1
        if cursor[PHASE] == SEED:
            if size < k:
                cursor[PHASE] = DONE
            else:
                begin(state)
                work += size
                cursor[PHASE] = APPROACH
        elif cursor[PHASE] == APPROACH:
            # One member a turn; the last of the first k also brings out who is nearest.
            m = cursor[SIZE]
            cursor[AT] = approach(rest, state.members[m], m, state.near, state.source)
            cursor[SIZE] += 1
            if cursor[SIZE] >= k:
                cursor[PHASE] = EXTEND
        elif cursor[SIZE] == 2 * k - 1 or size < 2:
            cursor[PHASE] = SEED
        else:
            at = cursor[AT]
            query = state.members[cursor[SIZE]]
            coordinates(rest, at, query)
            if state.near[at] < state.gain * neighbour(rest, at, query):
                take_near(rest, at, cursor[GROUPS] - 1, state.labels, state.near, state.source)
                cursor[PHASE] = APPROACH
            else:
                cursor[PHASE] = SEED
    return work
