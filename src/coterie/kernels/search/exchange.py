"""ICSM's simple heuristic: a pool of exchanges and migrations that improve a partition.

Entry points: `exchange` (Python, makes the state), `step` (resumable). Mortazavi, Jalili (2015),
ISeCure 7(1), Algorithm 3, lines 5 to 14: pairs of nodes in ascending order, records before groups,
until the pool is full. With R1 the change of SSE when x takes the place of y in the group of y
(m members, centroid e),

    R1(x, y) = (x - y) . (2 (y - e) + (x - y) (m - 1) / m) = |x - e|^2 - |y - e|^2 - |x - y|^2 / m,

an exchange changes it by R1(x, y) + R1(y, x). The last form is a swap as in `moves`, so its quick
test applies: O(g d) for a record and O(d) for each partner in a group near enough.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.groups import COUNT
from coterie.kernels.base.jit import kernel
from coterie.kernels.base.remaining import BLOCK, squared_distances
from coterie.kernels.base.rows import squared
from coterie.kernels.base.shadows import AXES, cast
from coterie.kernels.search.moves import SLACK, spared

__all__ = ["Exchange", "exchange", "step"]

Exchange = namedtuple(
    "Exchange",
    [
        "groups",
        "there",  # (slots,): squared distance of the record at hand to each centroid
        "near",  # (slots,): whether an exchange with some member of a group may gain
        "block",  # (BLOCK,): scratch
        "shadow",  # (AXES,): scratch
        "first",  # (pool,): record that moves
        "second",  # (pool,): the record it changes places with, or -1
        "group",  # (pool,): the group it moves to
        "change",  # (pool,): of SSE, negative
        "cursor",  # (2,): AT (next record), FOUND
    ],
)

AT, FOUND = 0, 1


def exchange(groups, pool):
    """State for up to `pool` improvements of `groups`."""
    slots = len(groups.size)
    return Exchange(
        groups=groups,
        there=np.empty(slots),
        near=np.empty(slots, dtype=np.bool_),
        block=np.empty(BLOCK),
        shadow=np.empty(AXES),
        first=np.empty(pool, dtype=np.int64),
        second=np.empty(pool, dtype=np.int64),
        group=np.empty(pool, dtype=np.int64),
        change=np.empty(pool),
        cursor=np.zeros(2, dtype=np.int64),
    )


@kernel
def step(state, budget):
    """Look at records with at least `budget` partners unless the search ends; return how many."""
    groups, there, near, cursor = state.groups, state.there, state.near, state.cursor
    points, centroids, labels, own = groups.points, groups.centroids, groups.labels, groups.own
    shadows, size, radius, block = groups.shadows, groups.size, groups.radius, state.block
    n = labels.shape[0]
    count = groups.cursor[COUNT]
    pool = state.first.shape[0]
    work = 0
    while work < budget and cursor[AT] < n and cursor[FOUND] < pool:
        x = cursor[AT]
        cursor[AT] += 1
        work += n
        i = labels[x]
        cast(groups.axes, points, x, state.shadow)
        root = np.sqrt(own[x])
        for start in range(0, count, BLOCK):
            stop = min(start + BLOCK, count)
            squared_distances(shadows, start, stop, state.shadow, block)
            for b in range(stop - start):
                j = start + b
                # By the triangle inequality the centroids are no nearer than x and the other
                # one, less the way from x to its own. A migration gains within (k + 1) / k of
                # that way at most.
                reach = 2.0 * root + radius[j] + groups.margin
                there[j] = np.inf
                if block[b] <= reach * reach:
                    there[j] = squared(points, x, centroids, j)
                near[j] = j != i and there[j] < reach * reach
        # 1. Exchanges with later records.
        for y in range(x + 1, n):
            j = labels[y]
            if near[j] and cursor[FOUND] < pool:
                share = 1.0 / size[i] + 1.0 / size[j]
                after = there[j] + squared(points, y, centroids, i)
                before = spared(own[x], own[y], share, squared(points, x, points, y))
                if before > after * SLACK:
                    at = cursor[FOUND]
                    state.first[at] = x
                    state.second[at] = y
                    state.group[at] = j
                    state.change[at] = after - before
                    cursor[FOUND] += 1
        # 2. Migrations to each group with room.
        if size[i] > groups.k:
            before = size[i] / (size[i] - 1.0) * own[x]
            for j in range(count):
                if j != i and size[j] < groups.limit and cursor[FOUND] < pool:
                    after = size[j] / (size[j] + 1.0) * there[j]
                    if before > after * SLACK:
                        at = cursor[FOUND]
                        state.first[at] = x
                        state.second[at] = -1
                        state.group[at] = j
                        state.change[at] = after - before
                        cursor[FOUND] += 1
    return work
