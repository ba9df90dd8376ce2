"""The moving partition: whatever is done to it, it is what its labels say, and it can go back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from coterie.kernels.base import draws, groups
from coterie.kernels.search import descent, perturb, visits
from tests.kernels import entries

COUNT = groups.COUNT


def make(seed, n=40, d=3, k=3, lattice=False):
    rng = np.random.default_rng(seed)
    points = rng.integers(-3, 4, size=(n, d)) * 1.0 if lattice else rng.normal(size=(n, d))
    labels = np.empty(n, dtype=np.int64)
    words = draws.seeded(np.random.SeedSequence(seed))
    perturb.scatter(words, n // k - 1, n // k - 1, k, n, np.empty(n, dtype=np.int64), labels)
    return groups.groups(points, labels, k, n), words


def assert_consistent(state):
    """Every figure equals that of a state built from the labels, to the last bit."""
    fresh = groups.groups(state.points, state.labels, state.k, state.limit)
    count = int(state.cursor[COUNT])
    assert count == fresh.cursor[COUNT] == state.labels.max() + 1
    for name in ("own", "after"):
        assert np.array_equal(getattr(state, name), getattr(fresh, name)), name
    for name in ("head", "size", "sse", "radius", "span", "centroids"):
        assert np.array_equal(getattr(state, name)[:count], getattr(fresh, name)[:count]), name
    assert np.array_equal(state.shadows[:, :count], fresh.shadows[:, :count])
    assert (state.size[count:] == 0).all()
    assert (state.sse[count:] == 0).all()
    assert groups.total(state) == pytest.approx(state.sse.sum(), rel=1e-13, abs=1e-13)
    touched = set(state.touched[: state.cursor[groups.LOGGED]].tolist())
    assert set(np.flatnonzero(state.logged).tolist()) == touched
    assert set(np.flatnonzero(state.labels != state.kept).tolist()) <= touched


class Moving(RuleBasedStateMachine):
    """Random moves, perturbations, keeps and returns in any order."""

    def __init__(self):
        super().__init__()
        self.state, self.words = make(3, lattice=True)
        n = len(self.state.labels)
        self.plan = descent.descent(len(self.state.size), False)
        self.pair = visits.pair(n)
        self.kept = self.state.labels.copy()
        self.kept_total = groups.total(self.state)

    @property
    def count(self):
        return int(self.state.cursor[COUNT])

    def forget_targets(self):
        self.plan.is_changed[:] = False
        self.plan.cursor[descent.CHANGED] = 0

    @rule(x=st.integers(0, 39), to=st.integers(0, 12))
    def shift(self, x, to):
        to %= self.count
        if to != self.state.labels[x] and self.state.size[self.state.labels[x]] > 1:
            expected = groups.total(self.state) + entries.shift_change(self.state, x, to)
            entries.shift(self.state, x, to)
            assert groups.total(self.state) == pytest.approx(expected, abs=1e-9)

    @rule(x=st.integers(0, 39), y=st.integers(0, 39))
    def swap(self, x, y):
        if self.state.labels[x] != self.state.labels[y]:
            expected = groups.total(self.state) + entries.swap_change(self.state, x, y)
            entries.swap(self.state, x, y)
            assert groups.total(self.state) == pytest.approx(expected, abs=1e-9)

    @precondition(lambda self: self.count > 1)
    @rule()
    def dissolve(self):
        entries.dissolve(self.state, self.plan, self.words, 2)
        changed = self.plan.changed[: self.plan.cursor[descent.CHANGED]]
        assert (changed < self.count).all()
        self.forget_targets()

    @precondition(
        lambda self: (
            self.count < len(self.state.size)
            and np.maximum(self.state.size - self.state.k, 0).sum() >= self.state.k
        )
    )
    @rule()
    def distill(self):
        entries.distill(self.state, self.plan, self.pair, self.words)
        assert self.state.size[self.count - 1] == self.state.k
        self.forget_targets()

    @rule()
    def descend(self):
        before = groups.total(self.state)
        descent.target_all(self.plan, self.count)
        descent.step(self.plan, self.state, self.pair, self.words, 5)
        self.plan.cursor[descent.AT] = self.plan.cursor[descent.TARGETS]
        self.forget_targets()
        assert groups.total(self.state) <= before + 1e-9

    @rule()
    def keep(self):
        groups.keep(self.state)
        self.kept = self.state.labels.copy()
        self.kept_total = groups.total(self.state)

    @rule()
    def restore(self):
        groups.restore(self.state)
        assert np.array_equal(self.state.labels, self.kept)
        assert groups.total(self.state) == self.kept_total

    @invariant()
    def consistent(self):
        assert_consistent(self.state)


TestMoving = Moving.TestCase
TestMoving.settings = settings(max_examples=25, stateful_step_count=40, deadline=None)


def test_thousands_of_moves_and_returns(rng):
    state, _ = make(5, n=200, d=4, k=4)
    kept = state.labels.copy()
    for t in range(4000):
        x, y = rng.integers(200, size=2)
        if state.labels[x] != state.labels[y]:
            if rng.random() < 0.5 and state.size[state.labels[x]] > 4:
                entries.shift(state, x, state.labels[y])
            else:
                entries.swap(state, x, y)
        if t % 7 == 0:
            groups.restore(state)
            assert np.array_equal(state.labels, kept)
        elif t % 97 == 0:
            groups.keep(state)
            kept = state.labels.copy()
        if t % 500 == 0:
            assert_consistent(state)
    assert_consistent(state)


@pytest.mark.nojit
def test_equal_records_cost_nothing():
    points = np.full((12, 2), 0.1)
    state = groups.groups(points, np.arange(12) % 4, 3, 12)
    assert groups.total(state) == 0.0
    entries.shift(state, 0, 1)
    assert groups.total(state) == 0.0
    assert (state.centroids == 0.1).all()


def test_the_points_are_never_written_to(rng):
    points = rng.normal(size=(30, 1))
    before = points.copy()
    state = groups.groups(points, np.arange(30) // 3, 3, 30)
    entries.swap(state, 0, 29)
    assert np.array_equal(points, before)
