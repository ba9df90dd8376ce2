from __future__ import annotations

import itertools
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import coterie
from coterie.kernels.path import tsp as kernel
from coterie.partitioning import mhm
from coterie.partitioning.driver import Run
from coterie.partitioning.neighbors import nearest_neighbors
from coterie.partitioning.path.npn import npn
from coterie.partitioning.path.tsp import NEIGHBORS, tsp
from coterie.partitioning.problem import Problem
from tests import naive

lattices = hnp.arrays(
    np.int64, st.tuples(st.integers(2, 22), st.integers(1, 3)), elements=st.integers(-4, 4)
)


def assert_local_optimum(X, tour):
    """No move that the neighbor lists allow makes it shorter, and it began no shorter."""
    n = len(X)
    assert sorted(tour) == list(range(n))
    length = naive.tour_length(X, tour)
    assert length <= naive.tour_length(X, naive.npn(X)) * (1 + 1e-9)
    if n >= 5:
        near = naive.neighbor_lists(X, min(NEIGHBORS, n - 1))
        for other in naive.tours_one_move_away(X, tour, near):
            assert naive.tour_length(X, other) >= length * (1 - 1e-9)


@pytest.mark.nojit
@pytest.mark.parametrize(("n", "d"), [(5, 2), (12, 1), (31, 2), (40, 5)])
def test_a_local_optimum(n, d, rng):
    X = rng.normal(size=(n, d))
    assert_local_optimum(X, tsp(Problem.of(X, 2), Run()).tolist())


@given(X=lattices)
def test_a_local_optimum_among_duplicates(X):
    assert_local_optimum(X.astype(float), tsp(Problem.of(X, 2), Run()).tolist())


def test_every_move_makes_the_tour_shorter(rng):
    """A step of one unit makes at most one move; the tour stays one tour and gets shorter."""
    assert moves_of(rng.normal(size=(60, 2)), rng) > 30


def test_every_move_makes_small_tours_shorter(rng):
    """Moves over half the tour turn all the rest instead: in small tours that is common."""
    for n in range(5, 16):
        for _ in range(15):
            moves_of(rng.normal(size=(n, 2)), rng)


def moves_of(X, rng):
    """The number of moves from a random tour to a local optimum; asserts that each one gains."""
    n = len(X)
    near, away, _ = nearest_neighbors(X, min(10, n - 1), Run())
    state = kernel.tsp(X, near, np.sqrt(away), rng.permutation(n))
    length = naive.tour_length(X, state.tour.tolist())
    moves = 0
    while state.cursor[kernel.WAIT] > 0 or state.cursor[kernel.MOVED] > 0:
        kernel.step(state, 1)
        assert sorted(state.tour.tolist()) == list(range(n))
        assert np.array_equal(state.place[state.tour], np.arange(n))
        now = naive.tour_length(X, state.tour.tolist())
        assert now <= length * (1 + 1e-12)
        moves += now < length
        length = now
    return moves


def test_points_on_a_circle_are_visited_in_turn(rng):
    turns = np.sort(rng.uniform(0, 2 * np.pi, 60))
    X = np.column_stack([np.cos(turns), np.sin(turns)])
    tour = tsp(Problem.of(X, 2), Run())
    assert set(np.diff(tour) % 60) in ({1}, {59})


def test_close_to_the_best_of_all_tours(rng):
    for _ in range(5):
        X = rng.normal(size=(8, 2))
        best = min(naive.tour_length(X, [0, *rest]) for rest in itertools.permutations(range(1, 8)))
        found = naive.tour_length(X, tsp(Problem.of(X, 2), Run()).tolist())
        assert best * (1 - 1e-12) <= found <= best * 1.05


def test_much_shorter_than_nearest_point_next(rng):
    X = rng.uniform(size=(2000, 2))
    problem = Problem.of(X, 3)
    start, tour = (f(problem, Run()).tolist() for f in (npn, tsp))
    assert naive.tour_length(X, tour) < 0.87 * naive.tour_length(X, start)


def test_the_order_begins_at_the_longest_edge(rng):
    X = rng.normal(size=(50, 2))
    tour = tsp(Problem.of(X, 2), Run())
    gaps = np.linalg.norm(X[tour] - X[np.roll(tour, 1)], axis=1)
    assert gaps.argmax() == 0


def test_cut_as_a_tour_by_default(rng):
    X = rng.normal(size=(90, 3))
    order = tsp(Problem.of(X, 4), Run())
    p = coterie.partition(X, 4, "tsp-mhm")
    assert p.options == {"tour": True}
    assert p.sse == mhm(X, 4, order, tour=True).sse
    assert coterie.partition(X, 4, "tsp-mhm", tour=False).sse == mhm(X, 4, order).sse


@pytest.mark.slow
def test_twenty_thousand_records_in_time(rng):
    began = time.process_time()
    coterie.partition(rng.normal(size=(20_000, 10)), 5, "tsp-mhm")
    assert time.process_time() - began < 300  # of the processor


@pytest.mark.nojit
def test_fdm_cuts_one_tour_for_several_k(rng, monkeypatch):
    from coterie.partitioning import fdm
    from coterie.partitioning.path import successive

    X = rng.normal(size=(60, 2))
    tours = []
    monkeypatch.setattr(successive, "tsp", lambda *given: tours.append(1) or tsp(*given))
    for tour in (True, False):
        for p, k in zip(fdm(X, [3, 2, 7], tour=tour), [3, 2, 7], strict=True):
            alone = coterie.partition(X, k, "fdm", tour=tour)
            same = coterie.partition(X, k, "tsp-mhm", tour=tour)
            assert np.array_equal(p.labels, alone.labels)
            assert np.array_equal(p.labels, same.labels)
            assert (p.k, p.method) == (k, "fdm")
    assert tours == [1, 1]
    with pytest.raises(coterie.ParameterError, match="'k' parameter of fdm"):
        fdm(X, [])
    with pytest.raises(coterie.ParameterError, match=r"'tour' parameter of fdm.*True or False"):
        fdm(X, 3, tour="yes")
