"""Coordinates of codes: squared distances are the levels that differ, exact or nearly so."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.hierarchy import of_paths
from coterie.space import Tree
from coterie.space.trees import DRAWN, MOST_COORDINATES
from tests import naive_hierarchy as naive


def squared(axis, categories):
    at = axis.of_categories(categories) * axis.spread
    return np.square(at[:, None] - at[None]).sum(axis=2)


def test_squared_distances_are_the_levels_that_differ():
    rng = np.random.default_rng(5)
    for _ in range(1000):
        paths = naive.random_tree(rng, int(rng.integers(2, 5)), int(rng.integers(2, 12)))
        tree, _ = of_paths(paths)
        short = [tree.path(path[0])[:-1] for path in paths]
        values = [path[0] for path in short]
        counts = rng.integers(1, 9, len(values)).tolist()
        axis = Tree.of(tree, values, counts)
        wanted = [[float(naive.distance(a, b)) for b in short] for a in short]
        assert squared(axis, values) == pytest.approx(np.array(wanted))
        points = axis.of_categories(values)
        if len(set(values)) > 1:  # every key weighs alike
            share = np.array(counts) / sum(counts)
            assert share @ np.square(points).sum(axis=1) == pytest.approx(1.0)


def test_a_label_above_the_values_lies_nearest_to_those_below_it():
    paths = [(f"{a}{b}{c}", f"{a}{b}", a) for a in "xyz" for b in "123" for c in "pqr"]
    tree, _ = of_paths(paths)
    values = [path[0] for path in paths]
    axis = Tree.of(tree, values, [1] * len(values))
    label = axis.of_categories(["x1"])
    apart = np.square(axis.of_categories(values) - label).sum(axis=1)
    assert set(np.flatnonzero(np.isclose(apart, apart.min()))) == {0, 1, 2}


def test_many_codes_are_projected_within_the_stated_error():
    paths = [(f"{a:02d}{b:02d}", f"{a:02d}") for a in range(20) for b in range(60)]
    tree, _ = of_paths(paths)
    values = [path[0] for path in paths]
    axis = Tree.of(tree, values, [1] * len(values))
    assert not axis.exact
    assert axis.width == 20 + DRAWN <= MOST_COORDINATES
    wanted = np.array([[float(naive.distance(a, b)) for b in paths[:300]] for a in paths[:300]])
    found = squared(axis, values)[:300, :300]
    off = (found - wanted)[wanted > 0]
    assert abs(off.mean()) < 0.01
    assert off.std() == pytest.approx(0.5 / np.sqrt(DRAWN), rel=0.2)  # half the weight is drawn
    again = Tree.of(tree, values, [1] * len(values))
    assert (again.of_categories(values) == axis.of_categories(values)).all()
