"""Outliers' groups against the enumeration of all covers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from coterie.partitioning.driver import Run
from coterie.partitioning.exact import outliers
from coterie.partitioning.exact.beginning import first_outcome
from coterie.partitioning.exact.dual import Steps
from coterie.partitioning.exact.outliers import dear_records, settle_outliers
from coterie.partitioning.exact.relaxation import Relaxation
from coterie.partitioning.problem import Problem
from tests import naive

pytest.importorskip("highspy")


def relaxed(X, k, steps, linear=True):
    problem = Problem.of(X, k)
    relaxation = Relaxation(problem, first_outcome(problem, Run()).labels, Steps(most=steps))
    relaxation.solve(Run(), linear=linear)
    return relaxation


def least_cover(relaxation, dear):
    """The least sum of positive reduced costs over disjoint groups that cover `dear`."""
    problem = relaxation.problem
    prices, charge = relaxation.best.records, relaxation.best.charge
    triples = relaxation.cuts.records[: len(relaxation.best.fines)]
    costs = {
        frozenset(group): max(
            0.0,
            charge
            + naive.reduced_cost(
                problem.points, group, prices, triples.tolist(), relaxation.best.fines
            ),
        )
        for group in naive.all_groups(problem.n, problem.k)
        if set(group) & dear
    }

    def best(left, free):
        if not left:
            return 0.0
        first = min(left)
        return min(
            (
                cost + best(left - group, free - group)
                for group, cost in costs.items()
                if first in group and group <= free
            ),
            default=np.inf,
        )

    return best(frozenset(dear), frozenset(range(problem.n)))


@pytest.mark.parametrize("steps", [1, 3, None])
def test_the_cover_is_the_best_and_the_bound_holds(steps, rng, monkeypatch):
    monkeypatch.setattr(outliers, "LIMITS", (0.01, 0.1, 1.0, 10.0))
    raised = 0
    for turn in range(24 if steps == 1 else 8):
        k = 2 + turn % 2
        X = rng.standard_t(1.5, size=(9, 2))
        relaxation = relaxed(X, k, steps, linear=turn % 4 < 2)
        if relaxation.closed:
            continue
        base = relaxation.proved
        dear = set(relaxation.ranked[:4].tolist())
        found = settle_outliers(relaxation, Run(), 4)
        least = least_cover(relaxation, dear)
        slack = 2 * outliers.SAFE * relaxation.unit
        assert found.least == pytest.approx(min(least, 10.0 * base), abs=slack)
        scale = relaxation.problem.scale**2
        assert relaxation.bound * scale <= naive.optimum(X, k) * (1 + 1e-9)
        raised += found.least > 1e-6 * base
        covered = list(itertools.chain.from_iterable(g.tolist() for g in found.groups))
        assert len(covered) == len(set(covered))
        assert dear <= set(covered) or not found.groups
        assert all(k <= len(group) < 2 * k for group in found.groups)
    if steps == 1:
        assert raised


def test_dear_records_are_few_and_bear_much(rng):
    X = rng.random((200, 2)) * 0.01
    assert dear_records(relaxed(X, 3, 8)) == 0
    X[:10] *= 1e4
    count = dear_records(relaxed(X, 3, 8))
    assert outliers.FEWEST <= count <= 20


def test_a_list_that_is_too_long_is_left(rng, monkeypatch):
    monkeypatch.setattr(outliers, "LISTED", 3)
    relaxation = relaxed(rng.standard_t(1.5, size=(40, 2)), 3, 2)
    before = relaxation.bound
    found = settle_outliers(relaxation, Run(), 10)
    assert relaxation.bound >= before
    assert found.least >= 0.0
