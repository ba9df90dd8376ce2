"""Cuts over several records with weights: their rows, their fines in pricing, their separation."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import coterie
from coterie.kernels.exact import fines as fining
from coterie.kernels.exact import pricing as kernel
from coterie.partitioning.driver import Run
from coterie.partitioning.exact import separation
from coterie.partitioning.exact.beginning import first_outcome
from coterie.partitioning.exact.columns import ColumnPool
from coterie.partitioning.exact.cuts import Cuts, violated_triples
from coterie.partitioning.exact.nearest import nearest
from coterie.partitioning.exact.pricing import Effort, price
from coterie.partitioning.exact.relaxation import Relaxation
from coterie.partitioning.exact.separation import violated_cuts
from coterie.partitioning.problem import Problem
from tests import naive
from tests.trials import trials


def drawn(rng, n, count):
    """Random cuts, as pairs of a divisor and weights by record."""
    found = []
    for _ in range(count):
        divisor = int(rng.integers(2, 7))
        records = rng.choice(n, int(rng.integers(3, min(n, 8) + 1)), replace=False)
        weights = rng.integers(1, divisor, len(records))
        found.append((divisor, dict(zip(records.tolist(), weights.tolist(), strict=True))))
    return found


def as_rows(cuts, fines):
    width = max(len(weights) for _, weights in cuts)
    records, weights = np.full((len(cuts), width), -1), np.zeros((len(cuts), width), dtype=int)
    for row, (_, given) in enumerate(cuts):
        records[row, : len(given)] = list(given)
        weights[row, : len(given)] = list(given.values())
    divisors = np.array([divisor for divisor, _ in cuts])
    return Cuts(records, weights, divisors, np.asarray(fines, float))


def cases(rng, count):
    for turn in range(count):
        k = int(rng.integers(2, 6))
        n = int(rng.integers(max(k, 3), 11))
        d = int(rng.integers(1, 4))
        X = rng.normal(size=(n, d)) if turn % 3 else rng.integers(0, 3, (n, d)) * 1.0
        cuts = drawn(rng, n, int(rng.integers(1, 6)))
        yield X, rng.normal(0.5, 0.7, n), k, cuts, rng.exponential(0.5, len(cuts))


def priced(X, prices, k, cuts, fines, charge=0.0, effort=None):
    problem = Problem(X, np.ascontiguousarray(X), 1.0, k)
    near = nearest(problem, Run(), 2 * k - 2).sums
    effort = effort or Effort(4096, 0, keep=5000)
    return price(problem, Run(), prices, near, as_rows(cuts, fines), effort, ceiling=-charge)


def test_no_partition_counts_more_than_the_limit(rng):
    reached = 0
    for _ in range(20):
        k = int(rng.integers(2, 4))
        n = int(rng.integers(2 * k, 9))
        cuts = drawn(rng, n, 3)
        for (divisor, weights), limit in zip(cuts, as_rows(cuts, [0] * 3).limits, strict=True):
            most = naive.most_counted(n, k, divisor, weights)
            assert most <= limit
            reached += most == limit
    assert reached


@pytest.mark.nojit
def test_hopes_are_never_more_than_what_is_due(rng):
    hoped = 0
    for divisor in range(2, 6):
        for _ in range(12):
            weights = rng.integers(1, divisor, int(rng.integers(3, 8))).tolist()
            paid, hope, need = (t[0] for t in fining.tables([(divisor, tuple(sorted(weights)))]))
            for chosen in itertools.product((False, True), repeat=len(weights)):
                met = sum(w for w, c in zip(weights, chosen, strict=True) if c)
                rest = [w for w, c in zip(weights, chosen, strict=True) if not c]
                assert paid[met] == met // divisor
                hoped += hope[met] > 0
                for size in range(1, len(rest) + 1):
                    for some in itertools.combinations(rest, size):
                        expected = hope[met] * sum(w >= need[met] for w in some)
                        assert expected <= (met + sum(some)) // divisor - met // divisor
    assert hoped
    assert fining.tables([(2, (1, 1, 1))])[1].tolist() == [[0.0, 0.5, 0.0, 0.0]]


@trials(30, 100)
@pytest.mark.parametrize("ceiling", [0.0, 0.6, -0.4])
def test_every_group_below_the_ceiling_is_found(rng, ceiling, trials):
    paying = 0
    for X, prices, k, cuts, fines in cases(rng, trials):
        problem = Problem(X, np.ascontiguousarray(X), 1.0, k)
        near = nearest(problem, Run(), 2 * k - 2).sums
        limits = kernel.PricingLimits(ceiling=ceiling, keep=3000, capacity=9000)
        state = kernel.pricing(X, prices, near, k, as_rows(cuts, fines), limits=limits)
        while state.cursor[kernel.RANK] <= len(X) - k:
            kernel.step(state, 10**6)
        count = state.cursor[kernel.FOUND]
        found = {
            tuple(sorted(row[row >= 0].tolist())): reduced
            for row, reduced in zip(state.members[:count], state.reduced[:count], strict=True)
        }
        for group in naive.all_groups(len(X), k):
            exact = naive.reduced_cost_with_cuts(X, group, prices, cuts, fines)
            paying += exact > naive.reduced_cost(X, group, prices)
            if exact < ceiling - 1e-9:
                assert found[group] == pytest.approx(exact, abs=1e-9)
            else:
                assert found.get(group, ceiling) == pytest.approx(ceiling, abs=1e-8)
        assert state.proved.all()
    assert paying


@trials(25, 80)
@pytest.mark.parametrize("limits", [{}, {"nodes": 1}, {"width": 3, "nodes": 2}])
def test_the_bound_is_never_above_the_optimum(rng, limits, trials):
    for X, prices, k, cuts, fines in cases(rng, trials):
        best = naive.optimum(X, k)
        effort = Effort(**{"width": 4096, "nodes": 0, **limits})
        for factor in (0.2, 0.6, 1.0):
            charge = factor * float(rng.exponential(0.3)) * (rng.random() < 0.5)
            found = priced(X, factor * prices, k, cuts, factor * fines, charge, effort)
            assert found.bound <= best + 1e-9


def test_columns_are_counted_as_the_oracle_does(rng):
    X = rng.normal(size=(9, 2))
    columns = ColumnPool(X, 3)
    groups = list(naive.all_groups(9, 3))
    columns.add(np.array([[*group, -1, -1][:5] for group in groups]))
    cuts = drawn(rng, 9, 6)
    fines = rng.exponential(1.0, 6)
    expected = [naive.reduced_cost_with_cuts(X, g, np.ones(9), cuts, fines) for g in groups]
    assert columns.reduced(np.ones(9), as_rows(cuts, fines)) == pytest.approx(expected)
    some = np.array([70, 3, 40])
    found = np.zeros((6, 3))
    cut, place, count = columns.counted(as_rows(cuts, fines), some)
    found[cut, place] = count
    assert found.tolist() == [[naive.counted(groups[s], *c) for s in some] for c in cuts]


def test_five_halves_around_are_cut_off_though_no_triple_is(rng):
    """Of five records in a ring, each two neighbors a group of weight 1/2."""
    members = np.array([[i, (i + 1) % 5, -1] for i in range(5)])
    weights = np.full(5, 0.5)
    assert len(violated_triples(members, weights, 10)) == 0
    cuts = violated_cuts(members, weights, 10, np.ones(6), Run())
    rows = {tuple(sorted(r[r >= 0].tolist())) for r in cuts.records[cuts.divisors == 2]}
    assert rows == {(0, 1, 2, 3, 4)}
    assert cuts.limits[cuts.divisors == 2].tolist() == [2]


def violation(members, weights, divisor, given):
    pairs = zip(members.tolist(), weights.tolist(), strict=True)
    left = sum(w * naive.counted(m, divisor, given) for m, w in pairs)
    return left - sum(given.values()) // divisor


def test_cuts_that_are_found_are_violated(rng):
    count = 0
    for _ in range(8):
        X = rng.normal(size=(40, 3))
        problem = Problem.of(X, int(rng.integers(3, 5)))
        relaxation = Relaxation(problem, first_outcome(problem, Run()).labels)
        relaxation.solve(Run(), cuts=0)
        solution = relaxation.solution
        if solution is None:
            continue
        members = relaxation.columns.members[solution.places]
        cuts = violated_cuts(members, solution.weights, 100, np.ones(40), Run())
        for records, weights, divisor in zip(
            cuts.records, cuts.weights, cuts.divisors, strict=True
        ):
            given = dict(zip(records[records >= 0].tolist(), weights.tolist(), strict=False))
            assert all(0 < w < divisor for w in given.values())
            assert violation(members, solution.weights, divisor, given) > separation.LEAST - 1e-6
            count += 1
    assert count > 20


def relaxed(X, k):
    problem = Problem.of(X, k)
    relaxation = Relaxation(problem, first_outcome(problem, Run()).labels)
    relaxation.solve(Run(), cuts=0)
    return relaxation


@trials(7, 24)
def test_wide_cuts_raise_the_bound_and_stay_below_the_optimum(rng, trials):
    """Without triples first: there is more for them to do. Duplicates and lattices among them."""
    raised = 0
    for turn in range(trials):
        k = int(rng.integers(2, 6))
        n = int(rng.integers(2 * k, 13))
        X = rng.normal(size=(n, 2)) if turn % 3 else rng.integers(0, 4, (n, 2)) * 1.0
        relaxation = relaxed(X, k)
        before = relaxation.bound
        relaxation.widen(Run())
        scale = relaxation.problem.scale**2
        optimum = naive.integer_program(X - X.mean(axis=0), k) / scale
        assert before <= relaxation.bound <= optimum * (1 + 1e-9) + 1e-12
        raised += relaxation.bound > before * (1 + 1e-6)
    assert raised > trials // 24  # of a dozen tables about one


@trials(2, 6)
def test_wide_cuts_go_beyond_triples(rng, trials):
    gained = 0
    for _ in range(trials):
        X = rng.normal(size=(60, 2))
        relaxation = relaxed(X, 3)
        relaxation.tighten(Run())
        before = relaxation.bound
        relaxation.widen(Run())
        assert relaxation.bound >= before
        gained += relaxation.bound > before * (1 + 1e-6)
        found = coterie.partition(X, 3, "optimize", iterations=2, random_state=0)
        assert relaxation.bound * relaxation.problem.scale**2 <= found.sse * (1 + 1e-9)
    assert gained


def test_wide_cuts_replay(rng):
    X = rng.normal(size=(80, 3))
    bounds, cuts = [], []
    for workers in (1, 3):
        relaxation = relaxed(X, 3)
        relaxation.widen(Run(workers=workers))
        bounds.append(relaxation.bound)
        cuts.append(relaxation.cuts.records.tolist())
    assert bounds[0] == bounds[1]
    assert cuts[0] == cuts[1]


def test_a_search_that_the_clock_ends_gives_no_cuts(clock):
    clock.tick = 1.0
    members = np.array([[i, (i + 1) % 5, -1] for i in range(5)])
    run = Run(time_limit=0.5)
    assert len(violated_cuts(members, np.full(5, 0.5), 10, np.ones(6), run)) == 0
