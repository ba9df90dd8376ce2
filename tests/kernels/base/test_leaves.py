"""Leaves and rim answer as a pass over all records would, while records leave."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from coterie.kernels.base import kd_order, lanes, leaves
from coterie.kernels.base.jit import kernel
from tests.kernels import entries


class Host:
    """What `renewing` needs of a state."""

    def __init__(self, points, most):
        self.rest = leaves.leaves(points, most, rim=True)

    renew = staticmethod(leaves.renewing(lambda state, budget: 0))


def distances(points, query):
    """Squared distances attribute after attribute, as the kernels add them."""
    total = np.zeros(len(points))
    for a in range(points.shape[1]):
        total += np.square(points[:, a] - query[a])
    return total


def check(points, k, order, renew_at):
    """Ask for the farthest and the nearest of some records until nobody remains."""
    host = Host(points, k)
    rest = host.rest
    labels = np.full(len(points), -1)
    group = 0
    while rest.count[leaves.SIZE] >= k:
        if rest.count[leaves.STALE] >= rest.count[leaves.SIZE] or group in renew_at:
            rest.count[leaves.STALE] = rest.count[leaves.SIZE]
            host.renew(host, 1)
        alive = np.flatnonzero(labels < 0)
        seed = alive[order[group % len(order)] % len(alive)]
        for query in (points[seed], points[alive].mean(axis=0), points[seed] + 0.25):
            away = distances(points[alive], query)
            assert entries.farthest(rest, query) == alive[away.argmax()]
            entries.nearest(rest, -1, query, 1)
            assert rest.near[0] == alive[away.argmin()]
            assert rest.near_d2[0] == away.min()
        away = distances(points[alive], points[seed])
        away[alive == seed] = -1.0
        expected = alive[np.argsort(away, kind="stable")[:k]]
        entries.nearest(rest, seed, points[seed].copy(), k)
        assert rest.near[:k].tolist() == expected.tolist()
        entries.take(rest, k, group, labels)
        assert (labels[expected] == group).all()
        group += 1


@given(
    points=hnp.arrays(
        np.float64,
        st.tuples(st.integers(2, 150), st.integers(1, 5)),
        elements=st.integers(-3, 3).map(float),
    ),
    k=st.integers(1, 6),
    order=st.lists(st.integers(0, 1000), min_size=1, max_size=10),
    renew_at=st.sets(st.integers(0, 10), max_size=3),
)
def test_ties_and_duplicates(points, k, order, renew_at):
    check(points, k, order, renew_at)


def odd_tables(rng):
    n = 2500  # more than two branches
    bulk = rng.normal(size=(n, 4))
    one_far = bulk / 1e9
    one_far[7] = 1.5
    centers = rng.normal(size=(5, 4)) / 4
    return {
        "normal": bulk / 4,
        "constant": np.full((n, 3), 0.5),
        "one attribute": rng.random((n, 1)),
        "forty attributes": rng.random((n, 40)),
        "an outlier": one_far,
        "tight clusters": centers[rng.integers(0, 5, n)] + 1e-9 * bulk,
        "below single precision": 1e-30 * bulk,
        "squares lost": 1e-170 * bulk,
        "heavy tails": rng.standard_cauchy((n, 2)) / 2e4,
    }


@pytest.mark.parametrize("name", odd_tables(np.random.default_rng(0)))
def test_odd_tables(name, rng):
    points = odd_tables(np.random.default_rng(0))[name]
    check(points, 50, rng.integers(0, 2500, size=60).tolist(), {0, 20})


@kernel
def ask(cube, low, high, block, query, out):
    ends = lanes.screen(cube, block, query, out[0])
    return ends, lanes.box_near(low, high, block, query, out[1])


def test_lanes_add_attribute_after_attribute(rng):
    cube = rng.normal(size=(3, 7, 32)).astype(np.float32)
    high = cube + rng.random(cube.shape).astype(np.float32)
    query = rng.normal(size=7).astype(np.float32)
    out = np.empty((2, 32), dtype=np.float32)
    records, boxes = ask(cube, cube, high, 1, query, out)
    zero = np.float32(0.0)
    for found, ends, terms in (
        (out[0], records, cube[1] - query[:, None]),
        (
            out[1],
            boxes,
            np.maximum(np.maximum(cube[1] - query[:, None], query[:, None] - high[1]), zero),
        ),
    ):
        expected = np.zeros(32, dtype=np.float32)
        for term in terms:
            expected += term * term
        assert found.tolist() == expected.tolist()
        assert ends == (expected.min(), expected.max())


@pytest.mark.parametrize("n", [1, 31, 32, 33, 1000, 5000])
def test_cuts_fall_between_branches_then_leaves(n, rng):
    points = rng.integers(0, 50, size=(n, 3)).astype(float)
    order = np.arange(n)
    kd_order.kd_order(points, order, np.empty(n, dtype=np.float32), 32, 1024)
    assert sorted(order.tolist()) == list(range(n))
    if n > 1024:
        cut = -(-n // 1024) // 2 * 1024
        left, right = points[order[:cut]], points[order[cut:]]
        assert (left.max(axis=0) <= right.min(axis=0)).any()


def test_the_share_of_distances_falls_with_the_table(rng):
    shares = []
    for n in (2000, 16000):
        host = Host(rng.normal(size=(n, 5)) / 8, 5)
        host.renew(host, 1)
        for _ in range(50):
            seed = entries.farthest(host.rest, np.zeros(5))
            entries.nearest(host.rest, seed, host.rest.points[seed].copy(), 5)
            entries.take(host.rest, 5, 0, np.zeros(n, dtype=np.int64))
        shares.append(host.rest.count[leaves.DISTANCES] / (100 * n))
    assert shares[1] < shares[0] / 2 < 0.2
