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
def test_all_exchanges_and_migrations_that_gain_are_found_with_their_gain(rng, monkeypatch):
    """Equations 3 to 6: as many and as much as moving the records and adding up gives."""
    from coterie.kernels.search import exchange as kernel

    made, state = [], kernel.exchange
    monkeypatch.setattr(kernel, "exchange", lambda *given: made.append(state(*given)) or made[-1])
    migrations = 0
    for number in range(30):
        k = int(rng.integers(2, 4))
        X, labels = random_partition(rng, 14, int(rng.integers(1, 4)), k, number)
        problem, groups = Problem.of(X, k), lists(labels)
        icsm.exchange(problem, labels, pool=1000)
        wanted = {}
        for x in range(len(X)):
            for to, group in enumerate(groups):
                own = groups[labels[x]]
                if to == labels[x]:
                    continue
                before = naive.sse(problem.points, [own, group])
                less = [i for i in own if i != x]
                for y in [i for i in group if i > x]:
                    swapped = [[*less, y], [x, *(i for i in group if i != y)]]
                    wanted[x, y, to] = naive.sse(problem.points, swapped) - before
                if len(own) > k and len(group) < 2 * k - 1:
                    moved = [less, [*group, x]]
                    wanted[x, -1, to] = naive.sse(problem.points, moved) - before
        pool = made[-1]
        count = int(pool.cursor[kernel.FOUND])
        places = zip(pool.first[:count], pool.second[:count], pool.group[:count], strict=True)
        found = {
            (int(x), int(y), int(to)): change
            for (x, y, to), change in zip(places, pool.change[:count], strict=True)
        }
        assert found == pytest.approx({at: c for at, c in wanted.items() if c < -1e-12})
        migrations += sum(y < 0 for _, y, _ in found)
    assert migrations > 20


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


@pytest.mark.nojit
def test_cycles_equal_enumeration_on_many_tables(rng):
    """Groups of two or three: records join, leave and take places, alone and in turn."""
    joined = 0
    for number in range(60):
        n = int(rng.choice([8, 10, 11]))  # room for one group less than n // k
        X, labels = random_partition(rng, n, int(rng.integers(1, 3)), 2, number)
        groups = lists(labels)
        first = int(np.argmin(naive_search.scores(X, groups)))
        means = [naive_search.mean(X, group) for group in groups]
        ranked = sorted(
            range(len(groups)), key=lambda g: (naive.squared(means[g], means[first]), g)
        )
        found = icsm.cycle(Problem.of(X, 2), labels)
        best = naive_search.best_cycle(X, groups, 2, ranked)
        assert naive.sse(X, lists(found)) == pytest.approx(best)
        joined += sorted(np.bincount(found)) != sorted(np.bincount(labels))
        joined += bool((np.bincount(found) != np.bincount(labels)).any())
    assert joined > 10  # sizes change where a record joins a group


@pytest.mark.nojit
def test_the_weight_of_a_cycle_is_what_the_sse_changes_by(rng, monkeypatch):
    """Equations 3, 5, 6 and 8, from every group: records take places, join it and leave it."""
    from coterie.kernels.search import cycles as kernel

    made, state = [], kernel.cycles
    monkeypatch.setattr(kernel, "cycles", lambda *given: made.append(state(*given)) or made[-1])
    kinds = set()
    for number in range(40):
        n = int(rng.choice([8, 10, 11]))
        X, labels = random_partition(rng, n, 2, 2, number)
        problem = Problem.of(X, 2)
        before = naive.sse(problem.points, lists(labels))
        for first in range(labels.max() + 1):
            monkeypatch.setattr(
                icsm, "score", lambda means, *_, f=first: np.arange(len(means)) != f
            )
            found = icsm.cycle(problem, labels)
            after = naive.sse(problem.points, lists(found))
            assert made[-1].best[0] == pytest.approx(after - before, abs=1e-9)
            source, node = made[-1].found
            if node >= 0:
                kinds.add((source == made[-1].dist.shape[1] - 1, node >= n))
    # Through records alone; a record of the first group leaves it; one joins it.
    assert kinds == {(False, False), (False, True), (True, False)}


def test_no_cycle_leaves_the_partition_alone(rng):
    X = np.repeat(rng.normal(size=(4, 2)) * 100, 3, axis=0)
    labels = np.repeat(np.arange(4), 3)
    assert np.array_equal(icsm.cycle(Problem.of(X, 3), labels), labels)


@pytest.mark.nojit
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


@pytest.mark.nojit
def test_options_of_the_start_are_given_beside_its_own(rng):
    """Algorithm 1 of the publication ends MDAV record by record."""
    X = rng.normal(size=(53, 3))
    kept = coterie.partition(X, 5, "icsm", iterations=1)
    assert kept.options["ending"] == "last-group"
    for method, own in (("icsm", {}), ("lsc", {"start": "mdav"})):
        letter = coterie.partition(X, 5, method, ending="one-by-one", iterations=1, **own)
        assert letter.options["ending"] == "one-by-one"
        assert letter.options["start"] == "mdav"
    cut = coterie.partition(X, 5, "icsm", start="md-mhm", path_k=4, iterations=1)
    assert (cut.options["start"], cut.options["path_k"]) == ("md-mhm", 4)
    with pytest.raises(coterie.ParameterError, match=r"'endign'\. Did you mean 'ending'"):
        coterie.partition(X, 5, "icsm", endign="together")
    with pytest.raises(coterie.ParameterError, match=r"option of method 'icsm'.*'ending'"):
        coterie.partition(X, 5, "icsm", start="random", ending="together")


@pytest.mark.nojit
def test_the_start_is_what_the_search_begins_with(rng, monkeypatch):
    X = rng.normal(size=(53, 3))
    begun = []
    monkeypatch.setattr(icsm, "recut", lambda problem, labels: begun.append(labels) or labels)
    for ending in ("last-group", "one-by-one"):
        begun.clear()
        coterie.partition(X, 5, "icsm", iterations=1, ending=ending)
        expected = {frozenset(g) for g in naive.mdav(X, 5, ending)}
        assert naive.groups_of(begun[-1]) == expected


@pytest.mark.nojit
def test_the_default_pool_and_shake_are_used(rng, monkeypatch):
    """Pool of 100 (section 5.1), at most 20 records changed (section 5.3)."""
    pools, moved = set(), []
    exchange, shaken = icsm.exchange, icsm._shaken

    def seen(problem, labels, pool):
        pools.add(pool)
        return exchange(problem, labels, pool)

    def told(problem, labels, words, times):
        moved.append(times)
        return shaken(problem, labels, words, times)

    monkeypatch.setattr(icsm, "exchange", seen)
    monkeypatch.setattr(icsm, "_shaken", told)
    coterie.partition(rng.normal(size=(40, 2)), 3, "icsm", restarts=2, random_state=0)
    assert pools == {100}
    assert icsm.SHAKEN == 20
    assert moved[-2:] == [10, 10]  # pairs: twenty records; before them one to compile


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
