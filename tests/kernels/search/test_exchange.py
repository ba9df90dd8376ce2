from __future__ import annotations

import numpy as np
import pytest

from coterie.kernels.base import groups
from coterie.kernels.base.remaining import BLOCK
from coterie.kernels.search import exchange
from tests import naive


def state_of(*members, pool=100):
    """Groups of numbers, k = 2, records numbered as they are given."""
    points = np.concatenate([np.asarray(group, dtype=float) for group in members])[:, None]
    labels = np.repeat(np.arange(len(members)), [len(group) for group in members])
    return exchange.exchange(groups.groups(points, labels, 2, 3), pool)


def found(state):
    count = int(state.cursor[exchange.FOUND])
    rows = zip(state.first, state.second, state.group, strict=True)
    return [tuple(int(number) for number in row) for row in rows][:count]


@pytest.mark.nojit
def test_what_changes_nothing_is_no_improvement():
    """Equal records change places, or a record is as well off elsewhere: not even by rounding."""
    alike = state_of([5, 5, 5], [5, 5], [5, 5])
    exchange.step(alike, 10**6)
    assert found(alike) == []
    # 2 leaves: 3 / 2 of its 4 less; it joins at 3 from the centroid: 2 / 3 of 9 more.
    level = state_of([2, -1, -1], [4, 6])
    exchange.step(level, 10**6)
    assert found(level) == []
    shared = state_of([0, 1.1], [1.1, 2.3])
    exchange.step(shared, 10**6)
    assert found(shared) == []


@pytest.mark.nojit
def test_a_full_pool_ends_the_search():
    """Record 0 gains by changing places with 3: nobody else is looked at."""
    state = state_of([9, 0], [9, 0], [9, 0], pool=1)
    while state.cursor[exchange.AT] < 6 and state.cursor[exchange.FOUND] < 1:
        exchange.step(state, 10**6)
    assert found(state) == [(0, 3, 1)]
    assert state.cursor[exchange.AT] == 1


@pytest.mark.nojit
def test_groups_beyond_a_block_are_looked_at():
    """Of more groups than are measured at a time, the last two have a record of each other."""
    count = BLOCK + 3
    members = [[10 * g, 10 * g + 1] for g in range(count)]
    members[-1][0], members[-2][1] = members[-2][1], members[-1][0]
    state = state_of(*members)
    state.cursor[exchange.AT] = 2 * count - 4  # those before are well off
    exchange.step(state, 10**6)
    labels, points = state.groups.labels, state.groups.points
    now = naive.sse(points, moved(labels, 0, 1))
    expected = [
        (x, y, int(labels[y]))
        for x in range(2 * count - 4, 2 * count)
        for y in range(x + 1, 2 * count)
        if naive.sse(points, moved(labels, x, y)) < now - 1e-9
    ]
    assert len(expected) == 2
    assert found(state) == expected


def moved(labels, x, y):
    """The groups when two records have changed places."""
    new = labels.copy()
    new[x], new[y] = labels[y], labels[x]
    return [np.flatnonzero(new == g).tolist() for g in range(labels.max() + 1)]
