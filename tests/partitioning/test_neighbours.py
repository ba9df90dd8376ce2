from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from coterie.partitioning.driver import Run
from coterie.partitioning.neighbours import nearest_neighbours
from tests import naive


@pytest.mark.nojit
@given(
    X=hnp.arrays(
        np.float64,
        st.tuples(st.integers(3, 30), st.integers(1, 3)),
        elements=st.integers(-3, 3).map(float),
    ),
    count=st.integers(1, 12),
)
def test_equals_the_oracle(X, count):
    count = min(count, len(X) - 1)
    found = nearest_neighbours(X, count, Run())
    assert found.near.tolist() == naive.neighbour_lists(X, count)
    for i, row in enumerate(found.near):
        assert found.away[i].tolist() == [naive.squared(X[i], X[j]) for j in row]


@pytest.mark.parametrize("d", [1, 3, 12])
def test_equals_a_whole_pass_over_more_than_one_branch(d, rng):
    X = rng.integers(0, 9, size=(1500, d)) / 4.0
    found = nearest_neighbours(X, 9, Run())
    for i in range(0, 1500, 100):
        away = np.square(X - X[i]).sum(axis=1)
        away[i] = np.inf
        expected = np.argsort(away, kind="stable")[:9]
        assert found.near[i].tolist() == expected.tolist()
        assert found.away[i].tolist() == away[expected].tolist()
