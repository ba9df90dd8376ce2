"""Dissolving: a group whose members are better off elsewhere goes.

Entry points: `next_widest`, `dissolve`, `scatter`.

A group that spans two clusters has its nearest groups in one of them: no swap, and no pool of near
groups grown anew, lets the records of the other out. Here each member goes to the group, of all,
that takes it most cheaply and may. O(g d) for each member; most groups are given up at the first.
"""

import numpy as np

from coterie.kernels.base.groups import COUNT, refresh, release, transfer
from coterie.kernels.base.jit import inner
from coterie.kernels.base.lists import members
from coterie.kernels.base.rows import squared
from coterie.kernels.constrained.placing import TRIED, fits
from coterie.kernels.search.descent import target

__all__ = ["dissolve", "next_widest", "scatter"]


@inner
def next_widest(state, level, cursor, last):
    """The group that follows the one tried last, by SSE and number; -1 after all that have any.

    ``level[0]`` and ``cursor[last]`` are SSE and number of that one. Called over and over while
    nothing changes it gives each group once.
    """
    sse = state.sse
    found = np.int64(-1)
    for g in range(state.cursor[COUNT]):
        if sse[g] > 0.0 and (sse[g] < level[0] or (sse[g] == level[0] and g > cursor[last])):
            if found < 0 or sse[g] > sse[found]:
                found = g
    if found >= 0:
        level[0] = sse[found]
        cursor[last] = found
    return found


@inner
def cheapest(state, rules, cost, listed, x):
    """The group that takes atom `x` at the least `cost` and may; -1 if none of TRIED may."""
    for turn in range(TRIED):
        to = np.int64(-1)
        for h in range(state.cursor[COUNT]):
            if cost[h] < np.inf and (to < 0 or cost[h] < cost[to]):
                to = h
        if to < 0 or fits(rules, listed, state.head, state.after, to, x):
            return to
        cost[to] = np.inf
    return np.int64(-1)


@inner
def scatter(state, rules, atoms, cost, listed, g, most):
    """Move the members of group `g` to the cheapest others that may take them; it stays, empty.

    Returns False, some of them moved, if one finds no place or they cost `most` more than g does,
    or more. `atoms`, where the members are listed, `cost` and `listed` are scratch.
    """
    count = state.cursor[COUNT]
    left = state.sse[g] + most
    for c in range(members(state.head, state.after, g, atoms)):
        x = atoms[c]
        for h in range(count):
            share = state.size[h] / (state.size[h] + 1.0)
            cost[h] = share * squared(state.points, x, state.centroids, h)
        cost[g] = np.inf
        to = cheapest(state, rules, cost, listed, x)
        if to < 0:
            return False
        left -= cost[to]
        if left <= 0.0:
            return False
        transfer(state, x, to)
        refresh(state, to)
    return True


@inner
def dissolve(plan, state, rules, atoms, cost, listed, g):
    """Do without group `g` if that lowers the SSE; the groups that grow are targets of `plan`.

    Returns False, some of its members moved, if it does not. `atoms`, `cost` and `listed` are
    scratch.
    """
    size = state.size[g]
    if not scatter(state, rules, atoms, cost, listed, g, 0.0):
        return False
    for c in range(size):
        target(plan.changed, plan.is_changed, plan.cursor, state.labels[atoms[c]])
    last = release(state, g)
    if plan.is_changed[last] and last != g:
        target(plan.changed, plan.is_changed, plan.cursor, g)
    return True
