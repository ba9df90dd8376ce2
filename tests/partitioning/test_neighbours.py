from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from coterie.partitioning import neighbours
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


def test_the_tree_gives_the_same_lists(rng, monkeypatch):
    X = rng.normal(size=(500, 3))
    plain = nearest_neighbours(X, 9, Run())
    monkeypatch.setattr(neighbours, "PLAIN", 100)
    tree = nearest_neighbours(X, 9, Run())
    assert np.array_equal(tree.near, plain.near)
    np.testing.assert_allclose(tree.away, plain.away, rtol=1e-12)


def test_the_tree_leaves_out_the_record_itself(monkeypatch):
    monkeypatch.setattr(neighbours, "PLAIN", 10)
    near = nearest_neighbours(np.zeros((50, 2)), 5, Run()).near
    assert near.shape == (50, 5)
    assert not (near == np.arange(50)[:, None]).any()
    assert all(len(set(row)) == 5 for row in near.tolist())
