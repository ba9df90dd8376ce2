from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from tests import naive
from tests.partitioning.lattices import lattices, prepared

ENDINGS = ["together", "one-by-one"]


@pytest.mark.nojit
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(("n", "d", "k"), [(20, 2, 3), (23, 1, 2), (33, 3, 5), (8, 2, 4)])
def test_equals_the_oracle(n, d, k, ending, rng):
    X = rng.normal(size=(n, d))
    p = coterie.partition(X, k, "md", ending=ending)
    assert naive.groups_of(p.labels) == {frozenset(g) for g in naive.md(X, k, ending)}


@pytest.mark.parametrize("ending", ENDINGS)
@given(X=lattices, k=st.integers(2, 4))
def test_ties_go_to_the_lowest_pair(ending, X, k):
    p = coterie.partition(X, k, "md", ending=ending)
    expected = naive.md(prepared(X), k, ending)
    assert naive.groups_of(p.labels) == {frozenset(g) for g in expected}


def test_more_records_than_one_block(rng):
    """On a sphere nothing is near the middle, and on a lattice many pairs are as distant."""
    X = rng.normal(size=(310, 3))
    for table in (X / np.linalg.norm(X, axis=1, keepdims=True), np.round(X * 3)):
        p = coterie.partition(table, 25, "md")
        expected = naive.md(prepared(table), 25)
        assert naive.groups_of(p.labels) == {frozenset(g) for g in expected}


def test_squares_below_the_smallest_number():
    X = np.array([[0.0], [1e-170], [2e-170], [1.0], [1.0 + 1e-15], [1.5]])
    assert sorted(coterie.partition(X, 3, "md").sizes.tolist()) == [3, 3]


@pytest.mark.data
@pytest.mark.parametrize(
    ("table", "published"),
    [
        ("Tarragona", (16.9835, 22.5273, 33.1834)),
        ("Census", (5.71999, 9.00648, 14.3965)),
        ("EIA", (0.4723, 1.6694, 3.7141)),
    ],
)
def test_published_information_loss(reference_data, table, published):
    for k, theirs in zip((3, 5, 10), published, strict=True):
        base = coterie.partition(reference_data[table], k, "md")
        assert base.information_loss == pytest.approx(theirs, rel=3e-4)
        cut = coterie.partition(reference_data[table], k, "md-mhm")
        assert cut.sse <= base.sse * (1 + 1e-12)


@pytest.mark.data
def test_no_cubic_cost(reference_data):
    """EIA at k = 3: 44 million distances, where all pairs in every round are two milliards."""
    from coterie.kernels.constructive import md as kernel

    points = np.ascontiguousarray(reference_data["EIA"])
    state = kernel.md(points, 3)
    work = 0
    while state.cursor[kernel.PHASE] != kernel.DONE:
        work += kernel.step(state, 10**6)
    assert work < 5 * len(points) ** 2
