"""ICSM's complex heuristic: cyclic shifts of records over groups, as negative cycles of a graph.

Entry points: `cycles` (Python, makes the state), `step` (resumable). Mortazavi, Jalili (2015),
ISeCure 7(1), Algorithm 4. Groups are ranked by their distance from one group, the first; an edge
goes from every record or group to those of higher rank:

    x -> y  x takes the place of y: R1(x, y)
    x -> G  x joins the group G, which has fewer than 2k-1 records
    G -> y  y leaves its group, which has more than k, after someone has joined G

and the weight is the change of SSE in the group of the edge's end. A path from a node of the first
group and an edge back make a cycle that visits no group twice, so its weight is the change of SSE
if everyone moves on. Shortest paths from all nodes of the first group are found side by side in
one pass over the pairs of records, O(n^2 (d + k)), memory O(n k).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.groups import COUNT
from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.base.rows import squared
from coterie.kernels.search.moves import replaced

__all__ = ["Cycles", "cycles", "step"]

Cycles = namedtuple(
    "Cycles",
    [
        "groups",
        "ranked",  # (g,): groups by rank, the first one first
        "order",  # (n,): records by the rank of their groups
        "starts",  # (g + 1,): where each rank begins in `order`
        "dist",  # (n + g, sources): weight of the shortest path; records, then groups
        "before",  # (n + g, sources): the node before on that path, -1 at its source
        "join",  # (sources,): least weight of a path to a group so far
        "join_at",  # (sources,): that group's node
        "best",  # (1,): weight of the best cycle
        "found",  # (2,): its source and the last node of its path
        "cursor",  # (1,): ranks done
    ],
)


def cycles(groups, ranked):
    """State for the cycles through the group ``ranked[0]``; its last source is the group itself."""
    n = len(groups.labels)
    count = len(ranked)
    rank = np.empty(count, dtype=np.int64)
    rank[ranked] = np.arange(count)
    order = np.argsort(rank[groups.labels], kind="stable")
    sizes = groups.size[ranked]
    starts = np.concatenate(([0], np.cumsum(sizes)))
    sources = int(sizes[0]) + 1
    dist = np.full((n + count, sources), np.inf)
    dist[order[: sources - 1], np.arange(sources - 1)] = 0.0
    join = np.full(sources, np.inf)
    join[-1] = 0.0
    return Cycles(
        groups=groups,
        ranked=ranked,
        order=order,
        starts=starts,
        dist=dist,
        before=np.full((n + count, sources), -1),
        join=join,
        join_at=np.full(sources, n + ranked[0]),
        best=np.zeros(1),
        found=np.full(2, -1),
        cursor=np.ones(1, dtype=np.int64),
    )


@inner
def relax(dist, before, u, v, weight):
    """Let the paths to node `v` go over node `u` where that is shorter."""
    for s in range(dist.shape[1]):
        through = dist[u, s] + weight
        if through < dist[v, s]:
            dist[v, s] = through
            before[v, s] = u


@inner
def close(groups, order, dist, v, record, best, found):
    """Try the edge back from node `v` to each source."""
    first = groups.labels[order[0]]
    size = groups.size[first]
    sources = dist.shape[1]
    away = 0.0
    if record:
        away = squared(groups.points, v, groups.centroids, first)
    for s in range(sources):
        back = np.inf
        if s < sources - 1:
            y = order[s]
            if record:
                apart = squared(groups.points, v, groups.points, y)
                back = replaced(away, groups.own[y], apart, size)
            elif size > groups.k:
                back = -size / (size - 1.0) * groups.own[y]
        elif record and size < groups.limit:
            back = size / (size + 1.0) * away
        if dist[v, s] + back < best[0]:
            best[0] = dist[v, s] + back
            found[0] = s
            found[1] = v


@kernel
def step(state, budget):
    """Look at at least `budget` pairs of records unless all ranks are done; return how many."""
    groups, order, starts, dist, before = (
        state.groups,
        state.order,
        state.starts,
        state.dist,
        state.before,
    )
    points, centroids, own = groups.points, groups.centroids, groups.own
    n = order.shape[0]
    count = groups.cursor[COUNT]
    work = 0
    while work < budget and state.cursor[0] < count:
        t = state.cursor[0]
        state.cursor[0] += 1
        g = state.ranked[t]
        size = groups.size[g]
        low = starts[t]
        high = starts[t + 1]
        for a in range(low):
            u = order[a]
            there = squared(points, u, centroids, g)
            for b in range(low, high):
                v = order[b]
                apart = squared(points, u, points, v)
                relax(dist, before, u, v, replaced(there, own[v], apart, size))
            if size < groups.limit:
                relax(dist, before, u, n + g, size / (size + 1.0) * there)
        for b in range(low, high):
            v = order[b]
            if size > groups.k:
                weight = -size / (size - 1.0) * own[v]
                for s in range(dist.shape[1]):
                    if state.join[s] + weight < dist[v, s]:
                        dist[v, s] = state.join[s] + weight
                        before[v, s] = state.join_at[s]
            close(groups, order, dist, v, True, state.best, state.found)
        close(groups, order, dist, n + g, False, state.best, state.found)
        for s in range(dist.shape[1]):
            if dist[n + g, s] < state.join[s]:
                state.join[s] = dist[n + g, s]
                state.join_at[s] = n + g
        work += low * (high - low)
    return work
