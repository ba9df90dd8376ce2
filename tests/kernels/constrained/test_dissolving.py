"""Doing without a group: against the oracle, and the order of a sweep."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.guarantees.constraints import Constraints
from coterie.guarantees.diversity import Diversity
from coterie.kernels.base import draws, groups
from coterie.kernels.constrained import growth, regrouping
from coterie.kernels.search import descent, visits
from tests import naive_constraints as naive
from tests.kernels import entries

K = 2


def made(seed, n=24, share=0.9):
    """Points in clusters, their groups, rules, the state of a search, and what a group may be."""
    rng = np.random.default_rng(seed)
    points = rng.choice([0.0, 3.0, 9.0], (n, 2)) + rng.normal(0.0, 0.3, (n, 2))
    labels = rng.permutation(np.arange(n) // 4)
    order = np.lexsort((points[:, 1], points[:, 0]))
    if seed % 2:  # most groups are pure, some span clusters
        labels = np.empty(n, dtype=np.int64)
        labels[order] = np.arange(n) // 4
    units, words = rng.integers(0, n, n), rng.choice(2, n, p=[0.8, 0.2])
    asked = Constraints(units=units, diversity=(Diversity.of("w", words, False, max_share=share),))
    rules = asked.rules(n, K)
    state = groups.groups(points, labels, K, n)
    plan = descent.descent(len(state.size), False)
    work = regrouping.regrouping(growth.growth(points, rules), n, len(state.size))

    def may(members):
        few = naive.distinct_units(members, units.tolist()) < K
        return not few and naive.largest_share(members, words.tolist()) <= share + 1e-9

    return points, labels, rules, state, plan, work, may


@pytest.mark.nojit
@pytest.mark.parametrize("seed", range(24))
def test_members_go_where_the_oracle_sends_them(seed):
    points, labels, rules, state, plan, work, may = made(seed)
    for g in range(int(labels.max()) + 1):
        expected = naive.without_group(points.tolist(), labels.tolist(), g, may)
        done = entries.do_without(plan, state, rules, work, g)
        assert done == (expected is not None)
        if done:
            assert state.labels.tolist() == expected
            count = int(state.cursor[groups.COUNT])
            assert count == labels.max()
            changed = set(plan.changed[: plan.cursor[descent.CHANGED]].tolist())
            before, after = naive.classes(labels.tolist()), naive.classes(expected)
            kept = {tuple(members) for members in before.values()}
            assert {h for h in after if tuple(after[h]) not in kept} <= changed
        plan = descent.descent(len(state.size), False)
        groups.restore(state)
        assert np.array_equal(state.labels, labels)


def test_the_oracle_dissolves_some_and_refuses_some():
    """What the test above compares."""
    found = []
    for seed in range(24):
        points, labels, *_, may = made(seed)
        rows, numbers = points.tolist(), labels.tolist()
        found += [naive.without_group(rows, numbers, g, may) for g in range(max(numbers) + 1)]
    gone = sum(one is not None for one in found)
    assert 10 < gone < len(found) - 10


@pytest.mark.nojit
def test_a_sweep_tries_each_group_once_the_widest_first():
    points = np.array([[0.0], [2.0], [5.0], [7.0], [9.0], [9.0], [20.0], [25.0]])
    state = groups.groups(points, np.arange(8) // 2, 2, 8)
    level, cursor = np.full(1, np.inf), np.array([-1])
    order = [int(entries.next_widest(state, level, cursor, 0)) for _ in range(5)]
    assert order == [3, 0, 1, -1, -1]  # equal ones by number; nothing is gained by equal records


def test_a_sweep_lowers_the_sse_with_every_group_that_goes():
    fallen = 0
    for seed in range(1, 12, 2):
        points, labels, rules, state, plan, work, may = made(seed, 80, share=1.0)
        assert all(may(members) for members in naive.classes(labels.tolist()).values())
        words = draws.seeded(np.random.SeedSequence(seed))
        work.cursor[regrouping.DESCENDING] = 0
        work.cursor[regrouping.SWEEPING] = 1
        pair = visits.pair(len(points))
        before = groups.total(state)
        for _ in range(100):
            regrouping.step(plan, state, pair, rules, words, work, 1)
            now = groups.total(state)
            assert now <= before
            fallen += now < before
            before = now
            if work.cursor[regrouping.SWEEPING] == 0:
                break
        assert work.cursor[regrouping.SWEEPING] == 0
        assert all(may(members) for members in naive.classes(state.labels.tolist()).values())
    assert fallen
