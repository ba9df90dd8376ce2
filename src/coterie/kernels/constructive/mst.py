"""The minimum spanning tree of the records, and its cuts into parts of at least k.

Entry points: `tree` and `cuts` (Python, make the states), `step_tree` and `step_cuts` (resumable).

The tree grows from record 0 by the record nearest to it (Prim): n^2 / 2 distances, memory O(n d).
Its edges are then visited from the longest to the shortest, and an edge is cut if both parts keep
at least k records: O(n) for each edge at worst, the depth of the tree as a rule.

Ties: of equally near records the lowest index joins first, by the edge to the record that joined
earliest; of equally long edges the one whose child has the lowest index is visited first.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import kernel
from coterie.kernels.base.remaining import approach, coordinates, remaining, take_near

__all__ = ["SpanningTree", "TreeCuts", "cuts", "step_cuts", "step_tree", "tree"]

SpanningTree = namedtuple(
    "SpanningTree",
    [
        "rest",  # Remaining: the records that are not in the tree yet
        "rank",  # (n,): when each record joined, -1 while it has not
        "parent",  # (n,): the record by which it joined, -1 for the root
        "length",  # (n,): squared length of that edge
        "near",  # (n,): squared distance of each remaining record to the tree
        "source",  # (n,): the record of the tree at that distance
        "query",  # (d,): the record that joins now
        "cursor",  # (2,): JOINED records, AT (position of the next one)
    ],
)

JOINED, AT = 0, 1

TreeCuts = namedtuple(
    "TreeCuts",
    [
        "k",
        "parent",  # (n,): as in the tree; -1 once the edge is cut
        "size",  # (n,): records at or below each record, within its part
        "order",  # (n - 1,): children of the edges, longest first
        "cursor",  # (1,): edges visited
    ],
)


def tree(points):
    """State for the tree over (n, d) `points`."""
    n, d = points.shape
    return SpanningTree(
        rest=remaining(points),
        rank=np.full(n, -1),
        parent=np.full(n, -1),
        length=np.zeros(n),
        near=np.full(n, np.inf),
        source=np.full(n, -1),
        query=np.empty(d),
        cursor=np.zeros(2, dtype=np.int64),
    )


def cuts(grown, k):
    """State for cutting the `grown` tree into parts of at least `k`."""
    n = len(grown.rank)
    joined = np.empty(n, dtype=np.int64)
    joined[grown.rank] = np.arange(n)
    size = np.ones(n, dtype=np.int64)
    for record in joined[:0:-1]:  # children before parents
        size[grown.parent[record]] += size[record]
    order = np.argsort(-grown.length, kind="stable")
    return TreeCuts(
        k=k,
        parent=grown.parent.copy(),
        size=size,
        order=order[grown.parent[order] >= 0],
        cursor=np.zeros(1, dtype=np.int64),
    )


@kernel
def step_tree(state, budget):
    """Compute at least `budget` distances unless the tree is whole; return how many."""
    rest, cursor = state.rest, state.cursor
    work = 0
    while work < budget and rest.size[0] > 0:
        at = cursor[AT]
        record = rest.ids[at]
        coordinates(rest, at, state.query)
        state.parent[record] = state.source[at]
        if cursor[JOINED] > 0:
            state.length[record] = state.near[at]
        take_near(rest, at, cursor[JOINED], state.rank, state.near, state.source)
        cursor[JOINED] += 1
        work += rest.size[0] + 1
        cursor[AT] = approach(rest, state.query, record, state.near, state.source)
    return work


@kernel
def step_cuts(state, budget):
    """Climb at least `budget` edges unless all have been visited; return how many."""
    parent, size = state.parent, state.size
    work = 0
    while work < budget and state.cursor[0] < state.order.shape[0]:
        child = state.order[state.cursor[0]]
        state.cursor[0] += 1
        work += 1
        if size[child] < state.k:
            continue
        root = child
        while parent[root] >= 0:
            root = parent[root]
            work += 1
        if size[root] - size[child] < state.k:
            continue
        above = parent[child]
        while above >= 0:
            size[above] -= size[child]
            above = parent[above]
            work += 1
        parent[child] = -1
    return work
