"""The nearest rows by a tree against a look at all of them, ties and own rows included."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.evaluation.links import link_groups
from coterie.kernels.risk import linkage
from tests import naive_measures as naive

pytestmark = pytest.mark.nojit


@pytest.mark.parametrize(("d", "step"), [(1, 0.1), (2, 0.5), (2, 1e-3), (3, 1.0)])
def test_links_are_those_of_a_look_at_all_rows(rng, d, step):
    """Rows on a grid, some of them equal, in groups of several records; queries off and on it."""
    after = np.round(rng.normal(size=(90, d)) / step) * step
    sizes = rng.integers(1, 4, size=90)
    own = rng.integers(90, size=40)
    before = after[own] + step * rng.choice([0.0, 0.5, 3.0, 0.3], (40, 1))
    found = link_groups(before, own, after, sizes)
    for i, best in enumerate(naive.tied(before, after)):
        assert found.nearest[i] == best[0]
        assert found.ties[i] == sizes[best].sum()
        assert found.hit[i] == (own[i] in best)


@pytest.mark.parametrize("g", [1, 2, 5, 16, 17, 100])
def test_a_tree_halves_its_rows_and_bounds_them(rng, g):
    rows, count, first = rng.normal(size=(g, 2)), np.arange(g) + 1, np.arange(g) + 7
    tree, place = linkage.tree(rows, count, first, leaf=4)
    assert (tree.rows[place] == rows).all()
    assert (tree.count[place] == count).all()
    assert (tree.first[place] == first).all()
    nodes = len(tree.bounds)
    assert tree.bounds[0].tolist() == [0, g]
    for node, (start, stop) in enumerate(tree.bounds):
        assert (tree.low[node] == tree.rows[start:stop].min(axis=0)).all()
        assert (tree.high[node] == tree.rows[start:stop].max(axis=0)).all()
        if 2 * node + 1 < nodes:
            (a, b), (c, d) = tree.bounds[2 * node + 1], tree.bounds[2 * node + 2]
            assert (a, b, d) == (start, c, stop)
            assert b - a == (stop - start) // 2
            axis = (tree.high[node] - tree.low[node]).argmax()
            assert tree.rows[a:b, axis].max() <= tree.rows[c:d, axis].min()
        else:
            assert stop - start <= 5
