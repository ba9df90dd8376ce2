"""Sums that no order changes: against fractions, which never round."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.kernels.base import moments
from coterie.space.exact_sums import UNIT, Moments, exact_sum, scatter_of

NUMBERS = st.lists(st.floats(allow_nan=False, allow_infinity=False, width=64), max_size=60)


@given(NUMBERS)
def test_sums_are_those_of_fractions(numbers):
    assert Fraction(exact_sum(np.array(numbers)), 1 << UNIT) == sum(map(Fraction, numbers))


@given(NUMBERS)
def test_squares_are_those_of_fractions(numbers):
    found = Moments.of(np.array(numbers))
    assert found.total == sum(map(Fraction, numbers))
    assert found.squares == sum(Fraction(one) ** 2 for one in numbers)


def test_the_largest_and_the_least_floats_lose_nothing():
    numbers = [1.7976931348623157e308, -1.7976931348623157e308, 5e-324, -2.2250738585072014e-308]
    found = Moments.of(np.repeat(numbers, 3)[::-1])
    assert found.total == 3 * sum(map(Fraction, numbers))
    assert found.squares == 3 * sum(Fraction(one) ** 2 for one in numbers)


@pytest.mark.parametrize("odd", [np.inf, -np.inf, np.nan])
def test_what_is_no_number_has_no_sum(odd):
    with pytest.raises(OverflowError, match="finite"):
        exact_sum(np.array([1.0, odd]))


def test_blocks_do_not_show(rng, monkeypatch):
    values = rng.normal(size=100_000) * 10.0 ** rng.integers(-20, 20, 100_000)
    total = exact_sum(values)
    assert total == exact_sum(rng.permutation(values))
    assert total == sum(exact_sum(part) for part in np.array_split(values, 7))
    monkeypatch.setattr(moments, "MOST", 999)
    assert total == exact_sum(values)


@pytest.mark.parametrize("offset", [0.0, 1e9, -1e15])
def test_moments_in_any_layout(rng, offset):
    values = offset + rng.normal(size=10_000)
    origin = float(values[0])
    whole = Moments.of(values, origin)
    for cuts in ([1], [5, 5000], [9_999]):
        parts = [Moments.of(part, origin) for part in np.split(values, cuts)]
        assert sum(parts, Moments()) == whole
    exact = [Fraction(v) for v in values.tolist()]
    mean = sum(exact) / len(exact)
    variance = sum((v - mean) ** 2 for v in exact) / len(exact)
    assert whole.spread == pytest.approx(float(variance) ** 0.5, rel=1e-12)
    assert origin + whole.mean == pytest.approx(float(mean), rel=1e-15, abs=1e-15)


def test_an_outlier_far_from_the_origin_costs_no_digits():
    values = np.concatenate([np.arange(1000.0), [1e12]])
    assert Moments.of(values, 500.0).spread == pytest.approx(values.std(), rel=1e-12)


def test_ranks_by_their_counts():
    ranks = np.repeat([0.0, 1.0, 2.0, 3.0], [5, 0, 7, 1])
    assert Moments.of_counts([5, 0, 7, 1]) == Moments.of(ranks, 0.0)


def test_equal_numbers_have_no_spread():
    assert Moments.of(np.full(1000, 0.1), 0.1).spread == 0.0
    assert Moments().spread == 0.0


def test_the_scatter_of_parts_is_that_of_all_points(rng):
    points = rng.normal(1e6, 1.0, size=(90, 2))
    parts = [[Moments.of(x, 1e6) for x in part.T] for part in (points[:10], points[10:])]
    whole = Fraction(0)
    for column in points.T:
        exact = [Fraction(x) for x in column - 1e6]
        mean = sum(exact) / len(exact)
        whole += sum((x - mean) ** 2 for x in exact)
    assert scatter_of(parts) == float(whole)
