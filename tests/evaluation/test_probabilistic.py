"""Probabilistic information loss where columns have gaps, hardly vary, or stand alone."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.evaluation.utility.probabilistic import _alone, _pairs, loss
from tests import naive_measures as naive

SINGLE = ("quantiles", "means", "variances")
PAIRS = ("covariances", "correlations")


def table(rng, n=50, d=3):
    """Skewed, correlated numbers, and the same with noise."""
    x = rng.normal(size=(n, d)) ** 3 + rng.normal(size=(n, 1))
    return x, x + 0.3 * rng.normal(size=(n, d))


def judged(x, y):
    return coterie.evaluate(x, y, aligned=True, measures=["pil"])["pil"]


def test_keys_with_gaps_follow_the_equations_on_the_records_that_have_them(rng):
    """A key over its own records, two keys over those that have both: none has variance 1 there."""
    x, y = table(rng)
    gone = rng.random(x.shape) < 0.3
    x, y = (np.where(gone, np.nan, side) for side in (x, y))
    mean, spread = np.nanmean(x, axis=0), np.nanstd(x, axis=0)
    a, b = (x - mean) / spread, (y - mean) / spread
    found = judged(x, y)
    alone = [naive.pil_parts(a[held, t, None], b[held, t, None]) for t, held in enumerate(~gone.T)]
    for name in SINGLE:
        expected = np.mean([one[name] for one in alone])
        assert found.parts[name] == pytest.approx(expected), name
    by_column = [np.mean([one[name] for name in SINGLE]) for one in alone]
    assert list(found.by_column.values()) == pytest.approx(by_column)
    together = []
    for two in ([0, 1], [0, 2], [1, 2]):
        held = ~gone[:, two].any(axis=1)
        together.append(naive.pil_parts(a[held][:, two], b[held][:, two]))
    for name in PAIRS:
        expected = np.mean([one[name] for one in together])
        assert found.parts[name] == pytest.approx(expected), name
    assert found.value == pytest.approx(np.mean(list(found.parts.values())))


def test_columns_of_any_unit_follow_the_equations(rng):
    x, y = (side * [50.0, 0.02, 1.0] + [1000.0, 3.0, 0.0] for side in table(rng))
    whole = naive.pil_parts(x, y)
    alone = [_alone(a, b) for a, b in zip(x.T, y.T, strict=True)]
    for place, name in enumerate(SINGLE):
        found = 100 * np.mean([one[place] for one in alone])
        assert found == pytest.approx(whole[name]), name
    for name, found in zip(PAIRS, _pairs(x, y), strict=True):
        assert 100 * found.mean() == pytest.approx(whole[name]), name


def test_a_key_that_four_fifths_of_the_records_share(rng):
    """The middle half has no width: that of the kernel comes from the standard deviation."""
    x, y = table(rng, n=45)
    x[:36, 0] = y[:36, 0] = 1.0
    parts = naive.pil_parts(*naive.standardize(x, y))
    assert judged(x, y).parts == pytest.approx(parts)


def test_one_key_has_no_pairs(rng):
    x, y = table(rng, d=1)
    found = judged(x, y)
    assert found.parts == pytest.approx(naive.pil_parts(*naive.standardize(x, y)))
    assert [found.parts[name] for name in PAIRS] == [0.0, 0.0]


def test_a_constant_key_correlates_with_nothing(rng):
    """What it has with others costs nothing if it stays, and everything if it begins to vary."""
    x, y = table(rng, n=40, d=2)
    x[:, 0] = 0.1
    stays = judged(x, np.column_stack([x[:, 0], y[:, 1]]))
    assert [stays.parts[name] for name in PAIRS] == [0.0, 0.0]
    varies = judged(x, y)
    assert [varies.parts[name] for name in PAIRS] == [100.0, 100.0]


def test_a_key_that_is_constant_where_another_is_known(rng):
    """Over the records that have both, though it varies over those that lack the other."""
    x, y = table(rng, n=40, d=2)
    x[:30, 0] = 0.1
    x[30:, 1] = y[30:, 1] = np.nan
    found = judged(x, y)
    assert [found.parts[name] for name in PAIRS] == [100.0, 100.0]


def test_equation_10_by_hand():
    """2 P(0 <= Z <= 1) = 0.6827; nothing changed costs 0, whatever the sampling error."""
    change = np.array([1.0, -1.0, 2.0, 0.0, 0.0, 1e-12, 0.5, 0.5])
    variance = np.array([1.0, 1.0, 4.0, 1.0, 0.0, 0.0, 0.0, -1e-18])
    one = math.erf(math.sqrt(0.5))
    assert loss(change, variance) == pytest.approx([one, one, one, 0.0, 0.0, 0.0, 1.0, 1.0])


def test_nine_keys_in_ten_that_nobody_has_together(rng):
    """Two keys that no record has both of are no pair."""
    x, y = table(rng, n=20, d=2)
    for side in (x, y):
        side[:10, 0] = side[10:, 1] = np.nan
    frame, after = (pd.DataFrame(side, columns=["a", "b"]) for side in (x, y))
    found = judged(frame, after)
    assert [found.parts[name] for name in PAIRS] == [0.0, 0.0]
    assert found.parts["means"] > 0.0


def test_numbers_together_in_the_least_part_of_their_range(recwarn):
    """A density beyond 1e154 has no square; changes are nothing beside the range of the column."""
    before = np.array([1e308, -1e308, 1.6e-3, 3.4e6, 3.3e6])
    after = np.where(np.abs(before) > 1e300, before, 2.2e6)
    table = {"c": before}, {"c": after}
    score = coterie.evaluate(*map(pd.DataFrame, table), quasi_identifiers=["c"], measures=["pil"])
    assert score["pil"].value == 0.0
    assert not recwarn.list
