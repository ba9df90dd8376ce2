from __future__ import annotations

import numpy as np
import pytest

from coterie.numbers.magnitude import lifted, magnitude


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e-90, 1.0, 1e90, 1e200, 1e308])
def test_squares_over_the_power_can_be_summed(scale):
    values = np.array([1.0, -0.5, 0.25]) * scale
    power = magnitude(values)
    divided = np.ldexp(values, -power)
    assert 0.0 < np.square(divided).sum() < np.inf
    assert np.array_equal(np.ldexp(divided, power), values)  # exact, there and back


def test_usual_numbers_stay_as_they_are():
    assert magnitude(np.array([1e-50, 3.0, 1e80])) == 0
    assert magnitude(np.empty(0)) == magnitude(np.zeros(3)) == 0


def test_columns_are_lifted_one_by_one():
    values = np.array([[1e300, 1e-300, 0.0], [-5.0, 3e-300, 0.0]])
    divided, power = lifted(values)
    assert np.array_equal(np.ldexp(divided, power), values)
    largest = np.abs(divided).max(axis=0)
    assert ((largest >= 0.5) & (largest < 1.0))[:2].all()
    assert power[2] == 0
