from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import coterie
from coterie.partitioning import mhm
from tests import naive

tables = hnp.arrays(
    np.float64,
    st.tuples(st.integers(4, 14), st.integers(1, 3)),
    elements=st.one_of(st.integers(-3, 3).map(float), st.floats(-100, 100)),
)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("n", "d", "k"), [(11, 2, 2), (14, 1, 3), (8, 3, 4), (15, 2, 5), (7, 1, 4)]
)
def test_path_and_tour_equal_enumeration(n, d, k, rng):
    X = rng.normal(size=(n, d))
    order = rng.permutation(n)
    assert mhm(X, k, order).sse == pytest.approx(naive.mhm(X, order, k))
    assert mhm(X, k, order, tour=True).sse == pytest.approx(naive.mhm_tour(X, order, k))


@given(X=tables, k=st.integers(2, 4))
def test_path_and_tour_equal_enumeration_on_odd_tables(X, k):
    order = list(range(len(X)))
    close = {"rel": 1e-9, "abs": 1e-9}
    path, tour = mhm(X, k), mhm(X, k, tour=True)
    assert path.sse == pytest.approx(naive.mhm(X, order, k), **close)
    assert tour.sse == pytest.approx(naive.mhm_tour(X, order, k), **close)


@pytest.mark.parametrize("tour", [False, True])
def test_several_k_in_one_call(tour, rng):
    X = rng.normal(size=(300, 2))
    ks = [3, 2, 200, 10, 7]
    together = mhm(X, ks, tour=tour)
    for p, k in zip(together, ks, strict=True):
        assert np.array_equal(p.labels, mhm(X, k, tour=tour).labels)
        assert p.k == k


@pytest.mark.nojit
def test_several_k_of_a_tour_equal_enumeration(rng):
    X = rng.normal(size=(13, 2))
    order = rng.permutation(13)
    ks = [5, 7, 2, 3]  # with 7, one group
    for p, k in zip(mhm(X, ks, order, tour=True), ks, strict=True):
        assert p.sse == pytest.approx(naive.mhm_tour(X, order, k))


def test_several_k_share_the_passes(rng, monkeypatch):
    """A tour takes two, whatever the number of k."""
    from coterie.partitioning.driver import Run

    driven = []
    drive = Run.drive
    monkeypatch.setattr(
        Run, "drive", lambda self, *given, **named: driven.append(1) or drive(self, *given, **named)
    )
    mhm(rng.normal(size=(60, 2)), [2, 3, 4, 5, 9], tour=True)
    assert len(driven) == 2


def test_groups_are_neighbors_in_the_order(rng):
    X = rng.normal(size=(400, 3))
    order = rng.permutation(400)
    labels = mhm(X, 4, order).labels[order]
    assert (np.diff(np.flatnonzero(np.diff(labels))) >= 4).all()


def test_blocks_make_no_difference(rng):
    """Longer than one block of ends, and a k that narrows the blocks."""
    X = rng.normal(size=(900, 2))
    for k in (2, 60):
        assert mhm(X, k).sse == pytest.approx(quadratic(X, k), rel=1e-10)


@pytest.mark.nojit
def test_every_end_of_a_later_block_has_its_own_windows(rng):
    """Blocks of 256 ends: the windows of the second reach back into the first."""
    X = rng.normal(size=(270, 1))
    assert mhm(X, 2).sse == pytest.approx(quadratic(X, 2), rel=1e-10)
    assert mhm(X, 2, tour=True).sse == pytest.approx(
        min(quadratic(np.roll(X, -turn, axis=0), 2) for turn in range(3)), rel=1e-10
    )


@pytest.mark.nojit
@pytest.mark.parametrize(("n", "k"), [(5, 2), (9, 2), (8, 3), (11, 3)])
def test_of_equal_cuts_the_last_groups_are_the_smaller(n, k):
    """All records equal: from the end, as many groups of k as leave the first at most 2k-1."""
    sizes = np.bincount(mhm(np.zeros((n, 2)), k).labels)
    assert sorted(sizes) == sorted([n % k + k] + [k] * (n // k - 1))
    labels = mhm(np.zeros((n, 2)), k).labels
    assert np.flatnonzero(labels == labels[0]).tolist() == list(range(n % k + k))


def quadratic(X, k):
    """The textbook recurrence with every window computed from scratch."""
    best = [0.0]
    for j in range(1, len(X) + 1):
        best.append(
            min(
                (
                    best[j - m] + np.square(X[j - m : j] - X[j - m : j].mean(axis=0)).sum()
                    for m in range(k, min(2 * k - 1, j) + 1)
                ),
                default=np.inf,
            )
        )
    return best[-1]


@pytest.mark.parametrize("offset", [0.0, 1e9, -1e12])
def test_offsets_cost_no_digit(offset, rng):
    X = rng.integers(0, 1000, size=(200, 3)) / 8.0
    assert mhm(X + offset, 3).sse == mhm(X, 3).sse > 0


def test_an_outlier_leaves_no_trace_in_later_windows(rng):
    """A sliding sum of squares would carry the outlier's rounding error along."""
    X = rng.normal(size=(100, 1)) * 1e-3
    X[10] = 1e9
    p = mhm(X, 3)
    quiet = p.labels != p.labels[10]
    apart = coterie.Partition.from_labels(X[quiet], p.labels[quiet], 3)
    rest = X[~(p.labels == p.labels[10]).ravel()]
    assert apart.sse <= quadratic(rest[10:], 3) + 1e-3


@pytest.mark.data
@pytest.mark.parametrize("method", [m.name for m in coterie.methods() if m.kind == "constructive"])
@pytest.mark.parametrize("table", ["Tarragona", "Census", "EIA"])
@pytest.mark.parametrize("k", [3, 5, 10])
def test_never_above_its_base_and_tour_never_above_path(reference_data, table, k, method):
    X = reference_data[table]
    base = coterie.partition(X, k, method, random_state=1)
    path = coterie.partition(X, k, f"{method}-mhm", random_state=1)
    tour = coterie.partition(X, k, f"{method}-mhm", tour=True, random_state=1)
    assert path.sse <= base.sse * (1 + 1e-12)
    assert tour.sse <= path.sse * (1 + 1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": [], "order": None}, "'k' parameter of mhm"),
        ({"k": 2, "order": [0, 1, 1, 2]}, "a permutation of the 4 record indices"),
        ({"k": 2, "order": [0.0, 1.0, 2.0, 3.0]}, "a permutation"),
        ({"k": 2, "tour": 1}, "'tour' parameter of mhm must be True or False"),
        ({"k": [2, 5]}, "at most the number of records, 4"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(coterie.ParameterError, match=message):
        mhm(np.zeros((4, 1)), **arguments)
