"""MDAV: two groups a round, round the record farthest from the centroid and the one opposite it.

Entry points: `mdav` (Python, makes the state), `step` (resumable). The labels are those of the
plain loop, which asks four questions a round (r, its group, s, its group) and takes a pass over
what remains for each: n^2 / k distances for n records, 3 n^2 / (4 k) with two passes in one. Here
records that cannot be the answer are passed over; how many depends on the data. Memory O(n d).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.asking import centroid, farthest, fresh, gather, looked
from coterie.kernels.base.jit import kernel
from coterie.kernels.base.leaves import SIZE, leaves, renewing

__all__ = ["Mdav", "mdav", "step"]

Mdav = namedtuple(
    "Mdav",
    [
        "rest",  # Leaves
        "k",
        "enough",  # a round is begun while this many remain: 3k or 2k
        "labels",  # (n,): the group of each record, -1 while it has none
        "query",  # (d,): the point now asked about
        "cursor",  # (4,): PHASE, GROUPS formed, SEED (the next one), FIRST (the first one)
    ],
)

PHASE, GROUPS, SEED, FIRST = 0, 1, 2, 3
SEEK_R, GROUP_R, SEEK_S, GROUP_S, DONE = 0, 1, 2, 3, 4


def mdav(points, k, enough):
    """State for (n, d) `points`; `step` runs it."""
    return Mdav(
        rest=leaves(points, k, rim=True),
        k=k,
        enough=enough,
        labels=np.full(points.shape[0], -1),
        query=np.empty(points.shape[1]),
        cursor=np.array([SEEK_R, 0, -1, -1]),
    )


@kernel
def rounds(state, budget):
    """Look at `budget` records and boxes unless leaves are stale or the rounds end.

    Returns how many it were. The rounds end, with the phase DONE, when fewer than `enough` records
    remain; with ``enough = 3k``, r gets one more group from 2k up. The rest is left to the caller.

    Each query stands here once, whichever phase asks it: what is compiled is what is inlined.
    """
    rest, k, cursor, query = state.rest, state.k, state.cursor, state.query
    last_group = state.enough == 3 * k
    before = looked(rest.count)
    work = 0
    while work < budget and cursor[PHASE] != DONE and fresh(rest.count):
        size = rest.count[SIZE]
        phase = cursor[PHASE]
        if phase == SEEK_R and size < state.enough and not (last_group and size >= 2 * k):
            cursor[PHASE] = DONE
        elif phase == SEEK_R or phase == SEEK_S:
            if phase == SEEK_R:
                centroid(rest.total, size, query)
            cursor[SEED] = farthest(rest, query)
            if cursor[FIRST] < 0:
                cursor[FIRST] = cursor[SEED]
            # Below 3k records r gets a group, s does not: the rest is the last group.
            cursor[PHASE] = GROUP_R if phase == SEEK_R and size >= state.enough else GROUP_S
        else:
            gather(rest, cursor[SEED], query, k, cursor[GROUPS], state.labels)
            cursor[GROUPS] += 1
            cursor[PHASE] = SEEK_S if phase == GROUP_R else SEEK_R
        work = looked(rest.count) - before
    return work


step = renewing(rounds)
