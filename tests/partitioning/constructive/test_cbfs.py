from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from tests import naive
from tests.partitioning.lattices import lattices, prepared

ENDINGS = ["one-by-one", "together", "last-group"]
CENTROIDS = ["all", "remaining"]


@pytest.mark.nojit
@pytest.mark.parametrize("centroid", CENTROIDS)
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(("n", "d", "k"), [(20, 2, 3), (23, 1, 2), (33, 3, 5), (9, 2, 4)])
def test_equals_the_oracle(n, d, k, ending, centroid, rng):
    X = rng.normal(size=(n, d))
    p = coterie.partition(X, k, "cbfs", ending=ending, centroid=centroid)
    assert naive.groups_of(p.labels) == {frozenset(g) for g in naive.cbfs(X, k, ending, centroid)}


@pytest.mark.parametrize("ending", ENDINGS)
@given(X=lattices, k=st.integers(2, 4), centroid=st.sampled_from(CENTROIDS))
def test_ties_go_to_the_lowest_index(ending, X, k, centroid):
    p = coterie.partition(X, k, "cbfs", ending=ending, centroid=centroid)
    expected = naive.cbfs(prepared(X), k, ending, centroid)
    assert naive.groups_of(p.labels) == {frozenset(g) for g in expected}


def test_rounds_go_on_below_2k():
    """Of 11 records at k = 3, the last five still give a group: so does the paper's Table 4."""
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
    X = reference_data[table]
    for k, theirs in zip((3, 5, 10), published, strict=True):
        base = coterie.partition(X, k, "cbfs")
        assert base.information_loss == pytest.approx(theirs, rel=1e-3)
        text = coterie.partition(X, k, "cbfs", centroid="remaining")
        assert text.information_loss == pytest.approx(theirs, rel=0.012)
        cut = coterie.partition(X, k, "cbfs-mhm")
        assert cut.sse <= base.sse * (1 + 1e-12)


@pytest.mark.data
def test_published_to_every_digit(reference_data):
    for table, k, theirs in (
        ("Tarragona", 3, 16.9741),
        ("Census", 5, 8.9055),
        ("Census", 10, 13.8963),
        ("EIA", 3, 0.4831),
        ("EIA", 5, 1.7482),
        ("EIA", 10, 3.5445),
    ):
        found = coterie.partition(reference_data[table], k, "cbfs").information_loss
        assert round(found, 4) == theirs
