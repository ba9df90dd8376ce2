"""Winning back what a constraint costs: a search that moves only between admissible partitions.

Entry points: `regrouping` (Python, makes the state), `step` (resumable).

Down to a local optimum by the swaps and shifts of `kernels.moves`, each made only if both groups
stay admissible (it ends for the reason given there); then iterations: a group and its nearest ones
are pooled and grown anew from another seed (`kernels.growth`), the groups near them descend, and
what is no better is undone. Groups that hold more than they need come apart the same way: a pool
of one.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.draws import below, shuffle
from coterie.kernels.base.groups import (
    COUNT,
    keep,
    refresh,
    release,
    restore,
    squared,
    total,
    transfer,
)
from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.constrained import growth
from coterie.kernels.constrained.admissible import shortfall
from coterie.kernels.constrained.repair import after_swap, nearest_groups
from coterie.kernels.search.descent import (
    AT,
    CHANGED,
    DONE,
    PASS,
    TARGETS,
    begin_pass,
    find_partners,
    target,
)
from coterie.kernels.search.moves import (
    MOVES,
    SLACK,
    gains_by_shift,
    gains_by_swap,
    may_shift,
    may_swap,
    members,
    next_shift,
    next_swap,
)

__all__ = ["Regrouping", "regrouping", "step"]

Regrouping = namedtuple(
    "Regrouping",
    [
        "grown",  # Growth
        "atoms",  # (n,): scratch, the pool
        "after",  # (n,): scratch
        "members",  # (n + 1,): scratch
        "numbers",  # (slots,): scratch, numbers of the groups of a pool
        "near",  # (POOLED,): scratch
        "cost",  # (slots,): scratch
        "cursor",  # (3,): ITERATIONS done, ACCEPTED, DESCENDING (1 while targets are left)
    ],
)

ITERATIONS, ACCEPTED, DESCENDING = 0, 1, 2
POOLED = 3  # most groups that join a pool
MOST = 400  # atoms of a pool
VISITS = 64  # most groups that descend after a regrouping


def regrouping(grown, n, slots):
    """State for a search over up to `slots` groups of n atoms; `grown` grows pools."""
    return Regrouping(
        grown=grown,
        atoms=np.empty(n, dtype=np.int64),
        after=np.empty(n, dtype=np.int64),
        members=np.empty(n + 1, dtype=np.int64),
        numbers=np.empty(slots + 1, dtype=np.int64),
        near=np.empty(POOLED, dtype=np.int64),
        cost=np.empty(slots),
        cursor=np.array([0, 0, 1]),
    )


@inner
def without(rules, a, p, x):
    """Shortfall of the p members `a` without `x`; leaves `a` as it was."""
    s = 0
    while a[s] != x:
        s += 1
    a[s] = a[p - 1]
    missing = shortfall(rules, a, p - 1)
    a[s] = x
    return missing


@inner
def visit(state, pair, rules, i, j):
    """Swap and shift between two groups where that gains and both stay admissible.

    Returns how many moves were made.
    """
    points, centroids, own, a, b = state.points, state.centroids, state.own, pair.a, pair.b
    radius, size, head, after = state.radius, state.size, state.head, state.after
    made = 0
    apart = np.sqrt(squared(centroids, i, centroids, j))
    if may_swap(radius, i, j, apart):
        p = members(head, after, i, a)
        q = members(head, after, j, b)
        at = -1
        while True:
            wide = (radius[i], radius[j])
            at = next_swap(
                points, centroids, own, a, p, b, q, pair.to_b, pair.to_a, i, j, wide, apart, at + 1
            )
            if at < 0:
                break
            s = at // q
            t = at % q
            x = a[s]
            y = b[t]
            if after_swap(rules, a, p, s, y) > 0.0 or after_swap(rules, b, q, t, x) > 0.0:
                continue
            if not gains_by_swap(state, x, y):
                continue
            a[s] = y
            b[t] = x
            made += 1
            apart = np.sqrt(squared(centroids, i, centroids, j))
    giver = i
    taker = j
    for turn in range(2):
        if size[giver] > state.k and may_shift(radius, size, giver, taker, apart):
            listed = members(head, after, giver, a)
            s = -1
            while size[giver] > state.k:
                s = next_shift(
                    points, centroids, own, a, listed, size[taker], taker, apart, size[giver], s + 1
                )
                if s < 0:
                    break
                x = a[s]
                p = members(head, after, giver, b)
                if without(rules, b, p, x) > 0.0:
                    continue
                q = members(head, after, taker, b)
                b[q] = x
                if shortfall(rules, b, q + 1) > 0.0:
                    continue
                if not gains_by_shift(state, x, taker):
                    continue
                made += 1
                apart = np.sqrt(squared(centroids, i, centroids, j))
        giver = j
        taker = i
    return made


@inner
def descend(plan, state, pair, rules, words, budget):
    """Visit the partners of up to `budget` targets; return how many targets that were."""
    cursor, seen, partners = plan.cursor, plan.seen, plan.partners
    count = state.cursor[COUNT]
    worked = 0
    while worked < budget and cursor[DONE] == 0:
        if cursor[AT] == cursor[TARGETS]:
            if cursor[CHANGED] == 0:
                cursor[DONE] = 1
                break
            begin_pass(plan, count, words)
        i = plan.targets[cursor[AT]]
        cursor[AT] += 1
        worked += 1
        if i >= count:
            continue
        seen[i] = cursor[PASS]
        found = find_partners(plan, state, i)
        shuffle(words, partners, found)
        moved = 0
        for c in range(found):
            made = visit(state, pair, rules, i, partners[c])
            if made > 0:
                pair.tally[MOVES] += made
                target(plan.changed, plan.is_changed, cursor, partners[c])
                moved += made
        if moved > 0:
            target(plan.changed, plan.is_changed, cursor, i)
    return worked


@inner
def regroup(plan, state, rules, work, words):
    """Pool a random group with some of its nearest and grow the pool anew.

    Returns False, nothing changed, if what comes out is not admissible.
    """
    grown, atoms, numbers = work.grown, work.atoms, work.numbers
    count = state.cursor[COUNT]
    g = below(words, count)
    wanted = below(words, POOLED + 1)
    found = nearest_groups(state, g, work.cost, work.near) if wanted > 0 else 0
    pooled = 1
    numbers[0] = g
    size = members(state.head, state.after, g, atoms)
    for c in range(min(wanted, found)):
        h = work.near[c]
        if size + state.size[h] > MOST:
            continue
        i = state.head[h]
        while i >= 0:
            atoms[size] = i
            size += 1
            i = state.after[i]
        numbers[pooled] = h
        pooled += 1
    if size < 2 * state.k or size > MOST:
        return False
    most = max(1, pooled - 1 + below(words, 3)) if pooled > 1 else 2
    growth.begin(grown, atoms, size, atoms[below(words, size)], most)
    growth.step(grown, np.int64(2**62))
    made = grown.cursor[growth.GROUPS]
    if made == 0 or (made == 1 and pooled == 1):
        return False
    if growth.place(
        state.points, rules, grown.labels, atoms, size, made, (work.after, work.members)
    ):
        return False
    # Numbers in use first, then new ones.
    for c in range(pooled, made):
        numbers[c] = count
        count += 1
    state.cursor[COUNT] = count
    for c in range(size):
        to = numbers[grown.labels[atoms[c]]]
        if state.labels[atoms[c]] != to:
            transfer(state, atoms[c], to)
    for c in range(made):
        refresh(state, numbers[c])
        target(plan.changed, plan.is_changed, plan.cursor, numbers[c])
    # The highest number first: the group that takes its place is never one that is to go.
    for turn in range(made, pooled):
        highest = made
        for c in range(made, pooled):
            if numbers[c] > numbers[highest]:
                highest = c
        gone = numbers[highest]
        last = release(state, gone)
        numbers[highest] = -1
        if plan.is_changed[last] and last != gone:
            target(plan.changed, plan.is_changed, plan.cursor, gone)
    return True


@inner
def forget_targets(plan):
    """Nothing is left to visit."""
    cursor = plan.cursor
    for c in range(cursor[CHANGED]):
        plan.is_changed[plan.changed[c]] = False
    cursor[CHANGED] = 0
    cursor[AT] = 0
    cursor[TARGETS] = 0
    cursor[DONE] = 1


@kernel
def step(plan, state, pair, rules, words, work, budget):
    """Visit up to `budget` targets of the descent, or make as many iterations; return how many."""
    cursor = work.cursor
    worked = np.int64(0)
    while worked < budget:
        falling = cursor[DESCENDING] == 1
        before = total(state)
        if not falling:
            cursor[ITERATIONS] += 1
            worked += 1
            if not regroup(plan, state, rules, work, words):
                continue
        # One call for both: what is compiled is what is called.
        visits = budget - worked if falling else np.int64(VISITS)
        visited = descend(plan, state, pair, rules, words, visits)
        if falling:
            worked += visited
            if plan.cursor[DONE] == 1:
                cursor[DESCENDING] = 0
                keep(state)
                break
        elif total(state) * SLACK < before:
            keep(state)
            cursor[ACCEPTED] += 1
        else:
            restore(state)
        if not falling:
            forget_targets(plan)
    return worked
