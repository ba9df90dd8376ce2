from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from tests import naive
from tests.partitioning.lattices import lattices, prepared

ENDINGS = ["last-group", "one-by-one", "together"]


@pytest.mark.nojit
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    ("n", "d", "k"), [(20, 2, 3), (23, 1, 2), (31, 3, 5), (41, 5, 4), (9, 2, 4)]
)
def test_equals_the_oracle(n, d, k, ending, rng):
    X = rng.normal(size=(n, d))
    p = coterie.partition(X, k, "mdav", ending=ending)
    assert naive.groups_of(p.labels) == {frozenset(g) for g in naive.mdav(X, k, ending)}


@pytest.mark.parametrize("ending", ENDINGS)
@given(X=lattices, k=st.integers(2, 4))
def test_ties_go_to_the_lowest_index(ending, X, k):
    p = coterie.partition(X, k, "mdav", ending=ending)
    expected = naive.mdav(prepared(X), k, ending)
    assert naive.groups_of(p.labels) == {frozenset(g) for g in expected}


def test_more_records_than_one_block(rng):
    X = rng.integers(0, 30, size=(700, 2))
    p = coterie.partition(X, 20, "mdav")
    assert naive.groups_of(p.labels) == {frozenset(g) for g in naive.mdav(prepared(X), 20)}


def test_endings_differ_only_at_the_end(rng):
    X = rng.normal(size=(53, 3))
    sizes = {e: sorted(coterie.partition(X, 5, "mdav", ending=e).sizes.tolist()) for e in ENDINGS}
    assert sizes["last-group"] == [5] * 9 + [8]
    assert sizes["together"] == [5] * 9 + [8]
    assert sizes["one-by-one"] == sorted(map(len, naive.mdav(X, 5, "one-by-one")))


@pytest.mark.data
@pytest.mark.parametrize(
    ("table", "published"),
    [
        ("Tarragona", (16.9326, 22.4619, 33.1929)),
        ("Census", (5.6922, 9.0884, 14.1559)),
        ("EIA", (0.4829, 1.6667, 3.8397)),
    ],
)
def test_published_information_loss(reference_data, table, published):
    found = [
        coterie.partition(reference_data[table], k, "mdav").information_loss for k in (3, 5, 10)
    ]
    assert [round(il, 4) for il in found] == list(published)
