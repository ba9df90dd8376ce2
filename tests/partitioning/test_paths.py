from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import coterie
from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import Run
from coterie.partitioning.path.groups import order_groups
from coterie.partitioning.path.npn import npn
from coterie.partitioning.problem import Problem
from tests import naive
from tests.partitioning.lattices import prepared

lattices = hnp.arrays(
    np.int64, st.tuples(st.integers(6, 30), st.integers(1, 3)), elements=st.integers(-4, 4)
)


@pytest.mark.nojit
@pytest.mark.parametrize(("n", "d"), [(30, 2), (17, 1), (2, 3)])
def test_npn_equals_the_oracle(n, d, rng):
    X = rng.normal(size=(n, d))
    assert npn(Problem.of(X, 2), Run()).tolist() == naive.npn(X)


@given(X=lattices)
def test_npn_ties_go_to_the_lowest_index(X):
    assert npn(Problem.of(X, 2), Run()).tolist() == naive.npn(prepared(X))


@pytest.mark.nojit
@pytest.mark.parametrize(("n", "d", "k"), [(31, 2, 3), (40, 4, 2), (25, 1, 5)])
def test_group_path_equals_the_oracle(n, d, k, rng):
    X = rng.normal(size=(n, d))
    groups = naive.mdav(X, k)
    labels = np.empty(n, dtype=np.int64)
    for number, group in enumerate(groups):
        labels[group] = number
    order = order_groups(X, Outcome(labels, first=groups[0][0]), Run())
    assert order.tolist() == naive.group_path(X, groups, groups[0][0])


def test_group_path_without_a_first_record_starts_at_the_farthest(rng):
    X = rng.normal(size=(20, 2))
    order = order_groups(X, Outcome(np.repeat(np.arange(4), 5)), Run())
    assert order[0] == naive.farthest(X, range(20), X.mean(axis=0))


def test_ordered_methods_cut_their_path_as_well_as_can_be(rng):
    X = rng.normal(size=(15, 2))
    groups = naive.mdav(X, 2)
    path = naive.group_path(X, groups, groups[0][0])
    assert coterie.partition(X, 2, "mdav-mhm").sse == pytest.approx(naive.mhm(X, path, 2))
    assert coterie.partition(X, 2, "npn-mhm").sse == pytest.approx(naive.mhm(X, naive.npn(X), 2))
