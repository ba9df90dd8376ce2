"""Two partitions crossed: against the oracle, and no worse than either."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.partitioning.constrained.crossing import crossed
from coterie.partitioning.core import sse_of
from tests import naive_constraints as naive


def drawn(seed):
    """Points and two partitions of them that divide some sets of records alike."""
    rng = np.random.default_rng(seed)
    blocks = rng.integers(0, 5, 40)
    points = rng.normal(size=(40, 2)) + blocks[:, None]
    return points, *(3 * blocks + rng.integers(0, 3, 40) for _ in range(2))


@pytest.mark.parametrize("seed", range(20))
def test_parts_are_taken_as_the_oracle_takes_them(seed):
    points, a, b = drawn(seed)
    expected = naive.crossed(points.tolist(), a.tolist(), b.tolist())
    found = crossed(points, a, b)
    assert {tuple(m) for m in naive.classes(found.tolist()).values()} == expected
    both = {tuple(m) for labels in (a, b) for m in naive.classes(labels.tolist()).values()}
    assert expected <= both  # groups are taken whole: admissible if all of these are
    assert sse_of(points, found) <= min(sse_of(points, a), sse_of(points, b)) * (1 + 1e-12)


def test_crossing_two_mostly_beats_both():
    """What the test above compares."""
    lower = 0
    for seed in range(20):
        points, a, b = drawn(seed)
        better = min(sse_of(points, a), sse_of(points, b))
        lower += sse_of(points, crossed(points, a, b)) < better * (1 - 1e-9)
    assert lower > 10


def test_a_chain_is_one_part_and_equal_parts_stay_the_first_ones():
    points = np.array([[0.0], [1.0], [1.0], [2.0], [2.0], [3.0]])
    first, second = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 1, 2, 2, 0])
    assert crossed(points, first, second).tolist() == [0, 0, 1, 1, 2, 2]
    same = np.array([5, 5, 3, 3, 4, 4])
    assert crossed(points, same, first).tolist() == [2, 2, 0, 0, 1, 1]
