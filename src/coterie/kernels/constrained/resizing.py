"""One group fewer or one more, where it costs least: from where a walk goes on.

Entry point: `resize`.

Shifts, swaps and rings keep the number of groups, and a pool grown anew changes it only where that
pays at once. Here it changes at any cost, for what follows to make up for it: groups of equal
records that merge have members to spare, and what these allow elsewhere pays only in the end. A
group goes as in `dissolving`. A new one is made around an atom, of the nearest ones that their
groups can spare and that leave it a smaller shortfall. O(s g d) for each group of s members, of g,
that may go; O(n (d + t)) for each atom that one may be made around, t atoms being asked for.
"""

import numpy as np

from coterie.kernels.base.groups import COUNT, keep, refresh, release, restore, total, transfer
from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.base.lists import members
from coterie.kernels.base.rows import squared
from coterie.kernels.constrained.admissible import admits, shortfall
from coterie.kernels.constrained.dissolving import scatter
from coterie.kernels.search.moves import ALONE

__all__ = ["resize"]

ASKED = 8  # atoms, times k, that a new group asks for


@inner
def nearest_left(away):
    """The nearest atom that was not asked for yet, the first of equal ones, which is now; or -1."""
    best = np.inf
    found = np.int64(-1)
    for i in range(away.shape[0]):
        if away[i] < best:
            best = away[i]
            found = i
    if found >= 0:
        away[found] = np.inf
    return found


@inner
def distill(state, rules, away, listed, x):
    """Make a group around atom `x`; returns False, some atoms moved, if none can be made.

    `away` and `listed` are scratch.
    """
    new = state.cursor[COUNT]
    if new == state.head.shape[0]:
        return False
    for i in range(away.shape[0]):
        away[i] = squared(state.points, i, state.points, x)
    missing = np.inf
    for _ in range(ASKED * state.k):
        y = nearest_left(away)
        if y < 0:
            break
        g = state.labels[y]
        if state.size[g] <= state.k:
            continue
        count = members(state.head, state.after, new, listed)
        listed[count] = y
        lack = shortfall(rules, listed, count + 1)
        if lack >= missing or not admits(state.head, state.after, rules, listed, g, y, ALONE):
            continue
        missing = lack
        transfer(state, y, new)
        refresh(state, g)
        if missing == 0.0:
            break
    if state.size[new] > 0:
        state.cursor[COUNT] = new + 1
        refresh(state, new)
    return missing == 0.0


@inner
def changed(state, rules, scratch, x, more):
    """Make a group around atom `x`, or do without its own; returns False if that cannot be."""
    atoms, away, listed = scratch
    if more:
        return distill(state, rules, away, listed, x)
    g = state.labels[x]
    if state.cursor[COUNT] == 1 or not scatter(state, rules, atoms, away, listed, g, np.inf):
        return False
    release(state, g)
    return True


@kernel
def resize(state, rules, pool, more, scratch):
    """Make a group around the atom of `pool`, or do without that of the one, where it costs least.

    Returns False, nothing changed, if there is no such atom. Of equal ones the first in `pool`
    counts. `scratch`: arrays of n integers, n numbers, and n + 1 integers.
    """
    best = np.inf
    chosen = np.int64(-1)
    keep(state)
    before = total(state)
    for c in range(pool.shape[0]):
        if not more and c > 0 and state.labels[pool[c]] == state.labels[pool[c - 1]]:
            continue
        if changed(state, rules, scratch, pool[c], more) and total(state) - before < best:
            best = total(state) - before
            chosen = pool[c]
        restore(state)
    return chosen >= 0 and changed(state, rules, scratch, chosen, more)
