"""A forest of short edges with at least k records to a tree.

Entry points: `forest` (Python, makes the state), `step` (resumable). O(n k) after sorting.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import inner, kernel

__all__ = ["Forest", "forest", "step"]

Forest = namedtuple(
    "Forest",
    [
        "near",  # (n, count): nearest neighbors of each record
        "order",  # (n count,): the edges to them by rising length: vertex * count + rank
        "k",
        "chosen",  # (n,): where the edge of each vertex leads, -1 for none
        "leader",  # (n,): union-find
        "size",  # (n,): records in the tree of a leader
        "cursor",  # (1,): edges looked at
    ],
)


def forest(near, order, k):
    """State for joining n trees of one record by the edges to their `near` ones, in `order`."""
    n = near.shape[0]
    return Forest(
        near=near,
        order=order,
        k=k,
        chosen=np.full(n, -1),
        leader=np.arange(n),
        size=np.ones(n, dtype=np.int64),
        cursor=np.zeros(1, dtype=np.int64),
    )


@kernel
def step(state, budget):
    """Look at `budget` edges unless that was the last; return how many.

    Each tree has one vertex without an edge of its own, its root, and only the root may take one,
    to the nearest record outside its tree. That record is among the k - 1 nearest of the root, and
    an edge once useless stays so, hence one pass over all of them by rising length is enough.
    """
    near, chosen, leader, size = state.near, state.chosen, state.leader, state.size
    count = near.shape[1]
    begin = state.cursor[0]
    end = min(begin + budget, state.order.shape[0])
    for at in range(begin, end):
        e = state.order[at]
        u = e // count
        if chosen[u] >= 0:
            continue
        p = find(leader, u)
        q = find(leader, near[u, e % count])
        if p != q and size[p] < state.k:
            chosen[u] = near[u, e % count]
            leader[p] = q
            size[q] += size[p]
    state.cursor[0] = end
    return end - begin


@inner
def find(leader, v):
    """The leader of v's tree, the way to it halved."""
    while leader[v] != v:
        leader[v] = leader[leader[v]]
        v = leader[v]
    return v
