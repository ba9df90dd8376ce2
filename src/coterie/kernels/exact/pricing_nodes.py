"""Nodes of pricing: candidates dropped and sorted, pivots chosen, groups completed and kept.

Entry points: `keep_open` and `descend`, for the search that `pricing`, beside it, begins at a seed
or a triple; `threshold`, `leave_open`. O(candidates) a node, their pairs where two are to come.
"""

import numpy as np

from coterie.kernels.base.jit import inner
from coterie.kernels.exact.candidates import put
from coterie.kernels.exact.fines import choose, due_for_one, due_for_two, forget, unchoose
from coterie.kernels.exact.pricing_state import BEGIN, DEPTH, FOUND, GATHERED, OPENED, RANK, SIZE

__all__ = ["descend", "keep_open", "leave_open", "place", "release", "threshold"]


@inner
def threshold(state):
    """What a group of the seed must stay below to be kept."""
    cursor = state.cursor
    held = cursor[FOUND] - cursor[BEGIN]
    room = min(state.keep, state.reduced.shape[0] - cursor[BEGIN])
    if held < room:
        return state.ceiling
    worst = -np.inf
    for f in range(cursor[BEGIN], cursor[FOUND]):
        if state.reduced[f] > worst:
            worst = state.reduced[f]
    return worst


@inner
def place(state, depth, end, identity, key, h):
    """Insert a candidate into the list of `depth`, which holds `end` others by rising h."""
    i = end
    while i > 0 and state.h[depth, i - 1] > h:
        state.h[depth, i] = state.h[depth, i - 1]
        state.key[depth, i] = state.key[depth, i - 1]
        state.ids[depth, i] = state.ids[depth, i - 1]
        i -= 1
    state.h[depth, i] = h
    state.key[depth, i] = key
    state.ids[depth, i] = identity


@inner
def keep_open(state, depth, count, t):
    """Drop the candidates of a node that no group below the threshold can hold; sort the rest.

    Reads `key` and `ids` of the first `count` at `depth`; t records are still to be chosen.
    """
    key, ids, local, lots = state.key, state.ids, state.local, state.lots
    smallest, least_lots = state.smallest, state.least_lots
    limit = state.cursor[SIZE] * threshold(state)
    shared = lots.shape[1] > 0
    filled = 0
    for c in range(count):
        if shared:
            put(least_lots, t, filled, key[depth, c] + lots[ids[depth, c], t])
        filled = put(smallest, t, filled, key[depth, c] + 0.5 * local[ids[depth, c], t - 1])
    kept = 0
    if filled == t:
        cheapest = state.base[depth]
        dearest = state.base[depth]
        for j in range(t - 1):
            cheapest += smallest[j]
            if shared:
                dearest += least_lots[j]
        last, last_lot = smallest[t - 1], np.inf
        by_lots = False
        if shared:
            last_lot = least_lots[t - 1]
            by_lots = dearest + last_lot > cheapest + last
        if cheapest + last < limit and (not shared or dearest + last_lot < limit):
            for c in range(count):
                value = key[depth, c]
                identity = ids[depth, c]
                h = value + 0.5 * local[identity, t - 1]
                if not cheapest + max(h, last) < limit:
                    continue
                if shared:
                    lot = value + lots[identity, t]
                    if not dearest + max(lot, last_lot) < limit:
                        continue
                    if by_lots:
                        h = lot
                place(state, depth, kept, identity, value, h)  # kept <= c: overwrites no one
                kept += 1
    state.count[depth] = kept


@inner
def descend(state):
    """Go on at the deepest open node: close it, or choose its next pivot; return the work."""
    cursor = state.cursor
    depth, size = cursor[DEPTH], cursor[SIZE]
    t = size - depth
    count = state.count[depth]
    if t <= 2:
        work = singles(state, depth, count) if t == 1 else pairs(state, depth, count)
        leave(state)
        return work
    p = state.at[depth]
    bound = state.base[depth]
    if p + t <= count:
        for j in range(p, p + t):
            bound += state.h[depth, j]
    if p + t > count or not bound < size * threshold(state):
        leave(state)
        return 1
    if state.nodes > 0 and cursor[OPENED] >= state.nodes:
        give_up(state)
        return 1
    state.at[depth] = p + 1
    pivot = state.ids[depth, p]
    below = depth + 1
    rest = 0
    due = choose(state, state.candidate[pivot], size)
    for q in range(p + 1, count):
        other = state.ids[depth, q]
        state.ids[below, rest] = other
        state.key[below, rest] = state.key[depth, q] + state.pair[pivot, other] + state.extra[other]
        rest += 1
    forget(state, state.candidate[pivot])
    state.base[below] = state.base[depth] + state.key[depth, p] + due
    state.path[below] = pivot
    keep_open(state, below, rest, t - 1)
    cursor[OPENED] += 1
    state.at[below] = 0
    cursor[DEPTH] = below
    return rest + 2


@inner
def singles(state, depth, count):
    """Complete the groups of a node by one record; return the work done."""
    size = state.cursor[SIZE]
    for c in range(count):
        due = due_for_one(state, state.candidate[state.ids[depth, c]], size)
        value = state.base[depth] + state.key[depth, c] + due
        if value < size * threshold(state):
            store(state, depth, state.ids[depth, c], -1, value / size)
    return count + 1


@inner
def pairs(state, depth, count):
    """Complete the groups of a node by two records; return the work done."""
    size = state.cursor[SIZE]
    base = state.base[depth]
    h, key, ids = state.h, state.key, state.ids
    limit = size * threshold(state)
    work = 1
    for p in range(count - 1):
        if not base + h[depth, p] + h[depth, p + 1] < limit:
            break
        for q in range(p + 1, count):
            work += 1
            if not base + h[depth, p] + h[depth, q] < limit:
                break
            pair = state.pair[ids[depth, p], ids[depth, q]]
            value = base + key[depth, p] + key[depth, q] + pair
            if value < limit and state.fines.shape[0] > 0:
                value += due_for_two(
                    state, state.candidate[ids[depth, p]], state.candidate[ids[depth, q]], size
                )
            if value < limit:
                store(state, depth, ids[depth, p], ids[depth, q], value / size)
                limit = size * threshold(state)
    return work


@inner
def store(state, depth, one, other, reduced):
    """Keep the group of the seed, the pivots down to `depth`, `one` and `other` (-1: none)."""
    cursor = state.cursor
    seed = cursor[RANK]
    if reduced < state.least[seed]:
        state.least[seed] = reduced
    room = min(state.keep, state.reduced.shape[0] - cursor[BEGIN])
    if room == 0:
        state.whole[seed] = False
        return
    at = cursor[FOUND]
    if at - cursor[BEGIN] == room:
        state.whole[seed] = False
        at = cursor[BEGIN]
        for f in range(cursor[BEGIN], cursor[FOUND]):
            if state.reduced[f] > state.reduced[at]:
                at = f
    else:
        cursor[FOUND] += 1
    state.reduced[at] = reduced
    members = state.members
    members[at, 0] = state.order[seed if state.root == 1 else state.rows[seed, 0]]
    filled = 1
    for s in range(2, depth + 1):
        members[at, filled] = state.order[state.candidate[state.path[s]]]
        filled += 1
    members[at, filled] = state.order[state.candidate[one]]
    filled += 1
    if other >= 0:
        members[at, filled] = state.order[state.candidate[other]]
        filled += 1
    for j in range(filled, members.shape[1]):
        members[at, j] = -1


@inner
def leave(state):
    """Close the deepest node; below the root the next size is up."""
    cursor = state.cursor
    depth = cursor[DEPTH]
    if depth > state.root:
        cursor[DEPTH] = depth - 1
        unchoose(state, state.candidate[state.path[depth]])
        return
    cursor[DEPTH] = 0
    if state.root == 1:
        unchoose(state, cursor[RANK])
    else:
        for j in range(3):
            unchoose(state, state.rows[cursor[RANK], j])
    release(state, cursor[GATHERED])
    cursor[SIZE] += 1


@inner
def leave_open(state, bound):
    """Note that groups of the seed were not searched, none of them below `bound`."""
    seed = state.cursor[RANK]
    state.proved[seed] = False
    state.whole[seed] = False
    if bound < state.least[seed]:
        state.least[seed] = bound


@inner
def give_up(state):
    """Leave the seed's size with what its open nodes could still have held."""
    cursor = state.cursor
    size = cursor[SIZE]
    bound = np.inf
    for depth in range(state.root, cursor[DEPTH] + 1):
        t = size - depth
        p = state.at[depth]
        if p + t <= state.count[depth]:
            value = state.base[depth]
            for j in range(p, p + t):
                value += state.h[depth, j]
            bound = min(bound, value)
    leave_open(state, bound / size)
    while cursor[DEPTH] > 0:
        leave(state)


@inner
def release(state, count):
    """Forget the places of the root's candidates."""
    for c in range(count):
        state.slot[state.candidate[c]] = -1
