from __future__ import annotations

import numpy as np
import pytest

from coterie.partitioning.constructive.leftovers import place
from coterie.partitioning.problem import Problem

X = np.array([[0.0], [2.0], [10.0], [12.0], [3.0], [6.0]])  # centroids 1 and 11, their middle 6


def placed(rows, labels, k, *, together):
    labels = np.array(labels)
    place(Problem.of(X[rows], k), labels, together=together)
    return labels.tolist()


@pytest.mark.nojit
@pytest.mark.parametrize("together", [True, False])
def test_k_or_more_are_the_next_group(together):
    everybody = [0, 1, 2, 3, 4, 5]
    assert placed(everybody, [0, 0, 1, 1, -1, -1], 2, together=together) == [0, 0, 1, 1, 2, 2]
    assert placed(everybody, [0, 0, -1, -1, -1, -1], 2, together=together) == [0, 0, 1, 1, 1, 1]
    assert placed([0, 1], [-1, -1], 2, together=together) == [0, 0]


@pytest.mark.nojit
def test_fewer_go_to_the_nearest_centroid_as_it_was():
    """3 to 1; 6 is as near to 11, and the lowest label wins. Together their mean is 4.5."""
    labels = [0, 0, 1, 1, -1]
    assert placed([0, 1, 2, 3, 4], labels, 2, together=False) == [0, 0, 1, 1, 0]
    assert placed([0, 1, 2, 3, 5], labels, 2, together=False) == [0, 0, 1, 1, 0]
    three = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0], [5.0], [10.5]])
    for together, wanted in ((False, [0, 1]), (True, [1, 1])):
        found = np.array([0, 0, 0, 1, 1, 1, -1, -1])
        place(Problem.of(three, 3), found, together=together)
        assert found.tolist() == [0, 0, 0, 1, 1, 1, *wanted]


@pytest.mark.nojit
def test_nobody_left_over_changes_nothing():
    assert placed([0, 1, 2, 3], [0, 0, 1, 1], 2, together=True) == [0, 0, 1, 1]
