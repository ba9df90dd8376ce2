"""Annealing of many records at one temperature: sweep after sweep over the slots of a territory.

Entry points: `sweeper` (Python, makes the state of a walk: `search.sweeper`), `step` (resumable).

The moves are those of `annealing`: a record goes to the group of a near one, alone (*shift*) or
against that group's member whose return costs least (*swap*); now and then a group is dissolved or
distilled, which may cost many temperatures: what follows wins most of it back. But no record is
drawn: slot after slot, every member has its turn, which settles sooner than turns by chance. So it
is known ahead which groups will be looked at, and they are fetched while others are at work. A
*window* of slots that lie near each other is swept several times before the next one: what is
looked at stays in the cache.

Most looks end without a move, and a look is dear: so its cost is remembered for the record and the
near one, with a signature of the two groups. As long as neither has changed the same look is made
again only where chance allows that cost; once one has, it is passed over one more time, or until
the cost has faded.

A swap of x and y between groups of p and q with centroids c and e lowers the SSE by the sum of
w (2 (e - c) + (1 / p + 1 / q) w), w = x - y: one pass over the attributes for each partner.
"""

import numpy as np

from coterie.kernels.base.draws import MASK, bits
from coterie.kernels.base.jit import inlined, inner, kernel
from coterie.kernels.base.strips import apart, exchange, fetch, gain, toward
from coterie.kernels.search.blocks import coarse, cost, put, refresh, signed
from coterie.kernels.search.sweeper import (
    BITS,
    DONE,
    EMPTY,
    FIRST,
    MOVES,
    PROPOSALS,
    SLOTS,
    SWEEP,
    WAIT,
    Level,
    Sweeper,
    sweeper,
)

__all__ = ["DONE", "EMPTY", "MOVES", "PROPOSALS", "SLOTS", "Level", "Sweeper", "step", "sweeper"]


@inner
def taken_back(state, walk, done, core):
    """Undo the first `done` moves; to slot `core`, or where each came from if that is below 0."""
    for t in range(done - 1, -1, -1):
        to = np.int64(walk.moved[t, 1]) if core < 0 else core
        put(state, np.int64(walk.moved[t, 0]), to)
    for t in range(done):
        refresh(state, np.int64(walk.moved[t, 1]))


@inner
def dissolved(state, walk, core, most):
    """Whether slot `core` was given up: its members go where each costs least.

    Not if that costs `most` or more.
    """
    ways, labels, size, rows = state.ways, state.labels, state.size, state.rows
    stride = state.limit + 2
    wanted = np.int64(size[core])
    change = -cost(state, core)
    done = np.int64(0)
    while done < wanted:
        last = np.int64(size[core]) - 1
        y = np.int64(state.members[core, last])
        best = np.inf
        to = np.int64(-1)
        for c in range(state.reach):
            g = np.int64(labels[ways[y, c]])
            if state.owner[g] == walk.number and g != core and size[g] < state.limit:
                q = np.int64(size[g])
                there = apart(rows, core * stride + 1 + last, g * stride)
                rise = q * state.parts[q + 1] * np.float64(there)
                if rise < best:
                    best = rise
                    to = g
        change += best
        if change >= most:
            break
        put(state, y, to)
        refresh(state, to)
        walk.moved[done, 0] = y
        walk.moved[done, 1] = to
        done += 1
    if done < wanted:
        taken_back(state, walk, done, core)  # its centroid is still that of all
        return False
    walk.empty[walk.cursor[EMPTY]] = core
    walk.cursor[EMPTY] += 1
    return True


@inner
def distilled(state, walk, x, most):
    """Whether a new group was made of `x` and its nearest that their groups can spare.

    Not if that costs `most` or more.
    """
    ways, labels = state.ways, state.labels
    if walk.cursor[EMPTY] == 0:
        return False
    core = np.int64(walk.empty[walk.cursor[EMPTY] - 1])
    change = 0.0
    done = np.int64(0)
    for c in range(-1, state.reach):
        y = x if c < 0 else np.int64(ways[x, c])
        g = np.int64(labels[y])
        if state.owner[g] != walk.number or g == core or state.size[g] <= state.k:
            continue
        change -= cost(state, g)
        put(state, y, core)
        refresh(state, g)
        change += cost(state, g)
        walk.moved[done, 0] = y
        walk.moved[done, 1] = g
        done += 1
        if done == state.k:
            break
    if done == state.k:
        refresh(state, core)
        if change + cost(state, core) < most:
            walk.cursor[EMPTY] -= 1
            return True
    taken_back(state, walk, done, np.int64(-1))
    return False


@inlined
def fetched(state, g):
    """Fetch what is known of the members of slot `g`."""
    for m in range(np.int64(state.size[g])):
        fetch(state.ways, np.int64(state.members[g, m]), np.int64(1))


@inlined
def drawn(state, walk, g, row):
    """Draw a near record and a chance for each member of slot `g`; fetch where that record is."""
    reach = np.int64(state.reach)
    for m in range(np.int64(state.size[g])):
        word = bits(walk.words) * reach
        walk.drawn[row, m] = word
        x = np.int64(state.members[g, m])
        fetch(state.labels, np.int64(state.ways[x, word >> 32]), np.int64(1))
    walk.count[row] = state.size[g]


@inlined
def chosen(state, walk, g, row, fading):
    """List the members of slot `g` that will look at another group; fetch what they look at.

    What cost too much when it was last looked at is passed over, as long as neither group has
    changed; once one has, the cost that is remembered fades from one turn to the next. Of these
    conditions none can be foretold: there is no branch before all is known.
    """
    ways, asked = state.ways, state.asked
    reach = np.int64(state.reach)
    looks = np.int64(0)
    for m in range(min(np.int64(walk.count[row]), np.int64(state.size[g]))):
        word = walk.drawn[row, m]
        x = np.int64(state.members[g, m])
        j = word >> 32
        b = np.int64(state.labels[ways[x, j]])
        known = np.int64(asked[x, 4 * reach + j])
        within = np.int64(b != g) & np.int64(state.owner[b] == walk.number)
        dear = np.int64(known > walk.limits[(word & MASK) >> (32 - BITS)])
        stale = np.int64(asked[x, 5 * reach + j] != signed(state, g, b))
        asked[x, 4 * reach + j] = known - (within & dear & stale) * min(known, fading)
        walk.looks[row, looks] = m
        looks += within & (1 - dear)
    for i in range(looks):
        m = np.int64(walk.looks[row, i])
        b = np.int64(state.labels[ways[state.members[g, m], walk.drawn[row, m] >> 32]])
        fetch(state.rows, b * (state.limit + 2), np.int64(state.k) + 1)
    return looks


@inlined
def propose(state, walk, a, m, b, j, most):
    """Move member `m` of slot `a` to slot `b` if that costs less than `most`; whether it did.

    What it costs is remembered for its near record `j`.
    """
    rows, labels, place, members = state.rows, state.labels, state.place, state.members
    parts = state.parts
    at = a * (state.limit + 2)
    to = b * (state.limit + 2)
    p = np.int64(state.size[a])
    q = np.int64(state.size[b])
    mine = at + 1 + m
    x = np.int64(members[a, m])
    best = np.inf
    partner = np.int64(-1)
    # 1. Shift.
    if p > state.k and q < state.limit:
        there = (parts[1] - parts[q + 1]) * apart(rows, mine, to)
        best = np.float64(there - (parts[1] + parts[p - 1]) * apart(rows, mine, at))
    # 2. Swap.
    toward(rows, at, to, walk.direction)
    share = parts[p] + parts[q]
    for c in range(q):
        change = -gain(rows, mine, to + 1 + c, walk.direction, share)
        if change < best:
            best = np.float64(change)
            partner = c
    if best >= most:
        state.asked[x, 4 * state.reach + j] = coarse(state, best)
        state.asked[x, 5 * state.reach + j] = signed(state, a, b)
        return False
    for c in range(state.reach):
        state.asked[x, 4 * state.reach + c] = 0
    if partner < 0:
        put(state, x, b)
    else:
        y = np.int64(members[b, partner])
        exchange(rows, mine, to + 1 + partner)
        members[a, m] = y
        members[b, partner] = x
        labels[x] = b
        labels[y] = a
        place[x] = partner
        place[y] = m
    refresh(state, a)
    refresh(state, b)
    return True


@inner
def sweep(state, walk, level, first, last):
    """A turn of every member of the slots `first` to `last`; returns the proposals made."""
    labels, ways, size, slots = state.labels, state.ways, state.size, walk.slots
    cursor, words, waits = walk.cursor, walk.words, walk.waits
    heat = np.float64(level.temperature)
    fading = np.int64(level.fading)
    proposals = 0
    looks = np.int64(0)
    for t in range(first - 3, last):  # three steps ahead of the looks themselves
        if t + 3 < last:
            fetched(state, np.int64(slots[t + 3]))
        if t + 2 >= first and t + 2 < last:
            drawn(state, walk, np.int64(slots[t + 2]), (t + 2) & 3)
        ready = looks
        if t + 1 >= first and t + 1 < last:
            looks = chosen(state, walk, np.int64(slots[t + 1]), (t + 1) & 3, fading)
        if t < first:
            continue
        a = np.int64(slots[t])
        row = t & 3
        proposals += walk.count[row]
        cursor[WAIT] -= walk.count[row]
        if cursor[WAIT] < 0 and size[a] > 0:
            cursor[WAIT] = (bits(words) * 2 * level.rare) >> 32
            if bits(words) & 1:
                x = np.int64(state.members[a, 0])
                cursor[MOVES] += distilled(state, walk, x, heat * level.bold)
            else:
                cursor[MOVES] += dissolved(state, walk, a, heat * level.bold)
        for i in range(ready):
            m = np.int64(walk.looks[row, i])
            if m < np.int64(size[a]):
                word = walk.drawn[row, m]
                b = np.int64(labels[ways[state.members[a, m], word >> 32]])
                if b != a and state.owner[b] == walk.number:
                    best = heat * waits[(word & MASK) >> (32 - BITS)]
                    cursor[MOVES] += propose(state, walk, a, m, b, word >> 32, best)
    return proposals


@kernel
def step(state, walk, level, most):
    """Make about `most` proposals; returns whether the territory is done, which is told once."""
    cursor = walk.cursor
    work = 0
    if cursor[FIRST] == 0 and cursor[SWEEP] == 0:
        for i in range(2**BITS):
            walk.limits[i] = coarse(state, np.float64(level.temperature) * walk.waits[i])
    while work < most and cursor[DONE] == 0:
        last = min(cursor[FIRST] + level.window, cursor[SLOTS])
        if cursor[FIRST] < last and cursor[SWEEP] < level.sweeps:
            work += sweep(state, walk, level, cursor[FIRST], last)
            cursor[SWEEP] += 1
            continue
        cursor[FIRST] = last
        cursor[SWEEP] = 0
        if last == cursor[SLOTS]:
            cursor[DONE] = 1
    cursor[PROPOSALS] += work
    return cursor[DONE]
