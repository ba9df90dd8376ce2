from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.kernels.base import groups
from coterie.kernels.search import visits
from tests import naive
from tests.kernels import entries


def lists(labels):
    return [np.flatnonzero(labels == g).tolist() for g in range(labels.max() + 1)]


def after(labels, changes):
    new = np.array(labels)
    for i, g in changes.items():
        new[i] = g
    return lists(new)


@pytest.mark.nojit
def test_change_of_sse_equals_the_recomputed_one(rng):
    points = rng.normal(size=(15, 3))
    labels = np.arange(15) % 4
    state = groups.groups(points, labels, 3, 15)
    now = naive.sse(points, lists(labels))
    for x in range(15):
        for to in range(4):
            if to != labels[x]:
                then = naive.sse(points, after(labels, {x: to}))
                assert entries.shift_change(state, x, to) == pytest.approx(then - now, abs=1e-12)
    for x, y in itertools.combinations(range(15), 2):
        if labels[x] != labels[y]:
            then = naive.sse(points, after(labels, {x: labels[y], y: labels[x]}))
            assert entries.swap_change(state, x, y) == pytest.approx(then - now, abs=1e-12)


@given(data=st.data(), k=st.integers(2, 4), more=st.integers(0, 4), d=st.integers(1, 3))
def test_quick_tests_reject_no_gain(data, k, more, d):
    """Where maySwap or mayShift say no, no swap and no shift improves."""
    n = 2 * k + more
    numbers = st.integers(-4, 4).map(float)
    points = np.array(data.draw(st.lists(numbers, min_size=n * d, max_size=n * d))).reshape(n, d)
    labels = (np.arange(n) >= k + more // 2).astype(np.int64)
    state = groups.groups(points, labels, k, n)
    apart = np.sqrt(naive.squared(state.centroids[0], state.centroids[1]))
    if not entries.may_swap(state.radius, 0, 1, apart):
        for x, y in itertools.product(np.flatnonzero(labels == 0), np.flatnonzero(labels == 1)):
            assert entries.swap_change(state, x, y) >= -1e-9
    for i, j in ((0, 1), (1, 0)):
        if not entries.may_shift(state.radius, state.size, i, j, apart):
            for x in np.flatnonzero(labels == i):
                assert entries.shift_change(state, x, j) >= -1e-9


def small_tables(rng):
    """Two groups of every pair of sizes: apart, one within the other, with ties and duplicates."""
    for p, q, d in itertools.product((2, 3, 4), (2, 3, 4), (1, 2)):
        labels = np.repeat([0, 1], [p, q])
        where = labels[:, None] * 2
        for points in (
            rng.normal(size=(p + q, d)),
            rng.normal(size=(p + q, d)) + where,
            rng.normal(size=(p + q, d)) * (1 + 4 * labels[:, None]),
            rng.integers(-2, 3, size=(p + q, d)) * 1.0,
            rng.integers(-2, 3, size=(p + q, d)) * 1.0 + where,
            np.zeros((p + q, d)),
        ):
            yield points, labels


@pytest.mark.nojit
def test_the_next_swap_is_the_first_that_gains(rng):
    """From every place on: no swap that gains is passed over, and none is told that does not."""
    told = 0
    for points, labels in small_tables(rng):
        state, pair = groups.groups(points, labels, 2, len(points)), visits.pair(len(points))
        p, now = int((labels == 0).sum()), naive.sse(points, lists(labels))
        q = len(labels) - p
        gains = [
            s * q + t
            for s, t in itertools.product(range(p), range(q))
            if naive.sse(points, after(labels, {s: 1, p + t: 0})) < now - 1e-9
        ]
        for start in range(p * q + 1):
            expected = next((at for at in gains if at >= start), -1)
            assert entries.next_swap(state, pair, 0, 1, start) == expected
        told += len(gains)
    assert told > 100


@pytest.mark.nojit
def test_the_next_shift_is_the_first_that_gains(rng):
    told = 0
    for points, labels in small_tables(rng):
        state, pair = groups.groups(points, labels, 2, len(points)), visits.pair(len(points))
        now = naive.sse(points, lists(labels))
        for giver in (0, 1):
            members = np.flatnonzero(labels == giver)
            gains = [
                s
                for s, x in enumerate(members)
                if naive.sse(points, after(labels, {x: 1 - giver})) < now - 1e-9
            ]
            for start in range(len(members) + 1):
                expected = next((at for at in gains if at >= start), -1)
                assert entries.next_shift(state, pair, giver, 1 - giver, start) == expected
            told += len(gains)
    assert told > 50


def test_a_visit_leaves_nothing_for_the_next(rng):
    points = rng.normal(size=(12, 2))
    state = groups.groups(points, np.arange(12) % 2, 3, 12)
    pair = visits.pair(12)
    while entries.visit(state, pair, 0, np.array([1]), 1):
        pass
    labels = state.labels
    for x, y in itertools.product(np.flatnonzero(labels == 0), np.flatnonzero(labels == 1)):
        assert entries.swap_change(state, x, y) >= -1e-12
    for x in range(12):
        if state.size[labels[x]] > 3:
            assert entries.shift_change(state, x, 1 - labels[x]) >= -1e-12


def test_no_group_grows_beyond_the_limit(rng):
    """Two records far from the rest of their group, which are let in one at a time at most."""
    points = np.array([[0.0], [0.1], [0.2], [0.3], [0.4], [9.0], [9.1], [9.2]])
    labels = np.array([0, 0, 0, 1, 1, 1, 1, 1])
    for limit, size in ((8, 5), (4, 4)):
        state = groups.groups(points, labels, 3, limit)
        entries.visit(state, visits.pair(8), 0, np.array([1]), 1)
        assert state.size[0] == size
