from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from coterie.partitioning.constructive.mst import tree_parts
from coterie.partitioning.driver import Run
from coterie.partitioning.problem import Problem
from tests import naive
from tests.partitioning.lattices import lattices, prepared


@pytest.mark.nojit
@pytest.mark.parametrize(("n", "d", "k"), [(20, 2, 3), (23, 1, 2), (33, 3, 5), (8, 2, 4)])
def test_equals_the_oracle(n, d, k, rng):
    X = rng.normal(size=(n, d))
    p = coterie.partition(X, k, "mst")
    assert naive.groups_of(p.labels) == {frozenset(g) for g in naive.mst(X, k)}


@given(X=lattices, k=st.integers(2, 4))
def test_ties_go_to_the_lowest_index(X, k):
    p = coterie.partition(X, k, "mst")
    expected = naive.mst(prepared(X), k)
    assert naive.groups_of(p.labels) == {frozenset(g) for g in expected}


@pytest.mark.nojit
def test_a_part_of_three_groups_stays_three():
    """A star: no edge has two records on its far side, so that MD makes all the groups."""
    X = np.vstack([np.zeros(3), np.diag([1.0, 1.1, 1.2]), -np.diag([1.3, 1.4, 1.5])])
    p = coterie.partition(X, 2, "mst")
    assert naive.groups_of(p.labels) == {frozenset(g) for g in naive.mst(X, 2)}
    assert sorted(p.sizes) == [2, 2, 3]


def test_tree_is_as_long_as_another_package_says(rng):
    from scipy.sparse.csgraph import minimum_spanning_tree
    from scipy.spatial.distance import cdist

    from coterie.kernels.constructive import mst as kernel

    X = rng.normal(size=(300, 4))
    grown = kernel.tree(X)
    while grown.rest.size[0]:
        kernel.step_tree(grown, 10**4)
    assert np.sqrt(grown.length).sum() == pytest.approx(minimum_spanning_tree(cdist(X, X)).sum())


def test_clusters_are_the_parts(rng):
    centers = rng.uniform(-1000, 1000, size=(8, 3))
    cluster = np.repeat(np.arange(8), rng.integers(4, 12, size=8))
    X = centers[cluster] + rng.uniform(size=(len(cluster), 3))
    parts = tree_parts(Problem.of(X, 4), Run())
    assert all(len(set(cluster[parts == part].tolist())) == 1 for part in set(parts.tolist()))


@pytest.mark.data
@pytest.mark.parametrize(
    ("table", "published"),
    [("Tarragona", (16.63, 24.50, 38.58)), ("Census", (6.11, 10.30, 17.17))],
)
def test_published_information_loss(reference_data, table, published):
    for k, theirs in zip((3, 5, 10), published, strict=True):
        p = coterie.partition(reference_data[table], k, "mst")
        assert p.information_loss == pytest.approx(theirs, rel=0.005)
