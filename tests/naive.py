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
    if len(rest) >= k:
        groups.append(rest)
        return groups
    centroids = [X[group].mean(axis=0) for group in groups]
    batches = [[i] for i in rest] if ending == "one-by-one" else [rest] if rest else []
    for batch in batches:
        guest = X[batch].mean(axis=0)
        nearest = min(range(len(centroids)), key=lambda g: (squared(centroids[g], guest), g))
        groups[nearest] = [*groups[nearest], *batch]
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


def all_groups(n, k):
    """Every group of k..2k-1 of n records."""
    for size in range(k, min(2 * k - 1, n) + 1):
        yield from itertools.combinations(range(n), size)


def reduced_cost(X, group, prices, triples=(), fines=()):
    """SSE of a group less its members' prices, plus the fine of every triple it holds two of."""
    paid = sum(
        fine for triple, fine in zip(triples, fines, strict=True) if len({*triple} & {*group}) >= 2
    )
    return sse(X, [group]) - sum(prices[i] for i in group) + paid


def group_matrix(X, groups):
    """Costs of the groups and, for each record, a row that says which of them hold it."""
    X = np.asarray(X, dtype=float)
    costs = np.array([sse(X, [group]) for group in groups])
    holds = np.zeros((len(X), len(groups)))
    for column, group in enumerate(groups):
        holds[list(group), column] = 1.0
    return costs, holds


def relaxation(X, k):
    """Value of the linear relaxation of set partitioning over all groups, by another solver."""
    from scipy.optimize import linprog

    costs, holds = group_matrix(X, list(all_groups(len(X), k)))
    limit = np.ones((1, len(costs)))
    return linprog(costs, limit, [len(X) // k], holds, np.ones(len(X)), method="highs-ipm").fun


def integer_program(X, k, groups=None):
    """Least SSE of the partitions into the given groups, all by default."""
    from scipy.optimize import LinearConstraint, milp

    costs, holds = group_matrix(X, list(all_groups(len(X), k)) if groups is None else groups)
    once = LinearConstraint(holds, 1, 1)
    options = {"mip_rel_gap": 0.0}
    return milp(costs, constraints=once, integrality=np.ones(len(costs)), options=options).fun
