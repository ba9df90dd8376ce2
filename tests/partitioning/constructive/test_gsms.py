from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from coterie.partitioning.constructive import gsms
from tests import naive
from tests.partitioning.lattices import lattices_up_to

LEAST = ["group-and-rest", "rest"]


def assert_equal(X, k, least):
    for method in ("gsms", "gsms-t2"):
        p = coterie.partition(X, k, method, least=least)
        expected = naive.gsms(X, k, least, refine=method == "gsms-t2")
        assert naive.groups_of(p.labels) == {frozenset(g) for g in expected}


@pytest.mark.nojit
@pytest.mark.parametrize("least", LEAST)
@pytest.mark.parametrize(("n", "d", "k"), [(18, 2, 3), (15, 1, 2), (23, 3, 5), (9, 2, 4)])
def test_equals_the_oracle(n, d, k, least, rng):
    assert_equal(rng.integers(0, 10**4, size=(n, d)), k, least)


@pytest.mark.parametrize("least", LEAST)
@given(X=lattices_up_to(20), k=st.integers(2, 4))  # the oracle is cubic
def test_ties_go_to_the_lowest_index(least, X, k):
    assert_equal(np.asarray(X), k, least)


@pytest.mark.nojit
def test_lists_that_run_out_change_nothing(rng, monkeypatch):
    """Three clusters whose records are all each other's neighbors, with short lists and long."""
    X = np.repeat(rng.normal(size=(3, 2)) * 50, 20, axis=0) + rng.normal(size=(60, 2))
    whole = coterie.partition(X, 4, "gsms").labels
    monkeypatch.setattr(gsms, "LISTED", 0)
    assert np.array_equal(coterie.partition(X, 4, "gsms").labels, whole)


def test_the_group_farthest_from_the_rest_goes_first():
    """-9 and -8 lie farthest from the mean of all, then 0 and 1 from that of the others."""
    X = np.array([[-9.0], [-8.0], [0.0], [1.0], [6.0], [7.0], [9.0]])
    p = coterie.partition(X, 2, "gsms")
    expected = {frozenset({0, 1}), frozenset({2, 3}), frozenset({4, 5, 6})}
    assert naive.groups_of(p.labels) == expected
    assert {frozenset(g) for g in naive.gsms(X.astype(int), 2)} == expected


@pytest.mark.data
@pytest.mark.parametrize(
    ("table", "ours"), [("Tarragona", (16.36, 21.72, 33.23)), ("Census", (5.54, 8.58, 13.42))]
)
def test_information_loss_of_gsms_t2(reference_data, table, ours):
    """As another program, written from the same sentence, gave it; the paper's own are curves."""
    found = [
        coterie.partition(reference_data[table], k, "gsms-t2").information_loss for k in (3, 5, 10)
    ]
    assert [round(il, 2) for il in found] == list(ours)
    base = [
        coterie.partition(reference_data[table], k, "gsms").information_loss for k in (3, 5, 10)
    ]
    assert all(t2 <= plain for t2, plain in zip(found, base, strict=True))
