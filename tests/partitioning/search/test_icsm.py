from __future__ import annotations

import numpy as np
import pytest

import coterie
from coterie.partitioning.problem import Problem
from coterie.partitioning.search import icsm
from tests import naive, naive_search
from tests.partitioning.search.test_local_search import lists, scattered


def random_partition(rng, n, d, k, seed=0, lattice=False):
    X = rng.integers(-4, 5, size=(n, d)) * 1.0 if lattice else rng.normal(size=(n, d))
    labels, _ = scattered(n, n // k - 1, k, seed)
    while np.bincount(labels).max() > 2 * k - 1:
        seed += 100
        labels, _ = scattered(n, n // k - 1, k, seed)
    return X, labels


def r1(x, group, y):
    """Equation 3 as derived: (x - y) . (2 (y - e) + (x - y) (m - 1) / m)."""
    x, y, group = np.asarray(x), np.asarray(y), np.asarray(group)
    m, e = len(group), group.mean(axis=0)
    return float((x - y) @ (2.0 * (y - e) + (x - y) * (m - 1) / m))


def test_r1_gives_the_published_example_and_brute_force(rng):
    assert r1([3.0], [[5.0], [6.0], [7.0]], [6.0]) == 6.0
    X = rng.normal(size=(7, 3))
    group = [1, 2, 3, 4]
    for y in group:
        expected = naive_search.replaced(X, group, 0, y)
        assert r1(X[0], X[group], X[y]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.nojit
@pytest.mark.parametrize("pool", [2, 7, 100])
@pytest.mark.parametrize(("n", "d", "k"), [(14, 2, 2), (16, 1, 3), (17, 3, 3)])
def test_exchanges_equal_the_oracle(n, d, k, pool, rng):
    X, labels = random_partition(rng, n, d, k)
    found = icsm.exchange(Problem.of(X, k), labels, pool)
    assert naive.groups_of(found) == naive_search.exchange(X, lists(labels), k, pool)
    assert naive.sse(X, lists(found)) < naive.sse(X, lists(labels))


@pytest.mark.nojit
@pytest.mark.parametrize(("n", "d", "k", "seed"), [(13, 2, 2, 0), (11, 1, 2, 1), (14, 2, 3, 2)])
def test_cycles_equal_enumeration(n, d, k, seed, rng):
    X, labels = random_partition(rng, n, d, k, seed)
    groups = lists(labels)
    first = int(np.argmin(naive_search.scores(X, groups)))
    means = [naive_search.mean(X, group) for group in groups]
    ranked = sorted(range(len(groups)), key=lambda g: (naive.squared(means[g], means[first]), g))
    found = icsm.cycle(Problem.of(X, k), labels)
    assert np.bincount(found).min() >= k
    assert np.bincount(found).max() < 2 * k
    best = naive_search.best_cycle(X, groups, k, ranked)
    assert naive.sse(X, lists(found)) == pytest.approx(best)


def test_no_cycle_leaves_the_partition_alone(rng):
    X = np.repeat(rng.normal(size=(4, 2)) * 100, 3, axis=0)
    labels = np.repeat(np.arange(4), 3)
    assert np.array_equal(icsm.cycle(Problem.of(X, 3), labels), labels)


def test_score_is_equation_7(rng):
    X, labels = random_partition(rng, 16, 2, 3)
    groups = lists(labels)
    size = np.array([len(group) for group in groups])
    means = np.array([naive_search.mean(X, group) for group in groups])
    sse = np.array([naive.sse(X, [group]) for group in groups])
    np.testing.assert_allclose(
        icsm.score(means, size, sse), naive_search.scores(X, groups), rtol=1e-9, atol=1e-9
    )


def test_recutting_never_loses(rng):
    X, labels = random_partition(rng, 60, 2, 3)
    problem = Problem.of(X, 3)
    assert naive.sse(X, lists(icsm.recut(problem, labels))) <= naive.sse(X, lists(labels))


@pytest.mark.parametrize("k", [2, 3, 5])
def test_ends_where_nothing_gains(k, rng):
    X = rng.normal(size=(70, 2))
    p = coterie.partition(X, k, "icsm")
    problem = Problem.of(X, k)
    assert p.sse < coterie.partition(X, k, "mdav").sse
    assert p.sizes.max() < 2 * k
    for improve in (icsm.recut, icsm.cycle, lambda *a: icsm.exchange(*a, pool=100)):
        assert naive.sse(X, lists(improve(problem, p.labels))) == pytest.approx(p.sse)


def test_iterations_are_rounds_and_never_lose(rng):
    X = rng.normal(size=(200, 3))
    sse = [coterie.partition(X, 3, "icsm", iterations=i).sse for i in (1, 2, 4, 8)]
    assert sse == sorted(sse, reverse=True)
    whole = coterie.partition(X, 3, "icsm")
    assert whole.trace[-1].sse == pytest.approx(whole.sse)
    assert whole.sse <= sse[-1]


def test_restarts_never_hurt_and_workers_change_nothing(rng):
    X = rng.normal(size=(60, 2))
    alone = coterie.partition(X, 3, "icsm", random_state=3)
    many = coterie.partition(X, 3, "icsm", random_state=3, restarts=10, workers=1)
    same = coterie.partition(X, 3, "icsm", random_state=3, restarts=10, workers=2)
    assert many.sse < alone.sse
    assert np.array_equal(many.labels, same.labels)
    anew = coterie.partition(X, 3, "icsm", random_state=3, start="random", restarts=2)
    assert anew.sizes.max() < 6


def test_ctrl_c_gives_the_best_so_far(rng, monkeypatch):
    calls = []
    exchange = icsm.exchange

    def interrupted(*given):
        calls.append(given)
        if len(calls) == 4:  # one of them compiles
            raise KeyboardInterrupt
        return exchange(*given)

    monkeypatch.setattr(icsm, "exchange", interrupted)
    X = rng.normal(size=(300, 3))
    p = coterie.partition(X, 3, "icsm")
    assert p.interrupted
    assert p.sse < coterie.partition(X, 3, "mdav").sse


@pytest.mark.data
@pytest.mark.parametrize(
    ("table", "k", "published"), [("Tarragona", 5, 20.69), ("Census", 3, 4.85), ("EIA", 3, 0.36)]
)
def test_published_information_loss(reference_data, table, k, published):
    """At most 1 % above table 2 of the publication."""
    p = coterie.partition(reference_data[table], k, "icsm")
    assert p.information_loss <= 1.01 * published
