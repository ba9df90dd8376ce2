"""Iterated local search: perturb, descend, accept, again and again.

Entry points: `iterated` (Python, makes the state), `step` (resumable). The groups' state keeps the
best partition; a rejection goes back to it in time proportional to what was changed since.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.draws import real
from coterie.kernels.base.groups import COUNT, keep, restore
from coterie.kernels.base.jit import kernel
from coterie.kernels.search import descent as descent_kernel
from coterie.kernels.search.accept import accept
from coterie.kernels.search.descent import DONE
from coterie.kernels.search.perturb import dissolve, distill

__all__ = ["Iterated", "IteratedRules", "iterated", "step"]

descend = descent_kernel.step

IteratedRules = namedtuple(
    "IteratedRules",
    [
        "least",  # a partition of this many groups is distilled, never dissolved
        "most",  # one of this many is dissolved
        "samples",  # groups drawn when one is to be dissolved
        "criterion",  # of `accept`
        "setting",  # its probability or temperature
        "goal",  # SSE at which to stop
        "patience",  # iterations without improvement after which to stop
    ],
)

Iterated = namedtuple(
    "Iterated",
    [
        "plan",  # Descent
        "groups",
        "pair",
        "words",  # random state
        "rules",
        "cursor",  # (4,): ITERATIONS, IMPROVED (iteration of the best), INSIDE one, STOPPED
    ],
)

ITERATIONS, IMPROVED, INSIDE, STOPPED = 0, 1, 2, 3
SLICE = 64  # targets visited between two looks at the budget


def iterated(plan, groups, pair, words, rules):
    """State for a search from `groups`, already a local optimum."""
    keep(groups)
    return Iterated(plan, groups, pair, words, rules, np.zeros(4, dtype=np.int64))


@kernel
def step(state, budget, most):
    """Complete up to `budget` iterations, visit up to about `most` targets; return iterations."""
    groups, plan, words, rules = state.groups, state.plan, state.words, state.rules
    cursor, sums = state.cursor, groups.sums
    done = 0
    visited = 0
    while done < budget and visited < most and cursor[STOPPED] == 0:
        best = sums[2] + sums[3]
        if cursor[INSIDE] == 0:
            count = groups.cursor[COUNT]
            more = count < rules.most
            less = count > rules.least and count > 1
            if (
                best <= rules.goal
                or cursor[ITERATIONS] - cursor[IMPROVED] >= rules.patience
                or not (more or less)
            ):
                cursor[STOPPED] = 1
                break
            # 1. Perturb: one group less or more.
            if more and less:
                more = real(words) < 0.5
            if more:
                distill(groups, plan, state.pair, words)
            else:
                dissolve(groups, plan, words, rules.samples)
            cursor[INSIDE] = 1
        # 2. Descend, perhaps over several calls.
        visited += descend(plan, groups, state.pair, words, SLICE)
        if plan.cursor[DONE] == 0:
            continue
        # 3. Keep what is best, go on from what is accepted, else return to the best.
        cursor[INSIDE] = 0
        cursor[ITERATIONS] += 1
        done += 1
        loss = (sums[0] - sums[2]) + (sums[1] - sums[3])
        if loss < -1e-15 * best:
            keep(groups)
            cursor[IMPROVED] = cursor[ITERATIONS]
        elif not accept(words, rules.criterion, rules.setting, max(loss, 0.0), best):
            restore(groups)
    return done
