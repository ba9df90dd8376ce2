"""One group fewer or one more, if it costs little: a group goes, or one is made of what is spare.

Entry points: `dissolved`, `distilled`.

Shifts, swaps and rings keep the number of groups, and a pool grown anew changes it only where that
pays at once. In a walk that is warm it may cost something; what follows makes up for it. A group
goes as in `dissolving`. A new one is made around an atom, of the nearest ones that their groups can
spare and that leave it a smaller shortfall. O(s g d) to go, for s members and g groups; O(n (d + t))
to be made, for the t atoms that it asks for. What is not wanted is taken back.
"""

import numpy as np

from coterie.kernels.base.groups import COUNT, keep, refresh, release, restore, total, transfer
from coterie.kernels.base.jit import inner
from coterie.kernels.base.lists import members
from coterie.kernels.base.rows import squared
from coterie.kernels.constrained.admissible import admits, shortfall
from coterie.kernels.constrained.dissolving import scatter
from coterie.kernels.search.moves import ALONE

__all__ = ["dissolved", "distilled"]

ASKED = 8  # atoms, times k, that a new group asks for


@inner
def dissolved(state, rules, atoms, cost, listed, g, most):
    """Whether group `g` was given up: not if its members cost `most` more elsewhere, or more."""
    if state.cursor[COUNT] == 1:
        return False
    keep(state)
    if not scatter(state, rules, atoms, cost, listed, g, most):
        restore(state)
        return False
    release(state, g)
    return True


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
def distilled(state, rules, away, listed, x, most):
    """Whether a new group was made around atom `x`: not if that costs `most` or more.

    `away` and `listed` are scratch.
    """
    made = state.cursor[COUNT]
    if made == state.head.shape[0]:
        return False
    before = total(state)
    keep(state)
    for i in range(away.shape[0]):
        away[i] = squared(state.points, i, state.points, x)
    missing = np.inf
    for turn in range(ASKED * state.k):
        y = nearest_left(away)
        if y < 0:
            break
        g = state.labels[y]
        if state.size[g] <= state.k:
            continue
        count = members(state.head, state.after, made, listed)
        listed[count] = y
        lack = shortfall(rules, listed, count + 1)
        if lack >= missing or not admits(state.head, state.after, rules, listed, g, y, ALONE):
            continue
        missing = lack
        transfer(state, y, made)
        refresh(state, g)
        if missing == 0.0:
            break
    if state.size[made] > 0:
        state.cursor[COUNT] = made + 1
        refresh(state, made)
    if missing > 0.0 or not total(state) - before < most:
        restore(state)
        return False
    return True
