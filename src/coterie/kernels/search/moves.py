"""Shift and swap: their exact change of SSE, the quick reject tests, and a visit to two groups.

Entry points: `swap_change`, `shift_change`, `swap`, `shift`, `gains_by_swap`, `gains_by_shift`,
`may_swap`, `may_shift`, `visit`.

With group sizes p and q, centroids c and e, and Delta the squared distance (Laszlo, Mukherjee
(2015), J. Systems and Software 100:15-26; Bierman (2020), Improvements to iterated local search for
microaggregation, chapter 3), the SSE changes by

    shift x:      q / (q + 1) Delta(x, e) - p / (p - 1) Delta(x, c)
    swap x and y: Delta(x, e) + Delta(y, c) - Delta(x, c) - Delta(y, e)
                  - (1 / p + 1 / q) Delta(x, y)

These are differences of distances to rounded centroids: where a group is small beside its distance
from the origin they may guarantee a gain both ways. So they only propose. A visit makes the move
and takes it back unless the two groups' SSE has fallen by more than rounding.

Why a descent ends: `groups.refresh` computes the SSE of a group from its members in ascending order
and from nothing else, so the exact sum F of these numbers over all groups is a function of the
partition. A visit keeps a move only if the rounded sum of two of them falls; rounding is monotone,
so their exact sum falls, and F with it. No partition can come twice, and there are finitely many.

Where groups must keep to rules, only moves that leave both admissible are made.

A visit costs O(p q), and O(d) for each member and each swap that the triangle inequality cannot
rule out: few of them.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.groups import refresh, transfer
from coterie.kernels.base.jit import inlined, inner
from coterie.kernels.base.rows import squared
from coterie.kernels.constrained.admissible import after_swap, shortfall, without

__all__ = [
    "GroupPair",
    "gains_by_shift",
    "gains_by_swap",
    "may_shift",
    "may_swap",
    "pair",
    "shift",
    "shift_change",
    "swap",
    "swap_change",
    "visit",
]

SLACK = 1.0 + 1e-12  # a move that gains less than this is rounding

GroupPair = namedtuple(
    "GroupPair",
    [
        "a",  # (n,): members of the first group
        "b",  # (n,): members of the second
        "to_b",  # (n,): squared distance of the first's members to the second's centroid
        "to_a",  # (n,): of the second's members to the first's centroid
        "tally",  # (4,): QUICK tests of two groups, SWAP tests, SHIFT tests, MOVES made
    ],
)

QUICK, SWAP, SHIFT, MOVES = 0, 1, 2, 3


def pair(n):
    """Scratch for visits among n records, and the count of tests."""
    return GroupPair(
        a=np.empty(n, dtype=np.int64),
        b=np.empty(n, dtype=np.int64),
        to_b=np.empty(n),
        to_a=np.empty(n),
        tally=np.zeros(4, dtype=np.int64),
    )


@inner
def shift_change(state, x, to):
    """Change of SSE if record `x` moves to group `to`."""
    p = state.size[state.labels[x]]
    q = state.size[to]
    there = squared(state.points, x, state.centroids, to)
    return q / (q + 1.0) * there - p / (p - 1.0) * state.own[x]


@inner
def swap_change(state, x, y):
    """Change of SSE if the records `x` and `y` of two groups change places."""
    i = state.labels[x]
    j = state.labels[y]
    crossed = squared(state.points, x, state.centroids, j)
    crossed += squared(state.points, y, state.centroids, i)
    apart = squared(state.points, x, state.points, y)
    share = 1.0 / state.size[i] + 1.0 / state.size[j]
    return crossed - (state.own[x] + state.own[y] + share * apart)


@inner
def shift(state, x, to):
    """Move record `x` to group `to`."""
    g = state.labels[x]
    transfer(state, x, to)
    refresh(state, g)
    refresh(state, to)


@inner
def swap(state, x, y):
    """Let the records `x` and `y` of two groups change places."""
    i = state.labels[x]
    j = state.labels[y]
    transfer(state, x, j)
    transfer(state, y, i)
    refresh(state, i)
    refresh(state, j)


@inner
def gains_by_swap(state, x, y):
    """Swap `x` and `y` if that lowers the SSE of their groups; return whether it did."""
    i = state.labels[x]
    j = state.labels[y]
    before = state.sse[i] + state.sse[j]
    swap(state, x, y)
    if (state.sse[i] + state.sse[j]) * SLACK < before:
        return True
    swap(state, y, x)
    return False


@inner
def gains_by_shift(state, x, to):
    """Move `x` to group `to` if that lowers the SSE of both together; return whether it did."""
    g = state.labels[x]
    before = state.sse[g] + state.sse[to]
    shift(state, x, to)
    if (state.sse[g] + state.sse[to]) * SLACK < before:
        return True
    shift(state, x, g)
    return False


@inlined
def may_swap(radius, i, j, apart):
    """Whether some swap between groups `i` and `j`, `apart` between centroids, may gain."""
    return radius[i] + radius[j] > apart


@inlined
def may_shift(radius, size, i, j, apart):
    """Whether moving some member of group `i` to group `j` may gain."""
    p = size[i]
    q = size[j]
    r = radius[i]
    # Below r the bound on the member's distance to j's centroid is 0; the formula is true there.
    return p / (p - 1.0) * r * r > q / (q + 1.0) * (apart - r) * (apart - r)


@inlined
def members(head, after, g, out):
    """Write the members of group `g`, ascending, into `out`; return how many."""
    count = 0
    i = head[g]
    while i >= 0:
        out[count] = i
        count += 1
        i = after[i]
    return count


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
    changed = 0
    for c in range(count):
        j = partners[c]
        made = 0
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
                if not gains_by_swap(state, x, y):
                    continue
                a[s] = y  # each takes the other's place in what is still to be tested
                b[t] = x
                made += 1
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
                    if not gains_by_shift(state, a[s], taker):
                        continue
                    made += 1
                    apart = np.sqrt(squared(centroids, i, centroids, j))
            giver = j
            taker = i
        if made > 0:
            tally[MOVES] += made
            partners[changed] = j
            changed += 1
    return changed
