"""Records that are equal, numbered in the order of their values."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.evaluation.links import equal_rows


@pytest.mark.parametrize("kind", ["distinct", "repeated", "constant first", "all equal", "one row"])
def test_equal_rows_are_numbered_in_their_order(rng, kind):
    rows = {
        "distinct": rng.normal(size=(50, 3)),
        "repeated": rng.integers(0, 3, (50, 3)).astype(float),
        "constant first": np.column_stack([np.zeros(50), rng.permutation(50), rng.normal(size=50)]),
        "all equal": np.ones((50, 2)),
        "one row": np.ones((1, 2)),
    }[kind]
    places = {row: place for place, row in enumerate(sorted(set(map(tuple, rows.tolist()))))}
    assert equal_rows(list(rows.T)).tolist() == [places[tuple(row)] for row in rows.tolist()]
