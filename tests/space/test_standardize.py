from __future__ import annotations

import numpy as np
import pytest

import coterie


def test_mean_zero_and_deviation_one(rng):
    X = rng.exponential(size=(500, 3)) * [1.0, 1e6, 1e-6] + [0.0, 1e9, 5.0]
    Z = coterie.standardize(X)
    np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(Z.std(axis=0), 1, rtol=1e-12)


def test_constant_columns_become_zero():
    Z = coterie.standardize([[0.1, 1.0], [0.1, 2.0], [0.1, 3.0]])
    assert np.array_equal(Z[:, 0], np.zeros(3))


def test_as_wide_as_floats_go():
    Z = coterie.standardize([[1.7e308], [-1.7e308], [1.7e308], [-1.7e308]])
    np.testing.assert_allclose(Z.ravel(), [1, -1, 1, -1])


@pytest.mark.parametrize("small", [1e-160, 1e-300, 5e-324])
def test_as_near_as_floats_go(small):
    Z = coterie.standardize([[small, 1.0], [-small, 2.0], [small, 1.0], [-small, 2.0]])
    np.testing.assert_allclose(Z[:, 0], [1, -1, 1, -1])


def test_offsets_change_nothing(rng):
    X = rng.integers(0, 1000, size=(100, 2)).astype(float)
    assert np.array_equal(coterie.standardize(X), coterie.standardize(X + 1e12))


def test_bad_values_are_refused():
    with pytest.raises(coterie.DataError, match="X of standardize must be finite"):
        coterie.standardize([[np.nan], [1.0]])
