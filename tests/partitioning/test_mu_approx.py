from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import coterie
from coterie.partitioning.constructive.mu_approx import split
from tests import naive

lattices = hnp.arrays(
    np.int64, st.tuples(st.integers(4, 40), st.integers(1, 3)), elements=st.integers(-4, 4)
)


def assert_equal(X, k):
    p = coterie.partition(X, k, "mu-approx")
    assert naive.groups_of(p.labels) == {frozenset(g) for g in naive.mu_approx(X, k)}
    return p


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("n", "d", "k"), [(20, 2, 3), (23, 1, 2), (41, 3, 5), (60, 2, 7), (9, 2, 4)]
)
def test_equals_the_oracle(n, d, k, rng):
    assert_equal(rng.integers(0, 10**4, size=(n, d)), k)


@given(X=lattices, k=st.integers(2, 7))
def test_ties_go_to_the_lowest_index(X, k):
    """Duplicates make stars of many branches: every kind of cut, and trees that cannot be cut."""
    assert_equal(X, min(k, len(X)))


def test_a_star_is_cut_into_groups_of_k():
    X = np.zeros((50, 2), dtype=np.int64)
    assert assert_equal(X, 5).sizes.max() <= 9


def test_split_takes_the_farthest_and_its_nearest():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [9.0], [10.0]])
    labels = np.zeros(6, dtype=np.int64)
    split(X, 3, labels)
    assert naive.groups_of(labels) == {frozenset({0, 1, 2}), frozenset({3, 4, 5})}


def test_sizes_on_clustered_data(rng):
    X = np.repeat(rng.normal(size=(20, 2)), 25, axis=0) + rng.normal(size=(500, 2)) * 0.01
    for k in (2, 5, 12, 40):
        p = coterie.partition(X, k, "mu-approx")
        assert k <= p.sizes.min() <= p.sizes.max() < 2 * k
