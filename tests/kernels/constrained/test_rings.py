"""A walk of shifts, swaps and rings: against the oracle, and what it puts aside."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.guarantees.constraints import Constraints
from coterie.kernels.base import draws, groups
from coterie.kernels.constrained import rings
from coterie.partitioning.core import sse_of
from tests import naive_constraints as naive
from tests.naive_search import Draws

K, N = 3, 40
HOT, COLD = 0.5, 0.05


def walk(seed, allowed, pool=None):
    """Points, units, and the states of a walk over groups by the first coordinate."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(N, 2))
    units = rng.integers(0, 15, N)
    labels = np.empty(N, dtype=np.int64)
    labels[np.argsort(points[:, 0])] = np.arange(N) // 8
    apart = np.square(points[:, None] - points).sum(axis=2)
    near = np.argsort(apart, axis=1, kind="stable")[:, 1:9]
    rules = Constraints(units=units).rules(N, K)
    state = groups.groups(points, labels, K, N)
    return points, units, rules, state, rings.rings(state, near, HOT, COLD, allowed, pool)


@pytest.mark.parametrize("seed", range(6))
def test_proposals_are_those_of_the_oracle(seed):
    pool = None if seed % 2 else np.arange(seed, N, 3)
    points, units, rules, state, made = walk(seed, 60_000, pool)
    words = draws.seeded(np.random.SeedSequence(seed))
    drawn = Draws(words)
    labels, seen = state.labels.tolist(), [groups.total(state)]
    near, X = made.near.tolist(), points.tolist()

    def may(members):
        return naive.distinct_units(members, units) >= K

    while made.cursor[rings.WORK] < made.cursor[rings.ALLOWED]:
        share = made.cursor[rings.WORK] / (rings.QUENCH * made.cursor[rings.ALLOWED])
        temperature = HOT * (COLD / HOT) ** share if share < 1 else 0.0
        for _ in range(rings.SLICE):
            labels = naive.ring_proposed(
                X, near, labels, K, may, drawn, temperature, rings.RARE, made.pool.tolist()
            )
            seen.append(sum(naive.sse(X, m) for m in naive.classes(labels).values()))
        assert rings.step(made, state, rules, words, 1) == 1
        assert state.labels.tolist() == labels
        assert made.heat[rings.LEAST] == pytest.approx(min(seen), rel=1e-9)
    assert sse_of(points, made.best) == pytest.approx(min(seen), rel=1e-9)
    assert (np.diff(seen) > 1e-9).any()  # some cost
    assert rings.step(made, state, rules, words, 1) == 0


def test_what_is_put_aside_is_admissible_and_no_worse():
    points, units, rules, state, made = walk(7, 3_000_000)
    before = sse_of(points, state.labels)
    rings.step(made, state, rules, draws.seeded(np.random.SeedSequence(7)), 10**6)
    assert naive.admissible(made.best.tolist(), K, units.tolist())
    assert sse_of(points, made.best) < before
    assert made.cursor[rings.MOVES] > 100
