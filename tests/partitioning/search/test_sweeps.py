from __future__ import annotations

import numpy as np
import pytest

import coterie
from coterie.kernels.base import draws
from coterie.kernels.search import blocks
from coterie.kernels.search import sweeps as kernel
from coterie.partitioning.core import sse_of
from coterie.partitioning.driver import Run
from coterie.partitioning.neighbors import candidates
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.optimize import cooling, search
from coterie.partitioning.search.optimize.cooling import Cooling, breadth
from coterie.partitioning.search.optimize.course import Course
from coterie.partitioning.search.paths import halves
from coterie.partitioning.search.stop import Budget, Stop
from coterie.partitioning.search.sweeps import Sweeps
from coterie.partitioning.search.walks import Walks
from tests import naive_search, naive_sweeps
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


def course_of(X, k, seconds=None):
    problem = Problem.of(X, k)
    run = Run(time_limit=seconds, seed=np.random.SeedSequence(0))
    near = candidates(problem, 10, run)
    walks = Walks(problem, halves(problem), near, np.random.SeedSequence(1), 2)
    course = Course(problem, Budget(run, Stop(np.inf, -1.0, 2**62)), walks)
    sweeps = Sweeps(problem, course.labels, near, np.random.SeedSequence(2), 2, course.sse)
    return course, sweeps


def test_cooling_works_alone_and_keeps_what_is_better(rng, monkeypatch):
    course, sweeps = course_of(rng.normal(size=(900, 4)), 3)
    before = course.sse
    Cooling((60,), level=900).run(course, sweeps)
    cooled, labels = course.sse, course.labels
    assert cooled < 0.8 * before
    assert sweeps.tally()["proposals"] == pytest.approx(900 * 70, rel=0.05)
    monkeypatch.setattr(Cooling, "last", 0)
    Cooling((3,), warm=50.0, cool=40.0).run(course, sweeps)
    assert sse_of(course.problem.points, sweeps.labels) > 1.2 * cooled
    assert course.sse == cooled
    assert np.array_equal(course.labels, labels)


def levels(course, sweeps, plan, clock=None):
    """Temperature and turns of each level of a plan."""
    seen = []

    def note(*_, **__):
        seen.append((sweeps.level.temperature, sweeps.level.sweeps))
        if clock:
            clock.now += 1.0

    course.drive = note
    plan.run(course, sweeps)
    return seen


def test_tables_of_many_dimensions_are_cooled_from_less(rng):
    """By the square root of the dimensions, the last temperature, too; below ten by more."""

    def temperatures(d):
        course, sweeps = course_of(rng.normal(size=(400, d)), 3)
        unit = course.sse / 400
        return [t / unit for t, _ in levels(course, sweeps, Cooling((10,), fewest=3, level=2000))]

    few, many = temperatures(12), temperatures(48)
    assert len(few) == 4
    for one, other in zip(few[:3], many[:3], strict=True):
        assert one / other == pytest.approx(2.0, rel=0.1)
    assert few[1] == pytest.approx(np.sqrt(0.3 * 0.06) * np.sqrt(10 / 12), rel=0.1)
    assert few[-1] == many[-1] == 0.0
    fewer = temperatures(4)
    assert fewer[1] == pytest.approx(np.sqrt(0.3 * 0.06) * (10 / 4) ** 0.75, rel=0.1)


def test_every_proposal_is_made_at_some_temperature(rng):
    course, sweeps = course_of(rng.normal(size=(400, 3)), 3)
    found = levels(course, sweeps, Cooling((50,), fewest=7, level=10_000))
    assert len(found) == 8
    assert sum(turns for _, turns in found) == 60
    assert found[-1] == (0.0, 10)
    heat = [t for t, _ in found]
    assert heat == sorted(heat, reverse=True)


def test_what_the_clock_cuts_short_is_cold_in_the_end(rng, clock, monkeypatch):
    """Temperatures are left out rather than the last turns, in which all falls into place."""
    course, sweeps = course_of(rng.normal(size=(400, 3)), 3, seconds=5.5)
    monkeypatch.setattr(Sweeps, "tally", lambda _: {"proposals": int(4000 * clock.now)})
    found = levels(course, sweeps, Cooling((100,), fewest=10, most=10), clock)
    assert [turns for _, turns in found] == [10] * 5 + [10]
    assert found[-1][0] == 0.0


def test_parts_of_the_temperatures_take_the_same_time_whatever_the_pace(rng, clock, monkeypatch):
    """Half way down everything becomes four times as slow."""
    course, sweeps = course_of(rng.normal(size=(400, 3)), 3, seconds=100.0)
    made = [0]

    def drive(*_, **__):
        made[0] += 400 * sweeps.level.sweeps
        clock.now += sweeps.level.sweeps * (0.1 if clock.now < 50 else 0.4)

    course.drive = drive
    monkeypatch.setattr(Sweeps, "tally", lambda _: {"proposals": made[0]})
    plan = Cooling((None,) * 4, fewest=4, level=400, share=1.0)
    turns = plan.run(course, sweeps, 0.2).proposals
    assert turns[0] == pytest.approx(122, abs=2)  # what was expected
    assert turns[1] == pytest.approx(290, abs=5)  # twice as fast
    assert clock.now == pytest.approx(100.0, abs=2.0)
    given = Cooling(turns, fewest=4, level=400).run(course, sweeps).proposals
    assert given == turns


def test_breadth_counts_the_dimensions_in_which_groups_spread(rng):
    """Not those in which the table does: groups lie far apart along one more attribute."""

    def found(widths):
        centers = np.repeat(np.arange(400) * 1e3, 5)
        around = rng.normal(size=(2000, len(widths))) * widths
        problem = Problem.of(np.column_stack([centers, around]), 5)
        near = np.zeros((2000, 2), dtype=np.int32)
        walks = Walks(problem, np.arange(2000) // 5, near, np.random.SeedSequence(1), 4)
        one = breadth(walks)
        walks.arrange()  # whatever lies where
        assert breadth(walks) == pytest.approx(one)
        return one

    assert found(np.ones(8)) == pytest.approx(8, rel=0.05)
    assert found([1.0] * 8 + [1e-3] * 8) == pytest.approx(8, rel=0.05)
    assert found([1.0, 1e-3, 1e-3, 1e-3]) == cooling.LEAST == 3.0
    assert found([0.0, 0.0]) == 3.0


def test_a_large_table_is_never_above_its_start(rng, monkeypatch):
    monkeypatch.setattr(search, "MELT", 100)
    X = rng.normal(size=(8200, 6))
    start = coterie.partition(X, 4, "mdav")
    p = coterie.partition(X, 4, "optimize", random_state=0, iterations=1, proposals=10)
    assert p.sse < 0.95 * start.sse
    assert p.sizes.min() >= 4
    assert p.sizes.max() <= 7


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
