from __future__ import annotations

import numpy as np
import pytest

import coterie
from coterie.kernels.base import draws, groups
from coterie.kernels.search import descent, perturb, visits
from tests import naive, naive_search
from tests.kernels import entries


def scattered(n, count, k, seed):
    words = draws.seeded(np.random.SeedSequence(seed))
    labels = np.empty(n, dtype=np.int64)
    perturb.scatter(words, count, count, k, n, np.empty(n, dtype=np.int64), labels)
    return labels, words


def lists(labels):
    return [np.flatnonzero(labels == g).tolist() for g in range(labels.max() + 1)]


@pytest.mark.nojit
@pytest.mark.parametrize("every", [True, False], ids=["ls", "lsc"])
@pytest.mark.parametrize(
    ("n", "d", "k", "limit"), [(26, 2, 3, 26), (23, 1, 2, 23), (31, 3, 4, 7), (22, 2, 5, 22)]
)
def test_equals_the_oracle_step_by_step(n, d, k, limit, every, rng):
    X = rng.normal(size=(n, d))
    labels, words = scattered(n, n // k - (n % k == 0), k, seed=n)
    other, theirs = naive_search.Draws(words), lists(labels)
    state = groups.groups(X, labels, k, limit)
    plan = descent.descent(len(state.size), every)
    descent.target_all(plan, int(state.cursor[groups.COUNT]))
    descent.step(plan, state, visits.pair(n), words, 10**6)
    passes = naive_search.descend(X, theirs, k, other, every, limit)
    assert lists(state.labels) == theirs
    assert plan.cursor[descent.PASS] == passes
    assert words.tolist() == other.words


@pytest.mark.parametrize("method", ["ls", "lsc"])
def test_ends_where_no_swap_and_no_shift_gains(method, rng):
    X = rng.normal(size=(60, 2))
    p = coterie.partition(X, 4, method, random_state=2)
    state = groups.groups(X, np.array(p.labels), 4, 60)
    for x in range(60):
        for y in range(60):
            if p.labels[x] != p.labels[y]:
                assert entries.swap_change(state, x, y) > -1e-9
        if state.size[p.labels[x]] > 4:
            for g in set(range(len(p.sizes))) - {p.labels[x]}:
                assert entries.shift_change(state, x, g) > -1e-9


@pytest.mark.parametrize("start", ["mdav", "mdav-mhm", "npn-mhm"])
def test_improves_what_it_starts_from(start, rng):
    X = rng.normal(size=(90, 3))
    before = coterie.partition(X, 3, start)
    for method in ("ls", "lsc"):
        p = coterie.partition(X, 3, method, start=start, random_state=0)
        assert p.sse < before.sse
        assert len(p.sizes) == len(before.sizes)  # moves keep the number of groups


def test_restarts_never_hurt_and_workers_change_nothing(rng):
    X = rng.normal(size=(80, 2))
    one = coterie.partition(X, 3, "lsc", random_state=4)
    many = coterie.partition(X, 3, "lsc", random_state=4, restarts=20, workers=1)
    same = coterie.partition(X, 3, "lsc", random_state=4, restarts=20, workers=2)
    assert many.sse <= one.sse
    assert np.array_equal(many.labels, same.labels)


def test_iterations_are_passes(rng):
    X = rng.normal(size=(200, 2))
    sse = [
        coterie.partition(X, 3, "lsc", random_state=0, iterations=i).sse for i in (1, 2, 3, 1000)
    ]
    assert sse == sorted(sse, reverse=True)
    assert sse[0] > sse[-1]
    assert sse[-1] == coterie.partition(X, 3, "lsc", random_state=0).sse


def test_time_limit_gives_what_was_reached(clock):
    clock.tick = 0.001
    X = np.random.default_rng(0).normal(size=(6000, 6))
    p = coterie.partition(X, 3, "ls", random_state=0, time_limit=0.2)
    assert 0.2 <= p.runtime < 0.3
    assert p.sizes.min() >= 3
    assert p.trace[-1].sse == pytest.approx(p.sse)


def test_lsc_makes_fewer_tests_for_the_same_quality(rng):
    X = rng.normal(size=(300, 3))
    tests, sse = {}, {}
    for every in (True, False):
        found = []
        count = np.zeros(4, dtype=np.int64)
        for seed in range(10):
            labels, words = scattered(300, 100, 3, seed)
            state = groups.groups(X, labels, 3, 300)
            plan, pair = descent.descent(100, every), visits.pair(300)
            descent.target_all(plan, 100)
            descent.step(plan, state, pair, words, 10**9)
            found.append(groups.total(state))
            count += pair.tally
        tests[every], sse[every] = count, np.mean(found)
    assert tests[False][visits.QUICK] < 0.7 * tests[True][visits.QUICK]
    assert tests[False][visits.SWAP] < tests[True][visits.SWAP]
    assert sse[False] == pytest.approx(sse[True], rel=0.03)


def test_a_start_that_is_no_start_is_refused(rng):
    X = rng.normal(size=(20, 2))
    with pytest.raises(coterie.ParameterError, match=r"'start' parameter.*'lsc'.*'ilsm'"):
        coterie.partition(X, 3, "lsc", start="ilsm")
    with pytest.raises(coterie.ParameterError, match="Did you mean 'mdav'"):
        coterie.partition(X, 3, "lsc", start="mdaw")
    with pytest.raises(coterie.ParameterError, match="'start' parameter"):
        coterie.partition(X, 3, "lsc", start=3)


def test_small_optimum_is_found_by_restarts(rng):
    X = rng.normal(size=(9, 2))
    p = coterie.partition(X, 3, "lsc", restarts=200, random_state=0, limit=True)
    assert p.sse == pytest.approx(naive.optimum(X, 3))
