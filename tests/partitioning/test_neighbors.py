from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from coterie.partitioning import neighbors
from coterie.partitioning.driver import Run
from coterie.partitioning.neighbors import candidates, nearest_neighbors
from coterie.partitioning.problem import Problem
from tests import naive


@pytest.fixture(params=["few", "many"])
def among(request, monkeypatch):
    """Few records, all pairs of them; or leaves, whatever the number."""
    if request.param == "many":
        monkeypatch.setattr(neighbors, "FEW", 0)


@pytest.mark.nojit
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    X=hnp.arrays(
        np.float64,
        st.tuples(st.integers(3, 30), st.integers(1, 3)),
        elements=st.integers(-3, 3).map(float),
    ),
    count=st.integers(1, 12),
)
def test_equals_the_oracle(among, X, count):
    count = min(count, len(X) - 1)
    found = nearest_neighbors(X, count, Run())
    assert found.near.tolist() == naive.neighbor_lists(X, count)
    for i, row in enumerate(found.near):
        assert found.away[i].tolist() == [naive.squared(X[i], X[j]) for j in row]


@pytest.mark.parametrize("d", [1, 3, 12])
def test_equals_a_whole_pass_over_more_than_one_branch(d, rng, among):
    X = rng.integers(0, 9, size=(1500, d)) / 4.0
    found = nearest_neighbors(X, 9, Run())
    for i in range(0, 1500, 100):
        away = np.square(X - X[i]).sum(axis=1)
        away[i] = np.inf
        expected = np.argsort(away, kind="stable")[:9]
        assert found.near[i].tolist() == expected.tolist()
        assert found.away[i].tolist() == away[expected].tolist()


def test_few_and_many_agree_to_the_last_bit(rng, monkeypatch):
    for X in (rng.normal(size=(300, 5)), rng.integers(0, 3, size=(200, 2)).astype(float)):
        few = nearest_neighbors(X, 20, Run())
        monkeypatch.setattr(neighbors, "FEW", 0)
        many = nearest_neighbors(X, 20, Run())
        monkeypatch.undo()
        assert np.array_equal(few.near, many.near)
        assert np.array_equal(few.away, many.away)


def test_nothing_is_reached_when_the_time_is_up(rng, among, clock):
    X = rng.normal(size=(500, 2))
    whole = nearest_neighbors(X, 3, Run())
    run = Run(time_limit=1.0)
    clock.now += 2.0
    none = nearest_neighbors(X, 3, run, in_time=True)
    assert none.reached == 0
    assert nearest_neighbors(X, 3, run).reached == whole.reached == 500


def test_the_time_is_up_among_many(rng, monkeypatch, clock):
    monkeypatch.setattr(neighbors, "FEW", 0)
    X = rng.normal(size=(3000, 4))
    whole = nearest_neighbors(X, 5, Run())
    clock.tick = 0.05
    some = nearest_neighbors(X, 5, Run(time_limit=1.0), in_time=True)
    assert 0 < some.reached < 3000
    assert np.array_equal(some.near[: some.reached], whole.near[: some.reached])
    assert np.array_equal(some.away[: some.reached], whole.away[: some.reached])


def test_candidates_of_large_tables_are_near(rng, monkeypatch):
    problem = Problem.of(rng.normal(size=(3000, 3)), 3)
    exact = candidates(problem, 8, Run())
    monkeypatch.setattr(neighbors, "ALL_PAIRS", 100)
    monkeypatch.setattr(neighbors, "NEAR_TILE", 300)
    found = candidates(problem, 8, Run(workers=2))
    assert (found >= 0).all()
    assert (found != np.arange(3000)[:, None]).all()
    shared = np.mean([len(set(a) & set(b)) / 8 for a, b in zip(exact, found, strict=True)])
    assert shared > 0.8
    away = np.square(problem.points[found] - problem.points[:, None]).sum(axis=2)
    assert (np.diff(away, axis=1) >= 0).all()


@pytest.mark.parametrize("way", ["pairs", "leaves", "tiles"])
@pytest.mark.parametrize("workers", [1, 2])
def test_candidates_end_with_the_time_limit(way, workers, rng, clock, monkeypatch):
    """Whether it was over before the first record, or in between."""
    if way != "pairs":
        monkeypatch.setattr(neighbors, "FEW", 0)
    if way == "tiles":
        monkeypatch.setattr(neighbors, "ALL_PAIRS", 100)
        monkeypatch.setattr(neighbors, "NEAR_TILE", 100)
    problem = Problem.of(rng.normal(size=(1500, 3)), 3)
    whole, found = (
        candidates(problem, 8, Run(limit, workers=workers, seed=np.random.SeedSequence(0)))
        for limit in (None, 1e6)
    )
    assert np.array_equal(whole, found)
    run = Run(time_limit=1.0, workers=workers)
    clock.now += 2.0
    assert candidates(problem, 8, run) is None
    if way == "pairs":
        return
    run = Run(time_limit=1.0, workers=workers)
    clock.tick = 0.04
    began = clock.now
    assert candidates(problem, 8, run) is None
    assert clock.now - began < 5.0  # a look for each step and tile that is left would take longer
