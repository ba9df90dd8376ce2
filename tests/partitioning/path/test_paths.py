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
from coterie.partitioning.path.mhm import GroupPathOptions
from coterie.partitioning.path.npn import most_distant, npn
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


def labeled(groups, n):
    labels = np.empty(n, dtype=np.int64)
    for number, group in enumerate(groups):
        labels[group] = number
    return labels


@pytest.mark.nojit
@pytest.mark.parametrize("start", ["first", "opposite"])
@pytest.mark.parametrize("entry", ["centroid", "record"])
@pytest.mark.parametrize("within", ["distance", "chain"])
@pytest.mark.parametrize(("n", "d", "k"), [(31, 2, 3), (26, 3, 6), (25, 1, 5)])
def test_group_path_equals_the_oracle(n, d, k, start, entry, within, rng):
    X = rng.normal(size=(n, d))
    groups = naive.mdav(X, k)
    head = groups[0][0]
    options = GroupPathOptions(start=start, entry=entry, within=within)
    order = order_groups(X, Outcome(labeled(groups, n), first=head), Run(), options)
    if start == "opposite":
        head = naive.farthest(X, range(n), X[head])
    assert order.tolist() == naive.group_path(X, groups, head, entry, within)


@pytest.mark.nojit
def test_the_second_group_is_entered_from_the_centroid_of_the_first():
    """From 8.25 to 20, not from 0, where the path begins, to -5; then by distance from 20."""
    X = np.array([[20.0], [0.0], [-5.0], [10.0], [21.0], [12.0], [11.0]])
    labels = np.array([1, 0, 1, 0, 1, 0, 0])
    order = order_groups(X, Outcome(labels, first=1), Run())
    assert X[order, 0].tolist() == [0.0, 10.0, 11.0, 12.0, 20.0, 21.0, -5.0]


@given(X=lattices, entry=st.sampled_from(["centroid", "record"]), chain=st.booleans())
def test_group_path_ties_go_to_the_lowest_index(X, entry, chain):
    """Groups of two, whose centroids are exact."""
    X = prepared(X[: len(X) // 2 * 2])
    groups = [[i, i + 1] for i in range(0, len(X), 2)]
    within = "chain" if chain else "distance"
    options = GroupPathOptions(entry=entry, within=within)
    order = order_groups(X, Outcome(labeled(groups, len(X)), first=0), Run(), options)
    assert order.tolist() == naive.group_path(X, groups, 0, entry, within)


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


@pytest.mark.nojit
def test_the_path_of_md_begins_at_s_and_goes_on_from_record_to_record(rng):
    """The defaults that come nearest to the printed figures, pinned."""
    X = rng.normal(size=(15, 2))
    groups = naive.md(X, 2)
    s = naive.farthest(X, range(15), X[groups[0][0]])
    path = naive.group_path(X, groups, s, "record", "chain")
    cut = coterie.partition(X, 2, "md-mhm")
    assert cut.sse == pytest.approx(naive.mhm(X, path, 2))
    assert cut.options == {"tour": False, "start": "opposite", "entry": "record",
                           "within": "chain", "path_k": None, "ending": "together"}  # fmt: skip
    text = naive.group_path(X, groups, groups[0][0])
    found = coterie.partition(X, 2, "md-mhm", start="first", entry="centroid", within="distance")
    assert found.sse == pytest.approx(naive.mhm(X, text, 2))
    for name in ("mdav-mhm", "cbfs-mhm", "tfrp-mhm"):
        told = coterie.partition(X, 2, name).options
        assert (told["start"], told["entry"], told["within"]) == ("first", "centroid", "distance")


@pytest.mark.nojit
def test_the_k_of_the_path_may_differ_from_that_of_the_cut(rng):
    X = rng.normal(size=(16, 2))
    groups = naive.mdav(X, 4)
    path = naive.group_path(X, groups, groups[0][0])
    found = coterie.partition(X, 2, "mdav-mhm", path_k=4)
    assert found.sse == pytest.approx(naive.mhm(X, path, 2))
    assert found.sizes.max() < 4
    for size, rule in ((17, "at most the number of records, 16"), (1, "at least 2")):
        with pytest.raises(
            coterie.ParameterError, match=rf"'path_k' parameter.*{rule}.*Got {size}"
        ):
            coterie.partition(X, 2, "mdav-mhm", path_k=size)


@pytest.mark.nojit
@pytest.mark.parametrize("n", [2, 3, 4, 15])
def test_npn_may_begin_at_the_first_of_the_most_distant_records(n, rng):
    for X in (rng.normal(size=(n, 2)), rng.integers(-2, 3, size=(n, 2)), np.zeros((n, 2))):
        points = Problem.of(X, 2).points
        pair = naive.most_distant(points)
        assert tuple(sorted(most_distant(points, Run()))) == pair
        found = coterie.partition(X, 2, "npn-mhm", start="pair")
        assert found.sse == pytest.approx(naive.mhm(X, naive.npn(points, pair[0]), 2))


@pytest.mark.nojit
def test_npn_may_begin_at_the_other_end(rng):
    X = rng.normal(size=(14, 2))
    r = naive.farthest(X, range(14), X.mean(axis=0))
    path = naive.npn(X, naive.farthest(X, range(14), X[r]))
    found = coterie.partition(X, 2, "npn-mhm", start="opposite")
    assert found.sse == pytest.approx(naive.mhm(X, path, 2))
    with pytest.raises(coterie.ParameterError, match="'start'"):
        coterie.partition(X, 2, "tsp-mhm", start="opposite")  # a tour has no start


@pytest.mark.data
@pytest.mark.parametrize(
    ("table", "published", "within"),
    [
        ("Tarragona", (17.3949, 27.0213, 40.1831), 0.012),
        ("Census", (6.3498, 11.3443, 18.7335), 0.012),
        ("EIA", (0.5525, 0.9602, 2.3188), 0.08),
    ],
)
def test_npn_mhm_is_near_every_printed_figure(reference_data, table, published, within):
    for k, theirs in zip((3, 5, 10), published, strict=True):
        p = coterie.partition(reference_data[table], k, "npn-mhm", start="pair")
        assert p.information_loss == pytest.approx(theirs, rel=within)


@pytest.mark.data
@pytest.mark.parametrize(
    ("table", "published"),
    [
        ("Tarragona", (16.9829, 22.5269, 33.1834)),
        ("Census", (5.69724, 8.98594, 14.3965)),
        ("EIA", (0.4422, 1.2627, 3.6374)),
    ],
)
def test_md_mhm_is_within_one_percent_of_every_printed_figure(reference_data, table, published):
    for k, theirs in zip((3, 5, 10), published, strict=True):
        found = coterie.partition(reference_data[table], k, "md-mhm").information_loss
        assert found == pytest.approx(theirs, rel=0.01)
