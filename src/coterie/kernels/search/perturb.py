"""Dissolve and distill: a group less or a group more, nearly all of the partition as it was.

Entry points: `dissolve`, `distill`, `scatter`, `exchange_some`. Both perturbations tell the descent
which groups they changed (Bierman (2020), chapter 3, dissolveC, distillC and bDissolve).

Dissolving takes O(g d) for each member, distilling O(g) and O(q d) for each of the k - 1 records
chosen among q excess ones; q = n - g k.
"""

import numpy as np

from coterie.kernels.base.draws import below, shuffle
from coterie.kernels.base.groups import COUNT, refresh, release, transfer
from coterie.kernels.base.jit import allocating, inner, kernel
from coterie.kernels.base.lists import members
from coterie.kernels.base.remaining import BLOCK, squared_distances
from coterie.kernels.base.rows import squared
from coterie.kernels.base.shadows import cast
from coterie.kernels.search.descent import CHANGED, target
from coterie.kernels.search.moves import move

__all__ = ["dissolve", "distill", "exchange_some", "scatter"]


@inner
def choose(sse, count, words, samples):
    """The group of largest SSE among `samples` drawn with replacement; of equals, the first."""
    best = below(words, count)
    for s in range(1, samples):
        g = below(words, count)
        if sse[g] > sse[best]:
            best = g
    return best


@inner
def nearest_centroid(state, x, gone, block, shadow):
    """The group but `gone` that has room and whose centroid is nearest to record `x`."""
    points, centroids, shadows, size = state.points, state.centroids, state.shadows, state.size
    limit, margin = state.limit, state.margin
    count = state.cursor[COUNT]
    cast(state.axes, points, x, shadow)
    best = np.inf
    bound = np.inf
    best_at = -1
    for start in range(0, count, BLOCK):
        stop = min(start + BLOCK, count)
        squared_distances(shadows, start, stop, shadow, block)
        for b in range(stop - start):
            if block[b] <= bound:
                g = start + b
                if g != gone and size[g] < limit:
                    d2 = squared(points, x, centroids, g)
                    if d2 < best:
                        best = d2
                        best_at = g
                        bound = (np.sqrt(d2) + margin) ** 2
    return best_at


@inner
def dissolve(state, plan, words, samples):
    """Remove a group; each member goes to the nearest centroid, which follows it."""
    gone = choose(state.sse, state.cursor[COUNT], words, samples)
    first = plan.cursor[CHANGED]
    while state.head[gone] >= 0:
        x = state.head[gone]
        g = nearest_centroid(state, x, gone, plan.block, plan.shadow)
        transfer(state, x, g)
        refresh(state, g)
        target(plan.changed, plan.is_changed, plan.cursor, g)
    last = release(state, gone)
    # The last group now has the number of the one that is gone.
    if last != gone and plan.is_changed[last]:
        plan.is_changed[last] = False
        plan.is_changed[gone] = True
        for c in range(first, plan.cursor[CHANGED]):
            if plan.changed[c] == last:
                plan.changed[c] = gone


@inner
def excess(
    own,
    head,
    after,
    size,
    count,
    k,
    scratch,
    records,  # out
):
    """Collect the records beyond the k nearest to the centroid of their group; return how many."""
    found = 0
    for g in range(count):
        if size[g] <= k:
            continue
        members(head, after, g, scratch)
        for a in range(size[g]):
            x = scratch[a]
            nearer = 0
            for b in range(size[g]):
                y = scratch[b]
                if own[y] < own[x] or (own[y] == own[x] and y < x):
                    nearer += 1
            if nearer >= k:
                records[found] = x
                found += 1
    return found


@inner
def distill(state, plan, pair, words):
    """Form a new group of k excess records: one at random, then always the nearest to its mean."""
    pool = pair.b
    new = state.cursor[COUNT]
    left = excess(state.own, state.head, state.after, state.size, new, state.k, pair.a, pool)
    state.cursor[COUNT] += 1
    target(plan.changed, plan.is_changed, plan.cursor, new)
    at = below(words, left)
    for c in range(state.k):
        if c > 0:
            best = np.inf
            for q in range(left):
                d2 = squared(state.points, pool[q], state.centroids, new)
                if d2 < best:
                    best = d2
                    at = q
        x = pool[at]
        left -= 1
        for q in range(at, left):  # ties go to the lowest index: the pool keeps its order
            pool[q] = pool[q + 1]
        g = state.labels[x]
        transfer(state, x, new)
        refresh(state, g)
        refresh(state, new)
        target(plan.changed, plan.is_changed, plan.cursor, g)


@allocating
def scatter(
    words,
    least,
    most,
    k,
    limit,
    order,  # scratch, (n,)
    labels,  # out
):
    """A random partition into least..most groups: k records each, the rest one by one at random."""
    n = labels.shape[0]
    count = least + below(words, most - least + 1)
    size = np.full(count, k)
    for i in range(n):
        order[i] = i
    shuffle(words, order, n)
    for i in range(n):
        if i < count * k:
            g = i // k
        else:
            g = below(words, count)
            while size[g] >= limit:
                g = below(words, count)
            size[g] += 1
        labels[order[i]] = g


@kernel
def exchange_some(state, words, times):
    """Let two random records of different groups change places, `times` times over."""
    n = state.labels.shape[0]
    for t in range(times):
        x = below(words, n)
        y = below(words, n)
        if state.labels[x] != state.labels[y]:
            move(state, x, y, state.labels[y])
