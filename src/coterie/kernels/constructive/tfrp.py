"""TFRP: groups round the records farthest from two fixed points, then groups dissolved for gain.

Entry points: `tfrp` and `refining` (Python, make the states), `step` and `step_refining`
(resumable). The distances from the fixed points are sorted once, so a group costs one search among
what remains: n^2 / (2 k) distances at worst. Refining compares each record with the groups, n^2 / k
at most. Memory O(n d).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.asking import fresh, gather, looked
from coterie.kernels.base.jit import allocating, inner, kernel
from coterie.kernels.base.leaves import SIZE, leaves, renewing
from coterie.kernels.constructive.joining import (
    add,
    cheapest,
    close,
    drop_last,
    from_centroid,
    joining,
    reopen,
)

__all__ = ["Refining", "Tfrp", "refining", "step", "step_refining", "tfrp"]

GAIN = 1e-12  # share of the sum of squares that must be gained: less is rounding

GROUPS, READ, DONE = 0, 1, 3

Tfrp = namedtuple(
    "Tfrp",
    [
        "points",  # (n, d)
        "rest",  # Leaves
        "k",
        "order",  # (2, n): records by falling distance from either fixed point
        "labels",  # (n,): the group of each record, -1 while it has none
        "query",  # (d,)
        "groups",  # Joining, for the records left at the end
        "cursor",  # (4,): GROUPS formed, how far either order was READ, whether all is DONE
    ],
)

Refining = namedtuple(
    "Refining",
    [
        "points",  # (n, d)
        "k",
        "groups",  # Joining, by the distance from the centroid
        "members",  # (g, 2k - 1): the records of each group, the first `sizes` of a row
        "sse",  # (g,)
        "order",  # (g,): groups in the order in which they are looked at
        "target",  # (2k - 1,): scratch, where each member would go
        "before",  # (2k - 1, d): scratch, sums to go back to
        "key",  # (2k - 1,): scratch
        "labels",  # (n,)
        "cursor",  # (1,): groups looked at, -1 before they are known
    ],
)


def tfrp(points, k, references):
    """State for (n, d) `points` and the (2, d) `references`."""
    away = [-np.square(points - reference).sum(axis=1) for reference in references]
    return Tfrp(
        points=points,
        rest=leaves(points, k),
        k=k,
        order=np.stack([np.argsort(one, kind="stable") for one in away]),
        labels=np.full(points.shape[0], -1),
        query=np.empty(points.shape[1]),
        groups=joining(points.shape[1], points.shape[0] // k, 0),
        cursor=np.zeros(4, dtype=np.int64),
    )


def refining(points, k, labels):
    """State for looking at each group of `labels` once, by falling sum of squares."""
    d = points.shape[1]
    g = int(labels.max()) + 1
    return Refining(
        points=points,
        k=k,
        groups=joining(d, g, 0),
        members=np.full((g, 2 * k - 1), -1),
        sse=np.zeros(g),
        order=np.empty(g, dtype=np.int64),
        target=np.empty(2 * k - 1, dtype=np.int64),
        before=np.empty((2 * k - 1, d)),
        key=np.empty(2 * k - 1),
        labels=labels.copy(),
        cursor=np.full(1, -1),
    )


@inner
def place(state):
    """Give each record without a group the one with the nearest centroid; centroids stay."""
    points, labels, groups = state.points, state.labels, state.groups
    for i in range(points.shape[0]):
        if labels[i] >= 0:
            add(groups, labels[i], points[i])
    for i in range(points.shape[0]):
        if labels[i] < 0:
            labels[i] = cheapest(groups, points[i])


@allocating
def prepare(state):
    """Sums, members and sums of squares of the groups, their order; close those of 2k-1."""
    points, groups, members, sse = state.points, state.groups, state.members, state.sse
    for i in range(points.shape[0]):
        g = state.labels[i]
        members[g, int(groups.sizes[g])] = i
        add(groups, g, points[i])
    for g in range(sse.shape[0]):
        m = groups.sizes[g]
        for c in range(int(m)):
            sse[g] += from_centroid(groups, g, points[members[g, c]])
        sse[g] /= m * m  # once: equal sums of squares on a lattice stay equal
    state.order[:] = np.argsort(-sse, kind="mergesort")
    for g in range(sse.shape[0]):
        if groups.sizes[groups.where[g]] == members.shape[1]:
            close(groups, g)


@kernel
def rounds(state, budget):
    """Look at `budget` records and boxes unless leaves are stale or every record has a group."""
    rest, count, k, cursor = state.rest, state.rest.count, state.k, state.cursor
    before = looked(count)
    work = 0
    while work < budget and cursor[DONE] == 0 and fresh(count):
        if count[SIZE] < k:
            if count[SIZE] > 0:
                place(state)
            cursor[DONE] = 1
            break
        side = cursor[GROUPS] % 2
        while state.labels[state.order[side, cursor[READ + side]]] >= 0:
            cursor[READ + side] += 1
        seed = state.order[side, cursor[READ + side]]
        gather(rest, seed, state.query, k, cursor[GROUPS], state.labels)
        cursor[GROUPS] += 1
        work = looked(count) - before
    return work


step = renewing(rounds)


@kernel
def step_refining(state, budget):
    """Make at least `budget` comparisons unless every group has been looked at; return how many."""
    groups, cursor = state.groups, state.cursor
    work = 0
    while work < budget and cursor[0] < state.order.shape[0]:
        if cursor[0] < 0:
            prepare(state)
            cursor[0] = 0
        group = state.order[cursor[0]]
        cursor[0] += 1
        size = int(groups.sizes[groups.where[group]])
        work += 1 + size * groups.open[0]
        full = groups.where[group] >= groups.open[0]
        if not full:
            close(groups, group)
        if not dissolve(state, group, size) and not full:
            reopen(groups, group)
    return work


@inner
def dissolve(state, group, size):
    """Send each member to the nearest group with room; undo it unless the sum of squares falls."""
    groups, members, target = state.groups, state.members, state.target
    limit = members.shape[1]
    farthest_first(state, group, size)
    placed = 0
    # 1. Where to: the centroids stay as they are, but what is guaranteed takes room.
    while placed < size:
        to = cheapest(groups, state.points[members[group, placed]])
        if to < 0:
            break
        target[placed] = to
        placed += 1
        guaranteed = 0
        for c in range(placed):
            if target[c] == to:
                guaranteed += 1
        if int(groups.sizes[groups.where[to]]) + guaranteed == limit:
            close(groups, to)
    # 2. What it costs.
    cost = np.inf
    if placed == size:
        cost = 0.0
        for c in range(size):
            at = groups.where[target[c]]
            for a in range(state.points.shape[1]):
                state.before[c, a] = groups.sums[a, at]
            state.key[c] = add(groups, target[c], state.points[members[group, c]])
            cost += state.key[c]
    # 3. Keep it ...
    if cost < state.sse[group] * (1.0 - GAIN):
        for c in range(size):
            to = target[c]
            count = 0
            while members[to, count] >= 0:
                count += 1
            members[to, count] = members[group, c]
            state.labels[members[group, c]] = to
            state.sse[to] += state.key[c]
        return True
    # ... or undo it, the last first.
    for c in range(placed - 1, -1, -1):
        to = target[c]
        if placed == size:
            drop_last(groups, to, state.before[c])
        if groups.where[to] >= groups.open[0]:
            reopen(groups, to)
    return False


@inner
def farthest_first(state, group, size):
    """Order the members by falling distance from their centroid; of equals, the lowest first."""
    members, key = state.members, state.key
    for c in range(size):
        record = members[group, c]
        far = from_centroid(state.groups, group, state.points[record])
        slot = c
        while slot > 0 and (
            key[slot - 1] < far or (key[slot - 1] == far and members[group, slot - 1] > record)
        ):
            key[slot] = key[slot - 1]
            members[group, slot] = members[group, slot - 1]
            slot -= 1
        key[slot] = far
        members[group, slot] = record
