"""The quick bound: sums over nearest neighbors, whole or as far as the time allows."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.partitioning import neighbors
from coterie.partitioning.driver import Run
from coterie.partitioning.exact.nearest import ROUNDING, nearest
from coterie.partitioning.problem import Problem
from tests import naive


@pytest.fixture(params=["few", "many"])
def among(request, monkeypatch):
    """Few records, all pairs of them; or leaves, whatever the number."""
    if request.param == "many":
        monkeypatch.setattr(neighbors, "FEW", 0)


@pytest.mark.parametrize("most", [2, 5, 40])
@pytest.mark.parametrize("whole_numbers", [False, True])
def test_sums_are_those_of_all_pairs(among, rng, most, whole_numbers):
    X = rng.normal(size=(30, 2))
    X = np.round(X) if whole_numbers else X  # many duplicates
    problem = Problem.of(X, 3)
    found = nearest(problem, Run(), most)
    points = problem.points
    assert found.complete
    for i in range(30):
        away = sorted(naive.squared(points[i], points[j]) for j in range(30) if j != i)
        expected = [0.0, *np.cumsum(away)[:most]]
        expected += [np.inf] * (most + 1 - len(expected))
        assert found.sums[i] == pytest.approx(expected, rel=2 * ROUNDING)
        assert (found.sums[i] <= expected).all()  # rounded down: what it proves stays true
        assert found.neighbors[i, 0] == i
        assert len(set(found.neighbors[i])) == 3
        cost = sum(naive.squared(points[i], points[j]) for j in found.neighbors[i, 1:])
        assert cost == pytest.approx(expected[2])


def test_a_record_that_was_not_reached_counts_nothing(among, rng, clock):
    problem = Problem.of(rng.normal(size=(50, 2)), 3)
    run = Run(time_limit=1.0)
    clock.now += 2.0
    found = nearest(problem, run, 4)
    assert not found.complete
    assert found.prices(3).sum() == 0.0


def test_what_was_reached_is_a_bound_of_its_own(rng, monkeypatch, clock):
    monkeypatch.setattr(neighbors, "FEW", 0)
    problem = Problem.of(rng.normal(size=(3000, 4)), 3)
    whole = nearest(problem, Run(), 4)
    clock.tick = 0.05
    some = nearest(problem, Run(time_limit=1.0), 4)
    reached = some.prices(3) > 0
    assert 0 < reached.sum() < 3000
    assert not some.complete
    assert np.array_equal(some.sums[reached], whole.sums[reached])
