"""Pricing: the groups of k..2k-1 records whose cost lies below what their members would pay.

Entry points: `pricing` (Python, makes the state: `pricing_state`), `step` (resumable).

With a price p(y) for every record, the reduced cost of a group G of M records is
``SSE(G) - sum of p over G``; its SSE is P/M, P the sum of the squared distances of all its pairs.
Records are ranked by falling price (ties by index) and every group is met once, below its first
member in that order, its *seed*: the dear records, which have few companions within reach, are
dealt with first, and a cheap seed is never asked about a far but dear one.

For one seed and one size M the search is depth first. With S chosen, t = M - |S| records to come
and T any choice of them,

    M * reduced cost = P(S) - M p(S) + sum over T of (d2(S, y) - M p(y)) + P(T)
    P(T) >= 1/2 sum over T of (squared distances of y to its t - 1 nearest candidates)

where d2(S, y) is the sum over S of the squared distances to y. So with
``h(y) = d2(S, y) - M p(y) + near(y, t - 1) / 2`` no completion is below P(S) - M p(S) plus the t
smallest h, and none that holds y below the same with y among them. Candidates that fail the
second test are dropped, the others sorted by h: a pivot is followed only by those behind it, and
the first that fails ends the node. The last two records are found by a loop over sorted pairs.

Neighbors bound P(T) poorly where there are many attributes: each record is near to some, few are
near to each other. *Shares* do better: numbers w(y, t) with P(T) >= sum over T of w(y, t) for every
t records, which the prices of smaller groups are (`coterie.partitioning.exact.shares`). Both bounds
are tested, and candidates sorted by the higher one.

A *cut* may carry a fine: a group pays it, on top of its SSE, as often as it counts in the cut (the
dual of a row such as "at most one group holds two of these three"). The fine is added to
P(S) - M p(S) as soon as S counts. While one more of its records is enough, a part is added to the h
of each: never more than what is due, however many of them come (`fines`).

Nothing is assumed about neighborhoods: at the root every record behind the seed is tested, so a
search that ran to its end is exact. It costs O(n d) a seed before any node is opened.
Memory: O(n d) and `width`^2 for the distances between the candidates of one seed.
"""

import numpy as np

from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.base.remaining import squared_distances
from coterie.kernels.exact.candidates import distances_between, neighbors_between, put
from coterie.kernels.exact.fines import choose
from coterie.kernels.exact.pricing_nodes import (
    descend,
    keep_open,
    leave_open,
    place,
    release,
    threshold,
)
from coterie.kernels.exact.pricing_state import (
    BEGIN,
    DEPTH,
    FOUND,
    GATHERED,
    OPENED,
    RANK,
    SIZE,
    Pricing,
    PricingLimits,
    pricing,
)

__all__ = ["FOUND", "RANK", "Pricing", "PricingLimits", "pricing", "step"]


@kernel
def step(state, budget):
    """Do at least `budget` units of work unless all seeds are done; return how many."""
    cursor = state.cursor
    n = state.order.shape[0]
    room = state.reduced.shape[0]
    listing = state.keep >= room  # all groups are wanted: a list that is full has failed
    work = 0
    while work < budget and cursor[RANK] <= state.last:
        if listing and cursor[FOUND] == room:
            state.whole[cursor[RANK]] = False
            cursor[RANK] = n + state.rows.shape[0]
            break
        if cursor[DEPTH] > 0:
            work += descend(state)
        elif cursor[SIZE] <= state.most and (state.root > 1 or cursor[SIZE] <= n - cursor[RANK]):
            if cursor[SIZE] == state.fewest:
                work += measure(state) if state.root == 1 else measure_triple(state)
            work += open_root(state)
            if cursor[DEPTH] == 0:
                cursor[SIZE] += 1
        else:
            cursor[RANK] += state.stride
            cursor[SIZE] = state.fewest
            cursor[OPENED] = 0
            cursor[BEGIN] = cursor[FOUND]
    return work


@inner
def measure(state):
    """Squared distances from the seed to every record behind it."""
    seed = state.cursor[RANK]
    n = state.order.shape[0]
    d = state.query.shape[0]
    for a in range(d):
        state.query[a] = state.columns[a, seed]
    squared_distances(state.columns, seed + 1, n, state.query, state.d2)
    return (n - seed) * d // 8 + 1


@inner
def measure_triple(state):
    """Squared distances from a triple to every other record; those within it in base[0]."""
    d2, one, triple = state.d2, state.d2_of_one, state.rows[state.cursor[RANK]]
    n = state.order.shape[0]
    d = state.query.shape[0]
    for j in range(3):
        for a in range(d):
            state.query[a] = state.columns[a, triple[j]]
        squared_distances(state.columns, 0, n, state.query, one)
        for r in range(n):
            d2[r] = one[r] if j == 0 else d2[r] + one[r]
    state.base[0] = 0.5 * (d2[triple[0]] + d2[triple[1]] + d2[triple[2]])
    for j in range(3):
        d2[triple[j]] = np.inf  # no candidate
    return n * d // 2 + 1


@inner
def open_root(state):
    """Gather the root's candidates for groups of SIZE records; return the work done."""
    cursor, price, d2, near = state.cursor, state.price, state.d2, state.near
    at, size, root = cursor[RANK], cursor[SIZE], state.root
    begin = at + 1 if root == 1 else np.int64(0)
    behind = state.order.shape[0] - begin
    t = size - root
    if root == 1:
        base = -size * price[at]
        if size > state.k and not price[state.order.shape[0] - 1] < state.cheap:
            return 1
    else:
        base = state.base[0] + size * state.fines[at]
        for j in range(3):
            base -= size * price[state.rows[at, j]]
    limit = size * threshold(state)
    smallest, lots = state.smallest, state.least_lots
    shared = state.shares.shape[1] > 0
    filled = 0
    for i in range(behind):
        r = begin + i
        key = d2[i] - size * price[r]
        if shared:
            put(lots, t, filled, key + state.shares[r, t])
        filled = put(smallest, t, filled, key + 0.5 * near[r, t - 1])
    cheapest = base  # with the t - 1 best companions; what a candidate's own h is added to
    dearest = base  # the same by shares
    for j in range(t - 1):
        cheapest += smallest[j]
        if shared:
            dearest += lots[j]
    if not cheapest + smallest[t - 1] < limit:
        return behind // 8 + 1
    if shared and not dearest + lots[t - 1] < limit:
        return behind // 4 + 1
    width = state.pair.shape[0]
    count = 0
    dropped = np.inf
    for i in range(behind):
        r = begin + i
        key = d2[i] - size * price[r]
        h = key + 0.5 * near[r, t - 1]
        if cheapest + max(h, smallest[t - 1]) < limit:
            if shared and not dearest + max(key + state.shares[r, t], lots[t - 1]) < limit:
                continue
            if count < width:
                place(state, root, count, r, key, h)
                count += 1
            else:  # no room: keep the best, remember what the others could have been
                loser = h
                if h < state.h[root, width - 1]:
                    loser = state.h[root, width - 1]
                    place(state, root, width - 1, r, key, h)
                dropped = min(dropped, loser)
    if dropped < np.inf:
        leave_open(state, (cheapest + dropped) / size)
    for c in range(count):  # from ranks to places in `pair`
        state.candidate[c] = state.ids[root, c]
        state.ids[root, c] = c
        state.slot[state.candidate[c]] = c
        for j in range(state.lots.shape[1]):
            state.lots[c, j] = state.shares[state.candidate[c], j]
    if size > state.k and not implied(state, count, t) < 0.0:
        release(state, count)
        return behind // 4 + count + 1
    distances_between(state, count)
    if t >= 2:
        neighbors_between(state, count, t - 1)
    cursor[OPENED] += 1
    cursor[GATHERED] = count
    if root == 1:
        choose(state, at, size)
    else:
        base -= size * state.fines[at]
        for j in range(3):
            base += 2.0 * choose(state, state.rows[at, j], size)  # no key holds a half of it
        for j in range(2):
            state.candidate[count + j] = state.rows[at, 1 + j]
            state.path[2 + j] = count + j
    state.base[root] = base
    for c in range(count):
        state.key[root, c] += state.extra[c]
        state.extra[c] = 0.0
    keep_open(state, root, count, t)
    state.at[root] = 0
    cursor[DEPTH] = root
    return behind // 4 + count * count * 2 + 1


@inner
def implied(state, count, t):
    """A multiple of what a group of SIZE > k records lies above its choices of k, at least.

    See `coterie.partitioning.exact.pricing`, "Larger groups".
    """
    size, k, at = state.cursor[SIZE], state.k, state.cursor[RANK]
    if not state.cheap < np.inf:
        return -np.inf
    smallest, price = state.smallest, state.price
    filled = 0
    for c in range(count):
        filled = put(smallest, t, filled, price[state.candidate[c]])
    if filled < t:
        return np.inf
    value = -size * state.cheap
    for j in range(t):
        value += smallest[j]
    if state.root == 1:
        return value + price[at]
    paid = 0.0
    for c in range(state.rows.shape[0]):
        inside = 0
        for j in range(3):
            r = state.rows[c, j]
            if state.slot[r] >= 0 or (
                r == state.rows[at, 0] or r == state.rows[at, 1] or r == state.rows[at, 2]
            ):
                inside += 1
        if inside == 3:
            paid += state.fines[c]
    for j in range(3):
        value += price[state.rows[at, j]]
    excess = k * (3 * size - 2 * k - 2) / (size * (size - 2)) - 1.0
    return value - paid * excess * size * (k - 1) / (size - k)
