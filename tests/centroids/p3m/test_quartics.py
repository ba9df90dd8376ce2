"""Equation (14) of Mortazavi, Jalili (2017) and the moments that it is solved under, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial import Polynomial

from coterie.kernels.centroids import quartics
from tests.kernels import entries

pytestmark = pytest.mark.nojit
ALPHA, SHIFT = 0.3, 0.7


def built(x, delta, importance, start):
    """The costs of groups of records that stand group by group."""
    m = len(start) - 1
    groups = quartics.GroupCosts(
        np.empty(m),
        np.empty(m),
        np.empty(m + 1, dtype=np.int64),
        *(np.empty(m) for _ in range(4)),
        np.empty((m, 5)),
    )
    assert quartics.build(x, delta, importance, start, ALPHA, SHIFT, False, groups) == m
    return groups


@pytest.fixture
def case(rng):
    start = np.array([0, 3, 7, 9])
    x, delta, importance = rng.normal(size=9), rng.random(9) + 0.1, 0.9 * rng.random(9)
    return x, delta, importance, start, built(x, delta, importance, start)


def test_costs_are_equation_14(case):
    """alpha sum ((c - x)^2 - delta^2)^2 / (1 - w)^2 + (1 - alpha) n (c - mean)^2 of each group."""
    x, delta, importance, start, groups = case
    for j in range(3):
        own = slice(start[j], start[j + 1])
        center = x[own].mean()
        cost = SHIFT * (start[j + 1] - start[j]) * Polynomial([0.0, 1.0]) ** 2
        for r, d, w in zip(x[own] - center, delta[own], importance[own], strict=True):
            cost += ALPHA / (1.0 - w) ** 2 * (Polynomial([-r, 1.0]) ** 2 - d**2) ** 2
        assert groups.coef[j] == pytest.approx(cost.coef)
        assert groups.center[j] == pytest.approx(center)
        assert groups.size[j] == start[j + 1] - start[j]
        assert (groups.low[j], groups.high[j]) == (-np.inf, np.inf)


def test_a_cost_and_its_derivatives(rng):
    coef, out = rng.normal(size=(3, 5)), np.empty(3)
    for p in range(3):
        cost = Polynomial(coef[p])
        for u in (-1.7, 0.0, 0.4, 2.5):
            entries.cost_at(coef, p, u, out)
            assert out == pytest.approx([cost(u), cost.deriv()(u), cost.deriv(2)(u)])


def test_moments_count_every_record(case, rng):
    groups, u, out = case[-1], rng.normal(size=3), np.empty(2)
    entries.moments(groups, u, out)
    c = np.repeat(groups.center + u, [3, 4, 2])
    assert out == pytest.approx([c.sum(), np.square(c).sum()])


def test_one_shift_and_one_factor_lead_to_mean_0_and_variance_1(case, rng):
    groups, u = case[-1], rng.normal(size=3) + 2.0
    before = np.repeat(groups.center + u, [3, 4, 2])
    assert entries.rescale(groups, 9, u)
    after = np.repeat(groups.center + u, [3, 4, 2])
    assert after == pytest.approx((before - before.mean()) / before.std())


def test_equal_values_have_no_variance_to_be_widened():
    start, delta, none = np.array([0, 2, 4]), np.full(4, 0.1), np.zeros(4)
    tiny, u = built(np.array([1e-8, 1e-8, -1e-8, -1e-8]), delta, none, start), np.zeros(2)
    assert entries.rescale(tiny, 4, u)  # however small the spread is
    assert tiny.center + u == pytest.approx([1.0, -1.0])
    assert not entries.rescale(built(np.zeros(4), delta, none, start), 4, np.zeros(2))
