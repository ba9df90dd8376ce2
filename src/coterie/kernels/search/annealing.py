"""Annealing of one region after another: a few neighboring groups, melted and cooled down.

Entry point: `step` (resumable).

A walk takes a *region* of its territory (`regions`) and proposes moves within: a
record goes to the group of a near neighbor, alone (*shift*) or against that group's member whose
return costs least (*swap*); now and then a group is dissolved among its neighbors, or a new one
distilled from records that their groups can spare. A move that raises the SSE by x is made with
probability exp(-x / t), t falling geometrically (Kirkpatrick, Gelatt, Vecchi (1983), Science
220:671-680). When the region has cooled down it is kept if its SSE has fallen, else restored.

A proposal costs O(d) and one O(d) for each member of the other group that the triangle inequality
cannot rule out; nothing grows with the number of records.
"""

import numpy as np

from coterie.kernels.base.draws import below, real
from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.base.rows import squared
from coterie.kernels.search.regions import (
    COLD,
    GROUPS,
    HOT,
    INSIDE,
    MOVES,
    NEXT,
    PARTS,
    PROPOSALS,
    PROPOSED,
    RECORDS,
    WANTED,
    begin,
    end,
)
from coterie.kernels.search.slots import put, refresh

__all__ = ["step"]

COOLINGS = 100  # steps of the temperature
SLICE = 1 << 17  # most proposals between two looks at the budget
QUENCH = 20  # proposals for each record at the end, at temperature 0


@inner
def recast(state, walk, x, most, distill):
    """One group less or more round record `x`, taken back unless that costs less than `most`.

    Its group is dissolved: each member goes to the near group where it costs least. Or a new one
    is distilled of `x` and its nearest that their groups can spare. Returns whether it was made.
    """
    points, near, labels, place = state.points, state.near, state.labels, state.place
    own, members, size, sse = state.own, state.members, state.size, state.sse
    centroids, owner, moved = state.centroids, state.owner, walk.moved
    mark = 2 * walk.number + 1
    core = np.int64(labels[x])  # the group that comes or goes
    wanted = np.int64(size[core])
    if distill:
        core = np.int64(-1)
        wanted = np.int64(state.k)
        for t in range(walk.cursor[GROUPS] - 1, -1, -1):
            if size[walk.groups[t]] == 0:
                core = np.int64(walk.groups[t])
                break
        if core < 0:
            return False
    change = -sse[core]
    done = 0
    c = -1
    while done < wanted:
        y = np.int64(-1)
        to = core
        other = np.int64(-1)  # the group at the other end of the way to or from `core`
        if distill:
            while c < near.shape[1] and other < 0:
                y = x if c < 0 else np.int64(near[x, c])
                c += 1
                g = np.int64(labels[y])
                if owner[g] == mark and g != core and size[g] > state.k:
                    other = g
        else:
            y = np.int64(members[core, size[core] - 1])
            best = np.inf
            for n in range(near.shape[1]):
                g = np.int64(labels[near[y, n]])
                if owner[g] == mark and g != core and size[g] < state.limit:
                    q = size[g]
                    cost = q / (q + 1.0) * squared(points, y, centroids, g)
                    if cost < best:
                        best = cost
                        other = g
            to = other
            if change + best >= most:
                break
        if other < 0:
            break
        put(labels, place, members, size, y, to)
        moved[done, 0] = y
        moved[done, 1] = other
        done += 1
        if not distill:
            change += refresh(points, own, members, size, sse, centroids, to)
    stands = done == wanted
    if stands and not distill:
        sse[core] = 0.0
        return True
    while True:
        if not stands:
            for t in range(done - 1, -1, -1):
                to = np.int64(moved[t, 1]) if distill else core
                put(labels, place, members, size, np.int64(moved[t, 0]), to)
        change = 0.0
        for t in range(-1, done):
            g = np.int64(moved[t, 1]) if t >= 0 else core
            change += refresh(points, own, members, size, sse, centroids, g)
        if not stands or change < most:
            return stands
        stands = False


@kernel
def step(state, walk, schedule, budget, most):
    """Anneal up to `budget` regions, make up to about `most` proposals; return regions done.

    With `most` below 0 a region that is under way ends at once, better than before or as before.
    """
    points, near, labels, place = state.points, state.near, state.labels, state.place
    own, members, size, sse = state.own, state.members, state.size, state.sse
    centroids, owner = state.centroids, state.owner
    k, limit = state.k, state.limit
    words, records = walk.words, walk.records
    cursor, figures = walk.cursor, walk.figures
    mark = 2 * walk.number + 1
    reach = near.shape[1]
    done = 0
    work = 0
    hurried = most < 0 and cursor[INSIDE] == 1
    while hurried or (done < budget and work < most):
        if cursor[INSIDE] == 0:
            if schedule.records == 0 and cursor[NEXT] == cursor[PARTS]:
                break
            begin(state, walk, schedule)
        cooled = cursor[PROPOSED] / cursor[WANTED]
        ends = hurried or not cooled < 1.0
        temperature = 0.0
        count = np.int64(0)
        if hurried:
            hurried = False
        elif not ends:
            count = min(max(cursor[WANTED] // COOLINGS, 1), SLICE)
            if figures[HOT] > 0.0:
                temperature = figures[HOT] * (figures[COLD] / figures[HOT]) ** cooled
        elif not schedule.always:
            count = QUENCH * cursor[RECORDS]
        inside = cursor[RECORDS]
        moves = 0
        for _ in range(count):
            x = np.int64(records[below(words, inside)])
            best = 0.0
            if temperature > 0.0:
                best = -temperature * np.log(1.0 - real(words))
            a = np.int64(labels[x])
            if below(words, schedule.rare) == 0:
                moves += recast(state, walk, x, best, below(words, np.int64(2)) == 1)
                continue
            b = np.int64(labels[near[x, below(words, reach)]])
            if b == a or owner[b] != mark:
                continue
            p = size[a]
            q = size[b]
            there = squared(points, x, centroids, b)
            # 1. Shift.
            partner = np.int64(-1)
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
                y = np.int64(members[b, m])
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
        cursor[MOVES] += moves
        if ends:
            end(state, walk, schedule.always and most >= 0)
            done += 1
        cursor[PROPOSED] += count
        cursor[PROPOSALS] += count
        work += count
    return done
