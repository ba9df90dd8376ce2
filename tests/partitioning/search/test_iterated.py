from __future__ import annotations

import math

import numpy as np
import pytest

import coterie
from coterie.kernels.base import draws, groups
from coterie.kernels.search import accept, descent, iterated, visits
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.start import group_counts
from tests import naive_search
from tests.kernels import entries
from tests.partitioning.search.test_local_search import lists, scattered
from tests.trials import trials

CRITERIA = {
    accept.STATIC: (0.8, lambda drawn, loss, best: drawn.real() < 0.8),
    accept.DYNAMIC: (0.01, lambda drawn, loss, best: drawn.real() < math.exp(-loss / best / 0.01)),
    accept.BETTER: (0.0, lambda draws, loss, best: False),
}


@pytest.mark.nojit
@trials(4, 12)
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize(
    ("n", "d", "k", "samples", "every", "limit"),
    [(25, 2, 2, 1, False, 25), (26, 2, 3, 3, False, 26), (27, 1, 3, 1, True, 27),
     (22, 3, 4, 5, False, 7)],
)  # fmt: skip
def test_equals_the_oracle_step_by_step(n, d, k, samples, every, limit, criterion, rng, trials):
    X = rng.normal(size=(n, d))
    least, most = max(2, -(-n // (2 * k - 1))), n // k
    labels, words = scattered(n, most - 1, k, seed=n)
    state = groups.groups(X, labels, k, limit)
    plan, pair = descent.descent(most, every), visits.pair(n)
    descent.target_all(plan, int(state.cursor[groups.COUNT]))
    descent.step(plan, state, pair, words, 10**6)

    setting, accepts = CRITERIA[criterion]
    rules = iterated.IteratedRules(
        least, most, samples, criterion, setting, goal=-1.0, patience=10**9
    )
    search = iterated.iterated(plan, state, pair, words, rules)
    oracle = naive_search.iterate(
        X, lists(state.labels), k, naive_search.Draws(words),
        least=least, most=most, samples=samples, every=every, accepts=accepts, limit=limit,
    )  # fmt: skip
    for _ in range(trials):
        assert iterated.step(search, 1, 10**9) == 1
        present, best = next(oracle)
        assert lists(state.labels) == present
        assert lists(state.kept) == best


def test_an_iteration_can_be_left_and_resumed(rng):
    """The same labels whether iterations are done at once or in bits."""
    X = rng.normal(size=(200, 2))
    made = []
    for most in (10**9, 1):
        labels, words = scattered(200, 60, 3, seed=1)
        state = groups.groups(X, labels, 3, 200)
        plan, pair = descent.descent(66, True), visits.pair(200)
        descent.target_all(plan, 60)
        descent.step(plan, state, pair, words, 10**9)
        rules = iterated.IteratedRules(55, 66, 1, accept.STATIC, 0.8, -1.0, 10**9)
        search = iterated.iterated(plan, state, pair, words, rules)
        left = 20
        while left:
            left -= iterated.step(search, left, most)
        made.append(state.kept)
    assert np.array_equal(*made)


@pytest.mark.parametrize("every", [True, False])
@pytest.mark.parametrize("d", [1, 2, 12])
def test_what_is_remembered_of_pairs_spares_tests_alone(d, every, rng):
    """The same partitions, iteration by iteration, whether unchanged pairs are tested again."""
    X = np.round(rng.normal(size=(150, d)), 1)  # with ties
    seen, tests = [], []
    for slots in (0, 50):
        labels, words = scattered(150, 45, 3, seed=2)
        state = groups.groups(X, labels, 3, 150)
        plan, pair = descent.descent(50, every), visits.pair(150, slots)
        descent.target_all(plan, 45)
        descent.step(plan, state, pair, words, 10**9)
        rules = iterated.IteratedRules(35, 50, 1, accept.STATIC, 0.5, -1.0, 10**9)
        search = iterated.iterated(plan, state, pair, words, rules)
        made = []
        for _ in range(40):
            assert iterated.step(search, 1, 10**9) == 1
            made.append((state.labels.copy(), state.kept.copy()))
        seen.append(made)
        tests.append(pair.tally[visits.SWAP])
    assert np.array_equal(*seen)
    assert tests[1] < tests[0] if every else tests[1] <= tests[0]


@pytest.mark.parametrize("method", ["ilsm", "ilsmc"])
def test_workers_change_nothing(method, rng):
    X = rng.normal(size=(150, 3))
    one = coterie.partition(X, 3, method, random_state=7, iterations=60, streams=3, workers=1)
    two = coterie.partition(X, 3, method, random_state=7, iterations=60, streams=3, workers=2)
    assert np.array_equal(one.labels, two.labels)
    alone = coterie.partition(X, 3, method, random_state=7, iterations=60)
    assert one.sse <= alone.sse  # stream 0 is that search


def test_trace_and_stops(rng, clock):
    X = rng.normal(size=(300, 3))
    p = coterie.partition(X, 3, "ilsmc", random_state=0, iterations=1000)
    assert p.trace[0].iterations == 0
    assert [t.sse for t in p.trace] == sorted((t.sse for t in p.trace), reverse=True)
    assert p.trace[-1].sse == pytest.approx(p.sse)
    assert p.epochs == 10
    half = coterie.partition(X, 3, "ilsmc", random_state=0, iterations=500)
    assert p.sse <= half.sse
    goal = half.information_loss
    reached = coterie.partition(X, 3, "ilsmc", random_state=0, target=goal + 1e-9, streams=2)
    assert reached.information_loss <= goal + 1e-9
    assert reached.trace[-1].iterations <= 500
    early = coterie.partition(X, 3, "ilsmc", random_state=0, patience=5)
    assert early.sse > p.sse
    clock.tick = 0.01
    timed = coterie.partition(X, 3, "ilsmc", random_state=0, time_limit=0.3, workers=1)
    assert 0.3 <= timed.runtime < 0.6
    assert 0 < timed.epochs < 50  # of those that it makes without a limit


@pytest.mark.nojit
@pytest.mark.parametrize(("loss", "best"), [(0.3, 2.0), (1.0, 50.0), (0.002, 0.05)])
@pytest.mark.parametrize("temperature", [0.1, 0.02])
def test_dynamic_acceptance_is_the_published_probability(loss, best, temperature):
    """exp(-loss / (T best)): drawn 5,000 times, within four standard errors."""
    words = draws.seeded(np.random.SeedSequence(5))
    share = entries.accepted(words, accept.DYNAMIC, temperature, loss, best, 5_000) / 5_000
    wanted = math.exp(-loss / (temperature * best))
    assert abs(share - wanted) <= 4 * math.sqrt(wanted * (1 - wanted) / 5_000) + 1e-4


@pytest.mark.nojit
def test_nothing_is_lost_where_the_best_is_nought():
    """All records of each group equal: a partition as good is accepted, a worse one never."""
    words = draws.seeded(np.random.SeedSequence(7))
    assert entries.accepted(words, accept.DYNAMIC, 1e-5, 0.0, 0.0, 50) == 50
    assert entries.accepted(words, accept.DYNAMIC, 1e-5, 0.05, 0.0, 50) == 0
    assert entries.accepted(words, accept.BETTER, 0.8, 0.0, 1.0, 50) == 0


@pytest.mark.nojit
def test_static_acceptance_is_its_probability():
    words = draws.seeded(np.random.SeedSequence(6))
    for wanted in (0.8, 0.1):
        share = entries.accepted(words, accept.STATIC, wanted, 1.0, 1.0, 5_000) / 5_000
        assert abs(share - wanted) <= 4 * math.sqrt(wanted * (1 - wanted) / 5_000)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("given", "used"),
    [
        ({}, (1, accept.STATIC, 0.8)),
        ({"probability": 0.3}, (1, accept.STATIC, 0.3)),
        ({"accept": "dynamic"}, (1, accept.DYNAMIC, 1e-5)),
        ({"dissolve": "biased", "accept": "better"}, (5, accept.BETTER, 0.0)),
    ],
)
def test_published_defaults_reach_the_kernel(given, used, rng, monkeypatch):
    """A = 0.8 (Laszlo, Mukherjee), T = 0.00001 and a sampling rate of 5 (Bierman)."""
    seen = []
    rules = iterated.IteratedRules
    monkeypatch.setattr(
        iterated, "IteratedRules", lambda **named: seen.append(named) or rules(**named)
    )
    coterie.partition(rng.normal(size=(20, 2)), 3, "ilsmc", random_state=0, iterations=1, **given)
    assert [(r["samples"], r["criterion"], r["setting"]) for r in seen] == [used]


def test_five_thousand_iterations_by_default(rng):
    p = coterie.partition(rng.normal(size=(30, 1)), 3, "ilsmc", random_state=0)
    assert p.epochs == 50


def test_a_callback_is_told_the_loss(rng):
    told = []
    coterie.partition(
        rng.normal(size=(300, 3)), 3, "ilsmc", random_state=0, iterations=300, callback=told.append
    )
    losses = [t.information_loss for t in told if t.phase == "ilsmc"]
    assert losses == sorted(losses, reverse=True)
    assert [t.iterations for t in told if t.phase == "ilsmc"][-1] == 300


@pytest.mark.parametrize("stage", [1, 2])
def test_ctrl_c_gives_the_best_so_far(stage, rng, monkeypatch):
    """Once on the way to the first local optimum, once in the midst of the iterations."""
    from coterie.partitioning.search import descent as descending
    from coterie.partitioning.search import iterated as iterating

    where = descending.Descent if stage == 1 else iterating._Walk
    step, calls = where.step, []

    def interrupted(self, budget):
        if budget:
            calls.append(budget)
        if len(calls) == 3 - (stage == 1):
            raise KeyboardInterrupt
        return step(self, min(budget, 5))

    monkeypatch.setattr(where, "step", interrupted)
    p = coterie.partition(rng.normal(size=(200, 2)), 3, "ilsmc", random_state=0)
    assert p.interrupted
    assert p.sizes.min() >= 3
    assert p.sizes.sum() == 200


@pytest.mark.parametrize("options", [
    {"limit": True},
    {"dissolve": "biased"},
    {"dissolve": "biased", "samples": 2, "accept": "dynamic", "temperature": 0.1},
    {"accept": "better"},
    {"min_groups": 2},
    {"start": "mdav"},
])  # fmt: skip
def test_options(options, rng):
    X = rng.normal(size=(41, 2))
    p = coterie.partition(X, 4, "ilsmc", random_state=0, iterations=300, **options)
    assert p.sizes.min() >= 4
    if options.get("limit"):
        assert p.sizes.max() <= 7
    assert p.sse <= coterie.partition(X, 4, "lsc", start="mdav").sse * 1.1


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"samples": 3}, "'samples' option.*dissolve='biased'"),
        ({"temperature": 1.0}, "'temperature' option.*accept='dynamic'"),
        ({"accept": "better", "probability": 0.5}, "'probability' option.*accept='static'"),
        ({"min_groups": 14}, "'min_groups' parameter.*between 1 and n // k = 13"),
        ({"target": -1}, "'target' parameter"),
    ],
)
def test_options_without_effect_are_refused(options, match, rng):
    with pytest.raises(coterie.ParameterError, match=match):
        coterie.partition(rng.normal(size=(40, 2)), 3, "ilsmc", **options)


@pytest.mark.nojit
def test_number_of_groups():
    problem = Problem.of(np.arange(834.0)[:, None], 3)
    assert group_counts(problem, False, None) == (256, 278)  # 167 + 0.8 * 111 = 255.8
    assert group_counts(problem, True, 167) == (167, 278)
    small = Problem.of(np.arange(6.0)[:, None], 3)
    assert group_counts(small, False, None) == (1, 2)
    assert group_counts(small, True, None) == (2, 2)


@pytest.mark.data
@pytest.mark.parametrize(("table", "worst"), [("Tarragona", 14.58), ("Census", 4.86)])
def test_reaches_published_information_loss(reference_data, table, worst):
    """At worst the worst printed run of 20 (ILSMC, 5000 iterations) for k = 3, to its digits."""
    p = coterie.partition(reference_data[table], 3, "ilsmc", random_state=1, iterations=5000)
    assert round(p.information_loss, 2) <= worst
