"""The nearest rows of a released table, for an intruder who links by distance.

Entry points: `tree` (Python, orders the rows), `link` (kernel, answers queries start..stop-1).

The distinct rows are ordered so that each node of a balanced tree is a run of rows with a bounding
box. A query walks the tree and passes by every box farther than the best row so far; it begins
with the distance to its own row, which is nearly always close. Distances and box distances add
their attributes in the same order, so rounding can never hide a row behind its box. Rows whose
squared distance is within `TIE` of the least, relative to it, are ties: scaling rounds distances
that are equal in the caller's units.

About log(g) boxes and a few leaves of `leaf` rows a query in moderate d, all of them at worst;
memory is linear in the rows.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import allocating, inner
from coterie.kernels.base.rows import squared

__all__ = ["LinkageTree", "link", "tree"]

LEAF, WIDE = 16, 256
TIE = 1e-12

LinkageTree = namedtuple(
    "LinkageTree",
    [
        "rows",  # (g, d): distinct rows, in the order of the tree
        "count",  # (g,): records that share the row
        "first",  # (g,): lowest index of those records
        "low",  # (nodes, d): least value in each node
        "high",  # (nodes, d): largest value in each node
        "bounds",  # (nodes, 2): first row and end of each node; node i has children 2i+1, 2i+2
    ],
)


def tree(rows, count, first, leaf=LEAF):
    """The tree over distinct `rows` and the position of each of them in it."""
    g = len(rows)
    depth = 0
    while (g >> depth) > leaf:
        depth += 1
    nodes = 2 ** (depth + 1) - 1
    order = np.arange(g)
    low = np.empty((nodes, rows.shape[1]))
    high = np.empty((nodes, rows.shape[1]))
    bounds = np.empty((nodes, 2), dtype=np.int64)
    bounds[0] = 0, g
    for node in range(nodes):
        start, stop = bounds[node]
        members = rows[order[start:stop]]
        low[node], high[node] = members.min(axis=0), members.max(axis=0)
        if 2 * node + 2 < nodes:
            middle = (stop - start) // 2
            widest = (high[node] - low[node]).argmax()
            order[start:stop] = order[start:stop][np.argpartition(members[:, widest], middle)]
            bounds[2 * node + 1] = start, start + middle
            bounds[2 * node + 2] = start + middle, stop
    place = np.empty(g, dtype=np.int64)
    place[order] = np.arange(g)
    return LinkageTree(rows[order].copy(), count[order], first[order], low, high, bounds), place


@allocating
def link(
    tree,
    queries,
    own,
    start,
    stop,
    nearest,  # out: lowest index of a record at the least distance
    ties,  # out: number of records at the least distance
    hit,  # out: whether the query's own row is among them
):
    """Link the queries start..stop-1; `own` is the position of each query's own row."""
    nodes = len(tree.bounds)
    stack = np.empty(128, dtype=np.int64)
    far = np.empty(128)
    for q in range(start, stop):
        mine = squared(tree.rows, own[q], queries, q)
        best = mine
        bound = best * (1.0 + TIE)
        first = -1
        tied = 0
        size = 1
        stack[0] = 0
        far[0] = 0.0
        while size > 0:
            size -= 1
            if far[size] > bound:
                continue
            node = stack[size]
            child = 2 * node + 1
            if child < nodes:
                a = box(tree, child, queries, q)
                b = box(tree, child + 1, queries, q)
                # The nearer child on top: its rows lower the bound for the other one.
                nearer = child if a <= b else child + 1
                if max(a, b) <= bound:
                    stack[size] = 2 * child + 1 - nearer
                    far[size] = max(a, b)
                    size += 1
                if min(a, b) <= bound:
                    stack[size] = nearer
                    far[size] = min(a, b)
                    size += 1
                continue
            for r in range(tree.bounds[node, 0], tree.bounds[node, 1]):
                d2 = squared(tree.rows, r, queries, q)
                if d2 > bound:
                    continue
                if d2 < best:
                    if best > d2 * (1.0 + TIE):
                        first = -1
                        tied = 0
                    best = d2
                    bound = best * (1.0 + TIE)
                tied += tree.count[r]
                if first < 0 or tree.first[r] < first:
                    first = tree.first[r]
        nearest[q] = first
        ties[q] = tied
        hit[q] = mine <= bound


@inner
def box(tree, node, queries, q):
    """Squared distance of query `q` from the node's bounding box."""
    d2 = 0.0
    for a in range(queries.shape[1]):
        t = max(tree.low[node, a] - queries[q, a], queries[q, a] - tree.high[node, a])
        if t > 0.0:
            d2 += t * t
    return d2
