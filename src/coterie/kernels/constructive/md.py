"""MD: two groups a round, round the two most distant of the remaining records.

Entry points: `md` (Python, makes the state), `step` (resumable).

The most distant pair is not looked for among all pairs. Records are ranked by their distance from
the centroid of all, and each record answers only for its pairs with records of lower rank: those
lie within twice its own distance from the centroid. The answers wait in a heap, first that bound,
then the distance of the pair found; as records only ever leave, an answer can only shrink. So the
pair on top is the most distant one as soon as both its records still remain, and a record near the
middle is asked late or never. An answer costs one pass over the records of lower rank.

Time: n^3 / (12 k) distances at worst, as the plain algorithm always takes; far fewer on data with
few records at its rim. Groups cost n^2 / (2 k) more at worst. Memory: O(n d).

Ties go to the pair whose lower index is lowest, then to the lowest other index. The group of the
record farther from the centroid of what remains is formed first.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.asking import fresh, looked, nearest, take
from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.base.leaves import DISTANCES, SIZE, leaves, renewing
from coterie.kernels.base.remaining import BLOCK, squared_distances
from coterie.kernels.base.rows import coordinates

__all__ = ["Md", "md", "step"]

Md = namedtuple(
    "Md",
    [
        "rest",  # Leaves: what groups are formed from
        "k",
        "labels",  # (n,): the group of each record, -1 while it has none
        "columns",  # (d, n): the records by rank, attribute by attribute
        "ids",  # (n,): index in the caller's table of the record at each rank
        "reach",  # (n,): upper bound of its squared distance to any remaining of lower rank
        "partner",  # (n,): rank of the record at that distance, -1 as long as none was looked for
        "heap",  # (n,): ranks, the greatest reach on top
        "query",  # (d,): the record now asked about
        "block",  # (BLOCK,): scratch, squared distances of one block
        "cursor",  # (5,): PHASE, GROUPS formed, FIRST (its seed), HEAP (its size), OTHER
    ],
)

PHASE, GROUPS, FIRST, HEAP, OTHER = 0, 1, 2, 3, 4  # OTHER: the record s, while r's group forms
PAIR, GROUP_R, GROUP_S, DONE = 0, 1, 2, 3


def md(points, k):
    """State for (n, d) `points`; `step` runs it."""
    n, d = points.shape
    radius = np.square(points - points.mean(axis=0)).sum(axis=1)
    order = np.argsort(radius, kind="stable")
    # Twice the radius bounds every distance inwards; the slack covers all rounding, and squares
    # that are lost below the smallest number.
    reach = 4.0 * radius[order] * (1.0 + 1e-9) + 1e-300
    return Md(
        rest=leaves(points, min(k + 1, n)),
        k=k,
        labels=np.full(n, -1),
        columns=np.ascontiguousarray(points[order].T),
        ids=order,
        reach=reach,
        partner=np.full(n, -1),
        heap=np.arange(n)[::-1].copy(),  # sorted, greatest first: a heap
        query=np.empty(d),
        block=np.empty(BLOCK),
        cursor=np.array([PAIR, 0, -1, n, -1]),
    )


@inner
def earlier(a, b, c, d):
    """Whether the pair {a, b} comes before {c, d}: by its lower index, then by its other one."""
    if min(a, b) != min(c, d):
        return min(a, b) < min(c, d)
    return max(a, b) < max(c, d)


@inner
def before(state, a, b):
    """Whether the rank `a` may hold a more distant pair than `b`, or as distant and earlier."""
    if state.reach[a] != state.reach[b]:
        return state.reach[a] > state.reach[b]
    # Nobody looked yet: nothing is known to be later than it.
    if state.partner[a] < 0 or state.partner[b] < 0:
        return state.partner[a] < state.partner[b]
    ids, partner = state.ids, state.partner
    return earlier(ids[a], ids[partner[a]], ids[b], ids[partner[b]])


@inner
def sink(state, slot):
    """Restore the heap below `slot`, whose rank has come to a smaller reach."""
    heap = state.heap
    count = state.cursor[HEAP]
    moved = heap[slot]
    while True:
        child = 2 * slot + 1
        if child >= count:
            break
        if child + 1 < count and before(state, heap[child + 1], heap[child]):
            child += 1
        if not before(state, heap[child], moved):
            break
        heap[slot] = heap[child]
        slot = child
    heap[slot] = moved


@inner
def look(state, rank):
    """Find the remaining record of lower rank that is farthest from the one at `rank`."""
    ids = state.ids
    own = ids[rank]
    best = -1.0
    partner = -1
    for a in range(state.query.shape[0]):
        state.query[a] = state.columns[a, rank]
    block = state.block
    for start in range(0, rank, BLOCK):
        stop = min(start + BLOCK, rank)
        squared_distances(state.columns, start, stop, state.query, block)
        for i in range(stop - start):
            if block[i] >= best and state.labels[ids[start + i]] < 0:
                other = ids[start + i]
                if block[i] > best or earlier(own, other, own, ids[partner]):
                    best = block[i]
                    partner = start + i
    state.reach[rank] = best  # -1 where nobody is left below
    state.partner[rank] = partner


@inner
def settle(state):
    """Do one thing about the top of the heap; return the work done, 0 once its pair stands."""
    heap, cursor = state.heap, state.cursor
    top = heap[0]
    if state.labels[state.ids[top]] >= 0:
        cursor[HEAP] -= 1
        heap[0] = heap[cursor[HEAP]]
        sink(state, 0)
        return 1
    partner = state.partner[top]
    if partner < 0 or state.labels[state.ids[partner]] >= 0:
        look(state, top)
        sink(state, 0)
        return 1 + top
    return 0


@inner
def outlying(state, rank):
    """Squared distance of the record at `rank` from the centroid of what remains, times size^2."""
    rest = state.rest
    size = rest.count[SIZE]
    far = 0.0
    for a in range(state.query.shape[0]):
        t = size * state.columns[a, rank] - rest.total[a]  # no division: exact for small integers
        far += t * t
    return far


@inner
def gather(state, seed, kept):
    """Form a group of the record `seed` and its nearest but `kept`, the other seed."""
    rest, k = state.rest, state.k
    coordinates(rest.points, seed, state.query)
    nearest(rest, seed, state.query, k if kept < 0 else k + 1)
    # One more than needed, then without `kept` if it is there, else without the farthest.
    for c in range(k):
        if rest.near[c] == kept:
            for after in range(c, k):
                rest.near[after] = rest.near[after + 1]
            break
    take(rest, k, state.cursor[GROUPS], state.labels)
    state.cursor[GROUPS] += 1


@kernel
def rounds(state, budget):
    """Look at `budget` records and boxes unless leaves are stale or fewer than 2k remain."""
    count, cursor = state.rest.count, state.cursor
    before = looked(count)
    work = 0
    while work < budget and cursor[PHASE] != DONE and fresh(count):
        if cursor[PHASE] == PAIR and count[SIZE] < 2 * state.k:
            cursor[PHASE] = DONE
        elif cursor[PHASE] == PAIR:
            done = settle(state)
            count[DISTANCES] += done
            if done == 0:
                cursor[PHASE] = GROUP_R
        elif cursor[PHASE] == GROUP_R:
            top = state.heap[0]
            r, s = state.partner[top], top
            apart = outlying(state, r) - outlying(state, s)
            if apart < 0 or (apart == 0 and state.ids[s] < state.ids[r]):
                r, s = s, r
            if cursor[FIRST] < 0:
                cursor[FIRST] = state.ids[r]
            cursor[OTHER] = state.ids[s]
            gather(state, state.ids[r], state.ids[s])
            cursor[PHASE] = GROUP_S
        else:
            gather(state, cursor[OTHER], -1)
            cursor[PHASE] = PAIR
        work = looked(count) - before
    return work


step = renewing(rounds)
