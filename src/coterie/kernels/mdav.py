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
CENTROID, GROUP_R, GROUP_S, ENDING, DONE = 0, 1, 2, 3, 4


def mdav(points, k, enough):
    """State for (n, d) `points`; `step` runs it."""
    return Mdav(
        rest=remaining(points, k),
        k=k,
        enough=enough,
        labels=np.full(points.shape[0], -1),
        query=np.empty(points.shape[1]),
        cursor=np.array([CENTROID, 0, -1, -1]),
    )


@kernel
def step(state, budget):
    """Compute at least `budget` distances unless the rounds end first; return how many.

    Stops with the phase DONE when fewer than `enough` records remain. With ``enough = 3k`` it also
    forms the last groups: r's and the rest's from 2k up, one of all below.
    """
    rest, k, cursor, query = state.rest, state.k, state.cursor, state.query
    work = 0
    while work < budget and cursor[PHASE] != DONE:
        size = rest.size[0]
        phase = cursor[PHASE]
        if phase == CENTROID and size < state.enough:
            # Below 3k: from 2k on one more group round r, then what is left is the last group.
            if state.enough == 3 * k and size >= 2 * k:
                phase = cursor[PHASE] = ENDING
            else:
                if state.enough == 3 * k and size > 0:
                    take_all(rest, cursor[GROUPS], state.labels)
                    cursor[GROUPS] += 1
                cursor[PHASE] = DONE
                break
        work += size
        if phase == CENTROID or phase == ENDING:
            centroid(rest, query)
            at = farthest(rest, query)
            if cursor[FIRST] < 0:
                cursor[FIRST] = rest.ids[at]
            coordinates(rest, at, query)
            cursor[AT] = at
            if phase == CENTROID:
                cursor[PHASE] = GROUP_R
            else:
                nearest(rest, at, query, k)
                take(rest, k, cursor[GROUPS], state.labels, -1)
                cursor[GROUPS] += 1
                cursor[PHASE] = CENTROID
        elif phase == GROUP_R:
            opposite = nearest(rest, cursor[AT], query, k)
            opposite = take(rest, k, cursor[GROUPS], state.labels, opposite)
            cursor[GROUPS] += 1
            if opposite < 0:
                # s stood in r's own group: all others are as far from r, the lowest index wins.
                opposite = farthest(rest, query)
            coordinates(rest, opposite, query)
            cursor[AT] = opposite
            cursor[PHASE] = GROUP_S
        else:
            nearest(rest, cursor[AT], query, k)
            take(rest, k, cursor[GROUPS], state.labels, -1)
            cursor[GROUPS] += 1
            cursor[PHASE] = CENTROID
    return work
