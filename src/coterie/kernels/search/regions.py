"""Regions: a few neighboring groups that a walk takes, changes, and keeps or restores.

Entry points: `walk` (Python, makes the state), `begin`, `end`. A region is the next of the parts
that were marked out in the walk's territory, or some groups round one that it draws. What happens
in between is `annealing`'s.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.draws import below
from coterie.kernels.base.jit import inner
from coterie.kernels.base.rows import squared
from coterie.kernels.search.slots import refresh

__all__ = [
    "EMPTY",
    "INSIDE",
    "KEPT",
    "MOVES",
    "NEXT",
    "PARTS",
    "PROPOSALS",
    "REGIONS",
    "TERRITORY",
    "Schedule",
    "Walk",
    "begin",
    "end",
    "walk",
]

Schedule = namedtuple(
    "Schedule",
    [
        "records",  # of a region, about; 0: regions are the parts marked out in the territory
        "proposals",  # for each of them
        "hot",  # first temperature, in units
        "cold",  # last temperature
        "unit",  # of temperature; 0: the mean squared distance of the region's records
        "always",  # whether a region is kept as it is when cold, better or not
        "samples",  # groups drawn, of which that of largest excess is the center of a region
        "rare",  # proposals for one that dissolves or distills
    ],
)

Walk = namedtuple(
    "Walk",
    [
        "number",
        "words",  # random state
        "territory",  # (slots,): the slots that this walk may change, empty ones included
        "parts",  # (slots + 1,): where each part marked out in it begins
        "empty",  # (slots,): empty slots of its own
        "groups",  # (slots,): of the region, empty ones included
        "held",  # (slots,): their sizes when it was begun
        "records",  # (n,): the region's records, group by group, as they were
        "moved",  # (n, 2): record and slot, to take a dissolved or distilled group back
        "cursor",  # integers, see below
        "figures",  # floats, see below
    ],
)

(
    TERRITORY,  # slots in it
    EMPTY,  # slots in `empty`
    PARTS,  # marked out
    NEXT,  # part to come
    GROUPS,  # slots in the region
    RECORDS,  # in the region
    INSIDE,  # whether a region is being annealed
    PROPOSED,  # proposals in it
    WANTED,  # proposals until it is cold
    PROPOSALS,  # in all
    MOVES,  # made
    REGIONS,  # annealed
    KEPT,  # of them
) = range(13)
BEFORE, HOT, COLD = range(3)
SPARE = 4  # empty slots that a region takes along


def walk(state, number, words):
    """State of walk `number`, which owns nothing yet."""
    n = state.labels.shape[0]
    slots = state.size.shape[0]
    return Walk(
        number=number,
        words=words,
        territory=np.empty(slots, dtype=np.int32),
        parts=np.zeros(slots + 1, dtype=np.int64),
        empty=np.empty(slots, dtype=np.int32),
        groups=np.empty(slots, dtype=np.int32),
        held=np.empty(slots, dtype=np.int32),
        records=np.empty(n, dtype=np.int32),
        moved=np.empty((max(n, slots, 2 * state.limit) + 1, 2), dtype=np.int32),
        cursor=np.zeros(13, dtype=np.int64),
        figures=np.zeros(3),
    )


@inner
def excess(state, g):
    """SSE of a slot above what its members should have to pay."""
    total = state.sse[g]
    for m in range(state.size[g]):
        total -= state.price[state.members[g, m]]
    return total


@inner
def begin(state, walk, schedule):
    """Take the next region and fix its temperatures.

    It is the next part marked out. Or a group is drawn, of up to `samples` that of largest excess,
    and the groups nearest to it join, of those that their neighbors lead to; the edge, groups
    reached but not taken, waits in `moved`. Some empty slots come along.
    """
    owner, labels, near, size = state.owner, state.labels, state.near, state.size
    words, territory, records, edge = walk.words, walk.territory, walk.records, walk.moved
    cursor, figures = walk.cursor, walk.figures
    mine = 2 * walk.number
    cursor[GROUPS] = 0
    cursor[RECORDS] = 0
    cursor[PROPOSED] = 0
    figures[BEFORE] = 0.0
    at = np.int64(0)
    last = np.int64(0)
    reached = 0
    spare = 0
    growing = schedule.records > 0
    if growing:
        slots = cursor[TERRITORY]
        center = np.int64(territory[below(words, slots)])
        while size[center] == 0:
            center = np.int64(territory[below(words, slots)])
        for _ in range(below(words, schedule.samples)):
            g = np.int64(territory[below(words, slots)])
            if size[g] > 0 and excess(state, g) > excess(state, center):
                center = g
    else:
        at = walk.parts[cursor[NEXT]]
        last = walk.parts[cursor[NEXT] + 1]
        center = np.int64(territory[at])
        cursor[NEXT] += 1
    taken = center
    while True:
        # 1. Join.
        first = cursor[RECORDS]
        owner[taken] = mine + 1
        walk.groups[cursor[GROUPS]] = taken
        walk.held[cursor[GROUPS]] = size[taken]
        cursor[GROUPS] += 1
        for m in range(size[taken]):
            records[first + m] = state.members[taken, m]
        cursor[RECORDS] = first + size[taken]
        figures[BEFORE] += state.sse[taken]
        # 2. The next of those marked out,
        if schedule.records == 0:
            at += 1
            if at == last:
                break
            taken = np.int64(territory[at])
            continue
        # or the nearest of the edge,
        if growing and cursor[RECORDS] < schedule.records:
            for r in range(first, cursor[RECORDS]):
                x = records[r]
                for c in range(near.shape[1]):
                    g = np.int64(labels[near[x, c]])
                    if owner[g] == mine:
                        owner[g] = -2 - mine  # reached
                        edge[reached, 0] = g
                        reached += 1
            if reached > 0:
                nearest = 0
                least = np.inf
                for t in range(reached):
                    d2 = squared(state.centroids, edge[t, 0], state.centroids, center)
                    if d2 < least:
                        least = d2
                        nearest = t
                taken = np.int64(edge[nearest, 0])
                reached -= 1
                edge[nearest, 0] = edge[reached, 0]
                continue
        # or, when there are enough, an empty one.
        if growing:
            growing = False
            for t in range(reached):
                owner[edge[t, 0]] = mine
            spare = min(SPARE, cursor[EMPTY])
        if spare == 0:
            break
        spare -= 1
        cursor[EMPTY] -= 1
        taken = np.int64(walk.empty[cursor[EMPTY]])
    unit = schedule.unit if schedule.unit > 0.0 else figures[BEFORE] / cursor[RECORDS]
    figures[HOT] = schedule.hot * unit
    figures[COLD] = schedule.cold * unit
    cursor[WANTED] = schedule.proposals * cursor[RECORDS]
    cursor[INSIDE] = 1


@inner
def end(state, walk, always):
    """Keep the region if it is better than it was, or `always`, else restore it; set it free."""
    cursor, size = walk.cursor, state.size
    now = 0.0
    for t in range(cursor[GROUPS]):
        now += state.sse[walk.groups[t]]
    kept = always or now < walk.figures[BEFORE] * (1.0 - 1e-13)
    cursor[KEPT] += kept
    at = 0
    for t in range(cursor[GROUPS]):
        g = np.int64(walk.groups[t])
        if not kept:
            size[g] = walk.held[t]
            for m in range(size[g]):
                x = walk.records[at]
                at += 1
                state.members[g, m] = x
                state.place[x] = m
                state.labels[x] = g
            refresh(state.points, state.own, state.members, size, state.sse, state.centroids, g)
        state.owner[g] = 2 * walk.number
        if size[g] == 0:
            walk.empty[cursor[EMPTY]] = g
            cursor[EMPTY] += 1
    cursor[INSIDE] = 0
    cursor[REGIONS] += 1
