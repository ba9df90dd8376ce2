"""Cuts: every record in one leaf, and no tile with too few."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.pipeline.engines import cuts


def naive_leaf(tree, point):
    while not isinstance(tree, int):
        tree = tree.low if point[tree.axis] <= tree.at else tree.high
    return tree


@pytest.mark.parametrize("levels", [0, 1, 2, 5, 1000])
def test_records_reach_the_leaf_that_their_values_say(rng, levels):
    points = rng.integers(0, levels + 1, size=(600, 3)).astype(float)
    tree = cuts.grow(points[::3], len(points), 40, count())
    leaves = cuts.route(tree, points)
    assert leaves.tolist() == [naive_leaf(tree, point) for point in points]
    assert cuts.leaves(tree) == list(range(len(cuts.leaves(tree))))
    if levels == 1000:
        sizes = np.bincount(leaves)
        assert sizes.max() <= 80
        assert len(sizes) >= 600 / 40


def test_a_sample_that_misleads_is_mended(rng):
    # The sample stands for 1000 records but all lie elsewhere: most leaves stay empty.
    tree = cuts.grow(rng.normal(size=(100, 2)), 1000, 50, count())
    leaves = cuts.route(tree, np.full((1000, 2), 9.0))
    counts = np.bincount(leaves, minlength=len(cuts.leaves(tree)))
    tiles = cuts.join(tree, lambda tile: counts[tile].sum() >= 5)
    assert [sum(counts[leaf] for leaf in tile) for tile in tiles] == [1000]


@given(st.integers(0, 10_000), st.integers(2, 12))
def test_joined_tiles_have_enough_and_hold_every_leaf_once(seed, least):
    rng = np.random.default_rng(seed)
    tree = cuts.grow(rng.normal(size=(64, 2)), 64, 3, count())
    leaves = cuts.leaves(tree)
    counts = rng.integers(0, 2 * least, len(leaves)).tolist()
    tiles = cuts.join(tree, lambda tile: sum(counts[leaf] for leaf in tile) >= least)
    assert [leaf for tile in tiles for leaf in tile] == leaves
    sizes = [sum(counts[leaf] for leaf in tile) for tile in tiles]
    assert min(sizes) >= min(least, sum(counts))
    # What has enough by itself is joined only with what has not.
    for tile in tiles:
        assert (
            sum(counts[leaf] >= least for leaf in tile) <= 1
            or min(counts[leaf] for leaf in tile) < least
        )
