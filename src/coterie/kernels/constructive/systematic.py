"""Systematic clustering: all groups grow at once, record by record.

Entry points: `systematic` (Python, makes the state), `step` (resumable). Every record is compared
with the groups that are not yet full: below n^2 / k comparisons for n records, memory O(n d).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import kernel
from coterie.kernels.constructive.joining import add, cheapest, close, joining

__all__ = ["Systematic", "step", "systematic"]

Systematic = namedtuple(
    "Systematic",
    [
        "points",  # (n, d)
        "turns",  # (n,): records in the order in which they join; the first found the groups
        "k",
        "groups",  # Joining
        "labels",  # (n,): the group of each record, -1 while it has none
        "cursor",  # (1,): records that have joined
    ],
)


def systematic(points, turns, k):
    """State for (n, d) `points` that join in the order `turns`, n >= k."""
    n, d = points.shape
    return Systematic(
        points=points,
        turns=turns,
        k=k,
        groups=joining(d, n // k, 1),
        labels=np.full(n, -1),
        cursor=np.zeros(1, dtype=np.int64),
    )


@kernel
def step(state, budget):
    """Make at least `budget` comparisons unless every record has joined; return how many."""
    groups, cursor = state.groups, state.cursor
    g = groups.sizes.shape[0]
    work = 0
    while work < budget and cursor[0] < state.turns.shape[0]:
        turn = cursor[0]
        if turn == g * state.k:
            groups.open[0] = g  # all are full: the extra records may join any
        record = state.turns[turn]
        point = state.points[record]
        work += groups.open[0]
        group = turn if turn < g else cheapest(groups, point)
        add(groups, group, point)
        state.labels[record] = group
        if turn < g * state.k and groups.sizes[groups.where[group]] == state.k:
            close(groups, group)
        cursor[0] += 1
    return work
