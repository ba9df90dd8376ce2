"""Propensity scores: against a logistic regression written out, and how Newton's method ends."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import coterie
from tests import naive_measures as naive


def judged(before, after, **more):
    return coterie.evaluate(before, after, aligned=True, measures=["pmse"], **more)["pmse"]


@pytest.mark.nojit
@pytest.mark.parametrize("d", [1, 3])
def test_numbers_their_squares_and_products(rng, d):
    x = rng.normal(size=(60, d))
    y = 1.3 * x + 0.2 * rng.normal(size=x.shape) + 0.1
    found = judged(x, y)
    value, ratio = naive.pmse(*naive.standardize(x, y))
    assert found.value == pytest.approx(value, rel=1e-8)
    assert found.parts == pytest.approx({"ratio": ratio}, rel=1e-8)


def test_names(rng):
    before = pd.DataFrame({"x": rng.normal(size=80), "w": rng.choice(["a", "b", "c"], 80)})
    after = before.assign(x=1.2 * before["x"] + 0.1, w=rng.choice(["a", "b", "b", "c"], 80))
    found = judged(before, after)
    x, y = naive.standardize(before[["x"]], after[["x"]])
    value, ratio = naive.pmse(x, y, [*before["w"], *after["w"]])
    # The penalty leans a little on which of the names is the one without a column.
    assert found.value == pytest.approx(value, rel=1e-4)
    assert found.parts["ratio"] == pytest.approx(ratio, rel=1e-4)


def test_nothing_to_tell_them_apart_by():
    """One name for everybody in both tables: no column but the constant, no chance to divide by."""
    table = pd.DataFrame({"w": ["a"] * 6})
    found = judged(table, table)
    assert (found.value, found.parts) == (0.0, {"ratio": 0.0})


def test_newtons_method_ends_after_few_steps(rng):
    """Each is told; near the end every step squares what is left."""

    def steps(before, after):
        told = []
        judged(before, after, callback=lambda at: told.append(at.fraction))
        return [fraction for fraction in told if 0.0 < fraction < 1.0]

    x = rng.normal(size=(60, 2))
    found = steps(x, 1.2 * x + 0.1)
    assert found == pytest.approx([(turn + 1) / (turn + 11) for turn in range(len(found))])
    assert 3 <= len(found) <= 8
    assert steps(x, x) == pytest.approx([1 / 11])


def test_one_value_for_everybody(rng):
    """Told apart but for the records near that value: it takes twice as many steps as others."""
    x = rng.normal(size=(40, 1))
    y = np.tile(x.mean(axis=0), (40, 1))
    value, ratio = naive.pmse(*naive.standardize(x, y))
    found = judged(x, y)
    assert found.value == pytest.approx(value, rel=1e-8)
    assert found.parts["ratio"] == pytest.approx(ratio, rel=1e-8)


def test_tables_that_differ_wholly_are_told_apart_without_error(rng):
    x = rng.normal(size=(40, 1))
    found = judged(x, x + 50.0)
    assert found.value == pytest.approx(0.25, abs=1e-3)
    assert found.parts["ratio"] == pytest.approx(found.value * 8 * 80 / 2)
