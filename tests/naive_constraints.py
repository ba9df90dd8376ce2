"""Plain oracles of the predicates behind constraints: dictionaries and loops, no shared code."""

from __future__ import annotations

import math
from collections import Counter, defaultdict


def classes(labels):
    """Members of each class, by label."""
    found = defaultdict(list)
    for record, label in enumerate(labels):
        found[label].append(record)
    return dict(found)


def distinct_units(members, units):
    return len({units[i] for i in members})


def distinct_values(members, values):
    return len({values[i] for i in members})


def largest_share(members, values):
    return max(Counter(values[i] for i in members).values()) / len(members)


def effective_values(members, values):
    counts = Counter(values[i] for i in members)
    shares = [c / len(members) for c in counts.values()]
    return math.exp(-sum(p * math.log(p) for p in shares))


def equal_distance(members, values):
    """Half the sum of the differences of two distributions over all values of the table."""
    here, whole = Counter(values[i] for i in members), Counter(values)
    return 0.5 * sum(abs(here[v] / len(members) - whole[v] / len(values)) for v in whole)


def ordered_distance(members, values):
    """Earth moved along the line of the m ordered values, one step being 1 / (m - 1)."""
    steps = sorted(set(values))
    if len(steps) == 1:
        return 0.0
    here, whole = Counter(values[i] for i in members), Counter(values)
    carried, moved = 0.0, 0.0
    for v in steps:
        carried += here[v] / len(members) - whole[v] / len(values)
        moved += abs(carried)
    return moved / (len(steps) - 1)


def passes_alpha(members, values, alpha):
    """(alpha, k): the share of each sensitive value; a number is for every value."""
    limits = alpha if isinstance(alpha, dict) else dict.fromkeys(values, alpha)
    return all(
        sum(values[i] == v for i in members) / len(members) <= limit + 1e-9
        for v, limit in limits.items()
    )


def passes_recursive(members, values, c, least):
    """r_1 < c (r_l + ... + r_m)."""
    counts = sorted(Counter(values[i] for i in members).values(), reverse=True)
    return counts[0] < c * sum(counts[least - 1 :]) * (1 - 1e-9)


def passes_beta(members, values, beta):
    """Enhanced beta-likeness."""
    for v in set(values):
        p = values.count(v) / len(values)
        q = sum(values[i] == v for i in members) / len(members)
        if beta < math.inf and p < q and (q - p) / p > min(beta, -math.log(p)) + 1e-9:
            return False
    return True


def passes_delta(members, values, delta):
    """delta-disclosure: a value that is not there has the logarithm of 0."""
    for v in set(values):
        p = values.count(v) / len(values)
        q = sum(values[i] == v for i in members) / len(members)
        if (q == 0 and delta < math.inf) or (q and abs(math.log(q / p)) > delta + 1e-9):
            return False
    return True


def contributions(members, units, amounts):
    """What each unit adds, largest first."""
    by_unit = defaultdict(float)
    for i in members:
        by_unit[units[i]] += abs(amounts[i])
    return sorted(by_unit.values(), reverse=True)


def passes_p_percent(members, units, amounts, p):
    """The second largest unit, who knows its own part, misses the largest by at least p percent."""
    parts = contributions(members, units, amounts)
    total = sum(parts)
    largest, second = parts[0], parts[1] if len(parts) > 1 else 0.0
    estimate = total - second  # an upper bound on the largest
    return estimate - largest >= p / 100 * largest * (1 - 1e-9) - 1e-12 * total


def passes_dominance(members, units, amounts, count, percent):
    parts = contributions(members, units, amounts)
    return sum(parts[:count]) <= (percent / 100 + 1e-9) * sum(parts)


def admissible(labels, k, units=None, together=False, diversity=(), dominance=()):
    """Whether every class keeps every rule; diversity and dominance as dicts of plain lists."""
    owners = list(range(len(labels))) if units is None else list(units)
    groups = classes(list(labels))
    if together and any(len({labels[i] for i in m}) > 1 for m in classes(owners).values()):
        return False
    for members in groups.values():
        if distinct_units(members, owners) < k:
            return False
        for one in diversity:
            values = list(one["values"])
            distance = ordered_distance if one["ordered"] else equal_distance
            if (
                distinct_values(members, values) < one.get("min_distinct", 1)
                or largest_share(members, values) > one.get("max_share", 1) + 1e-9
                or effective_values(members, values) < one.get("entropy_l", 0) - 1e-8
                or distance(members, values) > one.get("t_closeness", 1) + 1e-9
            ):
                return False
            if not (
                passes_alpha(members, values, one.get("alpha_k", 1))
                and passes_recursive(members, values, *one.get("recursive_cl", (math.inf, 1)))
                and passes_beta(members, values, one.get("beta_likeness", math.inf))
                and passes_delta(members, values, one.get("delta_disclosure", math.inf))
            ):
                return False
        for one in dominance:
            amounts = list(one["amounts"])
            if "p_percent" in one and not passes_p_percent(
                members, owners, amounts, one["p_percent"]
            ):
                return False
            if "dominance" in one and not passes_dominance(
                members, owners, amounts, *one["dominance"]
            ):
                return False
    return True


def sse(points, members):
    """Sum of squared distances to the mean."""
    mean = [sum(points[i][a] for i in members) / len(members) for a in range(len(points[0]))]
    return sum((points[i][a] - m) ** 2 for i in members for a, m in enumerate(mean))


def without_group(points, labels, g, may, most=0.0):
    """Labels after each member of group `g` went to the group, of those that may, it costs least.

    ``may(members)`` says whether a group may be so. None if a member finds no place, or if they
    cost `most` more than the group does. The last group takes the number of the one that is gone.
    """
    groups = classes(labels)
    left = sse(points, groups[g]) + most
    for x in groups.pop(g):
        able = [h for h, members in groups.items() if may([*members, x])]
        prices = {h: sse(points, [*groups[h], x]) - sse(points, groups[h]) for h in able}
        if not able:
            return None
        to = min(able, key=lambda h: (prices[h], h))
        left -= prices[to]
        if left <= 0.0:
            return None
        groups[to].append(x)
    found = list(labels)
    for h, members in groups.items():
        for i in members:
            found[i] = g if h == max(labels) else h
    return found


def crossed(X, a, b):
    """The groups of two partitions, of each set of records that both divide the cheaper ones."""
    groups = [set(m) for labels in (a, b) for m in classes(labels).values()]
    parts = []
    for group in groups:
        met = [part for part in parts if part & group]
        parts = [part for part in parts if not part & group] + [group.union(*met)]
    taken = set()
    for part in parts:
        ways = []
        for labels in (a, b):
            own = [m for m in classes(labels).values() if part.issuperset(m)]
            ways.append((sum(sse(X, m) for m in own), own))
        taken.update(tuple(m) for m in min(ways, key=lambda way: way[0])[1])
    return taken


def ring_proposed(X, near, labels, k, may, draws, temperature, rare, pool):
    """One proposal of a walk of shifts, swaps and rings of three; labels, changed or not.

    An atom of `pool` begins it. Draws what the kernel draws, in its order; each change of SSE is
    computed from all members.
    """
    x = pool[draws.below(len(pool))]
    a, b = labels[x], labels[near[x][draws.below(len(near[x]))]]
    if a == b:
        return labels
    most = -temperature * math.log(1.0 - draws.real()) if temperature > 0 else 0.0
    groups = classes(labels)
    last, to, moved = x, b, {x: b}
    if draws.below(rare) == 0:
        last = groups[b][draws.below(len(groups[b]))]
        to = labels[near[last][draws.below(len(near[last]))]]
        if to in (a, b):
            return labels
        moved[last] = to
    ways = [moved] if len(groups[a]) > k else []
    ways += [{**moved, z: a} for z in groups[to]]
    best, chosen = most, labels
    for way in ways:
        after = [way.get(i, g) for i, g in enumerate(labels)]
        there = classes(after)
        change = sum(sse(X, there[g]) - sse(X, groups[g]) for g in {a, b, to})
        if change < best and may(there[a]) and may(there[to]):
            best, chosen = change, after
    return chosen if may(classes(chosen)[b]) else labels


def with_group(X, labels, x, k, may, lack, asked):
    """Labels with one group more, made of the nearest of `x`, itself first, that can be spared.

    Of the `asked` nearest those join whose group has more than k members and may be without them,
    and who lower the new group's shortfall ``lack(members)``, until that is 0. None if it is not,
    or if k allows no more groups.
    """
    groups = classes(labels)
    if len(groups) == len(labels) // k:
        return None
    made, found = [], list(labels)

    def distance(i):
        return sum((a - b) ** 2 for a, b in zip(X[i], X[x], strict=True))

    for y in sorted(range(len(labels)), key=lambda i: (distance(i), i))[:asked]:
        rest = [i for i in groups[labels[y]] if i != y]
        if len(rest) < k or not may(rest) or (made and lack([*made, y]) >= lack(made)):
            continue
        groups[labels[y]] = rest
        made.append(y)
        found[y] = max(labels) + 1
        if lack(made) == 0:
            return found
    return None


def resized(X, labels, pool, more, k, may, lack, asked):
    """The cheapest labels with a group around one of `pool`, or without that of one; or None."""

    def cost(found):
        return sum(sse(X, m) for m in classes(found).values())

    ways = []
    for x in pool:
        if more:
            ways.append(with_group(X, labels, x, k, may, lack, asked))
        elif len(set(labels)) > 1:
            ways.append(without_group(X, labels, labels[x], may, math.inf))
    return min((way for way in ways if way is not None), key=cost, default=None)
