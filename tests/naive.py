"""Plain, slow oracles: one for each algorithm, written from the text of its publication.

They share no code with the package, use no compiled code, and prefer the obvious loop. Every tie
goes to the lowest index, as in the package.
"""

from __future__ import annotations

import itertools

import numpy as np


def squared(a, b):
    """Squared Euclidean distance, attribute by attribute."""
    return sum((float(x) - float(y)) ** 2 for x, y in zip(a, b, strict=True))


def sse(X, groups):
    """Sum of squared distances of the records to the mean of their group."""
    total = 0.0
    for group in groups:
        members = [X[i] for i in group]
        mean = np.sum(members, axis=0) / len(members)
        total += sum(squared(x, mean) for x in members)
    return total


def groups_of(labels):
    """The set of groups that labels stand for."""
    return {
        frozenset(i for i, label in enumerate(labels) if label == one)
        for one in set(np.asarray(labels).tolist())
    }


def farthest(X, candidates, point):
    return max(candidates, key=lambda i: (squared(X[i], point), -i))


def group_round(X, candidates, seed, k):
    """`seed` and the k-1 candidates nearest to it."""
    others = sorted((i for i in candidates if i != seed), key=lambda i: (squared(X[i], X[seed]), i))
    return [seed, *others[: k - 1]]


def mdav(X, k, ending="last-group"):
    """Groups in the order in which MDAV forms them."""
    X = np.asarray(X, dtype=float)
    rest = list(range(len(X)))
    groups = []

    def form(seed):
        group = group_round(X, rest, seed, k)
        groups.append(group)
        for i in group:
            rest.remove(i)

    enough = 3 * k if ending == "last-group" else 2 * k
    while len(rest) >= enough:
        r = farthest(X, rest, X[rest].mean(axis=0))
        form(r)
        form(farthest(X, rest, X[r]))
    if ending == "last-group" and len(rest) >= 2 * k:
        form(farthest(X, rest, X[rest].mean(axis=0)))
    return leftovers(X, groups, rest, k, ending == "together")


def leftovers(X, groups, rest, k, together):
    """Add a rest of k or more as a group, fewer to the groups with the nearest centroids."""
    if len(rest) >= k:
        return [*groups, rest]
    groups = [list(group) for group in groups]
    centroids = [X[group].mean(axis=0) for group in groups]
    batches = [[i] for i in rest] if not together else [rest] if rest else []
    for batch in batches:
        guest = X[batch].mean(axis=0)
        nearest = min(range(len(centroids)), key=lambda g: (squared(centroids[g], guest), g))
        groups[nearest] += batch
    return groups


def cbfs(X, k, ending="one-by-one", centroid="all"):
    """Groups in the order in which CBFS forms them."""
    X = np.asarray(X, dtype=float)
    n = len(X)
    rest = list(range(n))
    groups = []
    while len(rest) >= (2 * k if ending == "last-group" else k):
        centre = X[rest].mean(axis=0)
        if centroid == "all":  # one division, so that small integers round once
            centre = (n * X[rest].sum(axis=0) + (n - len(rest)) * X.sum(axis=0)) / n**2
        seed = farthest(X, rest, centre)
        groups.append(group_round(X, rest, seed, k))
        rest = [i for i in rest if i not in groups[-1]]
    return leftovers(X, groups, rest, k, ending == "together")


def md(X, k, ending="together"):
    """Groups in the order in which MD forms them; every pair looked at in every round."""
    X = np.asarray(X, dtype=float)
    rest = list(range(len(X)))
    groups = []
    while len(rest) >= 2 * k:
        r, s = max(
            itertools.combinations(rest, 2), key=lambda p: (squared(X[p[0]], X[p[1]]), -p[0], -p[1])
        )
        # Times the size: small integers are then compared without rounding.
        total = X[rest].sum(axis=0)
        if squared(len(rest) * X[s], total) > squared(len(rest) * X[r], total):
            r, s = s, r
        groups.append(group_round(X, [i for i in rest if i != s], r, k))
        rest = [i for i in rest if i not in groups[-1]]
        groups.append(group_round(X, rest, s, k))
        rest = [i for i in rest if i not in groups[-1]]
    return leftovers(X, groups, rest, k, ending == "together")


def vmdav(X, k, gain):
    """Groups in the order in which V-MDAV forms them."""
    X = np.asarray(X, dtype=float)
    centre = X.mean(axis=0)
    rest = list(range(len(X)))
    groups = []
    while len(rest) >= k:
        group = group_round(X, rest, farthest(X, rest, centre), k)
        rest = [i for i in rest if i not in group]
        while len(group) < 2 * k - 1 and len(rest) > 1:
            near = {i: min(squared(X[i], X[m]) for m in group) for i in rest}
            guest = min(rest, key=lambda i: (near[i], i))
            beyond = min(squared(X[guest], X[i]) for i in rest if i != guest)
            if not near[guest] < gain * gain * beyond:
                break
            group.append(guest)
            rest.remove(guest)
        groups.append(group)
    return leftovers(X, groups, rest, k, together=False)


def spanning_tree(X):
    """Edges (child, parent) of the minimum spanning tree from record 0, as they are added."""
    joined, rest = [0], list(range(1, len(X)))
    edges = []
    while rest:
        child = min(rest, key=lambda i: (min(squared(X[i], X[j]) for j in joined), i))
        edges.append((child, min(joined, key=lambda j: squared(X[child], X[j]))))
        joined.append(child)
        rest.remove(child)
    return edges


def connected(edges, start):
    """The records that can be reached from `start`."""
    seen, ahead = {start}, [start]
    while ahead:
        at = ahead.pop()
        for edge in edges:
            if at in edge:
                other = edge[0] + edge[1] - at
                if other not in seen:
                    seen.add(other)
                    ahead.append(other)
    return seen


def mst(X, k):
    """M-d: cut the tree's edges, longest first, where k stay on both sides; split parts by MD."""
    X = np.asarray(X, dtype=float)
    edges = spanning_tree(X)
    for edge in sorted(edges, key=lambda e: (-squared(X[e[0]], X[e[1]]), e[0])):
        left = [e for e in edges if e != edge]
        if min(len(connected(left, end)) for end in edge) >= k:
            edges = left
    groups = []
    for part in {frozenset(connected(edges, i)) for i in range(len(X))}:
        members = sorted(part)
        split = md(X[members], k, "one-by-one") if len(members) >= 2 * k else [range(len(members))]
        groups += [[members[i] for i in group] for group in split]
    return groups


def npn(X, start=None):
    """The nearest-point-next order, from the record farthest from the mean by default."""
    X = np.asarray(X, dtype=float)
    rest = list(range(len(X)))
    at = farthest(X, rest, X.mean(axis=0)) if start is None else start
    order = []
    while True:
        order.append(at)
        rest.remove(at)
        if not rest:
            return order
        at = min(rest, key=lambda i: (squared(X[i], X[order[-1]]), i))


def group_path(X, groups, head):
    """Records group by group: section 4.2.3 of the publication, steps 6 and 7."""
    X = np.asarray(X, dtype=float)
    centroids = [X[group].mean(axis=0) for group in groups]
    first = next(g for g, group in enumerate(groups) if head in group)
    order = []
    before = None
    for g in npn(centroids, first):
        if before is None:
            entry = head
        else:
            entry = min(groups[g], key=lambda i: (squared(X[i], centroids[before]), i))
        rest = sorted(
            (i for i in groups[g] if i != entry), key=lambda i: (squared(X[i], X[entry]), i)
        )
        order += [entry, *rest]
        before = g
    return order


def cuts(n, k):
    """Every way to write n as a sum of sizes k..2k-1, in order."""
    if n == 0:
        yield ()
    for size in range(k, min(2 * k - 1, n) + 1):
        for rest in cuts(n - size, k):
            yield (size, *rest)


def mhm(X, order, k):
    """Least SSE over all cuts of the order into groups of k..2k-1, by enumeration."""
    X = np.asarray(X, dtype=float)
    best = np.inf
    for sizes in cuts(len(order), k):
        ends = np.cumsum((0, *sizes))
        groups = [order[a:b] for a, b in itertools.pairwise(ends)]
        best = min(best, sse(X, groups))
    return best


def mhm_tour(X, order, k):
    """Least SSE over all rotations of the order."""
    order = list(order)
    return min(mhm(X, order[s:] + order[:s], k) for s in range(len(order)))


def partitions(records, k):
    """Every partition of the records into groups of k..2k-1."""
    if not records:
        yield []
        return
    first, rest = records[0], records[1:]
    for size in range(k, 2 * k):
        for others in itertools.combinations(rest, size - 1):
            left = [i for i in rest if i not in others]
            if len(left) == 0 or len(left) >= k:
                for more in partitions(left, k):
                    yield [[first, *others], *more]


def optimum(X, k):
    """Least SSE of all partitions, by enumeration: for about ten records."""
    X = np.asarray(X, dtype=float)
    return min(sse(X, groups) for groups in partitions(list(range(len(X))), k))
