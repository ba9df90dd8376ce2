"""The cheapest change of the number of groups: against the oracle."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.guarantees.constraints import Constraints
from coterie.kernels.base import groups
from coterie.kernels.constrained import resizing
from tests import naive_constraints as naive

K, N = 2, 20
SCRATCH = (np.empty(N, dtype=np.int64), np.empty(N), np.empty(N + 1, dtype=np.int64))


def made(seed):
    """Points, units, and the state of groups of 3 to 6 by the first coordinate, and their rules."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(N, 2))
    units = rng.integers(0, 8, N)
    labels = np.empty(N, dtype=np.int64)
    labels[np.argsort(points[:, 0])] = np.minimum(np.arange(N) // (3 + seed % 3), 4)
    rules = Constraints(units=units).rules(N, K)
    return points, units.tolist(), rules, groups.groups(points, labels, K, N)


@pytest.mark.nojit
@pytest.mark.parametrize("more", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_what_changes_is_what_the_oracle_changes(seed, more):
    points, units, rules, state = made(seed)
    pool = np.random.default_rng(seed).choice(N, 9, replace=False)

    def may(members):
        return naive.distinct_units(members, units) >= K

    def lack(members):
        return max(K - naive.distinct_units(members, units), 0) / K

    turns = 0
    while turns < 3:
        labels = state.labels.tolist()
        expected = naive.resized(
            points.tolist(), labels, pool.tolist(), more, K, may, lack, resizing.ASKED * K
        )
        assert resizing.resize(state, rules, pool, more, SCRATCH) == (expected is not None)
        assert state.labels.tolist() == (labels if expected is None else expected)
        if expected is None:
            break
        assert naive.classes(expected).keys() == set(range(int(state.cursor[groups.COUNT])))
        turns += 1
    assert turns > 0


@pytest.mark.nojit
def test_one_group_stays_and_no_group_is_made_that_k_forbids():
    points, _, rules, _ = made(0)
    one = groups.groups(points, np.zeros(N, dtype=np.int64), K, N)
    assert not resizing.resize(one, rules, np.arange(N), False, SCRATCH)
    assert one.labels.tolist() == [0] * N
    full = groups.groups(points, np.arange(N) // K, K, N)
    assert not resizing.resize(full, rules, np.arange(N), True, SCRATCH)
    assert full.labels.tolist() == (np.arange(N) // K).tolist()
