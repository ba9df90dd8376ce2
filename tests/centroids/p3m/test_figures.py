"""What P3M tells about a release, record by record, and the settings that the paper has."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import coterie
from coterie.centroids.p3m import p3m


@pytest.fixture
def table(rng):
    """Three skewed attributes and groups of four."""
    x = np.exp(rng.normal(size=(80, 3))) * [1.0, 100.0, 1e-3] + [0.0, 1e3, 5.0]
    return x, np.repeat(np.arange(20), 4)[np.argsort(np.argsort(x[:, 0]))]


def test_the_settings_of_section_5_1_are_the_defaults(table):
    plain, said = p3m(*table), p3m(
        *table, delta=0.1, importance=0.001, alpha=0.5, unit="sd", one_sided=False, margin=1e-4
    )  # fmt: skip
    assert np.array_equal(plain.values, said.values)
    assert np.array_equal(plain.objective, said.objective)


def test_a_margin_widens_what_is_aimed_at_and_not_what_is_counted(table):
    x, labels = table
    aimed = p3m(x, labels, delta=0.5, importance=0.5, margin=0.2)
    wider = p3m(x, labels, delta=0.6, importance=0.5, margin=0.0)
    assert aimed.values == pytest.approx(wider.values, rel=1e-9)
    assert (aimed.satisfied > wider.satisfied).all()


@pytest.mark.parametrize("most", [1.0, 1e-3])
def test_satisfied_is_equation_13(table, rng, most):
    """Also where all importances together are below 1."""
    x, labels = table
    delta, weight = 0.3 * rng.random(x.shape), 0.9 * most * rng.random(x.shape)
    found = p3m(x, labels, delta=delta, importance=weight)
    kept = np.abs(x - found.table) / x.std(axis=0) >= delta
    assert found.satisfied == pytest.approx((weight * kept).sum(axis=0) / weight.sum(axis=0))
    assert (found.satisfied < 1.0).all()


def test_satisfied_at_its_ends(table, rng):
    x, labels = table
    nothing = p3m(x, labels, delta=0.5, importance=0.0)
    assert nothing.satisfied.tolist() == [1.0] * 3  # 0 / 0 of Equation (13)
    for weight in 0.9 * rng.random((8, len(x), 1)):  # however their sum is rounded
        assert p3m(x, labels, delta=0.0, importance=weight).satisfied.tolist() == [1.0] * 3
    hard = p3m(x, labels, delta=0.05, importance=1.0, margin=0.0)
    assert hard.satisfied.tolist() == [1.0] * 3
    nearest = (np.abs(x - hard.table) / x.std(axis=0)).min(axis=0)
    assert nearest == pytest.approx([0.05] * 3, abs=1e-6)  # some are just at their distance
    # A constant is released as it is: at no distance but one that rounding alone would give.
    x = np.column_stack([x[:, 0], np.full(len(x), 3.0)])
    for delta, share in ((0.0, 1.0), (1e-9, 1.0), (1e-8, 0.0), (0.1, 0.0)):
        assert p3m(x, labels, delta=delta).satisfied[1] == share
    for size in (1e308, 3.0, 1e-300):  # in its own unit as well, whatever its size
        x[:, 1] = size
        for delta, share in ((0.0, 1.0), (0.1, 0.0)):
            assert p3m(x, labels, delta=delta, unit="value").satisfied[1] == share


def test_residuals_are_those_of_the_numbers_themselves():
    """Where neither the mean of the original nor the released values are float64: by fractions."""
    x = 2.0**52 + np.array([0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 7.0, 8.0, 8.0, 9.0, 9.0])
    labels = [0, 0, 1, 1, 0, 1, 2, 2, 3, 3, 3]
    found = p3m(x[:, None], labels, delta=0.0, importance=0.0, alpha=0.0)
    apart = sum(map(Fraction, found.table[:, 0])) - sum(map(Fraction, x))
    residual = float(apart / len(x)) / np.std(x - 2.0**52)
    assert abs(residual) > 1e-3
    # The standard deviation, too, is of a mean that is rounded.
    assert found.mean_residual[0] == pytest.approx(residual, rel=0.02)


def test_what_is_not_given_is_named():
    x, labels = np.arange(24.0).reshape(12, 2), np.repeat(np.arange(4), 3)
    for name in ("delta", "importance"):
        with pytest.raises(coterie.CoterieError, match=f"'{name}'.*given. Got None"):
            p3m(x, labels, **{name: None})
