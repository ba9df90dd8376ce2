from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import coterie
from coterie.kernels.constructive import joining
from tests import naive
from tests.kernels import entries

lattices = hnp.arrays(
    np.int64, st.tuples(st.integers(4, 30), st.integers(1, 3)), elements=st.integers(-4, 4)
)


def places(k, seed):
    """The order in which the records of a block join, as `partition` draws it from the seed."""
    return np.random.default_rng(np.random.SeedSequence(seed)).permutation(k)


@pytest.mark.nojit
@pytest.mark.parametrize(("n", "d", "k"), [(20, 2, 3), (23, 1, 2), (32, 3, 5), (9, 2, 4)])
def test_equals_the_oracle(n, d, k, rng):
    X = rng.integers(0, 10**4, size=(n, d))
    p = coterie.partition(X, k, "systematic", random_state=5)
    groups = naive.systematic(X, k, places(k, 5))
    assert naive.groups_of(p.labels) == {frozenset(g) for g in groups}


@given(X=lattices, k=st.integers(2, 4), seed=st.integers(0, 3))
def test_ties_go_to_the_lowest_group(X, k, seed):
    p = coterie.partition(X, k, "systematic", random_state=seed)
    groups = naive.systematic(X, k, places(k, seed))
    assert naive.groups_of(p.labels) == {frozenset(g) for g in groups}


def test_more_groups_than_one_block(rng):
    X = rng.integers(0, 40, size=(531, 1))
    p = coterie.partition(X, 2, "systematic", random_state=0)
    assert naive.groups_of(p.labels) == {frozenset(g) for g in naive.systematic(X, 2, places(2, 0))}


@pytest.mark.nojit
@pytest.mark.parametrize("extra", [0, 1])
def test_the_cheapest_group_to_join_by_hand(extra, rng):
    """|m x - S|^2 / (m (m + extra)) over the open groups; ties go to the lowest."""
    state = joining.joining(2, 300, extra)
    state.sums[:], state.sizes[:] = rng.integers(0, 4, (2, 300)), rng.integers(1, 3, 300)
    state.ids[:] = rng.permutation(300)
    for count in (300, 257, 40, 1):
        state.open[0] = count
        for point in rng.integers(0, 4, size=(5, 2)).astype(float):
            m = state.sizes[:count]
            cost = np.square(m * point[:, None] - state.sums[:, :count]).sum(0) / (m * (m + extra))
            assert entries.cheapest(state, point) == state.ids[:count][cost == cost.min()].min()
    state.open[0] = 0
    assert entries.cheapest(state, np.zeros(2)) == -1


def test_all_groups_are_full_before_the_extras_come(rng):
    p = coterie.partition(rng.normal(size=(108, 2)), 10, "systematic", random_state=0)
    assert len(p.sizes) == 10
    assert p.sizes.min() == 10


def test_the_seed_matters(rng):
    X = rng.normal(size=(200, 2))
    found = {coterie.partition(X, 5, "systematic", random_state=s).sse for s in range(5)}
    assert len(found) > 1
