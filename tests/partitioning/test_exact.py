from __future__ import annotations

import numpy as np
import pytest

import coterie
from tests import naive


@pytest.mark.parametrize("k", [2, 3])
def test_one_attribute_equals_enumeration(k, rng):
    for n in range(2 * k, 10):
        x = rng.normal(size=(n, 1))
        assert coterie.partition(x, k, "exact").sse == pytest.approx(naive.optimum(x, k))


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


def test_refuses_what_it_cannot_prove(rng):
    with pytest.raises(coterie.DataError, match=r"'exact' must have one attribute.*mdav-mhm"):
        coterie.partition(rng.normal(size=(50, 2)), 3, "exact")
