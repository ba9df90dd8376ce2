"""Values that keep rules: against every active set, against every whole vector, on many tables."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from coterie.centroids.edits import read_rules
from coterie.centroids.edits.check import Figures
from coterie.centroids.edits.keep import keep
from coterie.centroids.edits.project import Conditions, project
from coterie.centroids.edits.rounding import nearest, round_within


def nearest_by_active_sets(v, w, rows, equal, bounds):
    """Oracle: every set of inequalities taken as equations; the nearest point that keeps all."""
    best, least = None, np.inf
    fixed, free = np.flatnonzero(equal), np.flatnonzero(~equal)
    for size in range(len(free) + 1):
        for chosen in itertools.combinations(free, size):
            held = [*fixed, *chosen]
            A, b = rows[held], bounds[held]
            # Lagrange: x = v - W^-1 A' l with A x = b.
            inner = (A / w) @ A.T
            x = v - (A.T @ np.linalg.pinv(inner) @ (A @ v - b)) / w if held else v.copy()
            over = rows @ x - bounds
            if (np.abs(over[equal]) < 1e-7).all() and (over[~equal] < 1e-7).all():
                cost = w @ np.square(x - v)
                if cost < least - 1e-12:
                    best, least = x, cost
    return best, least


def test_projection_is_the_nearest_point(rng):
    outcomes = []
    for _ in range(250):
        d, m = int(rng.integers(1, 5)), int(rng.integers(1, 6))
        rows = rng.integers(-2, 3, (m, d)).astype(float)
        rows = rows[(rows != 0).any(axis=1)]
        if not len(rows):
            continue
        equal = rng.random(len(rows)) < 0.25
        bounds = rng.integers(-3, 4, len(rows)).astype(float)
        v, w = rng.normal(0, 3, d), rng.uniform(0.1, 4, d)
        moved, possible = project(v[None], w, Conditions(rows, equal, bounds[None]))
        wanted, least = nearest_by_active_sets(v, w, rows, equal, bounds)
        assert possible[0] == (wanted is not None)
        outcomes.append(possible[0])
        if wanted is not None:
            assert w @ np.square(moved[0] - v) == pytest.approx(least, abs=1e-7)
            np.testing.assert_allclose(moved[0], wanted, atol=1e-6)
    assert 20 < sum(outcomes) < len(outcomes)


def test_projection_at_other_scales(rng):
    """A total of a billion and a part of a thousandth, both within rounding of their rules."""
    rows = np.array([[1.0, -1.0, -1.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]])
    equal = np.array([True, False, False])
    values = np.column_stack([rng.normal(1e9, 1e9, 400), rng.normal(0, 1e-3, 400)])
    values = np.column_stack([values[:, 0] + rng.normal(0, 1e8, 400), values[:, 0], values[:, 1]])
    here = Conditions(rows, equal, np.zeros((400, 3)))
    moved, possible = project(values, np.array([1e-18, 1e-18, 1e6]), here)
    assert possible.all()
    assert (here.excess(moved, 1e-10) <= 0).all()


def test_what_keeps_the_rules_is_not_touched(rng):
    values = rng.normal(0, 1, (50, 2))
    here = Conditions(np.array([[1.0, 0.0]]), np.array([False]), np.full((50, 1), 1.0))
    moved, _ = project(values, np.ones(2), here)
    inside = values[:, 0] <= 1
    assert (moved[inside] == values[inside]).all()
    assert (moved[~inside, 0] == 1).all()
    assert (moved[:, 1] == values[:, 1]).all()


def test_rounding_a_sum_is_the_best_of_all_whole_vectors(rng):
    """One sum with unit coefficients: largest remainders against every vector nearby."""
    for _ in range(60):
        parts = rng.uniform(0, 9, 3)
        x = np.array([parts.sum(), *parts])
        w = rng.uniform(0.2, 3, 4)
        rows = np.array([[1.0, -1.0, -1.0, -1.0]])
        here = Conditions(rows, np.array([True]), np.zeros((1, 1)))
        found, possible = round_within(x[None], np.ones(4), w, here)
        assert possible.all()
        best = min(
            w @ np.square(np.array(y) - x)
            for y in itertools.product(*(range(int(np.floor(v)) - 1, int(v) + 3) for v in x))
            if y[0] == sum(y[1:])
        )
        assert w @ np.square(found[0] - x) == pytest.approx(best, abs=1e-9)


def test_rounding_nested_sums_signs_and_cents(rng):
    """grand = x + y, x = a + b, all at least 0; in whole numbers and in cents."""
    rows = np.zeros((7, 5))
    rows[0] = [1, -1, -1, 0, 0]
    rows[1] = [0, 1, 0, -1, -1]
    rows[2:] = -np.eye(5)
    equal = np.array([True, True] + [False] * 5)
    a, b, y = rng.uniform(0, 3, (3, 300))
    x = a + b
    values = np.column_stack([x + y, x, y, a, b])
    here = Conditions(rows, equal, np.zeros((300, 7)))
    for step in (1.0, 0.01):
        steps = np.full(5, step)
        found, possible = round_within(values, steps, np.ones(5), here)
        assert possible.all()
        assert (np.abs(found / step - np.rint(found / step)) < 1e-6).all()
        assert (here.excess(found, 1e-10) <= 0).all()
        assert np.abs(found - values).max() <= 2.5 * step
        assert (here.excess(nearest(values, steps), 1e-10) > 0).any()


def test_odd_coefficients_need_a_program(rng):
    """3 a + 5 b == c with a, b, c whole: rounding and unit moves alone do not find it."""
    a, b = rng.uniform(0, 20, (2, 40))
    values = np.column_stack([a, b, 3 * a + 5 * b])
    here = Conditions(np.array([[3.0, 5.0, -1.0]]), np.array([True]), np.zeros((40, 1)))
    found, possible = round_within(values, np.ones(3), np.array([1.0, 1.0, 0.01]), here)
    assert possible.all()
    assert (3 * found[:, 0] + 5 * found[:, 1] == found[:, 2]).all()
    assert (found == np.rint(found)).all()


def test_numbers_that_need_not_be_whole_absorb_the_rounding(rng):
    a, b = rng.uniform(0, 20, (2, 40))
    values = np.column_stack([a + b, a, b])
    here = Conditions(np.array([[1.0, -1.0, -1.0]]), np.array([True]), np.zeros((40, 1)))
    found, possible = round_within(values, np.array([0.0, 1.0, 1.0]), np.ones(3), here)
    assert possible.all()
    np.testing.assert_allclose(found[:, 0], found[:, 1] + found[:, 2], atol=1e-9)
    assert (found[:, 1:] == np.rint(values[:, 1:])).all()


def test_what_has_no_whole_answer_is_said(rng):
    here = Conditions(np.array([[2.0]]), np.array([True]), np.ones((1, 1)))
    assert not round_within(np.array([[0.5]]), np.ones(1), np.ones(1), here)[1].any()


def test_a_group_keeps_a_rule_for_the_member_who_leaves_least_by_hand():
    """a <= o and a + b == 9: what o leaves to each group, and the total shared by the spreads."""
    made = SimpleNamespace(type="continuous")
    a, b = (
        SimpleNamespace(
            name=name, attribute=made, arrow_type=pa.float64(), missing=np.zeros(4, dtype=bool),
            values=np.array(values),
        )
        for name, values in (("a", [1.0, 3.0, 5.0, 7.0]), ("b", [0.0, 0.0, 5.0, 5.0]))
    )  # fmt: skip
    labels, centers = np.array([0, 0, 1, 1]), {"a": np.array([2.0, 6.0]), "b": np.array([0.0, 5.0])}
    gone = np.array([False, False, True, False])
    others = {"o": Figures(np.array([10.0, 1.5, 0.0, 5.5]), gone)}  # the third has no o
    found = keep([a], {"a": centers["a"]}, labels, read_rules(["a <= o"], ["a", "o"]), others)
    assert found.values["a"] == pytest.approx([1.5, 5.5])
    assert found.change["a"] == pytest.approx(0.5 / np.sqrt(5.0))
    free = keep([a], {"a": centers["a"]}, labels, read_rules(["a <= 5"], ["a"]), {})
    assert free.values["a"] == pytest.approx([2.0, 5.0])
    both = keep([a, b], centers, labels, read_rules(["a + b == 9"], ["a", "b"]), {})
    # Moved along (5, 6.25), the variances: by 7 and by -2 altogether.
    assert both.values["a"] == pytest.approx(centers["a"] + np.array([7, -2]) * 5 / 11.25)
    assert both.values["b"] == pytest.approx(centers["b"] + np.array([7, -2]) * 6.25 / 11.25)
