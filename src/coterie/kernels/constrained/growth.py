"""Groups grown until they are admissible: MDAV among records that complement each other.

Entry points: `growth` (Python, makes the state), `begin`, `step` (resumable).

The seed of a group is the record farthest from the mean of what remains (Domingo-Ferrer,
Mateo-Sanz (2002), IEEE TKDE 14(1):189-201). It takes the nearest records of units that it does
not hold yet until it has k, then, of the WIDTH nearest, the one that leaves the least shortfall,
and gives back what it can do without: the constraint is met while a group is formed, where merging
afterwards would cost more (Soria-Comas et al. (2015), IEEE TKDE 27(11):3098-3110, sections V, VI).
Records that no group can be made of any more are left for `placing`. O(n^2 d / k); memory O(n).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.base.rows import coordinates, squared, squared_to
from coterie.kernels.constrained.admissible import shortfall

__all__ = ["Growth", "begin", "growth", "step"]

Growth = namedtuple(
    "Growth",
    [
        "points",  # (a, d)
        "rules",  # Rules
        "pool",  # (a,): the first SIZE are in no group yet
        "away",  # (a,): squared distance of each of them from the seed
        "labels",  # (a,): group of each atom, -1 for none
        "group",  # (a,): scratch, the atoms of the group that grows
        "near",  # (WIDTH,): scratch, positions in the pool
        "taken",  # (units,): whether the group holds the unit
        "query",  # (d,)
        "cursor",  # (5,): SIZE, GROUPS, DONE, REFERENCE (begin opposite this atom, or -1), LIMIT
    ],
)

SIZE, GROUPS, DONE, REFERENCE, LIMIT = 0, 1, 2, 3, 4
WIDTH = 24
TRIMMED = 40  # members that a group tries to do without


def growth(points, rules):
    """State for (a, d) `points`, one for each atom of `rules`."""
    a, d = points.shape
    return Growth(
        points=points,
        rules=rules,
        pool=np.arange(a),
        away=np.empty(a),
        labels=np.full(a, -1),
        group=np.empty(a, dtype=np.int64),
        near=np.empty(WIDTH, dtype=np.int64),
        taken=np.zeros(int(rules.units.max()) + 1, dtype=np.bool_),
        query=np.empty(d),
        cursor=np.array([a, 0, 0, -1, a]),
    )


@kernel
def begin(state, atoms, count, reference, limit):
    """Start anew with the first `count` of `atoms`, to form at most `limit` groups.

    The first seed lies opposite the atom `reference`, or the mean of all if that is -1.
    """
    for p in range(count):
        state.pool[p] = atoms[p]
        state.labels[atoms[p]] = -1
    state.cursor[SIZE] = count
    state.cursor[GROUPS] = 0
    state.cursor[DONE] = 0
    state.cursor[REFERENCE] = reference
    state.cursor[LIMIT] = limit


@inner
def leave(pool, away, cursor, p):
    """Take the atom at position `p` out of the pool and return it."""
    atom = pool[p]
    last = cursor[SIZE] - 1
    pool[p] = pool[last]
    away[p] = away[last]
    cursor[SIZE] = last
    return atom


@inner
def seed(state):
    """Position of the atom farthest from the mean of the pool, or from the reference."""
    points, pool, query, cursor = state.points, state.pool, state.query, state.cursor
    size = cursor[SIZE]
    d = points.shape[1]
    if cursor[REFERENCE] >= 0:
        coordinates(points, cursor[REFERENCE], query)
        cursor[REFERENCE] = -1
    else:
        for a in range(d):
            query[a] = 0.0
        for p in range(size):
            for a in range(d):
                query[a] += points[pool[p], a]
        for a in range(d):
            query[a] /= size
    best = -1.0
    found = 0
    for p in range(size):
        d2 = squared_to(points, pool[p], query)
        if d2 > best or (d2 == best and pool[p] < pool[found]):
            best = d2
            found = p
    return found


@inner
def unit_of(rules, atom):
    return rules.units[rules.records[rules.first[atom]]]


@inner
def nearest_new(state):
    """Position of the nearest atom of a unit that the group does not hold; -1 if there is none."""
    pool, away, rules, taken = state.pool, state.away, state.rules, state.taken
    best = np.inf
    found = -1
    for p in range(state.cursor[SIZE]):
        if away[p] <= best and (away[p] < best or pool[p] < pool[found]):
            if not rules.counts_units or not taken[unit_of(rules, pool[p])]:
                best = away[p]
                found = p
    return found


@inner
def nearest_few(pool, away, size, near):
    """Write the positions of the nearest atoms, nearest first, into `near`; return how many."""
    count = 0
    for p in range(size):
        if count == near.shape[0] and away[p] >= away[near[count - 1]]:
            continue
        if count < near.shape[0]:
            count += 1
        q = count - 1
        while q > 0 and (
            away[near[q - 1]] > away[p]
            or (away[near[q - 1]] == away[p] and pool[near[q - 1]] > pool[p])
        ):
            near[q] = near[q - 1]
            q -= 1
        near[q] = p
    return count


@inner
def best_addition(state, count):
    """Of the nearest atoms, the position of the one that leaves the least shortfall."""
    group, pool = state.group, state.pool
    found = nearest_few(pool, state.away, state.cursor[SIZE], state.near)
    best = np.inf
    chosen = -1
    for c in range(found):
        group[count] = pool[state.near[c]]
        missing = shortfall(state.rules, group, count + 1)
        if missing < best:
            best = missing
            chosen = state.near[c]
            if missing == 0.0:
                break
    return chosen, best


@inner
def trim(state, count):
    """Give back what the group can do without, latest first; return how many stay."""
    group, pool, cursor = state.group, state.pool, state.cursor
    g = count - 1
    while g > 0 and count > state.rules.k and count - g <= TRIMMED:
        atom = group[g]
        group[g] = group[count - 1]
        if shortfall(state.rules, group, count - 1) == 0.0:
            count -= 1
            pool[cursor[SIZE]] = atom
            state.away[cursor[SIZE]] = np.inf  # computed anew for the next seed
            cursor[SIZE] += 1
        else:
            group[g] = atom
        g -= 1
    return count


@inner
def form(state):
    """Form one group, or find that none can be formed any more; return the distances computed."""
    points, rules, pool, group = state.points, state.rules, state.pool, state.group
    cursor, away, taken = state.cursor, state.away, state.taken
    start = cursor[SIZE]
    if start == 0 or cursor[GROUPS] == cursor[LIMIT]:
        cursor[DONE] = 1
        return 1
    group[0] = leave(pool, away, cursor, seed(state))
    for p in range(cursor[SIZE]):
        away[p] = squared(points, pool[p], points, group[0])
    work = 2 * start
    count = np.int64(1)
    if rules.counts_units:
        taken[unit_of(rules, group[0])] = True
    units = 1
    while units < rules.k:
        p = nearest_new(state)
        if p < 0:
            break
        group[count] = leave(pool, away, cursor, p)
        if rules.counts_units:
            taken[unit_of(rules, group[count])] = True
        count += 1
        units += 1
        work += start
    for g in range(count):
        if rules.counts_units:
            taken[unit_of(rules, group[g])] = False
    missing = shortfall(rules, group, count) if units == rules.k else np.inf
    grown = count
    while units == rules.k and missing > 0.0 and cursor[SIZE] > 0:
        p, missing = best_addition(state, count)
        group[count] = leave(pool, away, cursor, p)
        count += 1
        work += start + WIDTH * count
    if missing > 0.0:  # of what is left no group can be made
        cursor[SIZE] = 0
        cursor[DONE] = 1
        return work
    if count > grown:
        count = trim(state, count)
    for g in range(count):
        state.labels[group[g]] = cursor[GROUPS]
    cursor[GROUPS] += 1
    return work


@kernel
def step(state, budget):
    """Form groups until about `budget` distances are computed; return how many."""
    work = 0
    while work < budget and state.cursor[DONE] == 0:
        work += form(state)
    return work
