"""Rows found again by their values, in any order, as often as they were there."""

from __future__ import annotations

import numpy as np

from coterie.numbers.known_rows import KnownRows


def test_every_row_is_found_again_in_any_order(rng):
    rows = rng.integers(0, 4, size=(60, 3)).astype(float)
    known = KnownRows(rows)
    order = rng.permutation(60)
    found = known.records(rows[order])
    assert sorted(found) == list(range(60))
    assert np.array_equal(rows[found], rows[order])


def test_equal_rows_come_in_turn_and_again_from_the_first():
    known = KnownRows(np.array([[1.0], [2.0], [1.0]]))
    assert known.records(np.array([[1.0], [1.0], [1.0], [2.0]])).tolist() == [0, 2, 0, 1]


def test_a_row_that_is_none_of_them(rng):
    rows = rng.normal(size=(20, 2))
    other = np.vstack([rows[:1], rows[:1] + 1e-12, [rows[0, 0], rows[1, 1]], [np.inf, -np.inf]])
    assert KnownRows(rows).records(other).tolist() == [0, -1, -1, -1]
