"""Pricing against the enumeration of all groups."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from coterie.kernels.exact import pricing as kernel
from coterie.partitioning.driver import Run
from coterie.partitioning.exact.cuts import Cuts
from coterie.partitioning.exact.nearest import nearest
from coterie.partitioning.problem import Problem
from tests import naive
from tests.trials import trials


def run_kernel(X, prices, k, triples=(), fines=(), budget=10**6, **limits):
    problem = Problem.of(X, k)
    # The kernel is given the points as they are: the costs can be compared with the oracle's.
    problem = Problem(X, np.ascontiguousarray(X), 1.0, k)
    near = nearest(problem, Run(), 2 * k - 2).sums
    cuts = Cuts.of_triples(triples, fines)
    limits = kernel.PricingLimits(**limits)
    state = kernel.pricing(X, prices, near, k, cuts, limits=limits)
    while state.cursor[kernel.RANK] <= len(X) - k:
        kernel.step(state, budget)
    return state


def cases(rng, count):
    for turn in range(count):
        k = int(rng.integers(2, 5))
        n = int(rng.integers(k, 11))
        d = int(rng.integers(1, 4))
        X = rng.normal(size=(n, d)) if turn % 2 else rng.integers(0, 3, (n, d)) * 1.0
        prices = rng.normal(0.5, 0.7, n)
        triples, fines = [], []
        if turn % 3 and n >= 3:
            chosen = {tuple(sorted(rng.choice(n, 3, replace=False))) for _ in range(4)}
            triples = sorted(chosen)
            fines = rng.exponential(0.5, len(triples))
        yield X, prices, k, triples, fines


def by_seed(X, prices, k, triples, fines, order):
    """Reduced costs of all groups, below the member that comes first in the order."""
    rank = np.argsort(order)
    found = [{} for _ in X]
    for group in naive.all_groups(len(X), k):
        seed = min(rank[list(group)])
        found[seed][frozenset(group)] = naive.reduced_cost(X, group, prices, triples, fines)
    return found


def kept(state):
    count = state.cursor[kernel.FOUND]
    return {
        frozenset(row[row >= 0].tolist()): reduced
        for row, reduced in zip(state.members[:count], state.reduced[:count], strict=True)
    }


@trials(40, 120)
@pytest.mark.parametrize("ceiling", [0.0, 0.6, -0.4])
def test_every_group_below_the_ceiling_is_found(rng, ceiling, trials):
    for X, prices, k, triples, fines in cases(rng, trials):
        state = run_kernel(X, prices, k, triples, fines, ceiling=ceiling, keep=3000, capacity=9000)
        seeds = by_seed(X, prices, k, triples, fines, state.order)
        expected = {g: r for seed in seeds for g, r in seed.items() if r < ceiling - 1e-9}
        found = kept(state)
        assert state.proved.all()
        assert state.whole.all()
        assert expected.keys() <= found.keys()
        for group, reduced in found.items():
            exact = naive.reduced_cost(X, sorted(group), prices, triples, fines)
            assert reduced == pytest.approx(exact, abs=1e-9)
        for rank, seed in enumerate(seeds):
            least = min([ceiling, *seed.values()])
            assert state.least[rank] == pytest.approx(least, abs=1e-9)


def test_the_best_of_each_seed_are_kept(rng):
    for X, prices, k, triples, fines in cases(rng, 60):
        state = run_kernel(X, prices, k, triples, fines, keep=2)
        found = kept(state)
        for rank, seed in enumerate(by_seed(X, prices, k, triples, fines, state.order)):
            best = sorted(r for r in seed.values() if r < 0)[:2]
            mine = sorted(r for g, r in found.items() if g in seed)
            assert mine == pytest.approx(best, abs=1e-9)
            assert state.least[rank] == pytest.approx(min([0.0, *seed.values()]), abs=1e-9)


@trials(40, 120)
@pytest.mark.parametrize("limits", [{"width": 3}, {"nodes": 1}, {"width": 5, "nodes": 2}])
def test_a_limited_search_says_what_it_may_have_missed(rng, limits, trials):
    unproved = 0
    for X, prices, k, triples, fines in cases(rng, trials):
        state = run_kernel(X, prices, k, triples, fines, keep=3, **limits)
        for rank, seed in enumerate(by_seed(X, prices, k, triples, fines, state.order)):
            least = min([0.0, *seed.values()])
            assert state.least[rank] <= least + 1e-9
            if state.proved[rank]:
                assert state.least[rank] == pytest.approx(least, abs=1e-9)
        unproved += (~state.proved).sum()
    assert unproved > 0


@pytest.mark.nojit
def test_any_budget_gives_the_same(rng):
    X, prices = rng.normal(size=(12, 2)), rng.normal(0.6, 0.3, 12)
    one = run_kernel(X, prices, 3, [(0, 1, 2)], [0.3])
    other = run_kernel(X, prices, 3, [(0, 1, 2)], [0.3], budget=1)
    assert kept(one) == kept(other)
    assert np.array_equal(one.least, other.least)


@pytest.mark.nojit
def test_equal_records(rng):
    X = np.zeros((7, 2))
    state = run_kernel(X, np.full(7, 0.1), 2, keep=500)
    assert len(kept(state)) == 21 + 35
    assert state.least[0] == pytest.approx(-0.3)


def test_searches_that_share_the_seeds_find_the_same(rng, monkeypatch):
    from coterie.partitioning.exact import pricing

    X = rng.normal(size=(60, 2))
    problem = Problem.of(X, 3)
    near = nearest(problem, Run(), 4)
    prices = near.prices(3) * 2.0
    found = []
    for many, workers in ((1000, 1), (1, 1), (1, 3)):
        monkeypatch.setattr(pricing, "MANY", many)
        run = Run(workers=workers)
        priced = pricing.price(problem, run, prices, near.sums, Cuts.none(), pricing.EFFORTS[-1])
        groups = {tuple(sorted(row[row >= 0].tolist())) for row in priced.members}
        assert len(groups) > 60
        found.append((groups, priced.bound, priced.exact))
    assert found[0][0] == found[1][0] == found[2][0]
    assert found[0][1] == found[1][1] == found[2][1]
    assert all(exact for _, _, exact in found)


def test_a_list_without_room_for_all_groups_says_so(rng, monkeypatch):
    from coterie.partitioning.exact import pricing

    X = rng.normal(size=(40, 2))
    problem = Problem.of(X, 3)
    near = nearest(problem, Run(), 4)
    prices = near.prices(3) * 2.0

    def listed(capacity):
        effort = pricing.Effort(4096, 0, keep=capacity)
        return pricing.price(
            problem, Run(), prices, near.sums, Cuts.none(), effort, capacity=capacity
        )

    for many in (1000, 1):
        monkeypatch.setattr(pricing, "MANY", many)
        every = listed(100_000)
        assert every.whole
        for capacity in (1, 7, len(every.members) - 1):
            few = listed(capacity)
            assert not few.whole
            assert few.bound == -np.inf


def priced_with(X, prices, k, triples, fines, charge, effort=None):
    from coterie.partitioning.exact import pricing

    problem = Problem(X, np.ascontiguousarray(X), 1.0, k)
    near = nearest(problem, Run(), 2 * k - 2).sums
    cuts = Cuts.of_triples(triples, fines)
    effort = effort or pricing.Effort(4096, 0, keep=5000)
    return pricing.price(problem, Run(), prices, near, cuts, effort, ceiling=-charge)


def as_dear_as_k_records_allow(X, prices, k, triples, fines, charge):
    """Prices that no group of k beats, each as high as the others let it be."""
    groups = [group for group in naive.all_groups(len(X), k) if len(group) == k]
    costs = [naive.reduced_cost(X, g, prices, triples, fines) + charge for g in groups]
    prices = prices + min(costs) / k
    slack = np.array(costs) - min(costs)
    for record in range(len(X)):
        holding = [record in group for group in groups]
        rise = slack[holding].min()
        prices[record] += rise
        slack[holding] -= rise
    return prices


@trials(100, 240)
def test_a_larger_group_that_beats_prices_safe_for_k_records_is_found(rng, trials):
    """Only some of them are searched: cheap ones and those that hold a triple whole."""
    by_charge = by_triples = 0
    for turn in range(trials):
        fined = turn % 4 < 2
        k = int(rng.integers(3 if fined else 2, 5))
        n = int(rng.integers(k + 1, 8 if fined else 10))
        X = rng.normal(size=(n, 2)) * rng.choice([0.05, 0.2, 1.0])
        charge = float(rng.exponential(1.0)) if turn % 2 else 0.0
        prices = rng.normal(0.5, 0.02 if fined else 0.3, n)
        triples = list(itertools.combinations(range(n), 3)) if fined else []
        fines = rng.uniform(0.2, 0.3, len(triples))
        prices = as_dear_as_k_records_allow(X, prices, k, triples, fines, charge)
        negative = {
            group
            for group in naive.all_groups(len(X), k)
            if naive.reduced_cost(X, group, prices, triples, fines) + charge < -1e-9
        }
        priced = priced_with(X, prices, k, triples, fines, charge)
        found = {tuple(sorted(row[row >= 0].tolist())) for row in priced.members}
        assert priced.exact
        assert negative <= found
        if charge == 0.0:
            by_triples += len(negative)
        elif len(triples) == 0:
            by_charge += len(negative)
    assert min(by_charge, by_triples) > 10


@trials(40, 150)
@pytest.mark.parametrize("limits", [{}, {"nodes": 1}, {"width": 3, "nodes": 2}])
def test_the_bound_is_never_above_the_optimum(rng, limits, trials):
    from coterie.partitioning.exact.pricing import Effort

    for X, prices, k, triples, fines in cases(rng, trials):
        charge = float(rng.exponential(0.4)) if rng.random() < 0.5 else 0.0
        best = naive.optimum(X, k)
        effort = Effort(**{"width": 4096, "nodes": 0, **limits})
        for factor in (0.2, 0.6, 1.0):
            priced = priced_with(
                X, factor * prices, k, triples, factor * np.asarray(fines), charge * factor, effort
            )
            assert priced.bound <= best + 1e-9
