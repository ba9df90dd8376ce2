"""MDAV as the textbook has it: a pass over all that remains for each question.

What the package's own kernel is measured against and must agree with, label by label. It is made
fast where that costs nothing: compiled, records attribute by attribute, passes fused where a round
asks twice about one record. Entry point: `textbook_mdav`.
"""

from __future__ import annotations

import numpy as np

from coterie.kernels.base.jit import allocating, kernel
from coterie.kernels.base.remaining import BLOCK, squared_distances

__all__ = ["textbook_mdav"]


@kernel
def farthest(columns, ids, size, query, block):
    """Position of the record farthest from `query`; of equals, the lowest index."""
    best = -1.0
    best_at = -1
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        squared_distances(columns, start, stop, query, block)
        for i in range(stop - start):
            if block[i] >= best and (block[i] > best or ids[start + i] < ids[best_at]):
                best = block[i]
                best_at = start + i
    return best_at


@kernel
def nearest(columns, ids, size, seed, query, block, near, near_d2):
    """Select the record at `seed` and its nearest, nearest first; of equals, the lowest index.

    Returns the position of the record farthest from the seed.
    """
    k = near.shape[0]
    best = -1.0
    best_at = -1
    filled = 0
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        squared_distances(columns, start, stop, query, block)
        if start <= seed < stop:
            block[seed - start] = -1.0  # the seed is in, whatever its duplicates
        for i in range(stop - start):
            d2 = block[i]
            at = start + i
            if d2 >= best and (d2 > best or ids[at] < ids[best_at]):
                best = d2
                best_at = at
            if filled == k and d2 > near_d2[k - 1]:
                continue
            slot = min(filled, k - 1)
            if filled == k and d2 == near_d2[slot] and ids[at] > ids[near[slot]]:
                continue
            while slot > 0 and (
                near_d2[slot - 1] > d2
                or (near_d2[slot - 1] == d2 and ids[near[slot - 1]] > ids[at])
            ):
                near_d2[slot] = near_d2[slot - 1]
                near[slot] = near[slot - 1]
                slot -= 1
            near_d2[slot] = d2
            near[slot] = at
            filled = min(filled + 1, k)
    return best_at


@allocating
def rounds(columns, ids, total, k, labels):
    """Form all groups; return how many distances that took."""
    d, size = columns.shape
    query = np.empty(d)
    block = np.empty(BLOCK)
    near = np.empty(k, dtype=np.int64)
    near_d2 = np.empty(k)
    groups = 0
    work = 0
    side = 0  # 0: round r, the farthest from the centroid; 1: round s, the farthest from r
    opposite = -1  # s, if it is known
    while side == 1 or size >= 2 * k:
        if side == 0:
            for a in range(d):
                query[a] = total[a] / size
        at = opposite
        if at < 0:
            at = farthest(columns, ids, size, query, block)
            work += size
        for a in range(d):
            query[a] = columns[a, at]
        far = nearest(columns, ids, size, at, query, block, near, near_d2)
        work += size
        opposite = ids[far]
        for c in range(k):  # nearest first: the sum that is left depends on it in the last digit
            if near[c] == far:
                opposite = -1
            labels[ids[near[c]]] = groups
            for a in range(d):
                total[a] -= columns[a, near[c]]
        groups += 1
        near.sort()
        for c in range(k - 1, -1, -1):  # the last of all fills the place, the hindmost first
            size -= 1
            for a in range(d):
                columns[a, near[c]] = columns[a, size]
            ids[near[c]] = ids[size]
        # Below 3k records r gets a group, s does not: the rest is the last group.
        side = 1 if side == 0 and size + k >= 3 * k else 0
        if side == 0:
            opposite = -1
        elif opposite >= 0:
            record = opposite
            opposite = far if far < size and ids[far] == record else -1
            at = 0
            while opposite < 0:
                if ids[at] == record:
                    opposite = at
                at += 1
    for at in range(size):
        labels[ids[at]] = groups
    return work


def textbook_mdav(points, k):
    """Labels of MDAV, ending ``"last-group"``, and the number of distances computed."""
    labels = np.full(len(points), -1)
    work = rounds(points.T.copy(), np.arange(len(points)), points.sum(axis=0), k, labels)
    return labels, work
