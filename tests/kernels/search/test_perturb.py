from __future__ import annotations

import numpy as np
import pytest

from coterie.kernels.base import draws, groups
from tests import naive_search
from tests.kernels import entries


@pytest.mark.nojit
@pytest.mark.parametrize("samples", [1, 2, 5])
def test_the_largest_of_the_drawn_is_chosen_and_of_equals_the_first(samples):
    sse = np.array([3.0, 7.0, 7.0, 0.0, 7.0, 3.0])
    words = draws.seeded(np.random.SeedSequence(4))
    drawing = naive_search.Draws(words)
    for _ in range(60):
        drawn = [drawing.below(len(sse)) for _ in range(samples)]
        wanted = max(drawn, key=lambda g: sse[g])
        assert entries.choose(sse, len(sse), words, samples) == wanted
    assert words.tolist() == drawing.words


@pytest.mark.nojit
def test_all_but_the_k_nearest_of_a_group_are_excess():
    """Of records equally far the ones that come first stay; a group of k has none to spare."""
    points = np.array([[0.0], [8.0], [1.0], [-1.0], [9.0], [-1.0], [1.0], [0.0], [30.0], [34.0]])
    labels = np.array([0, 1, 0, 0, 1, 0, 0, 0, 2, 2])  # the first has its centroid at 0
    state = groups.groups(points, labels, 2, 10)
    records = np.full(10, -1)
    count = entries.excess(state, np.empty(10, dtype=np.int64), records)
    assert records[:count].tolist() == [2, 3, 5, 6]  # 0 and 7 are the nearest
    points[7] = 1.0
    points[0] = -1.0
    state = groups.groups(points, labels, 2, 10)
    count = entries.excess(state, np.empty(10, dtype=np.int64), records)
    assert records[:count].tolist() == [3, 5, 6, 7]  # all are equally far
    state = groups.groups(points, labels, 1, 10)
    count = entries.excess(state, np.empty(10, dtype=np.int64), records)
    assert records[:count].tolist() == [2, 3, 5, 6, 7, 4, 9]
