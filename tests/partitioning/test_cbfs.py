from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from tests import naive
from tests.partitioning.lattices import lattices, prepared

ENDINGS = ["one-by-one", "together", "last-group"]


@pytest.mark.nojit
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(("n", "d", "k"), [(20, 2, 3), (23, 1, 2), (33, 3, 5), (9, 2, 4)])
def test_equals_the_oracle(n, d, k, ending, rng):
    X = rng.normal(size=(n, d))
    p = coterie.partition(X, k, "cbfs", ending=ending)
    assert naive.groups_of(p.labels) == {frozenset(g) for g in naive.cbfs(X, k, ending)}


@pytest.mark.parametrize("ending", ENDINGS)
@given(X=lattices, k=st.integers(2, 4))
def test_ties_go_to_the_lowest_index(ending, X, k):
    p = coterie.partition(X, k, "cbfs", ending=ending)
    expected = naive.cbfs(prepared(X), k, ending)
    assert naive.groups_of(p.labels) == {frozenset(g) for g in expected}


def test_forms_groups_below_2k_as_the_published_example():
    """Five left at k = 3 still give a group of three; 11 records as in Table 4 of the paper."""
    X = [[0.0], [1.0], [2.0], [50.0], [51.0], [60.0], [61.0], [62.0], [90.0], [91.0], [93.0]]
    sizes = coterie.partition(X, 3, "cbfs", ending="together").sizes
    assert sorted(sizes.tolist()) == [3, 3, 5]


@pytest.mark.data
@pytest.mark.parametrize(
    ("table", "published"),
    [
        ("Tarragona", (16.9741, 22.8277, 33.2188)),
        ("Census", (5.6800, 8.9055, 13.8963)),
        ("EIA", (0.4831, 1.7482, 3.5445)),
    ],
)
def test_published_information_loss(reference_data, table, published):
    for k, theirs in zip((3, 5, 10), published, strict=True):
        base = coterie.partition(reference_data[table], k, "cbfs")
        assert base.information_loss == pytest.approx(theirs, rel=0.02)
        cut = coterie.partition(reference_data[table], k, "cbfs-mhm")
        assert cut.sse <= base.sse * (1 + 1e-12)
