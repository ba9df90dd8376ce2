"""A visit to two groups: swaps and shifts between them, as long as one gains.

Entry points: `pair` (Python, makes the scratch), `visit`.

Where groups must keep to rules, only moves that leave both admissible are made.

What a visit does is a function of the two groups alone. So a search that comes back to the same two
again and again may remember (`settled`) when they had nothing to gain, and tests them no more until
one of them has changed.

A visit costs O(p q) for groups of p and q members, and O(d) for each member and each swap that the
triangle inequality cannot rule out: few of them.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.groups import CLOCK
from coterie.kernels.base.jit import inlined, inner
from coterie.kernels.base.lists import members
from coterie.kernels.base.rows import squared
from coterie.kernels.constrained.admissible import after_swap, shortfall, without
from coterie.kernels.search.moves import ALONE, SLACK, gains, may_shift, may_swap

__all__ = ["GroupPair", "pair", "visit"]

GroupPair = namedtuple(
    "GroupPair",
    [
        "a",  # (n,): members of the first group
        "b",  # (n,): members of the second
        "to_b",  # (n,): squared distance of the first's members to the second's centroid
        "to_a",  # (n,): of the second's members to the first's centroid
        "settled",  # (slots, slots): CLOCK when group i had nothing to gain from j; or (0, 0)
        "tally",  # (4,): QUICK tests of two groups, SWAP tests, SHIFT tests, MOVES made
    ],
)

QUICK, SWAP, SHIFT, MOVES = 0, 1, 2, 3


def pair(n, slots=0):
    """Scratch for visits among n records, and the count of tests.

    With `slots`, it is remembered which of so many groups have nothing to gain from each other.
    """
    return GroupPair(
        a=np.empty(n, dtype=np.int64),
        b=np.empty(n, dtype=np.int64),
        to_b=np.empty(n),
        to_a=np.empty(n),
        settled=np.full((slots, slots), -1),
        tally=np.zeros(4, dtype=np.int64),
    )


@inlined
def distances(state, records, count, g, gap, out):
    """Write the squared distances of the first `count` records to the centroid of group `g`.

    Infinity for those within `gap` of their own centroid: no swap with them gains.
    """
    for c in range(count):
        x = records[c]
        if gap > 0.0 and state.own[x] <= gap * gap:
            out[c] = np.inf
        else:
            out[c] = squared(state.points, x, state.centroids, g)


@inlined
def next_swap(state, pair, p, q, i, j, apart, start):
    """The first swap from number `start` = s q + t on that gains, of a[s] and b[t]; -1 if none.

    The p listed members a of group `i` and the q listed members b of group `j`. As for two groups
    as a whole, x and y can gain only if their distances to their own centroids add up to more than
    `apart`, that of the centroids.
    """
    points, own = state.points, state.own
    a, b, to_a, to_b = pair.a, pair.b, pair.to_a, pair.to_b
    distances(state, a, p, j, apart - state.radius[j], to_b)
    distances(state, b, q, i, apart - state.radius[i], to_a)
    share = 1.0 / p + 1.0 / q
    least = np.inf
    for t in range(q):
        least = min(least, to_a[t] - own[b[t]])
    widest = state.radius[j] * state.radius[j]
    for s in range(start // q, p):
        x = a[s]
        # All y together cannot make up for what x would cost: no swap of x gains.
        if share * 2.0 * (to_b[s] + widest) <= (to_b[s] - own[x]) + least:
            continue
        first = start - s * q
        for t in range(max(first, 0), q):
            y = b[t]
            before = own[x] + own[y]
            crossed = to_b[s] + to_a[t]
            bound = 2.0 * min(own[x] + to_a[t], own[y] + to_b[s])
            if before + share * bound <= crossed:
                continue
            if before + share * squared(points, x, points, y) > crossed * SLACK:
                return s * q + t
    return -1


@inlined
def next_shift(state, pair, p, giver, taker, apart, start):
    """The first listed member a[s], s >= `start`, that gains by moving to `taker`; -1 if none.

    p members of the group `giver` are listed; it may have fewer by now.
    """
    own = state.own
    away = state.size[taker] / (state.size[taker] + 1.0)
    stay = state.size[giver] / (state.size[giver] - 1.0)
    for s in range(start, p):
        x = pair.a[s]
        here = stay * own[x]
        gap = apart - np.sqrt(own[x])  # least distance of x from the other centroid
        if gap > 0.0 and here <= away * gap * gap:
            continue
        if here > away * squared(state.points, x, state.centroids, taker) * SLACK:
            return s
    return -1


@inner
def shift_allowed(state, pair, rules, x, giver, taker):
    """Whether both groups stay admissible if record `x` moves; `pair.b` is scratch."""
    head, after, b = state.head, state.after, pair.b
    if without(rules, b, members(head, after, giver, b), x) > 0.0:
        return False
    q = members(head, after, taker, b)
    b[q] = x
    return shortfall(rules, b, q + 1) == 0.0


@inner
def visit(
    state,
    pair,
    rules,  # Rules that both groups must keep to, or None
    i,
    partners,  # in: groups to visit; out: those that were changed come first
    count,
):
    """Swap and shift between group `i` and each of `count` others wherever that gains.

    Returns how many of them were changed.
    """
    centroids, radius, size = state.centroids, state.radius, state.size
    head, after = state.head, state.after
    a, b, tally = pair.a, pair.b, pair.tally
    settled, since = pair.settled, state.since
    remembers = settled.shape[0] > 0
    changed = 0
    for c in range(count):
        j = partners[c]
        if remembers and settled[i, j] >= max(since[i], since[j]):
            continue
        moves = 0
        apart = np.sqrt(squared(centroids, i, centroids, j))
        if may_swap(radius, i, j, apart):
            p = members(head, after, i, a)
            q = members(head, after, j, b)
            tally[SWAP] += p * q
            at = -1
            while True:
                at = next_swap(state, pair, p, q, i, j, apart, at + 1)
                if at < 0:
                    break
                s = at // q
                t = at % q
                x = a[s]
                y = b[t]
                if rules is not None:
                    if after_swap(rules, a, p, s, y) > 0.0 or after_swap(rules, b, q, t, x) > 0.0:
                        continue
                if not gains(state, x, y, j):
                    continue
                a[s] = y  # each takes the other's place in what is still to be tested
                b[t] = x
                moves += 1
                apart = np.sqrt(squared(centroids, i, centroids, j))
        giver = i
        taker = j
        for turn in range(2):
            if size[giver] > state.k and may_shift(radius, size, giver, taker, apart):
                p = members(head, after, giver, a)
                tally[SHIFT] += p
                s = -1
                while size[giver] > state.k and size[taker] < state.limit:
                    s = next_shift(state, pair, p, giver, taker, apart, s + 1)
                    if s < 0:
                        break
                    if rules is not None:
                        if not shift_allowed(state, pair, rules, a[s], giver, taker):
                            continue
                    if not gains(state, a[s], ALONE, taker):
                        continue
                    moves += 1
                    apart = np.sqrt(squared(centroids, i, centroids, j))
            giver = j
            taker = i
        if moves > 0:
            tally[MOVES] += moves
            partners[changed] = j
            changed += 1
        elif remembers:  # as a target's partner alone: the other way round rounding may differ
            settled[i, j] = state.cursor[CLOCK]
    return changed
