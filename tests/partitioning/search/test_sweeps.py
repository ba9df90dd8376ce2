from __future__ import annotations

import numpy as np
import pytest

from coterie.kernels.base import draws
from coterie.kernels.search import blocks
from coterie.kernels.search import sweeps as kernel
from coterie.partitioning.core import sse_of
from coterie.partitioning.driver import Run
from coterie.partitioning.neighbors import candidates
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.sweeps import Sweeps
from tests import naive_search, naive_sweeps
from tests.partitioning.search.optimize.courses import halves
from tests.trials import later


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("n", "k", "rare", "window", "others"),
    [(18, 2, 3, 100, 0), (31, 3, 5, 100, 0), (40, 2, 2, 3, 0), (60, 3, 40, 7, 4), (70, 4, 2, 5, 3)],
)
@pytest.mark.parametrize("fading", [255, 12])
@pytest.mark.parametrize("seed", [0, later(1), later(2)])
def test_sweeps_agree_with_their_oracle_move_by_move(
    n, k, rare, window, others, dtype, fading, seed
):
    rng = np.random.default_rng(seed)
    problem = Problem.of(rng.normal(size=(n, 2)), k)
    near = candidates(problem, 6, Run())
    labels = halves(problem)
    count = int(labels.max()) + 4  # three slots are empty
    unit = sse_of(problem.points, labels) / n
    state = blocks.blocks(problem.points, near, labels, k, count, unit, dtype)
    walk = kernel.sweeper(state, 1, draws.seeded(np.random.SeedSequence(seed)))
    mine = np.arange(others, count)
    live, bare = mine[mine <= labels.max()], mine[mine > labels.max()]
    state.owner[mine] = 1
    walk.slots[: len(live)] = live
    walk.empty[: len(bare)] = bare
    walk.cursor[kernel.SLOTS], walk.cursor[kernel.EMPTY] = len(live), len(bare)
    begin = [np.flatnonzero(labels == g).tolist() for g in range(count)]
    words = draws.seeded(np.random.SeedSequence(seed))
    oracle = naive_sweeps.Oracle(
        problem.points, near.tolist(), begin, k, unit, naive_search.Draws(words), mine.tolist()
    )
    for heat in (0.4, 0.0):
        level = kernel.Level(heat * unit, 6, rare, window, 5.0, fading)
        walk.cursor[kernel.FIRST] = walk.cursor[kernel.DONE] = 0
        while not kernel.step(state, walk, level, 1):  # left and resumed again and again
            pass
        naive = oracle.run(6, window, heat * unit, rare, 5.0, fading)
        found = [state.members[g, : state.size[g]].tolist() for g in range(count)]
        assert found == naive
        assert_whole(state, problem.points, np.arange(n))
    assert walk.cursor[kernel.MOVES] == oracle.moves > 5
    assert oracle.spared > 20


def assert_whole(state, points, order):
    """Heads, places, labels, coordinates and centroids tell the same."""
    size = state.size.astype(int)
    assert size.sum() == len(state.labels)
    assert size[size > 0].min() >= state.k
    assert size.max() <= state.limit
    rows = state.rows.reshape(len(size), state.limit + 2, -1)[:, :, : points.shape[1]]
    for g in np.flatnonzero(size):
        members = state.members[g, : size[g]]
        assert (state.labels[members] == g).all()
        assert (state.place[members] == np.arange(size[g])).all()
        assert rows[g, 1 : size[g] + 1] == pytest.approx(points[order[members]], rel=1e-6)
        assert rows[g, 0] == pytest.approx(points[order[members]].mean(axis=0), abs=1e-6)


def swept(X, k, count=3, workers=1):
    """A table cooled down a little, and what it was before."""
    problem = Problem.of(X, k)
    labels = halves(problem)
    near = candidates(problem, 10, Run())
    loss = sse_of(problem.points, labels)
    sweeps = Sweeps(problem, labels, near, np.random.SeedSequence(1), count, loss)
    for turn in range(4):
        sweeps.arrange()
        sweeps.level = kernel.Level(0.1 * loss / len(X), 3, 20, 9, 9.0, 255)
        sweeps.share_out()
        owner = sweeps.state.owner
        assert set(np.unique(owner)) <= set(range(count))
        for number, stream in enumerate(sweeps.streams):
            walk = stream.state
            slots = walk.slots[: walk.cursor[kernel.SLOTS]]
            bare = walk.empty[: walk.cursor[kernel.EMPTY]]
            assert sorted([*slots, *bare]) == np.flatnonzero(owner == number).tolist()
        Run(workers=workers).drive(sweeps.streams, phase="test", epoch=1, iterations=1)
        assert sweeps.tally()["proposals"] == pytest.approx(3 * (turn + 1) * len(X), rel=0.25)
        assert_whole(sweeps.state, problem.points, sweeps._laid[0])
    return sweeps, sse_of(problem.points, sweeps.labels), loss


def test_sweeps_improve_a_partition_on_any_number_of_workers(rng):
    X = rng.normal(size=(700, 5))
    one, now, before = swept(X, 3)
    assert now < 0.8 * before
    assert one.state.rows.dtype == np.float32
    two, _, _ = swept(X, 3, workers=3)
    assert np.array_equal(one.labels, two.labels)


def test_records_arranged_in_memory_are_the_same_partition(rng):
    sweeps, now, _ = swept(rng.normal(size=(300, 3)), 4)
    before = sweeps.labels
    near = candidates(sweeps.problem, 10, Run())
    sweeps.arrange()
    pairs = np.unique(np.column_stack([sweeps.labels, before]), axis=0)
    assert len(pairs) == len(np.unique(before))
    order = sweeps._laid[0]
    state = sweeps.state
    assert np.array_equal(order[state.ways[:, : state.reach]], near[order])
    assert (np.diff(sweeps.state.labels.astype(int)) >= 0).all()  # group by group
    assert sse_of(sweeps.problem.points, sweeps.labels) == pytest.approx(now)


def test_what_is_remembered_stays_true_where_records_are_arranged_anew(rng):
    """Not a signature less is right than before."""
    sweeps, _, _ = swept(rng.normal(size=(300, 3)), 4)

    def right():
        state = sweeps.state
        signatures = state.asked[:, 5 * state.reach : 6 * state.reach]
        version = state.version.astype(int)
        there = version[state.labels[state.ways[:, : state.reach]]]
        same = signatures == (3 * version[state.labels][:, None] + there) % 256
        found = np.empty_like(same)
        found[sweeps._laid[0]] = same
        return found

    before = right()
    assert before.sum() > 100
    sweeps.arrange()
    assert np.array_equal(right(), before)


@pytest.mark.parametrize("walks", [2, 3, 4])
def test_territories_are_cut_across_a_direction(walks, rng):
    """As many groups each, whatever their slots; the heights are those of the centroids."""
    sweeps, _, _ = swept(rng.normal(size=(600, 5)), 4, count=walks)
    live, direction = sweeps._live(), rng.normal(size=5)
    expected = sweeps._centroids()[live] @ direction
    assert sweeps._along(live, direction) == pytest.approx(expected, rel=1e-4, abs=1e-5)
    sweeps.share_out()
    dealt = [one.state.slots[: one.state.cursor[kernel.SLOTS]] for one in sweeps.streams]
    assert sorted(np.concatenate(dealt)) == live.tolist()
    if walks != 3:
        assert np.ptp([len(one) for one in dealt]) <= walks


def test_double_precision_where_single_would_see_nothing(rng):
    """Groups less than a millionth as wide as the table is, by sixteen records each."""
    places = np.arange(64) // [[8], [1]] % 8  # on a grid, which halves cut between two of them
    X = np.repeat(places.T.astype(float), 16, axis=0) + 1e-7 * rng.normal(size=(1024, 2))
    sweeps, now, before = swept(X, 4)
    assert sweeps.state.rows.dtype == np.float64
    assert now < 0.9 * before


def test_sizes_beyond_sixteen_bits_are_held(rng):
    """Few groups of very many: a size is never cut to the bits that smaller ones take."""
    n, k = 70_000, 35_000
    points, near = rng.normal(size=(n, 1)), np.zeros((n, 1), dtype=np.int32)
    for labels in (np.zeros(n, dtype=np.int64), np.arange(n) // k):
        labels[0] = 0
        state = blocks.blocks(
            points[: n - 1], near[: n - 1], labels[: n - 1], k, 3, 1.0, np.float64
        )
        assert state.size.tolist() == np.bincount(labels[: n - 1], minlength=3).tolist()


@pytest.mark.parametrize("loss", [0.0, 5e-324])
def test_sweeps_take_a_partition_that_loses_nothing(rng, loss):
    X = np.repeat(rng.normal(size=(20, 2)), 3, axis=0)
    near = np.argsort(np.square(X[:, None] - X[None]).sum(axis=2), axis=1)[:, 1:6].astype(np.int32)
    labels = np.arange(60) // 3
    swept = Sweeps(Problem.of(X, 3), labels, near, np.random.SeedSequence(0), 1, loss)
    swept.share_out()
    swept.level = swept.level._replace(sweeps=3)
    while not swept.streams[0].done:
        swept.streams[0].step(1000)
    assert sse_of(X, swept.labels) == 0.0
