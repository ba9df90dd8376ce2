"""MDAV: two groups a round, round the record farthest from the centroid and the one opposite it.

Entry points: `mdav` (Python, makes the state), `step` (resumable). A round takes three fused
passes: farthest from the centroid, nearest to (and farthest from) r, nearest to s. In all about
3 n^2 / (4 k) distances for n records; memory O(n d).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.jit import kernel
from coterie.kernels.remaining import (
    centroid,
    coordinates,
    farthest,
    nearest,
    remaining,
    take,
    take_all,
)

__all__ = ["Mdav", "mdav", "step"]

Mdav = namedtuple(
    "Mdav",
    [
        "rest",  # Remaining
        "k",
        "enough",  # a round is begun while this many remain: 3k or 2k
        "labels",  # (n,): the group of each record, -1 while it has none
        "query",  # (d,): the point now asked about
        "cursor",  # (4,): PHASE, GROUPS formed, AT (position of the next seed), FIRST (its record)
    ],
)

PHASE, GROUPS, AT, FIRST = 0, 1, 2, 3
SEEK_R, GROUP_R, SEEK_S, GROUP_S, DONE = 0, 1, 2, 3, 4


def mdav(points, k, enough):
    """State for (n, d) `points`; `step` runs it."""
    return Mdav(
        rest=remaining(points, k),
        k=k,
        enough=enough,
        labels=np.full(points.shape[0], -1),
        query=np.empty(points.shape[1]),
        cursor=np.array([SEEK_R, 0, -1, -1]),
    )


@kernel
def step(state, budget):
    """Compute at least `budget` distances unless the rounds end first; return how many.

    Stops with the phase DONE when fewer than `enough` records remain. With ``enough = 3k`` it also
    forms the last groups: r's and the rest's from 2k up, one of all below.

    Each query stands here once, whichever phase asks it: what is compiled is what is inlined.
    """
    rest, k, cursor, query = state.rest, state.k, state.cursor, state.query
    last_group = state.enough == 3 * k
    work = 0
    while work < budget and cursor[PHASE] != DONE:
        size = rest.size[0]
        phase = cursor[PHASE]
        if phase == SEEK_R and size < state.enough and not (last_group and size >= 2 * k):
            if last_group and size > 0:
                take_all(rest, cursor[GROUPS], state.labels)
                cursor[GROUPS] += 1
            cursor[PHASE] = DONE
            break
        work += size
        if phase == SEEK_R or phase == SEEK_S:
            if phase == SEEK_R:
                centroid(rest, query)
            at = farthest(rest, query)
            if cursor[FIRST] < 0:
                cursor[FIRST] = rest.ids[at]
            # Below 3k records r gets a group, s does not: the rest is the last group.
            cursor[PHASE] = GROUP_R if phase == SEEK_R and size >= state.enough else GROUP_S
        else:
            # The pass that groups round r also finds s, the record farthest from it.
            at = nearest(rest, cursor[AT], query, k)
            at = take(rest, k, cursor[GROUPS], state.labels, at)
            cursor[GROUPS] += 1
            if phase == GROUP_S:
                cursor[PHASE] = SEEK_R
                continue
            if at < 0:
                # s left with r's group: the others are all as far from r, the lowest index wins.
                cursor[PHASE] = SEEK_S
                continue
            cursor[PHASE] = GROUP_S
        cursor[AT] = at
        coordinates(rest, at, query)
    return work
