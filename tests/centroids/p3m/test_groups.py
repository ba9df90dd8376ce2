"""Groups of P3M under hard and one-sided targets: pieces, minima, descent, by definition."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial import Polynomial

from coterie.kernels.centroids import p3m, quartics
from tests.kernels import entries

pytestmark = pytest.mark.nojit
ALPHA, SHIFT = 0.3, 0.7
START = np.array([0, 3, 7, 9, 12])
KINDS = [(False, 0.0), (True, 0.0), (False, 0.4), (True, 0.4), (False, 1.0)]


def built(rng, one_sided, hard):
    """Four groups, a share of whose targets is hard; records have mean 0 and variance 1."""
    x = rng.normal(size=12)
    x = (x - x.mean()) / x.std()
    delta = 0.1 + 0.5 * rng.random(12)
    importance = np.where(rng.random(12) < hard, 1.0, 0.9 * rng.random(12))
    room = quartics.count_pieces(START, importance, one_sided)
    groups = quartics.GroupCosts(
        np.empty(4), np.empty(4), np.empty(5, dtype=np.int64),
        *(np.empty(room) for _ in range(4)), np.empty((room, 5)),
    )  # fmt: skip
    used = quartics.build(x, delta, importance, START, ALPHA, SHIFT, one_sided, groups)
    assert used <= room
    return groups, x, delta, importance


def cost(c, x, delta, importance, one_sided):
    """Equation (14) of one group; infinite where a hard target is not met."""
    total = SHIFT * len(x) * (c - x.mean()) ** 2
    for v, d, w in zip(x, delta, importance, strict=True):
        room = d**2 - (c - v) ** 2
        if w < 1.0:
            total += ALPHA * (max(room, 0.0) if one_sided else room) ** 2 / (1.0 - w) ** 2
        elif room > 0.0:
            return np.inf
    return total


def pieces(groups, j):
    return range(groups.begin[j], groups.begin[j + 1])


def places(groups, j, lam, mu):
    """Local minima and ends of a group's cost + n (lam c + mu c^2), each with its value."""
    n, center, u = groups.size[j], groups.center[j], Polynomial([0.0, 1.0])
    for p in pieces(groups, j):
        low, high = groups.low[p], groups.high[p]
        whole = Polynomial(groups.coef[p]) + n * (lam * (u + center) + mu * (u + center) ** 2)
        roots = whole.deriv().roots()
        inner = [r.real for r in roots if abs(r.imag) < 1e-9 and whole.deriv(2)(r.real) > 0]
        for at in [*(r for r in inner if low <= r <= high), low, high]:
            if np.isfinite(at):
                yield at, whole(at), p


@pytest.mark.parametrize(("one_sided", "hard"), KINDS)
def test_pieces_hold_what_is_allowed_and_what_it_costs(rng, one_sided, hard):
    groups, x, delta, importance = built(rng, one_sided, hard)
    for j in range(4):
        own = slice(START[j], START[j + 1])
        for u in np.linspace(-3.0, 3.0, 121):
            expected = cost(x[own].mean() + u, x[own], delta[own], importance[own], one_sided)
            here = [p for p in pieces(groups, j) if groups.low[p] <= u <= groups.high[p]]
            assert bool(here) == (expected < np.inf)
            for p in here:
                assert Polynomial(groups.coef[p])(u) == pytest.approx(expected, abs=1e-12)
                assert entries.piece_of(groups, j, u) == here[0]
        # The walls of a piece: as far as one can go without a forbidden value.
        free = list(pieces(groups, j))
        for p in free:
            left, right = p, p
            while left - 1 in free and groups.high[left - 1] == groups.low[left]:
                left -= 1
            while right + 1 in free and groups.low[right + 1] == groups.high[right]:
                right += 1
            assert groups.left[p] == groups.low[left]
            assert groups.right[p] == groups.high[right]
        assert groups.low[free[0]] == -np.inf
        assert groups.high[free[-1]] == np.inf


def test_local_minima_of_quartics_are_all_found(rng):
    roots = np.empty(2)
    twice = 0
    for _ in range(60):
        a = rng.normal(size=4) * [1.0, 3.0, 1.0, 1.0]
        a[3] = abs(a[3]) + 0.1
        whole = Polynomial([0.0, *a])
        lowest = [r.real for r in whole.deriv().roots() if abs(r.imag) < 1e-9]
        lowest = sorted(r for r in lowest if whole.deriv(2)(r) > 0)
        count = entries.minima(*a, roots)
        assert sorted(roots[:count]) == pytest.approx(lowest, abs=1e-9)
        twice += count == 2
    assert 5 <= twice <= 55
    assert entries.minima(3.0, 2.0, 0.0, 0.0, roots) == 1
    assert roots[0] == -0.75
    assert entries.minima(3.0, -2.0, 0.0, 0.0, roots) == 0
    assert entries.minima(0.0, 0.0, 0.0, 2.0, roots) == 1
    assert roots[0] == 0.0


@pytest.mark.parametrize(("one_sided", "hard"), KINDS)
def test_answers_are_the_least_of_every_group(rng, one_sided, hard):
    groups, *_ = built(rng, one_sided, hard)
    u, sums = np.empty(4), np.empty(3)
    for lam, mu in ((0.0, 0.0), (0.7, 0.2), (-1.5, 0.4), (0.3, -0.3)):
        assert quartics.answer(groups, lam, mu, u, sums)
        total = 0.0
        for j in range(4):
            at, least, _ = min(places(groups, j, lam, mu), key=lambda one: one[1])
            assert u[j] == pytest.approx(at, abs=1e-7)
            total += least
        c = groups.center + u
        assert sums == pytest.approx([total, groups.size @ c, groups.size @ c**2])
    if one_sided or hard:  # beyond all targets the cost is SHIFT n c^2
        assert not quartics.answer(groups, 0.0, -1.01 * SHIFT, u, sums) or hard < 1.0


@pytest.mark.parametrize(("one_sided", "hard"), KINDS)
def test_alternatives_are_the_best_of_the_other_minima(rng, one_sided, hard):
    groups, *_ = built(rng, one_sided, hard)
    u, other, gain = np.empty(4), np.empty(4), np.empty(4)
    for lam, mu in ((0.0, 0.0), (0.7, 0.2), (0.3, -0.3)):
        assert quartics.answer(groups, lam, mu, u, np.empty(3))
        quartics.alternatives(groups, lam, mu, u, other, gain)
        for j in range(4):
            found = list(places(groups, j, lam, mu))
            now = min(value for _, value, _ in found)
            # Within connected pieces an end is no minimum of its own: only walls are.
            far = [
                (value, at)
                for at, value, p in found
                if abs(at - u[j]) >= 1e-6
                and (at not in (groups.low[p], groups.high[p])
                     or at in (groups.left[p], groups.right[p]))
            ]  # fmt: skip
            if far:
                assert gain[j] == pytest.approx(now - min(far)[0], abs=1e-9)
                assert other[j] == pytest.approx(min(far)[1], abs=1e-7)
            else:
                assert (gain[j], other[j]) == (-np.inf, u[j])


def test_basins_are_balanced_one_by_one(rng):
    groups, *_ = built(rng, False, 0.0)
    for _ in range(5):
        u, other, order = rng.normal(size=4), rng.normal(size=4), rng.permutation(4)
        expected = u.copy()

        def apart(v):
            c = np.repeat(groups.center + v, np.diff(START))
            return c.sum() ** 2 + (np.square(c).sum() - 12) ** 2

        for j in order:
            moved = np.where(np.arange(4) == j, other, expected)
            if apart(moved) < apart(expected):
                expected = moved
        p3m.balance(groups, 12, other, order, u)
        assert u == pytest.approx(expected)


@pytest.mark.parametrize(("one_sided", "hard"), KINDS[:4])
def test_descents_go_down_and_keep_the_moments(rng, one_sided, hard):
    """Mean 0, variance 1, hard targets kept, never above the start; without walls flat."""
    ended = 0
    for _ in range(12):
        groups, x, delta, importance = built(rng, one_sided, hard)
        u, found = 0.3 * rng.normal(size=4), np.zeros(2)
        before = u.copy()
        least = p3m.descend(groups, 12, hard > 0, 100, u, found)
        if least == np.inf:
            continue
        ended += 1
        c = groups.center + u
        assert groups.size @ c == pytest.approx(0.0, abs=1e-8)
        assert groups.size @ c**2 == pytest.approx(12.0, abs=1e-7)
        own = [slice(START[j], START[j + 1]) for j in range(4)]
        costs = [
            cost(c[j], x[s], delta[s] * (1 - 1e-9), importance[s], one_sided)
            for j, s in enumerate(own)
        ]
        assert least == pytest.approx(sum(costs), rel=1e-6)
        assert least == pytest.approx(p3m.total_cost(groups, u))
        moved = before.copy()
        assert p3m.restore(groups, 12, hard > 0, moved)
        assert least <= p3m.total_cost(groups, moved) * (1 + 1e-12)
        for j in range(4 if hard == 0 else 0):
            p, out = entries.piece_of(groups, j, u[j]), np.empty(3)
            entries.cost_at(groups.coef, p, u[j], out)
            pull = out[1] + groups.size[j] * (found[0] + 2.0 * found[1] * c[j])
            if min(abs(u[j] - groups.low[p]), abs(u[j] - groups.high[p])) > 1e-6:
                assert pull == pytest.approx(0.0, abs=1e-4)
    assert ended >= 3
