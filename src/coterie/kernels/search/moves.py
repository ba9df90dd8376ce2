"""Shift and swap: their exact change of SSE, the quick reject tests, and the moves themselves.

Entry points: `swap_change`, `shift_change`, `move`, `gains`, `may_swap`, `may_shift`, and over
distances `spared`, `replaced`.

With group sizes p and q, centroids c and e, and Delta the squared distance (Laszlo, Mukherjee
(2015), J. Systems and Software 100:15-26; Bierman (2020), Improvements to iterated local search for
microaggregation, chapter 3), the SSE changes by

    shift x:      q / (q + 1) Delta(x, e) - p / (p - 1) Delta(x, c)
    swap x and y: Delta(x, e) + Delta(y, c) - Delta(x, c) - Delta(y, e)
                  - (1 / p + 1 / q) Delta(x, y)

These are differences of distances to rounded centroids: where a group is small beside its distance
from the origin they may guarantee a gain both ways. So they only propose. `gains` makes the move
and takes it back unless the two groups' SSE has fallen by more than rounding.

Why a descent ends: `groups.refresh` computes the SSE of a group from its members in ascending order
and from nothing else, so the exact sum F of these numbers over all groups is a function of the
partition. A move is kept only if the rounded sum of two of them falls; rounding is monotone, so
their exact sum falls, and F with it. No partition can come twice, and there are finitely many.
"""

import numpy as np

from coterie.kernels.base.groups import refresh, transfer
from coterie.kernels.base.jit import inlined, inner
from coterie.kernels.base.rows import squared

__all__ = [
    "gains",
    "may_shift",
    "may_swap",
    "move",
    "replaced",
    "shift_change",
    "spared",
    "swap_change",
]

SLACK = 1.0 + 1e-12  # a move that gains less than this is rounding
ALONE = np.int64(-1)  # in place of the record that moves the other way: a shift


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
    return crossed - spared(state.own[x], state.own[y], share, apart)


@inlined
def spared(own_x, own_y, share, apart):
    """What a swap of x and y spares; it costs Delta(x, e) + Delta(y, c)."""
    return own_x + own_y + share * apart


@inlined
def replaced(there, own, apart, p):
    """Change of the SSE of a group of p members when x takes the place of y.

    `there` is Delta(x, c), `own` Delta(y, c) and `apart` Delta(x, y).
    """
    return there - own - apart / p


@inner
def move(state, x, y, to):
    """Move record `x` to group `to`; and `y`, unless ALONE, from there to where `x` was."""
    g = state.labels[x]
    transfer(state, x, to)
    if y >= 0:
        transfer(state, y, g)
    refresh(state, g)
    refresh(state, to)


@inner
def gains(state, x, y, to):
    """Make a move if that lowers the SSE of the two groups together; return whether it did."""
    g = state.labels[x]
    before = state.sse[g] + state.sse[to]
    move(state, x, y, to)
    if (state.sse[g] + state.sse[to]) * SLACK < before:
        return True
    if y >= 0:
        move(state, y, x, to)
    else:
        move(state, x, y, g)
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
