"""V-MDAV: groups of k round the record farthest from the centroid of all, then extended.

Entry points: `vmdav` (Python, makes the state), `step` (resumable). Each group asks for its seed,
for the k nearest to it, for the record nearest to each member and for that record's own neighbor;
a plain loop takes about n^2 (k + 3) / (2 k) distances for that. Leaves out of reach are passed over
here, and a member is asked again only when the record nearest to it has left. Memory O(n d).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.asking import farthest, fresh, looked, nearest, precedes, take
from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.base.leaves import SIZE, leaves, renewing
from coterie.kernels.base.rows import coordinates

__all__ = ["Vmdav", "step", "vmdav"]

Vmdav = namedtuple(
    "Vmdav",
    [
        "rest",  # Leaves
        "k",
        "gain",  # the gain factor, squared
        "labels",  # (n,): the group of each record, -1 while it has none
        "center",  # (d,): the centroid of all records
        "members",  # (2k - 1, d): the group that is being formed
        "guest",  # (2k - 1,): the remaining record nearest to each member, -1 if it is not known
        "away",  # (2k - 1,): its squared distance
        "cursor",  # (4,): PHASE, GROUPS begun, MEMBERS of this one, FIRST seed of all
    ],
)

PHASE, GROUPS, MEMBERS, FIRST = 0, 1, 2, 3
SEED, EXTEND, DONE = 0, 1, 2


def vmdav(points, k, gain):
    """State for (n, d) `points`; `step` runs it."""
    n, d = points.shape
    return Vmdav(
        rest=leaves(points, max(k, 2), rim=True),
        k=k,
        gain=gain * gain,
        labels=np.full(n, -1),
        center=points.mean(axis=0),
        members=np.empty((2 * k - 1, d)),
        guest=np.empty(2 * k - 1, dtype=np.int64),
        away=np.empty(2 * k - 1),
        cursor=np.array([SEED, 0, 0, -1]),
    )


@inner
def begin(state):
    """Form a group of k round the remaining record farthest from the centroid of all."""
    rest, k, cursor, query = state.rest, state.k, state.cursor, state.members[0]
    seed = farthest(rest, state.center)
    if cursor[FIRST] < 0:
        cursor[FIRST] = seed
    coordinates(rest.points, seed, query)
    nearest(rest, seed, query, k)
    for c in range(k):
        coordinates(rest.points, rest.near[c], state.members[c])
        state.guest[c] = -1
    take(rest, k, cursor[GROUPS], state.labels)
    cursor[GROUPS] += 1
    cursor[MEMBERS] = k


@inner
def extend(state):
    """Ask one member for its nearest; once all are known, let the nearest of them join or not."""
    rest, cursor = state.rest, state.cursor
    members = cursor[MEMBERS]
    best = 0
    for m in range(members):
        guest = state.guest[m]
        if guest < 0 or rest.slot[guest] < 0:
            nearest(rest, -1, state.members[m], 1)
            state.guest[m] = rest.near[0]
            state.away[m] = rest.near_d2[0]
            return
        if precedes(state.away[m], guest, state.away[best], state.guest[best]):
            best = m
    query = state.members[members]
    coordinates(rest.points, state.guest[best], query)
    nearest(rest, state.guest[best], query, 2)
    if state.away[best] < state.gain * rest.near_d2[1]:
        take(rest, 1, cursor[GROUPS] - 1, state.labels)
        state.guest[members] = -1
        cursor[MEMBERS] += 1
    else:
        cursor[PHASE] = SEED


@kernel
def rounds(state, budget):
    """Look at `budget` records and boxes unless leaves are stale or fewer than k remain."""
    count, k, cursor = state.rest.count, state.k, state.cursor
    before = looked(count)
    work = 0
    while work < budget and cursor[PHASE] != DONE and fresh(count):
        if cursor[PHASE] == EXTEND and cursor[MEMBERS] < 2 * k - 1 and count[SIZE] >= 2:
            extend(state)
        elif count[SIZE] < k:
            cursor[PHASE] = DONE
        else:
            begin(state)
            cursor[PHASE] = EXTEND
        work = looked(count) - before
    return work


step = renewing(rounds)
