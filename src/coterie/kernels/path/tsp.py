"""A closed tour made shorter: 2-opt and Or-opt moves along the edges to near neighbors.

Entry points: `tsp` (Python, makes the state), `step` (resumable).

The tour is an array with the place of each record; a move is one to three reversals, each of the
shorter side. Records wait in a ring to be looked at: all of them at first, in the order of the
tour; later the ends of the edges that a move changed, and all once more before the work ends. For
each the best of its moves is made whose new edge to a near neighbor is shorter than what it has
gained before (the gain criterion). Memory O(n (d + neighbors)).

Why it ends: the distance of two records is a number computed from them alone, and the exact sum of
these numbers along a tour is a function of the tour. A move must save GAIN of the edges that it
removes, far more than the six roundings in which the saving is computed, so that sum falls: no
tour can come twice, and none is longer than the first.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.base.rows import squared

__all__ = ["Tsp", "step", "tsp"]

LONGEST = 3  # records that an Or-opt move takes along at most
GAIN = 1e-12  # share of the removed edges that a move must save: less is rounding
NONE, TWO_OPT, OR_OPT = 0, 1, 2

Tsp = namedtuple(
    "Tsp",
    [
        "points",  # (n, d)
        "near",  # (n, count): neighbors of each record, nearest first
        "away",  # (n, count): their distances
        "tour",  # (n,): records in the order of the tour
        "place",  # (n,): the place of each record
        "ring",  # (n,): records that wait
        "waits",  # (n,): whether a record waits
        "cursor",  # (3,): HEAD of the ring, how many WAIT, whether one MOVED since all waited
    ],
)

HEAD, WAIT, MOVED = 0, 1, 2


def tsp(points, near, away, order):
    """State for making the closed tour `order` shorter; `away` are distances, not squared."""
    n = len(order)
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    return Tsp(
        points=points,
        near=near,
        away=away,
        tour=order.copy(),
        place=place,
        ring=order.copy(),
        waits=np.ones(n, dtype=np.bool_),
        cursor=np.array([0, n, 0]),
    )


@kernel
def step(state, budget):
    """Do at least `budget` units of work unless nobody waits; return how many."""
    n = state.tour.shape[0]
    ring, cursor = state.ring, state.cursor
    work = 0
    while work < budget:
        if cursor[WAIT] == 0:
            if cursor[MOVED] == 0:
                break
            # A move wakes the ends of its edges alone, yet it may open a move to a sleeper: the
            # tour is a local optimum only when all have been asked since the last move.
            cursor[MOVED] = 0
            for at in range(n):
                wake(state, state.tour[at])
        record = ring[cursor[HEAD]]
        cursor[HEAD] = (cursor[HEAD] + 1) % n
        cursor[WAIT] -= 1
        state.waits[record] = False
        work += 20 + improve(state, record)
    return work


@inner
def distance(points, u, v):
    return np.sqrt(squared(points, u, points, v))


@inner
def neighbor(state, record, forward):
    """The record after (forward) or before `record` on the tour."""
    n = state.tour.shape[0]
    at = state.place[record] + (1 if forward else -1)
    if at == n:
        at = 0
    elif at < 0:
        at = n - 1
    return state.tour[at]


@inner
def wake(state, record):
    """Let the record wait, unless it does."""
    if not state.waits[record]:
        n = state.tour.shape[0]
        state.waits[record] = True
        state.ring[(state.cursor[HEAD] + state.cursor[WAIT]) % n] = record
        state.cursor[WAIT] += 1


@inner
def improve(state, c):
    """Make the best move that gives `c` an edge to a near neighbor; return the work it took."""
    points, near, away = state.points, state.near, state.away
    best = 0.0
    kind = NONE
    m1 = m2 = m3 = 0
    way = False
    for forward in (True, False):
        # 1. 2-opt: c-b and x-y become c-x and b-y, where b and y follow c and x.
        b = neighbor(state, c, forward)
        cb = distance(points, c, b)
        for i in range(near.shape[1]):
            x = near[c, i]
            if away[c, i] >= cb:
                break
            y = neighbor(state, x, forward)
            xy = distance(points, x, y)
            gain = cb + xy - away[c, i] - distance(points, b, y)
            if gain > best and gain > GAIN * (cb + xy):
                best, kind, way = gain, TWO_OPT, forward
                m1, m2, m3 = b, x, y
        # 2. Or-opt: c and up to two records that follow it go between x and a neighbor of x, with
        # c beside x.
        p = neighbor(state, c, not forward)
        pc = distance(points, p, c)
        last = c
        for length in range(1, LONGEST + 1):
            if length > 1:
                last = neighbor(state, last, forward)
            q = neighbor(state, last, forward)
            if last == p or q == p:
                break  # nothing would be left
            removed = pc + distance(points, last, q)
            free = removed - distance(points, p, q)
            for i in range(near.shape[1]):
                x = near[c, i]
                if away[c, i] >= free:
                    break
                if within(state, x, c, length, forward):
                    continue
                for side in (True, False):
                    y = neighbor(state, x, side)
                    if within(state, y, c, length, forward):
                        continue  # x is p or q: the gap that the records leave
                    xy = distance(points, x, y)
                    gain = free + xy - away[c, i] - distance(points, last, y)
                    if gain > best and gain > GAIN * (removed + xy):
                        best, kind, way = gain, OR_OPT, forward
                        m1, m2, m3 = last, x, y
    if kind != NONE:
        state.cursor[MOVED] = 1
    if kind == TWO_OPT:
        for record in (c, m1, m2, m3):
            wake(state, record)
        if way:  # c b ... x y: turn b ... x round
            return turn(state, m1, m2)
        return turn(state, m2, m1)  # y x ... b c
    if kind == OR_OPT:
        for record in (c, m1, m2, m3, neighbor(state, c, not way), neighbor(state, m1, way)):
            wake(state, record)
        return move(state, c, m1, m2, m3, way)
    return 0


@inner
def within(state, x, c, length, forward):
    """Whether x is among the `length` records from c on."""
    n = state.tour.shape[0]
    steps = state.place[x] - state.place[c] if forward else state.place[c] - state.place[x]
    if steps < 0:
        steps += n
    return steps < length


@inner
def move(state, c, last, x, y, forward):
    """Put the records c ... last (`forward` or backward) between x and y, c beside x.

    Written for the direction in which the records read s ... t; they stand between p and q. The
    stretch between them and the gap x-y is turned round with them, then either is turned back where
    it must keep its direction. A turn may turn all the rest instead, so that the tour reads
    backward from then on: each turn first looks which way it reads.
    """
    s, t = (c, last) if forward else (last, c)
    p = neighbor(state, s, False)
    q = neighbor(state, t, True)
    first = x if neighbor(state, x, True) == y else y  # the gap reads first, second
    second = y if first == x else x
    # The end of the records that must stand beside `first`.
    wanted = c if first == x else last
    n = state.tour.shape[0]
    ahead = state.place[first] - state.place[t]
    if ahead < 0:
        ahead += n
    if 2 * ahead <= n:
        # p [s..t] [q..first] second: to p [q..first] [records] second
        work = turn(state, s, first)  # p first..q t..s second
        work += turn_after(state, p, first, q)  # p q..first t..s second
        if wanted == s:
            work += turn_after(state, first, t, s)
    else:
        # first [second..p] [s..t] q: to first [records] [second..p] q
        work = turn(state, second, t)  # first t..s p..second q
        work += turn_after(state, s, p, second)  # first t..s second..p q
        if wanted == s:
            work += turn_after(state, first, t, s)
    return work


@inner
def turn_after(state, before, u, v):
    """Turn the stretch u..v that follows `before`, whichever way the tour reads."""
    if neighbor(state, before, True) == u:
        return turn(state, u, v)
    return turn(state, v, u)


@inner
def turn(state, u, v):
    """Turn the stretch from u forward to v round, or, if shorter, all the rest; return the work."""
    tour, place = state.tour, state.place
    n = tour.shape[0]
    i, j = place[u], place[v]
    inside = j - i + 1
    if inside <= 0:
        inside += n
    if 2 * inside > n:
        i, j = j + 1, i - 1
        inside = n - inside
        if i == n:
            i = 0
        if j < 0:
            j = n - 1
    for _ in range(inside // 2):
        a, b = tour[i], tour[j]
        tour[i], tour[j] = b, a
        place[b], place[a] = i, j
        i += 1
        if i == n:
            i = 0
        j -= 1
        if j < 0:
            j = n - 1
    return inside // 2
