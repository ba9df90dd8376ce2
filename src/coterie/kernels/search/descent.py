"""Descent to a local optimum: passes over pairs of groups until none of them can improve.

Entry points: `descent` (Python, makes the state), `target_all`, `target`, `step` (resumable), and
`descend`, the same under rules, for kernels.

A pass pairs each target with every other group: all groups are targets in each pass of LS, only
those that the pass before changed in LSC. Targets come in random order and each one's partners in
random order; a pair of two targets is visited once. Partners that the quick tests reject when the
target's turn comes count as visited first, when they could not have changed anything: of the
orders in which the publication lets pairs be visited, these are ones that need no list of all
pairs. O(g d) for each target and what its visits cost; memory O(g).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.draws import shuffle
from coterie.kernels.base.groups import COUNT
from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.base.lists import enlist
from coterie.kernels.base.remaining import BLOCK, squared_distances
from coterie.kernels.base.rows import squared
from coterie.kernels.base.shadows import AXES
from coterie.kernels.search.moves import may_shift, may_swap
from coterie.kernels.search.visits import QUICK, visit

__all__ = ["DescentState", "descend", "descent", "step", "target", "target_all"]

DescentState = namedtuple(
    "DescentState",
    [
        "every",  # True: all groups are targets in every pass (LS), False: the changed ones (LSC)
        "passes",  # most passes
        "targets",  # (slots,)
        "changed",  # (slots,): groups changed in this pass, in the order of their first change
        "is_changed",  # (slots,)
        "seen",  # (slots,): number of the last pass in which a group was a target
        "partners",  # (slots,)
        "block",  # (BLOCK,): scratch, squared distances
        "shadow",  # (AXES,): scratch
        "cursor",  # (5,): AT (next target), TARGETS, CHANGED, PASS, DONE
    ],
)

AT, TARGETS, CHANGED, PASS, DONE = 0, 1, 2, 3, 4


def descent(slots, every, passes=2**62):
    """State for up to `slots` groups, nothing to do yet."""
    return DescentState(
        every=every,
        passes=passes,
        targets=np.empty(slots, dtype=np.int64),
        changed=np.empty(slots, dtype=np.int64),
        is_changed=np.zeros(slots, dtype=np.bool_),
        seen=np.full(slots, -1),
        partners=np.empty(slots, dtype=np.int64),
        block=np.empty(BLOCK),
        shadow=np.empty(AXES),
        cursor=np.array([0, 0, 0, 0, 1]),
    )


@inner
def target(changed, is_changed, cursor, g):
    """Make group `g` a target of the next pass, unless it is one."""
    enlist(changed, is_changed, cursor, CHANGED, g)
    cursor[DONE] = 0


@kernel
def target_all(plan, count):
    """Make all of `count` groups targets of the next pass."""
    for g in range(count):
        target(plan.changed, plan.is_changed, plan.cursor, g)


@inner
def begin_pass(plan, count, words):
    """Start a pass over the noted targets, in random order."""
    cursor = plan.cursor
    for c in range(cursor[CHANGED]):
        plan.targets[c] = plan.changed[c]
        plan.is_changed[plan.changed[c]] = False
    cursor[TARGETS] = cursor[CHANGED]
    if plan.every:
        for g in range(count):
            plan.targets[g] = g
        cursor[TARGETS] = count
    cursor[CHANGED] = 0
    cursor[AT] = 0
    cursor[PASS] += 1
    shuffle(words, plan.targets, cursor[TARGETS])


@inner
def find_partners(plan, state, i):
    """Write the groups that group `i` may swap or shift with as partners; return how many.

    Without those that the present pass has seen as targets.
    """
    count, turn = state.cursor[COUNT], plan.cursor[PASS]
    seen, out = plan.seen, plan.partners
    block, shadow = plan.block, plan.shadow
    centroids, shadows = state.centroids, state.shadows
    radius, span, size = state.radius, state.span, state.size
    k, margin = state.k, state.margin
    for m in range(shadows.shape[0]):
        shadow[m] = shadows[m, i]
    found = 0
    for start in range(0, count, BLOCK):
        stop = min(start + BLOCK, count)
        squared_distances(shadows, start, stop, shadow, block)
        for b in range(stop - start):  # a loop without branches: it vectorizes
            j = start + b
            bound = max(radius[i] + radius[j], max(span[i], span[j])) + margin
            block[b] -= bound * bound
        for b in range(stop - start):
            j = start + b
            if block[b] <= 0.0 and j != i and seen[j] != turn:
                apart = np.sqrt(squared(centroids, i, centroids, j))
                if (
                    may_swap(radius, i, j, apart)
                    or (size[i] > k and may_shift(radius, size, i, j, apart))
                    or (size[j] > k and may_shift(radius, size, j, i, apart))
                ):
                    out[found] = j
                    found += 1
    return found


@inner
def descend(plan, state, pair, rules, words, budget):
    """Visit the pairs of up to `budget` targets; return how many targets that were.

    Moves keep to `rules` unless they are None.
    """
    cursor, seen, partners = plan.cursor, plan.seen, plan.partners
    count = state.cursor[COUNT]
    worked = 0
    while worked < budget and cursor[DONE] == 0:
        if cursor[AT] == cursor[TARGETS]:
            if cursor[CHANGED] == 0 or cursor[PASS] >= plan.passes:
                cursor[DONE] = 1
                break
            begin_pass(plan, count, words)
        i = plan.targets[cursor[AT]]
        cursor[AT] += 1
        worked += 1
        if i >= count:  # it was dissolved after it had become a target
            continue
        seen[i] = cursor[PASS]
        found = find_partners(plan, state, i)
        pair.tally[QUICK] += count - cursor[AT]  # neither itself nor the targets before it
        shuffle(words, partners, found)
        changed = visit(state, pair, rules, i, partners, found)
        # The order in which targets are noted decides, with the seed, about their next order.
        if rules is None and changed > 0:
            target(plan.changed, plan.is_changed, cursor, i)
        for c in range(changed):
            target(plan.changed, plan.is_changed, cursor, partners[c])
        if changed > 0:
            target(plan.changed, plan.is_changed, cursor, i)
    return worked


@kernel
def step(plan, state, pair, words, budget):
    """Visit the pairs of up to `budget` targets; return how many targets that were."""
    return descend(plan, state, pair, None, words, budget)
