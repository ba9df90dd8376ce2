"""Plain, slow oracles: one for each algorithm, written from the text of its publication.

They share no code with the package, use no compiled code, and prefer the obvious loop. Every tie
goes to the lowest index, as in the package.
"""

from __future__ import annotations

import functools
import itertools
from fractions import Fraction

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


def most_distant(X, candidates=None):
    """The two most distant of the candidates, the lower index first; of equal pairs, the first."""
    pairs = itertools.combinations(range(len(X)) if candidates is None else candidates, 2)
    return max(pairs, key=lambda p: (squared(X[p[0]], X[p[1]]), -p[0], -p[1]))


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
        center = X[rest].mean(axis=0)
        if centroid == "all":  # one division, so that small integers round once
            center = (n * X[rest].sum(axis=0) + (n - len(rest)) * X.sum(axis=0)) / n**2
        seed = farthest(X, rest, center)
        groups.append(group_round(X, rest, seed, k))
        rest = [i for i in rest if i not in groups[-1]]
    return leftovers(X, groups, rest, k, ending == "together")


def md(X, k, ending="together"):
    """Groups in the order in which MD forms them; every pair looked at in every round."""
    X = np.asarray(X, dtype=float)
    rest = list(range(len(X)))
    groups = []
    while len(rest) >= 2 * k:
        r, s = most_distant(X, rest)
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
    center = X.mean(axis=0)
    rest = list(range(len(X)))
    groups = []
    while len(rest) >= k:
        group = group_round(X, rest, farthest(X, rest, center), k)
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


def group_path(X, groups, head, entry="centroid", within="distance"):
    """Records group by group: section 4.2.3 of the publication, steps 6 and 7, in any reading."""
    X = np.asarray(X, dtype=float)
    centroids = [X[group].mean(axis=0) for group in groups]
    first = next(g for g, group in enumerate(groups) if head in group)
    order = []
    before = None
    for g in npn(centroids, first):
        if before is None:
            at = head
        else:
            goal = centroids[before] if entry == "centroid" else X[order[-1]]
            at = min(groups[g], key=lambda i: (squared(X[i], goal), i))
        order.append(at)
        rest = [i for i in groups[g] if i != at]
        while rest:
            goal = X[at] if within == "distance" else X[order[-1]]
            nearest = min(rest, key=lambda i: (squared(X[i], goal), i))
            order.append(nearest)
            rest.remove(nearest)
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


def optimum(X, k):
    """Least SSE of all partitions into groups of k..2k-1, for about ten records.

    Every group of the first record, beside the best of what it leaves: looked for once each.
    """
    X = np.asarray(X, dtype=float)

    @functools.cache
    def alone(group):
        return sse(X, [list(group)])

    @functools.cache
    def least(records):
        if not records:
            return 0.0
        first, rest = records[0], records[1:]
        found = [np.inf]
        for size in range(k, min(2 * k - 1, len(records)) + 1):
            for others in itertools.combinations(rest, size - 1):
                left = tuple(i for i in rest if i not in others)
                found.append(alone((first, *others)) + least(left))
        return min(found)

    return least(tuple(range(len(X))))


def tfrp(X, k, reference="vector", refine=True):
    """Groups of TFRP; `X` whole numbers, so that no comparison is rounded."""
    X = np.asarray(X)
    low, high = X.min(axis=0), X.max(axis=0)
    if reference == "scalar":
        low, high = np.full_like(low, X.min()), np.full_like(high, X.max())
    rest = list(range(len(X)))
    groups = []
    while len(rest) >= k:
        seed = farthest(X, rest, low if len(groups) % 2 == 0 else high)
        groups.append(group_round(X, rest, seed, k))
        rest = [i for i in rest if i not in groups[-1]]
    nearest = [
        min(range(len(groups)), key=lambda g: (to_centroid(X, i, groups[g]), g)) for i in rest
    ]
    for i, g in zip(rest, nearest, strict=True):
        groups[g] = [*groups[g], i]
    return dissolve(X, groups, k) if refine else groups


def gsms(X, k, least="group-and-rest", refine=False):
    """Groups of GSMS; `X` whole numbers. Every record left with its nearest, SSE summed anew."""
    X = np.asarray(X)
    rest = list(range(len(X)))
    groups = []
    while len(rest) >= k:
        best = None
        for i in rest:
            group = group_round(X, rest, i, k)
            others = [j for j in rest if j not in group]
            cost = exact_sse(X, others) if others else 0
            if least == "group-and-rest":
                cost += exact_sse(X, group)
            if best is None or cost < best[0]:
                best = cost, group
        groups.append(best[1])
        rest = [i for i in rest if i not in best[1]]
    nearest = [
        min(range(len(groups)), key=lambda g: (to_centroid(X, i, groups[g]), g)) for i in rest
    ]
    for i, g in zip(rest, nearest, strict=True):
        groups[g] = [*groups[g], i]
    return dissolve(X, groups, k) if refine else groups


def to_centroid(X, i, group):
    """Squared distance of a record from a group's centroid, exactly."""
    return sum(
        (Fraction(int(x)) - Fraction(int(s), len(group))) ** 2
        for x, s in zip(X[i], X[list(group)].sum(axis=0), strict=True)
    )


def exact_sse(X, group):
    return sum(to_centroid(X, i, group) for i in group)


def dissolve(X, groups, k):
    """Each group once, by falling SSE: its members into the nearest groups, if that pays."""
    groups = dict(enumerate(groups))
    for g in sorted(groups, key=lambda g: (-exact_sse(X, groups[g]), g)):
        changed = {h: list(groups[h]) for h in groups if h != g}
        members = sorted(groups[g], key=lambda i: (-to_centroid(X, i, groups[g]), i))
        for i in members:
            free = [h for h in changed if len(changed[h]) < 2 * k - 1]
            if not free:
                break
            h = min(free, key=lambda h: (to_centroid(X, i, groups[h]), h))
            changed[h].append(i)
        else:
            before = sum(exact_sse(X, groups[h]) for h in groups)
            if sum(exact_sse(X, changed[h]) for h in changed) < before:
                groups = changed
    return list(groups.values())


def systematic(X, k, places):
    """Groups of the systematic method; `places` is the random order of 0..k-1, X whole numbers."""
    X = np.asarray(X)
    order = sorted(range(len(X)), key=lambda i: (X[i].sum(), i))
    g = len(X) // k
    groups = [[order[places[0] + k * i]] for i in range(g)]

    def join(record, candidates):
        def increase(c):
            return exact_sse(X, [*groups[c], record]) - exact_sse(X, groups[c])

        groups[min(candidates, key=lambda c: (increase(c), c))].append(record)

    for j in range(1, k):
        for i in range(g):
            join(order[places[j] + k * i], [c for c in range(g) if len(groups[c]) < k])
    for record in order[g * k :]:
        join(record, range(g))
    return groups


def mu_approx(X, k):
    """Groups of the forest method; `X` whole numbers."""
    X = np.asarray(X)
    n = len(X)
    groups = []
    for tree in cut_trees(X, k, *short_forest(X, k)):
        if len(tree) < 2 * k:
            groups.append(tree)
            continue
        far = max(tree, key=lambda i: (to_centroid(X, i, tree), -i))
        group = group_round(X, tree, far, k)
        groups += [group, [i for i in tree if i not in group]]
    assert sum(map(len, groups)) == n
    return groups


def short_forest(X, k):
    """Edges of the forest as a dict vertex -> neighbors, and the root of each tree."""
    n = len(X)
    everyone = range(n)
    inner = sorted(everyone, key=lambda i: (to_centroid(X, i, everyone), i))
    rank = {i: r for r, i in enumerate(inner)}
    tree = {i: {i} for i in everyone}  # the records of the tree of each record
    roots = set(everyone)
    edges = {i: set() for i in everyone}
    while True:
        options = [
            (squared(X[u], X[v]), rank[u], v, u)
            for u in roots
            if len(tree[u]) < k
            for v in everyone
            if v not in tree[u]
        ]
        if not options:
            return edges, roots
        _, _, v, u = min(options)
        roots.remove(u)
        edges[u].add(v)
        edges[v].add(u)
        joined = tree[u] | tree[v]
        for i in joined:
            tree[i] = joined


def cut_trees(X, k, edges, roots):
    """Records of each tree after the cuts. A stand-in is a pair (vertex, number)."""
    point = {i: X[i] for i in range(len(X))}
    numbers = itertools.count(len(X))

    def side(u, v):
        """Vertices on v's side of the edge u-v."""
        seen = {u, v}
        todo = [v]
        while todo:
            for w in edges[todo.pop()]:
                if w not in seen:
                    seen.add(w)
                    todo.append(w)
        return seen - {u}

    def weight(vertices):
        return sum(v < len(X) for v in vertices)

    def hand_over(u, neighbors):
        """Give these neighbors of u to a stand-in of u."""
        other = next(numbers)
        point[other] = point[u]
        edges[other] = set(neighbors)
        edges[u] -= edges[other]
        for v in edges[other]:
            edges[v] = edges[v] - {u} | {other}
        return other

    def cut(root, total):
        """Two vertices, one of each part; None if there is no cut."""
        u = root
        while True:
            size = {v: weight(side(u, v)) for v in edges[u]}
            by_edge = sorted(edges[u], key=lambda v: (-squared(point[u], point[v]), v))
            v = min(by_edge, key=lambda v: (-size[v], by_edge.index(v)))
            if size[v] < k:
                break
            if total - size[v] >= k:
                edges[u].remove(v)
                edges[v].remove(u)
                return u, v
            if total - size[v] == k - 1 and v < len(X):
                return v, hand_over(v, edges[v] - {u})
            u = v
        real = u < len(X)
        if real and size[v] == k - 1:
            return u, hand_over(u, edges[u] - {v})
        gathered = []
        while sum(size[v] for v in gathered) < (k - 1 if real else k):
            gathered.append(by_edge[len(gathered)])
        have = sum(size[v] for v in gathered)
        if have == k - 1:
            return u, hand_over(u, edges[u] - set(gathered))
        if total - have < k:
            return None
        return u, hand_over(u, gathered)

    todo = sorted(roots)
    done = []
    while todo:
        root = todo.pop()
        vertices = {root}.union(*(side(root, v) for v in edges[root]))
        total = weight(vertices)
        parts = cut(root, total) if total >= max(2 * k, 3 * k - 4) else None
        if parts is None:
            done.append(sorted(v for v in vertices if v < len(X)))
        else:
            todo += parts
    return done


def tour_length(X, tour):
    """Length of the closed tour."""
    return sum(squared(X[a], X[b]) ** 0.5 for a, b in zip(tour, [*tour[1:], tour[0]], strict=True))


def neighbor_lists(X, count):
    """The nearest others of each record."""
    return [
        sorted((j for j in range(len(X)) if j != i), key=lambda j: (squared(X[i], X[j]), j))[:count]
        for i in range(len(X))
    ]


def tours_one_move_away(X, tour, near, longest=3):
    """Tours one 2-opt or Or-opt move away that the gain criterion allows.

    A move joins a record c with a near one x, and that new edge is shorter than what the move has
    gained so far: the edge it removes at c (2-opt), or closing the gap that c and its followers
    leave (Or-opt).
    """
    n = len(tour)

    def distance(i, j):
        return squared(X[i], X[j]) ** 0.5

    for way in (list(tour), list(tour)[::-1]):
        for at in range(n):
            turned = way[at:] + way[:at]  # the record c comes first
            c = turned[0]
            for x in near[c]:
                i = turned.index(x)
                if distance(c, x) < distance(c, turned[1]):
                    yield [c, *turned[1 : i + 1][::-1], *turned[i + 1 :]]
                for length in range(1, min(longest, n - 2) + 1):
                    if i < length:
                        continue
                    part, rest = turned[:length], turned[length:]
                    gap = distance(rest[-1], c) + distance(part[-1], rest[0])
                    if distance(c, x) >= gap - distance(rest[-1], rest[0]):
                        continue
                    j = rest.index(x)
                    yield rest[: j + 1] + part + rest[j + 1 :]
                    yield rest[:j] + part[::-1] + rest[j:]


def all_groups(n, k):
    """Every group of k..2k-1 of n records."""
    for size in range(k, min(2 * k - 1, n) + 1):
        yield from itertools.combinations(range(n), size)


def reduced_cost(X, group, prices, triples=(), fines=()):
    """SSE of a group less its members' prices, plus the fine of every triple it holds two of."""
    cuts = [(2, dict.fromkeys(triple, 1)) for triple in triples]
    return reduced_cost_with_cuts(X, group, prices, cuts, fines)


def reduced_cost_with_cuts(X, group, prices, cuts, fines):
    """The same with a fine for each whole divisor of the weights that a group holds."""
    paid = sum(f * counted(group, *cut) for cut, f in zip(cuts, fines, strict=True))
    return sse(X, [group]) - sum(prices[i] for i in group) + paid


def counted(group, divisor, weights):
    """How often the weights, by record, that a group holds make up the divisor."""
    return sum(weights.get(record, 0) for record in group) // divisor


def most_counted(n, k, divisor, weights):
    """What the groups of any partition of n records count together at most."""

    def most(left):
        if not left:
            return 0
        first, *others = left
        found = [-1]  # what cannot be partitioned does not count
        for size in range(k - 1, min(2 * k - 1, len(left))):
            for mates in itertools.combinations(others, size):
                rest = most(tuple(r for r in others if r not in mates))
                if rest >= 0:
                    found.append(rest + counted((first, *mates), divisor, weights))
        return max(found)

    return most(tuple(range(n)))


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
