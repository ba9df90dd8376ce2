"""Winning back what a constraint costs: a search that moves only between admissible partitions.

Entry points: `regrouping` (Python, makes the state), `warm` (Python), `step` (resumable).

Down to a local optimum by `search.descent` under rules: a move is made only if both groups stay
admissible. Then iterations: a group and its nearest ones are pooled and grown anew from another
seed (`growth`), the groups near them descend, and what is no better is undone. Groups that hold
more than they need come apart the same way: a pool of one. In a sweep the groups are tried one
after another, that with the largest SSE first, whether it is better to do without (`dissolving`).

While it is warm (`warm`), an iteration that costs little beside what its pool costs is kept as
well, the less often the further the warmth has fallen; the best partition is put aside.

Why they end: iterations and tries are counted. Without warmth what is kept has a lower SSE by more
than rounding, so no partition is kept twice; with it, the same holds for what is put aside.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.draws import below
from coterie.kernels.base.groups import COUNT, keep, refresh, release, restore, total, transfer
from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.base.lists import members
from coterie.kernels.constrained import growth
from coterie.kernels.constrained.dissolving import dissolve, next_widest
from coterie.kernels.constrained.placing import place
from coterie.kernels.constrained.repair import nearest_groups
from coterie.kernels.search.accept import DYNAMIC, accept
from coterie.kernels.search.descent import AT, CHANGED, DONE, TARGETS, descend, target
from coterie.kernels.search.moves import SLACK

__all__ = ["Regrouping", "regrouping", "step", "warm"]

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
        "level",  # (1,): SSE of the group that the sweep tried last
        # (4,): HEAT, what it FALLS by with each iteration, SSE of the last POOL before it was grown
        # anew, LEAST SSE that was put aside (below any before the first warmth)
        "warmth",
        "best",  # (n,): the labels that were put aside
        # (5,): ITERATIONS done, ACCEPTED, DESCENDING (1 while targets are left), SWEEPING (1 while
        # groups are left to try), LAST one tried
        "cursor",
    ],
)

ITERATIONS, ACCEPTED, DESCENDING, SWEEPING, LAST = 0, 1, 2, 3, 4
HEAT, FALLS, POOL, LEAST = 0, 1, 2, 3
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
        level=np.full(1, np.inf),
        warmth=np.array([0.0, 0.0, 0.0, -np.inf]),
        best=np.empty(n, dtype=np.int64),
        cursor=np.array([0, 0, 1, 0, -1]),
    )


def warm(work, state, heat, iterations):
    """Begin with so much warmth, as a share of a pool's SSE, that is gone after the iterations."""
    work.warmth[HEAT] = heat
    work.warmth[FALLS] = heat / iterations
    work.warmth[LEAST] = total(state)
    work.best[:] = state.labels


@inner
def put_aside(state, work):
    """Note the partition if it is the best since the warmth began."""
    if total(state) * SLACK < work.warmth[LEAST]:
        work.warmth[LEAST] = total(state)
        for i in range(state.labels.shape[0]):
            work.best[i] = state.labels[i]


@inner
def is_kept(state, work, words, before):
    """Whether to go on from an iteration or a try that changed the SSE from `before`."""
    if total(state) * SLACK < before:
        return True
    warmth = work.warmth
    if warmth[HEAT] <= 0.0:
        return False
    return accept(words, DYNAMIC, warmth[HEAT], total(state) - before, warmth[POOL])


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
    work.warmth[POOL] = 0.0
    for c in range(pooled):
        work.warmth[POOL] += state.sse[numbers[c]]
    most = max(1, pooled - 1 + below(words, 3)) if pooled > 1 else 2
    growth.begin(grown, atoms, size, atoms[below(words, size)], most)
    while grown.cursor[growth.DONE] == 0:
        growth.step(grown, np.int64(1))  # one group
        if work.warmth[HEAT] > 0.0:  # the next begins elsewhere, too: more ways to divide a pool
            grown.cursor[growth.REFERENCE] = atoms[below(words, size)]
    groups = grown.cursor[growth.GROUPS]
    if groups == 0 or (groups == 1 and pooled == 1):
        return False
    if place(state.points, rules, grown.labels, atoms, size, groups, (work.after, work.members)):
        return False
    # Numbers in use first, then new ones.
    for c in range(pooled, groups):
        numbers[c] = count
        count += 1
    state.cursor[COUNT] = count
    for c in range(size):
        to = numbers[grown.labels[atoms[c]]]
        if state.labels[atoms[c]] != to:
            transfer(state, atoms[c], to)
    for c in range(groups):
        refresh(state, numbers[c])
        target(plan.changed, plan.is_changed, plan.cursor, numbers[c])
    # The highest number first: the group that takes its place is never one that is to go.
    for turn in range(groups, pooled):
        highest = groups
        for c in range(groups, pooled):
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
    """Visit up to `budget` targets of the descent, or make as many iterations; return how many.

    While SWEEPING, an iteration is a try to do without the next group.
    """
    cursor = work.cursor
    worked = np.int64(0)
    while worked < budget:
        falling = cursor[DESCENDING] == 1
        before = total(state)
        if not falling:
            worked += 1
        if not falling and cursor[SWEEPING] == 1:
            g = next_widest(state, work.level, cursor, LAST)
            if g < 0 or state.cursor[COUNT] == 1:
                cursor[SWEEPING] = 0
                break
            if not dissolve(plan, state, rules, work.atoms, work.cost, work.members, g):
                restore(state)
                forget_targets(plan)
                continue
        elif not falling:
            cursor[ITERATIONS] += 1
            work.warmth[HEAT] = max(work.warmth[HEAT] - work.warmth[FALLS], 0.0)
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
        elif is_kept(state, work, words, before):
            keep(state)
            cursor[ACCEPTED] += 1
            put_aside(state, work)
        else:
            restore(state)
        if not falling:
            forget_targets(plan)
    return worked
