"""Plain, slow oracles of the searches, from the pseudocode of their publications.

They share no code with the package. They draw the same random numbers in the same order, so a
search can be compared with its oracle step by step. Groups are lists of ascending record numbers.
"""

from __future__ import annotations

import math

import numpy as np

from tests import naive

MASK = 0xFFFFFFFF


class Draws:
    """xoshiro128++ with plain integers."""

    def __init__(self, words):
        self.words = [int(w) for w in words]

    def bits(self):
        def rotated(x, by):
            return ((x << by) | (x >> (32 - by))) & MASK

        a, b, c, d = self.words
        drawn = (rotated((a + d) & MASK, 7) + a) & MASK
        moved = (b << 9) & MASK
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= moved
        self.words = [a, b, c, rotated(d, 11)]
        return drawn

    def below(self, bound):
        while True:
            product = self.bits() * bound
            if product & MASK >= (2**32 % bound):
                return product >> 32

    def real(self):
        return ((self.bits() >> 5) * 2**26 + (self.bits() >> 6)) / 2**53

    def shuffled(self, items):
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


def mean(X, group):
    return np.sum([X[i] for i in group], axis=0) / len(group)


def radius(X, group):
    center = mean(X, group)
    return max(math.sqrt(naive.squared(X[i], center)) for i in group)


def may_interact(X, a, b, k):
    """The quick tests of two groups: maySwap, or mayShift either way."""
    apart = math.sqrt(naive.squared(mean(X, a), mean(X, b)))

    def may_shift(p, q):
        r = radius(X, p)
        far = (apart - r) ** 2
        return len(p) > k and len(p) / (len(p) - 1) * r**2 > len(q) / (len(q) + 1) * far

    return radius(X, a) + radius(X, b) > apart or may_shift(a, b) or may_shift(b, a)


def less(X, before, after):
    """Whether the groups `after` have a smaller SSE, beyond rounding."""
    old = naive.sse(X, before)
    return naive.sse(X, after) < old * (1 - 1e-12)


def visit(X, groups, i, j, k, limit):
    """`update`'s body for one pair of groups; whether anything changed."""
    changed = False
    a, b = list(groups[i]), list(groups[j])
    for s in range(len(a)):
        for t in range(len(b)):
            c, d = list(a), list(b)
            c[s], d[t] = b[t], a[s]
            if less(X, [a, b], [c, d]):
                a, b, changed = c, d, True
    groups[i], groups[j] = sorted(a), sorted(b)
    for giver, taker in ((i, j), (j, i)):
        for x in list(groups[giver]):
            if len(groups[giver]) > k and len(groups[taker]) < limit:
                c = [y for y in groups[giver] if y != x]
                d = sorted([*groups[taker], x])
                if less(X, [groups[giver], groups[taker]], [c, d]):
                    groups[giver], groups[taker], changed = c, d, True
    return changed


def descend(X, groups, k, draws, every, limit=math.inf, targets=None):
    """LS (`every`) or LSC; `groups` is changed in place. Returns how many passes it took."""
    targets = list(range(len(groups))) if targets is None or every else list(targets)
    passes = 0
    while targets:
        passes += 1
        changed, seen = [], set()
        for i in draws.shuffled(targets):
            seen.add(i)
            partners = [
                j
                for j in range(len(groups))
                if j not in seen and may_interact(X, groups[i], groups[j], k)
            ]
            for j in draws.shuffled(partners):
                if visit(X, groups, i, j, k, limit):
                    changed += [g for g in (i, j) if g not in changed]
        targets = list(range(len(groups))) if every and changed else changed
    return passes


def dissolve(X, groups, draws, samples, limit=math.inf):
    """bDissolve (dissolve for one sample). Returns the groups that changed."""
    drawn = [draws.below(len(groups)) for _ in range(samples)]
    gone = max(drawn, key=lambda g: naive.sse(X, [groups[g]]))
    changed = []
    for x in groups[gone]:
        rest = [g for g in range(len(groups)) if g != gone and len(groups[g]) < limit]
        near = min(rest, key=lambda g: (naive.squared(X[x], mean(X, groups[g])), g))
        groups[near] = sorted([*groups[near], x])
        changed += [near] if near not in changed else []
    last = groups.pop()
    if gone < len(groups):
        groups[gone] = last
        changed = [gone if g == len(groups) else g for g in changed]
    return changed


def distill(X, groups, k, draws):
    """Form a new group of excess records. Returns the groups that changed."""
    pool = []
    for group in groups:
        center = mean(X, group)
        near = sorted(group, key=lambda i: (naive.squared(X[i], center), i))[:k]
        pool += [i for i in group if i not in near]
    seed = pool[draws.below(len(pool))]
    new, changed = [seed], [len(groups)]
    where = {i: g for g, group in enumerate(groups) for i in group}
    pool.remove(seed)
    while len(new) < k:
        center = mean(X, new)
        best = min(pool, key=lambda i: (naive.squared(X[i], center), pool.index(i)))
        pool.remove(best)
        new.append(best)
    for i in new:
        groups[where[i]].remove(i)
        changed += [where[i]] if where[i] not in changed else []
    groups.append(sorted(new))
    return changed


def iterate(X, groups, k, draws, *, least, most, samples, every, accepts, limit=math.inf):
    """ILSM or ILSMC from a local optimum: yields (present groups, best groups) for ever.

    `accepts(draws, loss, best)` is the criterion for a partition that is no better.
    """
    best = [list(g) for g in groups]
    while True:
        more, fewer = len(groups) < most, len(groups) > least
        if more and (not fewer or draws.real() < 0.5):
            changed = distill(X, groups, k, draws)
        else:
            changed = dissolve(X, groups, draws, samples, limit)
        descend(X, groups, k, draws, every, limit, changed)
        loss = naive.sse(X, groups) - naive.sse(X, best)
        if loss < -1e-12 * naive.sse(X, best):
            best = [list(g) for g in groups]
        elif not accepts(draws, max(loss, 0.0), naive.sse(X, best)):
            groups = [list(g) for g in best]
        yield groups, best


def replaced(X, group, x, y):
    """R1: change of the SSE of `group` if x takes the place of its member y."""
    return naive.sse(X, [[x if i == y else i for i in group]]) - naive.sse(X, [group])


def exchange(X, groups, k, pool):
    """ICSM's SimpleHeuristic: the groups after it."""
    where = {i: g for g, group in enumerate(groups) for i in group}
    found = []
    for x in range(len(X)):
        p = where[x]
        for y in range(x + 1, len(X)):
            q = where[y]
            if p != q:
                change = replaced(X, groups[q], x, y) + replaced(X, groups[p], y, x)
                found += [(change, p, q, x, y)] if change < -1e-12 else []
        for q, group in enumerate(groups):
            if q != p and len(groups[p]) > k and len(group) < 2 * k - 1:
                rest = [i for i in groups[p] if i != x]
                before = naive.sse(X, [groups[p], group])
                change = naive.sse(X, [rest, [*group, x]]) - before
                found += [(change, p, q, x, None)] if change < -1e-12 else []
    found = sorted(found[:pool], key=lambda one: one[0])
    new, changed = dict(where), set()
    for _, p, q, x, y in found:
        if not changed & {p, q}:
            changed |= {p, q}
            new[x] = q
            if y is not None:
                new[y] = p
    return {frozenset(i for i in new if new[i] == g) for g in range(len(groups))}


def scores(X, groups):
    """Equation 7, pair of records by pair of records."""
    result = []
    for p, group in enumerate(groups):
        total = 0.0
        for q, other in enumerate(groups):
            if p != q:
                for x in group:
                    for y in other:
                        total += replaced(X, other, x, y) - replaced(X, group, y, x)
        result.append(total)
    return result


def best_cycle(X, groups, k, ranked):
    """Least SSE that one cyclic shift over groups of ascending rank gives, by enumeration."""

    def after(cycle):
        """The groups when each record of the cycle has moved on to the group of the next node."""
        new = [set(group) for group in groups]
        for (g, x), (h, _) in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            if x is not None:
                new[g].discard(x)
                new[h].add(x)
        return new

    least = naive.sse(X, groups)
    stack = [[(ranked[0], x)] for x in [*groups[ranked[0]], None]]
    while stack:
        path = stack.pop()
        rank = ranked.index(path[-1][0])
        for g in ranked[rank + 1 :]:
            nodes = [*groups[g], None] if path[-1][1] is not None else groups[g]
            stack += [[*path, (g, x)] for x in nodes]  # no edge between two groups
        if len(path) > 1 and not (path[0][1] is None and path[-1][1] is None):
            new = after(path)
            if all(k <= len(group) < 2 * k for group in new):
                least = min(least, naive.sse(X, [sorted(group) for group in new]))
    return least
