"""Questions to the leaves: who of those that remain is the farthest, who are the nearest.

Entry points: `farthest`, `nearest`, `centroid`, `take`, `gather`, and for the loops round them
`fresh`, `looked`. See `coterie.kernels.base.leaves` for why few records are looked at.
"""

import numpy as np

from coterie.kernels.base.jit import inlined, inner
from coterie.kernels.base.lanes import LANES, box_near, screen
from coterie.kernels.base.leaves import (
    BOXES,
    BRANCHES,
    DISTANCES,
    IN_USE,
    LEAF,
    OUTER,
    SIZE,
    SLACK,
    STALE,
    TINY,
    UNIT,
)
from coterie.kernels.base.rows import coordinates, squared_to

__all__ = ["centroid", "farthest", "fresh", "gather", "looked", "nearest", "precedes", "take"]


@inlined
def fresh(count):
    """Whether the orders need not be made anew yet."""
    return count[SIZE] > count[STALE]


@inlined
def looked(count):
    """Distances computed and boxes looked at so far."""
    return count[DISTANCES] + count[BOXES]


@inner
def farthest(rest, query):
    """The remaining record farthest from `query`: soon found if `query` is near the anchor."""
    d = query.shape[0]
    count, block = rest.count, rest.block
    way = 0.0  # from the anchor to the query
    error = 0.0  # how large |x| + |query| may be, without the radius of x
    for a in range(d):
        rest.query[a] = query[a]
        t = query[a] - rest.anchor[a]
        way += t * t
        error += 2.0 * abs(rest.anchor[a])
    way = np.sqrt(way) * (1.0 + SLACK) + 1e-150
    error += way
    best = -1.0
    best_record = -1
    away = -1.0  # a little less than the best distance
    seen = 0
    for leaf in range(count[OUTER], count[IN_USE]):
        radius = rest.rim_radius[leaf]
        if radius + way < away:
            break
        # A rounded distance below this is of a record that is not the farthest.
        reach = max(0.0, away - UNIT * (error + radius) - TINY)
        limit = np.float32(reach * reach * (1.0 - UNIT * (d + 6)))
        seen += LEAF
        if screen(rest.rim_cube, leaf, rest.query, block)[1] < limit:
            continue
        for i in range(LEAF):
            if block[i] >= limit:
                record = rest.rim_ids[leaf * LEAF + i]
                if rest.slot[record] >= 0:
                    seen += 1
                    d2 = squared_to(rest.points, record, query)
                    if d2 > best or (d2 == best and record < best_record):
                        best = d2
                        best_record = record
                        away = np.sqrt(best) * (1.0 - SLACK)
        if best_record < 0:
            count[OUTER] = leaf + 1  # nobody is left so far out
    count[DISTANCES] += seen
    return best_record


@inner
def nearest(rest, seed, query, most):
    """Select the record `seed` and its `most` - 1 nearest into ``near[:most]``, nearest first.

    `query` holds the seed's coordinates. With a seed of -1 nobody is in from the start.
    """
    d = query.shape[0]
    near_d2, near, bound, block = rest.near_d2, rest.near, rest.bound, rest.block
    branches = rest.count[BRANCHES]
    norm = 0.0
    for a in range(d):
        rest.query[a] = query[a]
        norm += query[a] * query[a]
    norm = np.sqrt(norm)
    blocks = (branches + LANES - 1) // LANES
    for b in range(blocks):
        box_near(rest.low, rest.high, rest.low.shape[0] - blocks + b, rest.query, bound[1 + b])
    home = 0
    if seed >= 0:
        home = rest.slot[seed] // LEAF
    else:
        least = np.float32(np.inf)
        for branch in range(branches):
            if bound[1 + branch // LANES, branch % LANES] < least:
                least = bound[1 + branch // LANES, branch % LANES]
                home = branch * LANES
    for c in range(most):
        near_d2[c] = np.inf
        near[c] = rest.slot.shape[0]
    widened = 1.0 + UNIT * (d + 6)
    worst = np.inf  # distance of the farthest selected, infinite before there are enough
    limit = np.float32(np.inf)
    seen = 0
    boxes = branches
    for turn in range(branches):
        branch = (home // LANES + turn) % branches
        if bound[1 + branch // LANES, branch % LANES] > limit:
            continue
        box_near(rest.low, rest.high, branch, rest.query, bound[0])
        boxes += LANES
        for step in range(LANES):
            leaf = branch * LANES + (home + step) % LANES
            filled = rest.filled[leaf]
            if bound[0, leaf % LANES] > limit or filled == 0:
                continue
            seen += LEAF
            error = UNIT * (norm + rest.norm[leaf]) + TINY
            within = np.float32((worst + error) * (worst + error) * widened)
            if screen(rest.cube, leaf, rest.query, block)[0] > within:
                continue
            for i in range(filled):
                if block[i] > within:
                    continue
                record = rest.ids[leaf * LEAF + i]
                d2 = squared_to(rest.points, record, query)
                seen += 1
                if record == seed:
                    d2 = -1.0  # the seed is in, whatever its duplicates
                if precedes(d2, record, near_d2[0], near[0]):
                    sift(near_d2, near, most, d2, record)
                    worst = np.sqrt(max(0.0, near_d2[0]))
                    within = np.float32((worst + error) * (worst + error) * widened)
                    reach = worst + UNIT * norm + TINY
                    limit = np.float32(reach * reach * widened)
    rest.count[DISTANCES] += seen
    rest.count[BOXES] += boxes
    for last in range(most - 1, 0, -1):  # the top of the heap is the farthest
        d2 = near_d2[last]
        record = near[last]
        near_d2[last] = near_d2[0]
        near[last] = near[0]
        sift(near_d2, near, last, d2, record)


@inner
def precedes(d2, record, other_d2, other):
    """Whether (d2, record) comes before the other."""
    return d2 < other_d2 or (d2 == other_d2 and record < other)


@inner
def sift(
    near_d2,  # out
    near,  # out
    size,
    d2,
    record,
):
    """Replace the top of a heap, the farthest, by (d2, record) and restore it."""
    slot = 0
    child = 1
    while child < size:
        if child + 1 < size and precedes(
            near_d2[child], near[child], near_d2[child + 1], near[child + 1]
        ):
            child += 1
        if not precedes(d2, record, near_d2[child], near[child]):
            break
        near_d2[slot] = near_d2[child]
        near[slot] = near[child]
        slot = child
        child = 2 * slot + 1
    near_d2[slot] = d2
    near[slot] = record


@inner
def centroid(total, size, out):
    """Write the mean of `size` records into `out`."""
    for a in range(out.shape[0]):
        out[a] = total[a] / size


@inner
def take(
    rest,
    count,
    label,
    labels,  # out
):
    """Give the first `count` selected the group `label` and let them leave, nearest first."""
    for c in range(count):
        record = rest.near[c]
        labels[record] = label
        slot = rest.slot[record]
        leaf = slot // LEAF
        last = rest.filled[leaf] - 1
        for a in range(rest.total.shape[0]):
            rest.total[a] -= rest.points[record, a]
            rest.cube[leaf, a, slot % LEAF] = rest.cube[leaf, a, last]
        moved = rest.ids[leaf * LEAF + last]
        rest.ids[slot] = moved
        rest.slot[moved] = slot
        rest.slot[record] = -1
        rest.filled[leaf] = last
    rest.count[SIZE] -= count


@inlined
def gather(
    rest,
    seed,
    query,  # scratch
    k,
    label,
    labels,  # out
):
    """Give the record `seed` and its k - 1 nearest the group `label` and let them leave."""
    coordinates(rest.points, seed, query)
    nearest(rest, seed, query, k)
    take(rest, k, label, labels)
