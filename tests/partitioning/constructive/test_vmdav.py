from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from tests import naive
from tests.partitioning.lattices import lattices, prepared


@pytest.mark.nojit
@pytest.mark.parametrize("gain", [0.0, 0.2, 1.1, 3.0])
@pytest.mark.parametrize(("n", "d", "k"), [(20, 2, 3), (23, 1, 2), (33, 3, 5), (9, 2, 4)])
def test_equals_the_oracle(n, d, k, gain, rng):
    X = rng.normal(size=(n, d))
    p = coterie.partition(X, k, "vmdav", gain=gain)
    assert naive.groups_of(p.labels) == {frozenset(g) for g in naive.vmdav(X, k, gain)}


@given(X=lattices, k=st.integers(2, 4), gain=st.sampled_from([0.0, 0.5, 1.0, 1.5, 4.0]))
def test_ties_go_to_the_lowest_index(X, k, gain):
    p = coterie.partition(X, k, "vmdav", gain=gain)
    expected = naive.vmdav(prepared(X), k, gain)
    assert naive.groups_of(p.labels) == {frozenset(g) for g in expected}


def test_extends_to_whole_clusters(rng):
    """Clusters of 3, 4 and 5 far apart: a fixed size cuts through them, a gain of 1.1 does not."""
    centers = np.array([[0.0, 0.0], [100.0, 0.0], [0.0, 100.0]])
    cluster = np.repeat([0, 1, 2], [3, 4, 5])
    X = centers[cluster] + rng.uniform(size=(12, 2))
    p = coterie.partition(X, 3, "vmdav", gain=20.0)
    assert naive.groups_of(p.labels) == naive.groups_of(cluster)
    assert coterie.partition(X, 3, "vmdav", gain=0.0).sizes.tolist() == [3, 3, 3, 3]


@pytest.mark.data
def test_a_high_gain_suits_clustered_data(reference_data):
    """As the authors say: 0.2 for Tarragona and Census, 1.1 for EIA."""
    for table, low_is_better in (("Tarragona", True), ("Census", True), ("EIA", False)):
        X = reference_data[table]
        low, high = (coterie.partition(X, 5, "vmdav", gain=g).sse for g in (0.2, 1.1))
        assert (low < high) == low_is_better
