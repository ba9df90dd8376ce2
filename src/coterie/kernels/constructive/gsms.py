"""GSMS: of all groups that a record and its nearest could form, the one that leaves the least SSE.

Entry points: `gsms` (Python, makes the state), `step` (resumable). Every record keeps the group
that it would form with the k - 1 nearest of those left; only where one of them has gone is it made
anew, from the record's list of neighbors or, once that is used up, from all records left. A round
looks at every record left: n^2 (d + k) / (2 k) steps in all, and as many distances as lists run out
for. Memory O(n (d + k)).

With m records left, S their sum and s that of a group of k, the sum of squares of all is that of
the group, that of the others and |m s - k S|^2 / (k m (m - k)): nothing is summed for the others.
Whole numbers stay whole up to the comparison, so a tie is a tie.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.base.rows import squared

__all__ = ["Gsms", "gsms", "step"]

Gsms = namedtuple(
    "Gsms",
    [
        "points",  # (n, d)
        "k",
        "both",  # whether the group's own sum of squares counts as well as that of the others
        "near",  # (n, count): the nearest of each record, nearest first
        "left",  # (n,): records without a group, the first LEFT of them, by rising index
        "members",  # (n, k - 1): who would join each record, -1 before that is known
        "sums",  # (n, d): of that group with the record itself
        "spread",  # (n,): k times its sum of squares
        "total",  # (d,): scratch, the sum of all records left
        "away",  # (k - 1,): scratch
        "labels",  # (n,): the group of each record, -1 while it has none
        "cursor",  # (2,): LEFT, GROUPS formed
    ],
)

LEFT, GROUPS = 0, 1


def gsms(points, near, k, both):
    """State for (n, d) `points` and the (n, count) lists of their `near` ones."""
    n, d = points.shape
    return Gsms(
        points=points,
        k=k,
        both=both,
        near=near,
        left=np.arange(n),
        members=np.full((n, k - 1), -1),
        sums=np.empty((n, d)),
        spread=np.empty(n),
        total=np.empty(d),
        away=np.empty(k - 1),
        labels=np.full(n, -1),
        cursor=np.array([n, 0]),
    )


@inner
def candidate(state, i):
    """Make the group of record `i` and its nearest anew; return how many records were looked at."""
    points, members, labels, k = state.points, state.members, state.labels, state.k
    found = 0
    looked = 0
    while found < k - 1 and looked < state.near.shape[1]:
        j = state.near[i, looked]
        looked += 1
        if labels[j] < 0:
            members[i, found] = j
            found += 1
    if found < k - 1:
        looked += state.cursor[LEFT]
        search(state, i)
    for a in range(points.shape[1]):
        state.sums[i, a] = points[i, a]
        for c in range(k - 1):
            state.sums[i, a] += points[members[i, c], a]
    state.spread[i] = 0.0
    for c in range(k):
        x = i if c == 0 else members[i, c - 1]
        for a in range(points.shape[1]):
            t = k * points[x, a] - state.sums[i, a]
            state.spread[i] += t * t
    state.spread[i] /= k
    return looked


@inner
def search(state, i):
    """The k - 1 nearest of record `i` among all that are left; of equals, the lowest first."""
    members, away, k = state.members, state.away, state.k
    found = 0
    for at in range(state.cursor[LEFT]):
        j = state.left[at]
        if j == i:
            continue
        d2 = squared(state.points, i, state.points, j)
        if found == k - 1 and not d2 < away[found - 1]:
            continue
        slot = found if found < k - 1 else found - 1
        while slot > 0 and d2 < away[slot - 1]:
            away[slot] = away[slot - 1]
            members[i, slot] = members[i, slot - 1]
            slot -= 1
        away[slot] = d2
        members[i, slot] = j
        if found < k - 1:
            found += 1


@inner
def whole(state, i):
    """Whether everybody in the group of record `i` is still there."""
    for c in range(state.k - 1):
        j = state.members[i, c]
        if j < 0 or state.labels[j] >= 0:
            return False
    return True


@inner
def apart(state, i, m):
    """What the sum of squares loses, times k m (m - k), if the group of record `i` goes."""
    between = 0.0
    for a in range(state.total.shape[0]):
        t = m * state.sums[i, a] - state.k * state.total[a]
        between += t * t
    if state.both:
        return between
    return between + state.spread[i] * m * (m - state.k)


@kernel
def step(state, budget):
    """Look at at least `budget` records unless fewer than k are left; return how many."""
    points, labels, left, cursor, k = (
        state.points,
        state.labels,
        state.left,
        state.cursor,
        state.k,
    )
    work = 0
    while work < budget and cursor[LEFT] >= k:
        m = cursor[LEFT]
        for a in range(points.shape[1]):
            state.total[a] = 0.0
            for at in range(m):
                state.total[a] += points[left[at], a]
        best = -1.0
        chosen = -1
        for at in range(m):
            i = left[at]
            if not whole(state, i):
                work += candidate(state, i)
            gain = apart(state, i, m)
            if gain > best:
                best = gain
                chosen = i
        work += m
        labels[chosen] = cursor[GROUPS]
        for c in range(k - 1):
            labels[state.members[chosen, c]] = cursor[GROUPS]
        cursor[GROUPS] += 1
        kept = 0
        for at in range(m):
            if labels[left[at]] < 0:
                left[kept] = left[at]
                kept += 1
        cursor[LEFT] = kept
    return work
