"""Repair: inadmissible groups take, swap or merge, whatever costs the least for what it repairs.

Entry points: `repair` (Python, makes the state), `step` (resumable).

A group that misses a rule looks at its NEAR nearest groups. Taking a member, swapping two, and
merging are judged by the SSE they cost for each unit of shortfall they remove; no other group may
come to miss more. Where nothing helps, the group merges with the one that costs the least SSE.

Why it ends: every step lowers the pair (number of groups, shortfalls) in lexicographic order. A
merge lowers the first. After a take or a swap both shortfalls are judged anew, from the members in
ascending order alone: one must have fallen and the other not risen, else it is taken back and the
group merges. With one group nothing is left to do: a union of admissible groups is admissible, and
so is the whole table.
O(g d) for each step; O(NEAR (k + FEW)^2) questions for swaps, O(NEAR s) for the rest; memory O(n).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.groups import COUNT, refresh, release, transfer
from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.base.lists import members
from coterie.kernels.base.rows import squared
from coterie.kernels.constrained.admissible import after_swap, shortfall
from coterie.kernels.search.moves import ALONE, move, shift_change, swap_change

__all__ = ["Repair", "repair", "step"]

Repair = namedtuple(
    "Repair",
    [
        "lack",  # (slots,): shortfall of each group
        "a",  # (n + 1,): members of the group that is repaired
        "b",  # (n + 1,): members of another
        "near",  # (NEAR,): the nearest groups
        "cost",  # (slots,): scratch
        "cursor",  # (4,): LEFT groups to repair, TAKEN or swapped, MERGED, KNOWN (figures are made)
    ],
)

LEFT, TAKEN, MERGED, KNOWN = 0, 1, 2, 3
NEAR = 6
GROWN, FEW = 8, 200  # what two groups that swap members have at most: times k, and in any case
TAKE, SWAP, MERGE = 0, 1, 2


def repair(n, slots):
    """State for up to `slots` groups of n atoms."""
    return Repair(
        lack=np.zeros(slots),
        a=np.empty(n + 1, dtype=np.int64),
        b=np.empty(n + 1, dtype=np.int64),
        near=np.empty(NEAR, dtype=np.int64),
        cost=np.empty(slots),
        cursor=np.array([1, 0, 0, 0]),
    )


@inner
def judge(state, rules, out, g):
    """Shortfall of group `g`; `out` is scratch."""
    return shortfall(rules, out, members(state.head, state.after, g, out))


@inner
def nearest_groups(state, g, cost, near):
    """Write the groups that are cheapest to merge with `g`, cheapest first; return how many."""
    count = state.cursor[COUNT]
    for h in range(count):
        share = state.size[g] * state.size[h] / (state.size[g] + state.size[h])
        cost[h] = share * squared(state.centroids, g, state.centroids, h)
    cost[g] = np.inf
    found = 0
    for turn in range(min(near.shape[0], count - 1)):
        best = -1
        for h in range(count):
            if cost[h] < np.inf and (best < 0 or cost[h] < cost[best]):
                best = h
        if best < 0:
            break
        near[found] = best
        found += 1
        cost[best] = np.inf
    return found


@inner
def best_step(state, rules, work, g):
    """The step that repairs group `g` at the least cost: its kind, x in g, y or the other group."""
    a, b, lack, near = work.a, work.b, work.lack, work.near
    p = members(state.head, state.after, g, a)
    mine = lack[g]
    best = np.inf
    kind = np.int64(-1)
    first = np.int64(-1)
    second = np.int64(-1)
    found = nearest_groups(state, g, work.cost, near)
    for c in range(found):
        h = near[c]
        q = members(state.head, state.after, h, b)
        theirs = lack[h]
        # 1. Merge.
        share = p * q / (p + q)
        cost = share * squared(state.centroids, g, state.centroids, h)
        if cost < best * (mine + theirs):
            for t in range(q):
                a[p + t] = b[t]
            gain = mine + theirs - shortfall(rules, a, p + q)
            if gain > 0.0 and cost < best * gain:
                best, kind, first, second = cost / gain, MERGE, -1, h
        for t in range(q):
            y = b[t]
            # 2. Take y.
            if q > state.k:
                cost = max(shift_change(state, y, g), 0.0)
                if cost < best * (mine + theirs):
                    a[p] = y
                    gain = mine - shortfall(rules, a, p + 1)
                    if gain > 0.0 and cost < best * (gain + theirs):
                        b[t] = b[q - 1]
                        change = theirs - shortfall(rules, b, q - 1)
                        b[t] = y
                        if change >= 0.0 and cost < best * (gain + change):
                            best, kind, first, second = cost / (gain + change), TAKE, -1, y
            # 3. Swap x for y, among groups that have not grown by merging after merging: of large
            # ones a swap repairs little, and there are as many as pairs.
            for s in range(p if p + q <= max(GROWN * state.k, FEW) else 0):
                x = a[s]
                cost = max(swap_change(state, x, y), 0.0)
                if cost < best * (mine + theirs):
                    gain = mine - after_swap(rules, a, p, s, y)
                    if gain > 0.0 and cost < best * (gain + theirs):
                        change = theirs - after_swap(rules, b, q, t, x)
                        if change >= 0.0 and cost < best * (gain + change):
                            best, kind, first, second = cost / (gain + change), SWAP, x, y
    if kind < 0 and found > 0:
        kind, second = MERGE, near[0]
    return kind, first, second


@inner
def merge(state, rules, work, g, h):
    """Move the members of group `h` into group `g`; the last group takes its number."""
    q = members(state.head, state.after, h, work.b)
    for t in range(q):
        transfer(state, work.b[t], g)
    refresh(state, g)
    last = release(state, h)
    work.lack[h] = work.lack[last]
    work.lack[last] = 0.0
    g = h if g == last else g
    work.lack[g] = judge(state, rules, work.a, g)


@kernel
def step(state, rules, work, budget):
    """Repair until about `budget` pairs of members were looked at; return how many."""
    lack, cursor = work.lack, work.cursor
    worked = 0
    if budget > 0 and cursor[KNOWN] == 0:
        cursor[KNOWN] = 1
        for g in range(state.cursor[COUNT]):
            lack[g] = judge(state, rules, work.a, g)
    while worked < budget and cursor[LEFT] > 0:
        worst = np.int64(-1)
        left = 0
        for g in range(state.cursor[COUNT]):
            if lack[g] > 0.0:
                left += 1
                if worst < 0 or lack[g] > lack[worst]:
                    worst = g
        cursor[LEFT] = left
        if left == 0 or state.cursor[COUNT] == 1:
            cursor[LEFT] = 0
            break
        kind, first, second = best_step(state, rules, work, worst)
        worked += NEAR * state.size[worst] * state.size[worst] + state.cursor[COUNT]
        if kind == MERGE:
            merge(state, rules, work, worst, second)
            cursor[MERGED] += 1
            continue
        other = state.labels[second]
        if kind == TAKE:
            move(state, second, ALONE, worst)
        else:
            move(state, first, second, other)
        mine = judge(state, rules, work.a, worst)
        theirs = judge(state, rules, work.a, other)
        if mine < lack[worst] and theirs <= lack[other]:
            lack[worst] = mine
            lack[other] = theirs
            cursor[TAKEN] += 1
        else:  # members in another order, and sums that round otherwise
            if kind == TAKE:
                move(state, second, ALONE, other)
            else:
                move(state, second, first, other)
            merge(state, rules, work, worst, work.near[0])
            cursor[MERGED] += 1
    return worked
