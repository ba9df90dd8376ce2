"""Plain versions of what hierarchies decide: distance, ancestor, interval, loss. No code of ours.

A tree is a dictionary from (level, label) to the label above; a value is its own label on level 0.
"""

from __future__ import annotations

import math
from fractions import Fraction


def random_tree(rng, levels, leaves):
    """Paths of a random tree, values first, the root left out; branches may be short."""
    parents = {}
    counts = [leaves]
    for _ in range(levels - 1):
        counts.append(max(1, int(rng.integers(1, counts[-1] + 1))))
    for level in range(levels - 1):
        for node in range(counts[level]):
            parents[level, node] = int(rng.integers(counts[level + 1]))
    paths = []
    for leaf in range(leaves):
        nodes, node = [leaf], leaf
        for level in range(levels - 1):
            node = parents[level, node]
            nodes.append(node)
        labels = [f"{'abcdefgh'[level]}{node}" for level, node in enumerate(nodes)]
        if levels > 1 and rng.random() < 0.1:  # a short branch: the value stands on two levels
            siblings = [p for p in range(leaves) if parents.get((0, p)) == parents.get((0, leaf))]
            if len(siblings) == 1:
                labels[1] = labels[0]
        paths.append(tuple(labels))
    return paths


def distance(one, other):
    """Share of the levels on which two paths differ."""
    return Fraction(sum(a != b for a, b in zip(one, other, strict=True)), len(one))


def ancestor(paths):
    """The first label, from the values up, that all of the paths share."""
    for labels in zip(*paths, strict=True):
        if len(set(labels)) == 1:
            return labels[0]
    return "*"


def loss(path, released):
    """Share of the levels given up by a released label that is true of the path."""
    full = [*path, "*"]
    return Fraction(next(i for i, label in enumerate(full) if label == released), len(path))


def interval(values, step):
    """From and to of whole numbers, rounded outwards to a multiple of a whole step."""
    low = min(values)
    while low % step:
        low -= 1
    high = max(values) + 1
    while high % step:
        high += 1
    return low, high


def interval_loss(groups, step):
    """Percent of the width of one interval for everybody, over all records of the groups."""
    everyone = [value for group in groups for value in group]
    low, high = interval(everyone, step)
    wide = math.fsum((lambda ends: ends[1] - ends[0])(interval(g, step)) * len(g) for g in groups)
    return 100.0 * wide / ((high - low) * len(everyone))


def cost(groups, trees, intervals, points):
    """What groups of rows lose: sizes times shares of levels and widths; plus squared distances.

    `trees` are pairs of a weight and the path of each row; `intervals` of a weight, the whole
    numbers of all rows, and a step; `points` coordinates of each row.
    """
    total = 0.0
    for rows in groups:
        for weight, paths in trees:
            mine = [paths[row] for row in rows]
            shared = ancestor(mine)
            total += weight * sum(float(loss(path, shared)) for path in mine)
        for weight, values, step in intervals:
            whole, ends = interval(values, step), interval([values[row] for row in rows], step)
            total += weight * len(rows) * (ends[1] - ends[0]) / (whole[1] - whole[0])
        for axis in range(len(points[0]) if len(points) else 0):
            some = [points[row][axis] for row in rows]
            mean = math.fsum(some) / len(some)
            total += math.fsum((value - mean) ** 2 for value in some)
    return total


def cheapest_cut(order, k, price):
    """Of all ways to cut an order into groups of k to 2k - 1: the cheapest, and its price."""
    if not order:
        return [], 0.0
    best = None
    for size in range(k, min(2 * k - 1, len(order)) + 1):
        rest = cheapest_cut(order[size:], k, price)
        if rest is None:
            continue
        found = price([order[:size]]) + rest[1]
        if best is None or found < best[1]:
            best = ([order[:size], *rest[0]], found)
    return best


def mondrian(rows, k, widths, sides):
    """Parts of rows by the widest key that can be cut at its median (LeFevre et al. 2006).

    `widths(rows)` gives the width of each key, `sides(rows, key)` the parts that it would make.
    """
    if len(rows) >= 2 * k:
        wide = widths(rows)
        for key in sorted(wide, key=lambda name: -wide[name]):
            parts = sides(rows, key)
            if len(parts) > 1 and min(map(len, parts)) >= k:
                return [part for one in parts for part in mondrian(one, k, widths, sides)]
    return [rows]
