"""Partitions that dives lead to, against the optimum of all partitions."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.optimum import diving
from coterie.partitioning.driver import Run
from coterie.partitioning.exact.beginning import cost_of, first_outcome
from coterie.partitioning.exact.relaxation import Relaxation
from coterie.partitioning.problem import Problem
from tests import naive

pytest.importorskip("highspy")


def relaxed(X, k):
    problem = Problem.of(X, k)
    relaxation = Relaxation(problem, first_outcome(problem, Run()).labels)
    relaxation.solve(Run(), cuts=0)
    return relaxation


def sse(relaxation, labels):
    return cost_of(relaxation.problem, labels) * relaxation.problem.scale**2


def test_where_all_groups_are_listed_an_integer_program_finds_the_optimum(rng, monkeypatch):
    monkeypatch.setattr(diving, "LIMITS", (1e6,))
    for turn in range(12):
        k = 2 + turn % 3
        X = rng.standard_t(3, size=(10, 2))
        relaxation = relaxed(X, k)
        labels = diving.dive(relaxation, Run())
        assert sse(relaxation, labels) == pytest.approx(naive.optimum(X, k), rel=1e-6)


def test_dives_end_at_partitions_no_better_than_the_optimum(rng, monkeypatch):
    monkeypatch.setattr(diving, "LIMITS", (1e6,))
    monkeypatch.setattr(diving, "TOGETHER", 1)
    taken = 0
    for turn in range(12):
        k = 2 + turn % 3
        X = rng.standard_t(3, size=(11, 2))
        relaxation = relaxed(X, k)
        labels = diving.dive(relaxation, Run(), few=k)
        if labels is None:  # what the groups taken leave may be too few for a group
            continue
        taken += 1
        sizes = np.bincount(labels)
        assert sizes.min() >= k
        assert sizes.max() < 2 * k
        assert sse(relaxation, labels) >= naive.optimum(X, k) * (1 - 1e-9)
    assert taken


def test_a_list_that_holds_no_partition_or_is_too_long_gives_none(rng, monkeypatch):
    relaxation = relaxed(rng.normal(size=(12, 2)), 3)
    monkeypatch.setattr(diving, "LISTED", 1)
    assert diving.dive(relaxation, Run()) is None
    monkeypatch.setattr(diving, "LISTED", 1000)
    monkeypatch.setattr(diving, "LIMITS", (-1e-3,))  # of reduced costs, of which none is so low
    assert diving.dive(relaxation, Run()) is None


def test_dives_replay(rng):
    X = rng.normal(size=(60, 2))
    first, second = (diving.dive(relaxed(X, 3), Run(), few=12) for _ in range(2))
    assert (first is None) == (second is None)
    assert first is None or (first == second).all()
