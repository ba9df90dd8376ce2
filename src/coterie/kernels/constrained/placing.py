"""Placing: records that no group could be made of join the groups that there are.

Entry point: `place`. O(g d) for each of them, and the questions whether a group may take it.
"""

import numpy as np

from coterie.kernels.base.jit import allocating, inner
from coterie.kernels.base.lists import members
from coterie.kernels.base.rows import squared
from coterie.kernels.constrained.admissible import shortfall

__all__ = ["place"]

TRIED = 40  # groups, the cheapest first


@inner
def fits(rules, listed, head, after, g, atom):
    """Whether group `g` stays admissible with `atom`; `listed` is scratch."""
    count = members(head, after, g, listed)
    listed[count] = atom
    return shortfall(rules, listed, count + 1) == 0.0


@allocating
def place(points, rules, labels, atoms, count, groups, scratch):
    """Put each of the `count` atoms without a group into the cheapest of `groups` that may take it.

    If none of the TRIED cheapest may, into the cheapest of all, for a repair to follow. Returns
    how many went so. `scratch` is an array as long as `labels` twice.
    """
    d = points.shape[1]
    after, listed = scratch
    head = np.full(groups, -1)
    size = np.zeros(groups, dtype=np.int64)
    centroids = np.zeros((groups, d))
    cost = np.empty(groups)
    for c in range(count - 1, -1, -1):
        g = labels[atoms[c]]
        if g >= 0:
            after[atoms[c]] = head[g]
            head[g] = atoms[c]
            size[g] += 1
            for a in range(d):
                centroids[g, a] += (points[atoms[c], a] - centroids[g, a]) / size[g]
    forced = 0
    for c in range(count):
        atom = atoms[c]
        if labels[atom] >= 0:
            continue
        for g in range(groups):
            cost[g] = size[g] / (size[g] + 1.0) * squared(points, atom, centroids, g)
        cheapest = np.int64(-1)
        chosen = np.int64(-1)
        for turn in range(min(TRIED, groups)):
            g = np.argmin(cost)
            if cheapest < 0:
                cheapest = g
            if fits(rules, listed, head, after, g, atom):
                chosen = g
                break
            cost[g] = np.inf
        if chosen < 0:
            chosen = cheapest
            forced += 1
        labels[atom] = chosen
        after[atom] = head[chosen]
        head[chosen] = atom
        size[chosen] += 1
        for a in range(d):
            centroids[chosen, a] += (points[atom, a] - centroids[chosen, a]) / size[chosen]
    return forced
