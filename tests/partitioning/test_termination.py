"""Every descent ends: on tables where a gain computed from rounded centroids holds both ways.

Counted in passes and steps, never in seconds.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from coterie.guarantees.constraints import Constraints
from coterie.guarantees.dominance import Dominance
from coterie.kernels.base import draws, groups
from coterie.kernels.constrained import growth, regrouping
from coterie.kernels.constrained import repair as repairs
from coterie.kernels.search import descent, perturb, visits
from tests.kernels import entries

hangs = pytest.importorskip("benchmarks.hangs")

PASSES = 60  # of a descent; the slowest of these tables takes about a dozen


def problem(number):
    points, units, k = hangs.table(number)
    most = 120  # some of the records will do
    rules = Constraints(units=units[:most]).rules(min(len(points), most), k)
    return np.ascontiguousarray(points[:most]), rules, k


def scattered(n, k, seed):
    words = draws.seeded(np.random.SeedSequence(seed))
    labels = np.empty(n, dtype=np.int64)
    perturb.scatter(words, n // k, n // k, k, n, np.empty(n, dtype=np.int64), labels)
    return labels, words


def state_of(points, labels, k, every=False):
    state = groups.groups(points, labels, k, len(points))
    plan = descent.descent(len(state.size), every)
    descent.target_all(plan, int(state.cursor[groups.COUNT]))
    return state, plan


@pytest.mark.parametrize("every", [True, False], ids=["ls", "lsc"])
def test_a_descent_ends_within_some_passes(every):
    for number in range(40):
        points, _, k = problem(number)
        labels, words = scattered(len(points), k, number)
        state, plan = state_of(points, labels, k, every)
        descent.step(plan, state, visits.pair(len(points)), words, PASSES * len(state.size))
        assert plan.cursor[descent.DONE] == 1, number


def test_an_admissible_descent_ends_within_some_passes():
    for number in range(40):
        points, rules, k = problem(number)
        n = len(points)
        labels, words = scattered(n, k, number)
        state, plan = state_of(points, repaired(points, rules, labels, k), k)
        work = regrouping.regrouping(growth.growth(points, rules), n, len(state.size))
        budget = PASSES * len(state.size)
        regrouping.step(plan, state, visits.pair(n), rules, words, work, budget)
        assert work.cursor[regrouping.DESCENDING] == 0, number


def repaired(points, rules, labels, k):
    state = groups.groups(points, labels, k, len(points))
    work = repairs.repair(len(points), len(state.size))
    repairs.step(state, rules, work, 10**9)
    assert work.cursor[repairs.LEFT] == 0
    return state.labels


def test_a_move_is_kept_only_if_the_sse_falls():
    """Whatever is asked for: figures fall with a move that is kept, and are as before without."""
    kept = 0
    for number in range(12):
        points, _, k = problem(number)
        points = points[:24]
        labels, _ = scattered(len(points), k, number)
        state = groups.groups(points, labels, k, len(points))
        for x, y in itertools.permutations(range(len(points)), 2):
            if state.labels[x] == state.labels[y]:
                continue
            before, sums = state.labels.copy(), state.sse.copy()
            done = entries.gains_by_swap(state, x, y)
            kept += done
            anew = groups.groups(points, state.labels, k, len(points))
            assert np.array_equal(anew.sse, state.sse)
            if done:
                assert state.sse.sum() < sums.sum()
            else:
                assert np.array_equal(state.labels, before)
                assert np.array_equal(state.sse, sums)
            to = state.labels[y]
            if state.size[state.labels[x]] > k and to != state.labels[x]:
                before, sums = state.labels.copy(), state.sse.copy()
                if entries.gains_by_shift(state, x, to):
                    assert state.sse.sum() < sums.sum()
                else:
                    assert np.array_equal(state.labels, before)
                    assert np.array_equal(state.sse, sums)
    assert kept > 50


@pytest.mark.parametrize("seed", range(20))
def test_a_repair_lowers_groups_or_shortfalls_with_every_step(seed):
    """Amounts of many sizes: their sums round otherwise in another order of the members."""
    rng = np.random.default_rng(seed)
    n, k = 90, 3
    points = rng.normal(size=(n, 2))
    amounts = 10.0 ** rng.uniform(-12, 12, n)
    asked = Constraints(
        units=rng.integers(0, 30, n),
        dominance=(Dominance("a", amounts, p_percent=20.0), Dominance("b", amounts[::-1].copy())),
    )
    rules = asked.rules(n, k)
    labels, _ = scattered(n, k, seed)
    state = groups.groups(points, labels, k, n)
    work = repairs.repair(n, len(state.size))
    repairs.step(state, rules, work, 1)  # judges all and makes the first step
    before = None
    for _ in range(20 * n):
        count = int(state.cursor[groups.COUNT])
        now = (count, sum(map(Fraction, work.lack[:count].tolist())))  # exact
        if work.cursor[repairs.LEFT] == 0:
            break
        assert before is None or now < before
        before = now
        repairs.step(state, rules, work, 1)
    assert work.cursor[repairs.LEFT] == 0
