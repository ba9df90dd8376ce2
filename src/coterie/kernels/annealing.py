"""Annealing of one region after another: a few neighbouring groups, melted and cooled down.

Entry points: `walk` (Python, makes the state), `step` (resumable).

A walk takes a *region* of its territory, the next of those marked out for it or some groups round
one that it draws, and proposes moves within: a record goes to the group of a near neighbour, alone
(*shift*) or against that group's member whose return costs least (*swap*); now and then a group is
dissolved among its neighbours, or a new one distilled from records that their groups can spare. A
move that raises the SSE by x is made with probability exp(-x / t), t falling geometrically
(Kirkpatrick, Gelatt, Vecchi (1983), Science 220:671-680). When the region has cooled down it is
kept if its SSE has fallen, else restored.

A proposal costs O(d) and one O(d) for each member of the other group that the triangle inequality
cannot rule out; nothing grows with the number of records.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.draws import below, real
from coterie.kernels.groups import squared
from coterie.kernels.jit import kernel
from coterie.kernels.slots import put, refresh

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
    "step",
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
        "samples",  # groups drawn, of which that of largest SSE is the centre of a region
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
    MADE,  # proposals in it
    WANTED,  # proposals until it is cold
    PROPOSALS,  # in all
    MOVES,  # made
    REGIONS,  # annealed
    KEPT,  # of them
) = range(13)
BEFORE, HOT, COLD = range(3)
SPARE = 4  # empty slots that a region takes along
COOLINGS = 100  # steps of the temperature
SLICE = 1 << 17  # most proposals between two looks at the budget
QUENCH = 20  # proposals for each record at the end, at temperature 0


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


@kernel
def join(state, walk, g):
    """Take slot `g` into the region."""
    cursor = walk.cursor
    state.owner[g] = 2 * walk.number + 1
    walk.groups[cursor[GROUPS]] = g
    walk.held[cursor[GROUPS]] = state.size[g]
    cursor[GROUPS] += 1
    for m in range(state.size[g]):
        walk.records[cursor[RECORDS]] = state.members[g, m]
        cursor[RECORDS] += 1
    walk.figures[BEFORE] += state.sse[g]


@kernel
def begin(state, walk, schedule):
    """Take the next region and fix its temperatures."""
    cursor, figures = walk.cursor, walk.figures
    cursor[GROUPS] = 0
    cursor[RECORDS] = 0
    cursor[MADE] = 0
    figures[BEFORE] = 0.0
    if schedule.records == 0:
        part = cursor[NEXT]
        cursor[NEXT] += 1
        for t in range(walk.parts[part], walk.parts[part + 1]):
            join(state, walk, walk.territory[t])
    else:
        grow(state, walk, draw(state, walk, schedule.samples), schedule.records)
        for s in range(min(SPARE, cursor[EMPTY])):
            cursor[EMPTY] -= 1
            join(state, walk, walk.empty[cursor[EMPTY]])
    unit = schedule.unit if schedule.unit > 0.0 else figures[BEFORE] / cursor[RECORDS]
    figures[HOT] = schedule.hot * unit
    figures[COLD] = schedule.cold * unit
    cursor[WANTED] = schedule.proposals * cursor[RECORDS]
    cursor[INSIDE] = 1


@kernel
def draw(state, walk, samples):
    """A group of the territory: of up to `samples` drawn, that of largest SSE."""
    words, territory = walk.words, walk.territory
    slots = walk.cursor[TERRITORY]
    centre = territory[below(words, slots)]
    while state.size[centre] == 0:
        centre = territory[below(words, slots)]
    for s in range(below(words, samples)):
        g = territory[below(words, slots)]
        if state.sse[g] > state.sse[centre]:
            centre = g
    return centre


@kernel
def grow(state, walk, centre, records):
    """Take `centre` and the groups nearest to it, of those that their neighbours lead to.

    The edge of the region, groups reached but not taken, waits in `moved`.
    """
    cursor, owner, labels, near = walk.cursor, state.owner, state.labels, state.near
    edge = walk.moved
    mine = 2 * walk.number
    reached = 0
    taken = centre
    while True:
        first = cursor[RECORDS]
        join(state, walk, taken)
        if cursor[RECORDS] >= records:
            break
        for r in range(first, cursor[RECORDS]):
            x = walk.records[r]
            for c in range(near.shape[1]):
                g = labels[near[x, c]]
                if owner[g] == mine:
                    owner[g] = -2 - mine  # reached
                    edge[reached, 0] = g
                    reached += 1
        if reached == 0:
            break
        at = 0
        least = np.inf
        for t in range(reached):
            d2 = squared(state.centroids, edge[t, 0], state.centroids, centre)
            if d2 < least:
                least = d2
                at = t
        taken = edge[at, 0]
        reached -= 1
        edge[at, 0] = edge[reached, 0]
    for t in range(reached):
        owner[edge[t, 0]] = mine


@kernel
def end(state, walk, always):
    """Keep the region if it is better than it was, or `always`, else restore it; set it free."""
    cursor, size = walk.cursor, state.size
    now = 0.0
    for t in range(cursor[GROUPS]):
        now += state.sse[walk.groups[t]]
    if not (always or now < walk.figures[BEFORE] * (1.0 - 1e-13)):
        at = 0
        for t in range(cursor[GROUPS]):
            g = walk.groups[t]
            size[g] = walk.held[t]
            for m in range(size[g]):
                x = walk.records[at]
                at += 1
                state.members[g, m] = x
                state.place[x] = m
                state.labels[x] = g
            refresh(state.points, state.own, state.members, size, state.sse, state.centroids, g)
    else:
        cursor[KEPT] += 1
    for t in range(cursor[GROUPS]):
        g = walk.groups[t]
        state.owner[g] = 2 * walk.number
        if size[g] == 0:
            walk.empty[cursor[EMPTY]] = g
            cursor[EMPTY] += 1
    cursor[INSIDE] = 0
    cursor[REGIONS] += 1


@kernel
def undo(state, walk, count):
    """Put the first `count` records of the log back, the last first."""
    for t in range(count - 1, -1, -1):
        put(
            state.labels, state.place, state.members, state.size, walk.moved[t, 0], walk.moved[t, 1]
        )


@kernel
def dissolve(state, walk, gone, most):
    """Share the members of slot `gone` out among near groups, if that costs less than `most`."""
    points, near, labels = state.points, state.near, state.labels
    size, centroids = state.size, state.centroids
    mark = 2 * walk.number + 1
    change = -state.sse[gone]
    count = size[gone]
    done = 0
    while size[gone] > 0:
        x = state.members[gone, size[gone] - 1]
        best = np.inf
        to = -1
        for c in range(near.shape[1]):
            g = labels[near[x, c]]
            if state.owner[g] == mark and g != gone and size[g] < state.limit:
                q = size[g]
                cost = q / (q + 1.0) * squared(points, x, centroids, g)
                if cost < best:
                    best = cost
                    to = g
        if to < 0 or change + best >= most:
            break
        put(labels, state.place, state.members, size, x, to)
        walk.moved[done, 0] = x
        walk.moved[done, 1] = gone
        done += 1
        change += refresh(points, state.own, state.members, size, state.sse, centroids, to)
    made = done == count
    if made:
        state.sse[gone] = 0.0
    else:
        for t in range(done):
            walk.moved[done + t, 0] = labels[walk.moved[t, 0]]
        undo(state, walk, done)
        for t in range(done):
            g = walk.moved[done + t, 0]
            refresh(points, state.own, state.members, size, state.sse, centroids, g)
        refresh(points, state.own, state.members, size, state.sse, centroids, gone)
    return made


@kernel
def distill(state, walk, x, most):
    """A new group of `x` and its nearest that can be spared, if that costs less than `most`."""
    labels, near, size = state.labels, state.near, state.size
    mark = 2 * walk.number + 1
    new = -1
    for t in range(walk.cursor[GROUPS] - 1, -1, -1):
        if size[walk.groups[t]] == 0:
            new = walk.groups[t]
            break
    if new < 0:
        return False
    done = 0
    for c in range(-1, near.shape[1]):
        y = x if c < 0 else near[x, c]
        g = labels[y]
        if state.owner[g] == mark and g != new and size[g] > state.k:
            put(labels, state.place, state.members, size, y, new)
            walk.moved[done, 0] = y
            walk.moved[done, 1] = g
            done += 1
            if done == state.k:
                break
    made = done == state.k
    if made:
        change = refresh(
            state.points, state.own, state.members, size, state.sse, state.centroids, new
        )
        for t in range(done):
            change += refresh(
                state.points,
                state.own,
                state.members,
                size,
                state.sse,
                state.centroids,
                walk.moved[t, 1],
            )
        made = change < most
    if not made:
        undo(state, walk, done)
        for t in range(done):
            refresh(
                state.points,
                state.own,
                state.members,
                size,
                state.sse,
                state.centroids,
                walk.moved[t, 1],
            )
        state.sse[new] = 0.0
    return made


@kernel
def propose(state, walk, count, temperature, rare):
    """Make `count` proposals at one temperature."""
    points, near, labels, place, own = (
        state.points,
        state.near,
        state.labels,
        state.place,
        state.own,
    )
    members, size, sse, centroids, owner = (
        state.members,
        state.size,
        state.sse,
        state.centroids,
        state.owner,
    )
    k, limit = state.k, state.limit
    words, records = walk.words, walk.records
    inside = walk.cursor[RECORDS]
    mark = 2 * walk.number + 1
    reach = near.shape[1]
    moves = 0
    for c in range(count):
        x = records[below(words, inside)]
        most = 0.0
        if temperature > 0.0:
            most = -temperature * np.log(1.0 - real(words))
        a = labels[x]
        if below(words, rare) == 0:
            if below(words, 2) == 0:
                moves += dissolve(state, walk, a, most)
            else:
                moves += distill(state, walk, x, most)
            continue
        b = labels[near[x, below(words, reach)]]
        if b == a or owner[b] != mark:
            continue
        p = size[a]
        q = size[b]
        there = squared(points, x, centroids, b)
        # 1. Shift.
        best = most
        partner = -1
        found = False
        if p > k and q < limit:
            change = q / (q + 1.0) * there - p / (p - 1.0) * own[x]
            if change < best:
                best = change
                found = True
        # 2. Swap: |x - y| is at most the way over b's centroid.
        share = 1.0 / p + 1.0 / q
        leaves = there - own[x]
        way = np.sqrt(there)
        for m in range(q):
            y = members[b, m]
            detour = way + np.sqrt(own[y])
            bound = leaves - own[y] - share * detour * detour
            if bound >= best:
                continue
            back = squared(points, y, centroids, a)
            if bound + back >= best:
                continue
            change = leaves - own[y] + back - share * squared(points, x, points, y)
            if change < best:
                best = change
                partner = y
                found = True
        if found:
            put(labels, place, members, size, x, b)
            if partner >= 0:
                put(labels, place, members, size, partner, a)
            refresh(points, own, members, size, sse, centroids, a)
            refresh(points, own, members, size, sse, centroids, b)
            moves += 1
    walk.cursor[MOVES] += moves


@kernel
def step(state, walk, schedule, budget, most):
    """Anneal up to `budget` regions, make up to about `most` proposals; return regions done."""
    cursor, figures = walk.cursor, walk.figures
    done = 0
    work = 0
    while done < budget and work < most:
        if cursor[INSIDE] == 0:
            if schedule.records == 0 and cursor[NEXT] == cursor[PARTS]:
                break
            begin(state, walk, schedule)
        cooled = cursor[MADE] / cursor[WANTED]
        if cooled < 1.0:
            count = min(max(cursor[WANTED] // COOLINGS, 1), SLICE)
            temperature = 0.0
            if figures[HOT] > 0.0:
                temperature = figures[HOT] * (figures[COLD] / figures[HOT]) ** cooled
            propose(state, walk, count, temperature, schedule.rare)
        else:
            count = 0
            if not schedule.always:
                count = QUENCH * cursor[RECORDS]
                propose(state, walk, count, 0.0, schedule.rare)
            end(state, walk, schedule.always)
            done += 1
        cursor[MADE] += count
        cursor[PROPOSALS] += count
        work += count
    return done
