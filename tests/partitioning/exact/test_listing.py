"""Bounds raised by lists of groups, against the optimum of all partitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coterie
from coterie.partitioning.driver import Run
from coterie.partitioning.exact import listing
from coterie.partitioning.exact.beginning import first_outcome
from coterie.partitioning.exact.relaxation import Relaxation
from coterie.partitioning.problem import Problem
from tests import naive
from tests.trials import trials

pytest.importorskip("highspy")


def relaxed(X, k, cuts):
    problem = Problem.of(X, k)
    relaxation = Relaxation(problem, first_outcome(problem, Run()).labels)
    relaxation.solve(Run(), cuts=cuts)
    return relaxation


@trials(9, 24)
def test_lists_raise_the_bound_and_never_beyond_the_optimum(rng, monkeypatch, trials):
    monkeypatch.setattr(listing, "LIMITS", (0.01, 0.05, 0.2, 1.0))
    raised = 0
    for turn in range(trials):
        k = 2 + turn % 3
        X = rng.standard_t(3, size=(10, 2))
        relaxation = relaxed(X, k, cuts=0)
        before = relaxation.bound
        listing.raise_by_lists(relaxation, Run())
        scale = relaxation.problem.scale**2
        assert before <= relaxation.bound
        assert relaxation.bound * scale <= naive.optimum(X, k) * (1 + 1e-9)
        raised += relaxation.bound > before * (1 + 1e-5)
    assert raised


def test_a_list_that_is_too_long_proves_nothing(rng, monkeypatch):
    monkeypatch.setattr(listing, "LISTED", 1)
    monkeypatch.setattr(listing, "LIMITS", (1.0,))
    relaxation = relaxed(rng.normal(size=(12, 2)), 3, cuts=0)
    before = relaxation.bound
    listing.raise_by_lists(relaxation, Run())
    assert relaxation.bound == before


@settings(deadline=None)
@given(
    st.integers(2, 4).flatmap(
        lambda k: st.tuples(
            st.just(k),
            st.lists(
                st.tuples(st.integers(-4, 4), st.sampled_from([0, 0, 1, 3, 40])),
                min_size=k,
                max_size=10,
            ),
        )
    ),
    st.sampled_from(["nearest", "ascent", "columns"]),
)
def test_no_method_gives_a_bound_above_the_optimum(drawn, method):
    """Equal records, outliers, sizes that k divides and others."""
    k, rows = drawn
    X = np.array(rows, dtype=float)
    bound = coterie.lower_bound(X, k, None, method=method)
    assert bound.value <= naive.optimum(X, k) * (1 + 1e-9) + 1e-12
