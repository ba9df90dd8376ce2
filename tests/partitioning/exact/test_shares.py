"""Shares against all choices of records."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from coterie.partitioning.driver import Run
from coterie.partitioning.exact.beginning import first_outcome
from coterie.partitioning.exact.dual import Steps
from coterie.partitioning.exact.nearest import nearest
from coterie.partitioning.exact.relaxation import Relaxation, shares_for
from coterie.partitioning.exact.shares import extended
from coterie.partitioning.problem import Problem


def pairs_of(X, chosen):
    return sum(np.square(X[a] - X[b]).sum() for a, b in itertools.combinations(chosen, 2))


def tables(rng):
    yield rng.normal(size=(11, 2))
    yield rng.standard_cauchy((10, 3))
    yield rng.integers(0, 3, (11, 2)) * 1.0
    yield rng.normal(size=(3, 2))[rng.integers(0, 3, 10)]


@pytest.mark.parametrize("steps", [None, 0, 2, 5])
def test_no_choice_of_records_costs_less_than_its_shares(steps, rng):
    for X in tables(rng):
        problem = Problem.of(X, 5)
        shares = shares_for(problem, Run(), Steps(most=steps))
        for t in range(2, 9):
            for chosen in itertools.combinations(range(problem.n), t):
                assert shares[list(chosen), t].sum() <= pairs_of(problem.points, chosen) + 1e-9


def test_they_part_more_than_neighbors_do(rng):
    problem = Problem.of(rng.normal(size=(60, 6)), 5)
    near = nearest(problem, Run(), 8).sums
    shares = shares_for(problem, Run(), Steps())
    for t in (3, 4):
        assert shares[:, t].sum() > near[:, t - 1].sum() / 2


def test_small_groups_have_none(rng):
    assert shares_for(Problem.of(rng.normal(size=(20, 2)), 3), Run(), Steps()) is None


def test_extension_is_exact_for_equal_distances():
    """The corners of a simplex: every pair costs 2, so t of them t (t - 1)."""
    known = np.zeros((6, 6))
    known[:, 2] = 1.0
    assert np.allclose(extended(known, 2)[0, 2:], [1.0, 2.0, 3.0, 4.0])


def test_a_relaxation_ends_after_its_steps_and_comes_to_the_same(rng):
    problem = Problem.of(rng.normal(size=(60, 3)), 4)
    start = first_outcome(problem, Run()).labels
    whole = Relaxation(problem, start)
    whole.solve(Run())
    assert whole.steps.done > 6
    bounds = []
    for most in (3, 6, whole.steps.done):
        made = []
        for workers in (1, 2):
            relaxation = Relaxation(problem, start, Steps(most=most))
            relaxation.solve(Run(workers=workers))
            assert relaxation.steps.done == most
            made.append(relaxation.bound)
        assert made[0] == made[1]
        bounds.append(made[0])
    assert bounds == sorted(bounds)
    assert bounds[-1] == whole.bound
