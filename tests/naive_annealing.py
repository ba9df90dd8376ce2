"""A plain, slow oracle of annealing: every change of SSE is computed from all records.

It shares no code with the package and draws the same random numbers in the same order. Groups are
lists in slots; an empty list is an empty slot.
"""

from __future__ import annotations

import functools
import math

import numpy as np

COOLINGS, QUENCH, SLICE = 100, 20, 1 << 17


def loss(X, group):
    if len(group) == 0:
        return 0.0
    members = X[list(group)]
    return _loss(members.tobytes(), members.shape)


@functools.lru_cache(100_000)
def _loss(content, shape):
    """The same groups are looked at again and again: each is added up once."""
    members = np.frombuffer(content).reshape(shape)
    return float(np.square(members - members.mean(axis=0)).sum())


def total(X, slots):
    return sum(loss(X, group) for group in slots)


def moved(slots, x, to):
    """The slots with record `x` in slot `to`; the last of its row takes its place."""
    slots = [list(group) for group in slots]
    old = next(g for g, group in enumerate(slots) if x in group)
    at = slots[old].index(x)
    last = slots[old].pop()
    if last != x:
        slots[old][at] = last
    slots[to].append(x)
    return slots


def slot_of(slots, x):
    return next(g for g, group in enumerate(slots) if x in group)


def dissolved(X, near, slots, k, gone, most):
    start = total(X, slots)
    now = slots
    while now[gone]:
        x = now[gone][-1]
        rest = [g if i != gone else [] for i, g in enumerate(now)]
        best, to = math.inf, -1
        for y in near[x]:
            g = slot_of(now, y)
            if g != gone and len(now[g]) < 2 * k - 1:
                cost = loss(X, [*rest[g], x]) - loss(X, rest[g])
                if cost < best:
                    best, to = cost, g
        emptied = total(X, [g if i != gone else [] for i, g in enumerate(now)])
        if to < 0 or emptied + best - start >= most:
            return slots
        now = moved(now, x, to)
    return now


def distilled(X, near, slots, k, x, most):
    empty = [g for g, group in enumerate(slots) if not group]
    if not empty:
        return slots
    new, now = empty[-1], slots
    for y in [x, *near[x]]:
        g = slot_of(now, y)
        if g != new and len(now[g]) > k:
            now = moved(now, y, new)
            if len(now[new]) == k:
                return now if total(X, now) - total(X, slots) < most else slots
    return slots


def proposed(X, near, slots, k, records, draws, temperature, rare):
    """One proposal."""
    x = records[draws.below(len(records))]
    most = -temperature * math.log(1.0 - draws.real()) if temperature > 0 else 0.0
    a = slot_of(slots, x)
    if draws.below(rare) == 0:
        if draws.below(2) == 0:
            return dissolved(X, near, slots, k, a, most)
        return distilled(X, near, slots, k, x, most)
    b = slot_of(slots, near[x][draws.below(len(near[x]))])
    if a == b:
        return slots
    start = total(X, slots)
    best, chosen = most, slots
    if len(slots[a]) > k and len(slots[b]) < 2 * k - 1:
        shifted = moved(slots, x, b)
        if total(X, shifted) - start < best:
            best, chosen = total(X, shifted) - start, shifted
    for y in slots[b]:
        swapped = moved(moved(slots, x, b), y, a)
        if total(X, swapped) - start < best:
            best, chosen = total(X, swapped) - start, swapped
    return chosen


def anneal(X, near, slots, k, draws, proposals, hot, cold, rare):
    """All slots as one region: cooled down, then kept if better."""
    records = [x for group in slots for x in group]
    before = total(X, slots)
    unit = before / len(records)
    wanted = proposals * len(records)
    made, now = 0, slots
    while made < wanted:
        count = min(max(wanted // COOLINGS, 1), SLICE)
        temperature = hot * unit * (cold / hot) ** (made / wanted) if unit > 0 else 0.0
        for _ in range(count):
            now = proposed(X, near, now, k, records, draws, temperature, rare)
        made += count
    for _ in range(QUENCH * len(records)):
        now = proposed(X, near, now, k, records, draws, 0.0, rare)
    return now if total(X, now) < before * (1 - 1e-13) else slots
