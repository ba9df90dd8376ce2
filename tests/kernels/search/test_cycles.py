"""Cycles of equal weight: the one that is met first, so that the same table gives the same groups.

Whole numbers, chosen so that every weight is exact: a tie is a tie on any machine.
"""

from __future__ import annotations

import numpy as np
import pytest

from coterie.kernels.base import groups
from coterie.kernels.search import cycles


def searched(*members):
    """The state when all ranks are done, groups ranked and records numbered as they are given."""
    points = np.concatenate([np.asarray(group, dtype=float) for group in members])[:, None]
    labels = np.repeat(np.arange(len(members)), [len(group) for group in members])
    state = cycles.cycles(groups.groups(points, labels, 2, 3), np.arange(len(members)))
    cycles.step(state, 10**6)
    return state


@pytest.mark.nojit
def test_of_equal_cycles_the_first_is_made():
    """Records 0 and 3 change places, or 1 and 2: both leave pairs of equals."""
    state = searched([0, 10], [0, 10])
    assert state.best[0] == -100.0
    assert state.found.tolist() == [1, 2]  # source 1 and record 2: met before 0 and 3


@pytest.mark.nojit
def test_of_equal_ways_the_first_is_kept():
    """Records 2 and 3 are equal: from 0 to 4 over either of them."""
    state = searched([0, 1], [8, 8], [16, 24])
    assert state.dist[2, 0] == state.dist[3, 0]
    assert state.before[4, 0] == 2


@pytest.mark.nojit
def test_a_record_takes_a_place_where_joining_a_group_is_as_cheap():
    """-1 for 2 among -1 and -1: 6 less, as when 2 leaves while -1 joins a group of its like."""
    state = searched([-1, 9], [-1, -1], [2, -1, -1])
    assert state.join[0] == 0.0
    assert state.dist[4, 0] == -6.0
    assert state.before[4, 0] == 0


@pytest.mark.nojit
def test_of_groups_that_are_joined_as_cheaply_the_first_is_kept():
    state = searched([0, 1], [0, 0], [0, 0])
    assert state.dist[6 + 1, 0] == state.dist[6 + 2, 0] == state.join[0] == 0.0
    assert state.join_at[0] == 6 + 1
