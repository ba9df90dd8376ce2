"""Trees of records, the large ones cut in two until none is larger than it need be.

Entry points: `trees` (Python, makes the state), `step` (resumable).

An edge is a pair of half-edges 2 e and 2 e + 1; the half-edges that leave a vertex are a linked
list. Where a cut goes through a vertex, the vertex stays on one side and a stand-in, which is no
record and counts for nothing, holds the other side together.

A cut takes time in proportion to its tree.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import inner, kernel

__all__ = ["Trees", "step", "trees"]

Trees = namedtuple(
    "Trees",
    [
        "k",
        "records",  # vertices below this number are records, the others are stand-ins
        "first",  # (v,): first half-edge that leaves each vertex, -1 for none
        "after",  # (2 e,): the next half-edge that leaves the same vertex
        "to",  # (2 e,): the vertex that a half-edge leads to
        "length",  # (e,): squared length of each edge
        "parent",  # (v,): scratch, the half-edge by which a vertex was reached
        "below",  # (v,): scratch, records in the subtree of a vertex
        "queue",  # (v,): scratch, vertices of the tree at hand
        "todo",  # (v,): a vertex of each tree yet to be looked at
        "labels",  # (n,): the tree of each record, -1 while unknown
        "cursor",  # (4,): TODO trees, TREES finished, VERTICES in use, whether they are LINKED
    ],
)

TODO, TREES, VERTICES, LINKED = 0, 1, 2, 3


def trees(chosen, points, k):
    """State for cutting the forest of `chosen` edges."""
    n = len(chosen)
    sources = np.flatnonzero(chosen >= 0)
    most = n + n // k + 1  # a cut needs at most one stand-in and leaves k records on both sides
    first = np.full(most, -1)
    after = np.empty(2 * len(sources), dtype=np.int64)
    to = np.empty_like(after)
    to[0::2], to[1::2] = chosen[sources], sources
    length = np.square(points[sources] - points[chosen[sources]]).sum(axis=1)
    roots = np.flatnonzero(chosen < 0)
    todo = np.empty(most, dtype=np.int64)
    todo[: len(roots)] = roots
    return Trees(
        k=k,
        records=n,
        first=first,
        after=after,
        to=to,
        length=length,
        parent=np.empty(most, dtype=np.int64),
        below=np.empty(most, dtype=np.int64),
        queue=np.empty(most, dtype=np.int64),
        todo=todo,
        labels=np.full(n, -1),
        cursor=np.array([len(roots), 0, n, 0]),
    )


@inner
def link(state):
    """List the half-edges of every vertex."""
    for h in range(state.to.shape[0]):
        origin = state.to[h ^ 1]
        state.after[h] = state.first[origin]
        state.first[origin] = h


@kernel
def step(state, budget):
    """Visit at least `budget` vertices unless all trees are small enough; return how many."""
    cursor = state.cursor
    work = 0
    while work < budget and cursor[TODO] > 0:
        if cursor[LINKED] == 0:
            link(state)
            cursor[LINKED] = 1
        start = state.todo[cursor[TODO] - 1]
        visited = explore(state, start)
        work += visited
        if state.below[start] >= max(2 * state.k, 3 * state.k - 4) and cut(state, start):
            continue
        cursor[TODO] -= 1
        for c in range(visited):
            if state.queue[c] < state.records:
                state.labels[state.queue[c]] = cursor[TREES]
        cursor[TREES] += 1
    return work


@inner
def explore(state, start):
    """List the tree of `start` in `queue`, count the records below each vertex; its length."""
    queue, parent, below = state.queue, state.parent, state.below
    queue[0] = start
    parent[start] = -1
    length = 1
    at = 0
    while at < length:
        v = queue[at]
        below[v] = 1 if v < state.records else 0
        h = state.first[v]
        while h >= 0:
            if parent[v] < 0 or h != parent[v] ^ 1:
                queue[length] = state.to[h]
                parent[state.to[h]] = h
                length += 1
            h = state.after[h]
        at += 1
    for at in range(length - 1, 0, -1):
        v = queue[at]
        below[state.to[parent[v] ^ 1]] += below[v]
    return length


@inner
def branch(state, u, h, total):
    """Records on the far side of the half-edge h, which leaves u."""
    if state.parent[u] >= 0 and h == state.parent[u] ^ 1:
        return total - state.below[u]
    return state.below[state.to[h]]


@inner
def cut(state, start):
    """Cut the tree at the top of `todo` in two of at least k records; False if it cannot be."""
    k, cursor = state.k, state.cursor
    total = state.below[start]
    u = start
    while True:
        h = largest(state, u, total)
        size = branch(state, u, h, total)
        v = state.to[h]
        if size < k:
            break
        if total - size >= k:  # 1. the edge has k on both sides
            unlink(state, u, h)
            unlink(state, v, h ^ 1)
            push(state, u, v)
            return True
        if total - size == k - 1 and v < state.records:  # 2. v makes up the k
            other = stand_in(state, v, h ^ 1)
            push(state, v, other)
            return True
        u = v
    real = u < state.records
    if size == k - 1 and real:  # 3. u and its largest branch are k
        push(state, u, stand_in(state, u, h))
        return True
    # 4. All branches are small: gather the ones at the end of the longest edges.
    gathered = 0
    other = cursor[VERTICES]
    state.first[other] = -1
    while gathered < (k - 1 if real else k):
        h = longest(state, u)
        gathered += branch(state, u, h, total)
        unlink(state, u, h)
        attach(state, other, h)
    if gathered == k - 1:  # u makes up the k: the stand-in takes what was not gathered
        state.first[u], state.first[other] = state.first[other], state.first[u]
        rename(state, u)
        rename(state, other)
    elif total - gathered < k:  # u is a stand-in: nothing to spare, at most 3k - 3 records
        while state.first[other] >= 0:
            h = state.first[other]
            unlink(state, other, h)
            attach(state, u, h)
        return False
    cursor[VERTICES] += 1
    push(state, u, other)
    return True


@inner
def largest(state, u, total):
    """Half-edge to the largest branch at u; of equals the longest edge, then the lowest vertex."""
    best = state.first[u]
    h = state.after[best]
    while h >= 0:
        size, least = branch(state, u, h, total), branch(state, u, best, total)
        if size > least or (size == least and longer(state, h, best)):
            best = h
        h = state.after[h]
    return best


@inner
def longest(state, u):
    """The longest half-edge at u; of equals, to the lowest vertex."""
    best = state.first[u]
    h = state.after[best]
    while h >= 0:
        if longer(state, h, best):
            best = h
        h = state.after[h]
    return best


@inner
def longer(state, h, other):
    """Whether the half-edge h goes before `other`."""
    p, q = state.length[h // 2], state.length[other // 2]
    return p > q or (p == q and state.to[h] < state.to[other])


@inner
def push(state, u, v):
    """Put the trees of u and v in the place of the one at the top of `todo`."""
    state.todo[state.cursor[TODO] - 1] = u
    state.todo[state.cursor[TODO]] = v
    state.cursor[TODO] += 1


@inner
def stand_in(state, u, kept):
    """Leave u only its half-edge `kept`; the others go to a new vertex, which is returned."""
    other = state.cursor[VERTICES]
    state.cursor[VERTICES] += 1
    unlink(state, u, kept)
    state.first[other] = state.first[u]
    state.first[u] = -1
    rename(state, other)
    attach(state, u, kept)
    return other


@inner
def unlink(state, u, h):
    """Take the half-edge h out of the list of u."""
    if state.first[u] == h:
        state.first[u] = state.after[h]
        return
    at = state.first[u]
    while state.after[at] != h:
        at = state.after[at]
    state.after[at] = state.after[h]


@inner
def attach(state, u, h):
    """Let the half-edge h leave from u."""
    state.after[h] = state.first[u]
    state.first[u] = h
    state.to[h ^ 1] = u


@inner
def rename(state, u):
    """Let every half-edge in the list of u leave from u."""
    h = state.first[u]
    while h >= 0:
        state.to[h ^ 1] = u
        h = state.after[h]
