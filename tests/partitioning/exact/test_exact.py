from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import coterie
from coterie.partitioning.driver import Run
from tests import naive


@pytest.mark.nojit
@pytest.mark.parametrize("k", [2, 3])
def test_one_attribute_equals_enumeration(k, rng):
    for n in range(2 * k, 10):
        x = rng.normal(size=(n, 1))
        assert coterie.partition(x, k, "exact").sse == pytest.approx(naive.optimum(x, k))


@pytest.mark.slow  # importing the package compiles all of it: minutes without its cache
def test_one_attribute_equals_another_package():
    """200 random inputs against microagg1d's Wilber algorithm.

    In its version 0.4.0 the default for small k, "simple", gives groups above the optimum on some
    of these inputs, while its other three algorithms agree with each other and with ours; and for
    n = 2k it labels the sorted values whatever the input's order, so it is given sorted ones.
    """
    microagg1d = pytest.importorskip("microagg1d")
    rng = np.random.default_rng(7)
    for _ in range(200):
        n = int(rng.integers(4, 300))
        k = int(rng.integers(2, min(n, 20) + 1))
        x = rng.choice([rng.normal(size=n), rng.exponential(size=n), rng.integers(0, 9, n) * 1.0])
        x = np.sort(x)
        ours = coterie.partition(x[:, None], k, "exact").sse
        for method in ("wilber", "simple"):
            labels = microagg1d.univariate_microaggregation(x, k, method=method)
            theirs = coterie.Partition.from_labels(x[:, None], labels, k).sse
            assert ours <= theirs * (1 + 1e-9) + 1e-12
            if method == "wilber":
                assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)


@pytest.mark.nojit
@pytest.mark.parametrize(("n", "d", "k"), [(8, 2, 2), (9, 3, 3), (9, 2, 4), (10, 5, 5), (7, 2, 3)])
def test_few_records_equal_enumeration(n, d, k, rng):
    X = rng.normal(size=(n, d))
    assert coterie.partition(X, k, "exact").sse == pytest.approx(naive.optimum(X, k))


@given(
    X=hnp.arrays(
        np.int64, st.tuples(st.integers(4, 9), st.integers(2, 3)), elements=st.integers(-3, 3)
    ),
    k=st.integers(2, 4),
)
def test_few_records_with_ties_equal_enumeration(X, k):
    assert coterie.partition(X, k, "exact").sse == pytest.approx(naive.optimum(X, k), abs=1e-12)


def test_both_ways_agree_on_one_attribute(rng):
    x = rng.normal(size=(16, 1))
    for k in (2, 3, 5, 8):
        wide = np.column_stack([x, np.zeros(16)])  # two attributes: over the subsets
        assert coterie.partition(wide, k, "exact").sse == pytest.approx(
            coterie.partition(x, k, "exact").sse
        )


@pytest.mark.parametrize(("n", "d", "k"), [(40, 1, 3), (12, 2, 3), (5, 3, 3)])
def test_its_own_lower_bound(n, d, k, rng):
    p = coterie.partition(rng.normal(size=(n, d)) * 1e6, k, "exact")
    assert p.lower_bound == p.sse > 0
    assert p.gap == 0.0


def test_the_published_example():
    """Table 2 of Domingo-Ferrer et al. (2006): eleven enterprises, an SSE of 7.484."""
    table = coterie.datasets.sme()
    p = coterie.partition(coterie.standardize(table[["surface", "employees"]]), 3, "exact")
    assert p.sse == pytest.approx(7.4848, abs=5e-5)
    assert p.sst == pytest.approx(22.0)
    assert naive.groups_of(p.labels) == {
        frozenset(i - 1 for i in group) for group in ((1, 2, 3, 10), (4, 5, 9), (6, 7, 8, 11))
    }


@pytest.mark.parametrize("k", [2, 3, 5])
def test_no_method_is_below_it(k, rng):
    X = rng.normal(size=(13, 3))
    least = coterie.partition(X, k, "exact").sse
    for method in coterie.methods():
        if not method.anytime:
            assert coterie.partition(X, k, method.name).sse >= least * (1 - 1e-12)


def test_an_outlier_hides_nothing(rng):
    X = np.vstack([rng.normal(size=(9, 2)), np.full((3, 2), 1e12)])
    p = coterie.partition(X, 3, "exact")
    assert p.sse == pytest.approx(naive.optimum(X[:9], 3))


@pytest.mark.nojit
def test_twenty_records_can_be_interrupted(rng, clock):
    clock.tick = 0.1

    def enough(progress):
        assert progress.phase == "subsets"
        assert 0 <= progress.fraction <= 1
        raise TimeoutError

    with pytest.raises(TimeoutError):
        coterie.partition(rng.normal(size=(20, 2)), 3, "exact", callback=enough)


@pytest.mark.nojit
def test_what_is_done_of_the_subsets(rng, monkeypatch):
    """None while they are prepared; below half of them lies a third of the work, 3^-1."""
    from coterie.kernels.exact import subsets

    driven, drive = [], Run.drive

    def seen(self, streams, **more):
        driven.extend(streams)
        return drive(self, streams, **more)

    monkeypatch.setattr(Run, "drive", seen)
    coterie.partition(rng.normal(size=(8, 2)), 2, "exact")
    (stream,) = driven
    cursor, count = stream.state.cursor, len(stream.state.best)
    assert stream.done
    for half, share in ((1, 1 / 3), (2, 1 / 9), (0, 1.0)):
        cursor[subsets.PHASE], cursor[subsets.NEXT] = subsets.BEST, count >> half
        assert stream.progress == pytest.approx(share, abs=0.01)
        cursor[subsets.PHASE] = subsets.BEST - 1
        assert stream.progress == 0.0
        assert not stream.done


@pytest.mark.nojit
@pytest.mark.parametrize(("n", "k"), [(25, 13), (30, 30)])
def test_fewer_than_two_groups_are_one_however_many(n, k, rng):
    assert coterie.partition(rng.normal(size=(n, 2)), k, "exact").sizes.tolist() == [n]


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3, 5, 7])
def test_twenty_records(k, rng):
    began = time.process_time()
    coterie.partition(rng.normal(size=(20, 3)), k, "exact")
    assert time.process_time() - began < 120  # of the processor, compilation included: 2 s and 20


def test_refuses_what_it_cannot_prove(rng):
    with pytest.raises(coterie.DataError, match=r"at most 20 records.*Got 21 records.*auto"):
        coterie.partition(rng.normal(size=(21, 2)), 3, "exact")
