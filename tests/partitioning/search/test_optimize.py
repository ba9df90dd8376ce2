from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coterie
from coterie.kernels.base import draws
from coterie.kernels.search import annealing, regions, slots
from coterie.partitioning import driver
from coterie.partitioning.core import sse_of
from coterie.partitioning.driver import Run
from coterie.partitioning.neighbors import candidates
from coterie.partitioning.problem import Problem
from coterie.partitioning.search import paths
from coterie.partitioning.search.optimize import search
from coterie.partitioning.search.optimize.annealing import Annealing
from coterie.partitioning.search.optimize.columns import (
    Closing,
    Dive,
    Plunge,
    Relaxing,
    Tightening,
)
from coterie.partitioning.search.optimize.course import LARGE, Course
from coterie.partitioning.search.optimize.regions import Regions
from coterie.partitioning.search.paths import halves
from coterie.partitioning.search.stop import Budget, Stop
from coterie.partitioning.search.sweeps import Sweeps
from coterie.partitioning.search.walks import Walks
from tests import apart, naive_annealing, naive_search
from tests.clock import Clock
from tests.trials import later


def nearest(X, count):
    d2 = np.square(X[:, None, :] - X[None]).sum(axis=2)
    np.fill_diagonal(d2, np.inf)
    return np.argsort(d2, axis=1, kind="stable")[:, :count].astype(np.int32)


@pytest.mark.parametrize(("n", "k", "rare"), [(18, 2, 4), (23, 3, 5), (31, 3, 40), (40, 2, 10)])
@pytest.mark.parametrize("seed", [0, later(1), later(2)])
def test_annealing_agrees_with_its_oracle_move_by_move(n, k, rare, seed):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    near = nearest(X, 6)
    labels = halves(Problem.of(X, k))
    state = slots.slots(X, near, labels, k, 2 * k - 1, 2)
    walk = regions.walk(state, 0, draws.seeded(np.random.SeedSequence(seed)))
    count = len(state.size)
    walk.territory[:count] = np.arange(count)
    walk.parts[1] = count
    walk.cursor[regions.TERRITORY] = count
    walk.cursor[regions.PARTS] = 1
    state.owner[:] = 0
    plan = regions.Schedule(0, 20, 2.0, 0.01, 0.0, False, 1, rare)
    while annealing.step(state, walk, plan, 1, 7) == 0:  # left and resumed again and again
        pass
    begin = [np.flatnonzero(labels == g).tolist() for g in range(count)]
    words = draws.seeded(np.random.SeedSequence(seed))
    naive = naive_annealing.anneal(
        X, near.tolist(), begin, k, naive_search.Draws(words), 20, 2.0, 0.01, rare
    )
    found = [sorted(np.flatnonzero(state.labels == g).tolist()) for g in range(count)]
    assert found == [sorted(group) for group in naive]
    assert state.sse.sum() == pytest.approx(naive_annealing.total(X, naive))


def assert_whole(state, k):
    """Rows, places, labels and figures tell the same."""
    live = np.flatnonzero(state.size > 0)
    assert state.size[live].min() >= k
    assert state.size.sum() == len(state.labels)
    for g in live:
        row = state.members[g, : state.size[g]]
        assert (state.labels[row] == g).all()
        assert (state.place[row] == np.arange(len(row))).all()
        assert state.sse[g] == pytest.approx(naive_annealing.loss(state.points, row))


def test_records_arranged_in_memory_are_the_same_partition(rng):
    problem = Problem.of(rng.normal(size=(300, 3)), 3)
    near = candidates(problem, 10, Run())
    walks = Walks(problem, halves(problem), near, np.random.SeedSequence(1), 4)
    walks.schedule = regions.Schedule(40, 50, 4.0, 0.01, 0.0, False, 3, 20)
    walks.state.price[:] = np.arange(300)
    for _ in range(3):
        before, sse = walks.labels, walks.sse
        walks.arrange()
        pairs = np.unique(np.column_stack([walks.labels, before]), axis=0)
        assert len(pairs) == len(np.unique(before)) == len(np.unique(walks.labels))
        assert walks.sse == pytest.approx(sse)
        assert_whole(walks.state, 3)
        state = walks.state
        assert (np.diff(state.labels) >= 0).all()  # group by group
        record = state.price.astype(int)  # which one lies where
        assert np.array_equal(state.points, problem.points[record])
        assert np.array_equal(record[state.near], near[record])
        walks.replace(before)  # whatever lies where
        assert np.array_equal(walks.labels, before)
        walks.share_out()
        Run(workers=2).drive(walks.streams, phase="test", epoch=2, iterations=2)
        assert_whole(walks.state, 3)


def test_regions_never_worsen_and_leave_a_whole_partition(rng):
    problem = Problem.of(rng.normal(size=(300, 3)), 3)
    near = candidates(problem, 10, Run())
    walks = Walks(problem, halves(problem), near, np.random.SeedSequence(1), 4)
    walks.schedule = regions.Schedule(40, 50, 4.0, 0.01, 0.0, False, 3, 20)
    before = walks.sse
    for _ in range(10):
        walks.share_out()
        territories = [
            set(s.state.territory[: s.state.cursor[regions.TERRITORY]].tolist())
            for s in walks.streams
        ]
        assert sum(map(len, territories)) == len(set().union(*territories))
        Run(workers=2).drive(walks.streams, phase="test", epoch=2, iterations=2)
        assert walks.sse <= before
        before = walks.sse
        assert_whole(walks.state, 3)
    tally = walks.tally()
    assert tally["regions"] == 80
    assert 0 < tally["kept"] <= 80


@pytest.mark.parametrize("n", [400, 9000])
def test_the_same_on_any_number_of_workers(n, rng, monkeypatch):
    monkeypatch.setattr(search, "MELT", 50)
    monkeypatch.setattr(search, "QUICK", 20)
    X = rng.normal(size=(n, 2))
    one, two = (
        coterie.partition(X, 3, "optimize", random_state=5, iterations=3, workers=w, proposals=20)
        for w in (1, 3)
    )
    assert np.array_equal(one.labels, two.labels)
    assert one.epochs == two.epochs
    other = coterie.partition(X, 3, "optimize", random_state=6, iterations=3, proposals=20)
    assert not np.array_equal(one.labels, other.labels)


@pytest.mark.parametrize("n", [500, 9000])
def test_a_run_ended_by_the_clock_can_be_replayed(n, rng, clock):
    clock.tick = 0.003
    X = rng.normal(size=(n, 3))
    timed = coterie.partition(
        X, 3, "optimize", random_state=2, time_limit=2.0, columns=False, workers=1
    )
    assert timed.runtime >= 2.0
    assert timed.options["melt"] > 0
    last = timed.trace[-1].iterations
    assert last > 3
    again = coterie.partition(
        X,
        3,
        "optimize",
        random_state=2,
        iterations=max(last, 1),
        columns=False,
        melt=timed.options["melt"],
        region=timed.options["region"],
        tile=timed.options["tile"],
        territories=timed.options["territories"],
        parts=timed.options["parts"],
    )
    assert again.sse == timed.sse


@pytest.mark.parametrize(("workers", "wanted"), [(1, 2), (2, 2), (3, 4), (8, 8), (40, 8)])
def test_territories_follow_the_workers_where_the_clock_decides(workers, wanted, rng):
    def chosen(n, **given):
        problem = Problem.of(rng.normal(size=(n, 2)), 3)
        options = search.OptimizeOptions(**given.pop("options", {}))
        return search._Search(problem, Run(workers=workers, **given), options).settings.territories

    assert chosen(9000, time_limit=1.0) == wanted
    assert chosen(9000, iterations=1) == chosen(9000) == search.TERRITORIES
    assert chosen(9000, time_limit=1.0, options={"territories": 5}) == 5
    assert chosen(900, time_limit=1.0) is None


def test_better_than_every_start_and_traced(rng):
    X = rng.normal(size=(400, 3))
    p = coterie.partition(X, 4, "optimize", random_state=0, iterations=10)
    for method in ("mdav-mhm", "cbfs-mhm", "npn-mhm", "tsp-mhm"):
        assert p.sse < coterie.partition(X, 4, method).sse
    found = [point.sse for point in p.trace]
    assert found == sorted(found, reverse=True)
    assert found[-1] == pytest.approx(p.sse)
    assert p.sizes.max() <= 7


def test_columns_prove_the_optimum_of_a_small_table(rng, clock):
    pytest.importorskip("highspy")
    clock.tick = 0.001
    X = rng.normal(size=(40, 2))
    p = coterie.partition(X, 3, "optimize", random_state=0, time_limit=60)
    assert p.gap == pytest.approx(0.0, abs=1e-6)
    assert p.runtime < 60  # by that clock: it was the proof that ended it


def test_columns_keep_certain_groups_and_bound_the_rest(rng, monkeypatch, clock):
    pytest.importorskip("highspy")
    clock.tick = 0.001
    fixed = []
    plain = search._Search.rest

    def watched(self, course, dives, part):
        fixed.append(part.n)
        return plain(self, course, dives, part)

    monkeypatch.setattr(search._Search, "rest", watched)
    losses = []
    X = rng.standard_t(2, size=(260, 3))
    p = coterie.partition(
        X,
        4,
        "optimize",
        random_state=0,
        time_limit=8.0,
        relaxation=1000,
        callback=lambda told: losses.append(told.information_loss),
    )
    assert [n for n in fixed if 4 <= n < 260]
    assert p.sizes.min() >= 4
    assert 0.0 <= p.gap < 0.2
    told = [loss for loss in losses if loss is not None]
    # of the whole table at all times, though a part is annealed by itself
    assert min(told) >= p.information_loss * (1 - 1e-9)


REPLAYED = ("melt", "region", "tile", "columns", "relaxation")


LIMITS = [1.0, *(pytest.param(limit, marks=pytest.mark.long) for limit in (2.0, 4.0, 8.0))]


@pytest.mark.parametrize("limit", LIMITS)
def test_a_run_in_which_columns_took_part_can_be_replayed(limit, rng, clock):
    pytest.importorskip("highspy")
    clock.tick = 0.001
    X = rng.standard_t(2, size=(230, 3))
    timed = coterie.partition(
        X, 4, "optimize", random_state=3, time_limit=limit, workers=1, relaxation=1000
    )
    assert timed.options["columns"]
    assert 0 < timed.options["relaxation"] < 1000
    settings = {name: timed.options[name] for name in REPLAYED}
    last = max(timed.trace[-1].iterations, 1)
    for workers in (1, 2):
        again = coterie.partition(
            X, 4, "optimize", random_state=3, iterations=last, workers=workers, **settings
        )
        assert np.array_equal(again.labels, timed.labels)


def test_iterations_that_are_worth_it_bring_columns(rng, monkeypatch):
    pytest.importorskip("highspy")
    monkeypatch.setattr(search, "MELT", 100)
    X = rng.normal(size=(120, 2))
    few = coterie.partition(X, 3, "optimize", random_state=0, iterations=5)
    assert few.lower_bound is None
    assert not few.options["columns"]
    one, two = (
        coterie.partition(X, 3, "optimize", random_state=0, iterations=60, workers=w)
        for w in (1, 2)
    )
    assert one.options["columns"]
    assert np.array_equal(one.labels, two.labels)
    assert one.lower_bound == two.lower_bound > 0


def course_of(X, k, seconds=None):
    problem = Problem.of(X, k)
    run = Run(time_limit=seconds, seed=np.random.SeedSequence(0))
    near = candidates(problem, 10, run)
    walks = Walks(problem, halves(problem), near, np.random.SeedSequence(1), 2)
    return Course(problem, Budget(run, Stop(np.inf, -1.0, 2**62)), walks)


def test_each_phase_works_alone(rng):
    pytest.importorskip("highspy")
    course = course_of(rng.normal(size=(120, 2)), 3)
    before = course.sse
    Annealing(200).run(course)
    annealed = course.sse
    assert annealed < before
    assert course.budget.done == 0
    regions = Regions(30, 100)
    regions.run(course, 3)
    assert course.sse <= annealed
    assert course.budget.done == 3 * regions.turn(course)
    columns = Relaxing().run(course)
    assert 0 < course.lower_bound <= course.sse
    assert np.array_equal(course.walks.state.price, columns.relaxation.best.records)
    done, found = course.budget.done, course.sse
    parts = []

    def rest(part):
        parts.append(part.n)
        return halves(part)

    Dive(certain=0.98, promising=10.0, rounds=1).run(course, columns, rest, regions)
    assert course.budget.done > done
    assert course.sse <= found
    assert all(n < 120 for n in parts)
    Closing().run(course, columns)
    assert course.sse == pytest.approx(course.lower_bound)  # the optimum, proved
    assert_whole(course.walks.state, 3)


def test_a_plunge_relaxes_what_the_certain_groups_leave(rng):
    pytest.importorskip("highspy")
    course = course_of(rng.standard_t(3, size=(90, 2)), 3)
    Annealing(50).run(course)
    columns = Relaxing().run(course)
    before, steps = course.sse, columns.relaxation.steps.done
    assert Plunge(near=1.0).due(course, columns)
    assert not Plunge(near=0.0).due(course, columns)
    annealed = []

    def rest(part):
        annealed.append(part.n)
        return halves(part)

    Plunge().run(course, columns, rest, Regions(30, 100))
    assert columns.relaxation.steps.done > steps  # those of the parts count
    assert course.sse < before
    assert course.sse <= columns.relaxation.value * 1.05
    assert all(n < 90 for n in annealed)
    assert_whole(course.walks.state, 3)
    bound = course.lower_bound
    Tightening().run(course, columns)
    assert bound <= course.lower_bound <= course.sse


def test_a_plunge_without_hope_ends_at_once(rng):
    pytest.importorskip("highspy")
    course = course_of(rng.standard_t(3, size=(90, 2)), 3)
    Annealing(200).run(course)
    columns = Relaxing().run(course)
    annealed = []

    def rest(part):
        annealed.append(part.n)
        return halves(part)

    # No partition is half as dear as the best one, whatever groups were taken.
    Plunge(hopeless=-0.5).run(course, columns, rest, Regions(30, 100))
    hopeless = annealed.pop()
    assert not annealed
    Plunge().run(course, columns, rest, Regions(30, 100))
    assert not annealed or annealed[0] < hopeless


def test_cuts_go_on_while_they_raise_the_bound():
    pytest.importorskip("highspy")
    # Four outliers in two corners, k = 3: the relaxation shares each four out among four groups.
    rng = np.random.default_rng(0)
    corners = [[50.0, 0.0]] * 4 + [[0.0, 80.0]] * 4
    X = np.concatenate([rng.normal(size=(40, 2)), corners + rng.normal(size=(8, 2))])
    course = course_of(X, 3)
    Annealing(500).run(course)
    columns = Relaxing().run(course)
    before = course.lower_bound
    assert Tightening().run(course, columns)
    assert course.lower_bound > before
    for _ in range(20):
        before = course.lower_bound
        if not Tightening().run(course, columns):
            break
    assert course.lower_bound <= before * (1 + Tightening.gain)


def test_dives_are_short_at_first_and_get_longer(rng, monkeypatch, clock):
    pytest.importorskip("highspy")
    clock.tick = 0.001
    melts, whole = [], search.optimize

    def watched(problem, run, options):
        if options.start == "halves":  # what the certain groups leave
            melts.append((options.melt, options.rounds))
        return whole(problem, run, options)

    monkeypatch.setattr(search, "optimize", watched)
    monkeypatch.setattr(search, "DIVE_MELT", 100)
    X = rng.standard_t(2, size=(260, 3))
    p = coterie.partition(
        X, 4, "optimize", random_state=0, time_limit=15.0, relaxation=1000, melt=60
    )
    assert p.options["melt"] == 60
    assert len(melts) > 3
    assert melts[0] == (100, search.DIVE_ROUNDS)
    assert melts == sorted(melts)
    assert melts[-1] > melts[0]
    assert all(melt <= search.REST_MELT * 60 for melt, _ in melts)


def test_steps_that_the_clock_has_ended_are_the_last(rng, clock):
    pytest.importorskip("highspy")
    course = course_of(rng.standard_t(3, size=(150, 2)), 4, seconds=10.0)
    clock.tick = 0.05
    columns = Relaxing(share=0.1).run(course)
    steps = columns.relaxation.steps
    assert steps.most == steps.done
    Tightening().run(course, columns)
    assert steps.most == steps.done


def test_regions_are_chosen_where_groups_cost_more_than_they_should(rng):
    """Of two halves apart, the one that is priced at what it costs is left alone."""
    X = rng.normal(size=(80, 2))
    X[40:] += 100.0
    course = course_of(X, 4)
    course.walks.state.price[:40] = 1e6
    walk = course.walks.streams[0].state
    course.walks.schedule = regions.Schedule(20, 1, 4.0, 0.01, 0.0, False, 60, 100)
    course.walks.share_out(1)
    chosen = []
    for _ in range(40):
        annealing.step(course.walks.state, walk, course.walks.schedule, 1, 1)
        chosen.append(int(walk.records[0]))
        while walk.cursor[regions.INSIDE]:
            annealing.step(course.walks.state, walk, course.walks.schedule, 1, 10**6)
    assert np.mean(np.array(chosen) >= 40) > 0.8


def test_a_number_of_rounds_ends_it_beside_a_time_limit(rng):
    X = rng.normal(size=(200, 2))
    p = coterie.partition(X, 3, "optimize", random_state=0, time_limit=600, rounds=1, melt=10)
    assert p.runtime < 300


def test_tiles_shrink_with_the_time_limit():
    def size(d, limit):
        return paths.tile_size(1_000_000, d, 5, Run(time_limit=limit))

    sizes = [size(10, limit) for limit in (1, 10, 600)]
    assert sizes == sorted(sizes)
    assert paths.LEAST / 2 < sizes[0] < sizes[-1] == size(10, None) == paths.START_TILE
    assert size(40, None) < paths.START_TILE / 8  # nothing is passed over
    assert paths.tile_size(20_000, 40, 5, Run()) >= 20_000


@pytest.mark.parametrize("method", ["auto", "optimize"])
@pytest.mark.parametrize("whole", [200, 10_000])
def test_never_above_mdav_however_short_the_time(method, whole, rng, clock, monkeypatch):
    """With a start in tiles, too: short of time MDAV has the whole table for one."""
    clock.tick = 0.01
    monkeypatch.setattr(paths, "UNCUT", whole)
    for X in (rng.normal(size=(900, 4)), rng.standard_t(1.5, size=(700, 3)), np.ones((300, 2))):
        for k in (3, 10):
            plain = coterie.partition(X, k, "mdav").sse
            for limit in (0.2, 1.0):
                p = coterie.partition(X, k, method, time_limit=limit, random_state=0)
                assert p.sse <= plain * (1 + 1e-12)


HARD = st.sampled_from(["lattice", "heavy", "far", "equal"])


@settings(deadline=None)
@given(
    HARD,
    st.integers(15, 90),
    st.integers(2, 4),
    st.integers(2, 6),
    st.sampled_from([0.2, 0.5]),
    st.sampled_from(["auto", "optimize"]),
    st.integers(0, 2**32 - 1),
)
def test_never_above_mdav_whatever_the_table(kind, n, d, k, limit, method, seed):
    """By construction: the time is over before anything but the start was made."""
    draw = np.random.default_rng(seed)
    X = {
        "lattice": lambda: draw.integers(0, 4, size=(n, d)).astype(float),
        "heavy": lambda: draw.standard_t(1.2, size=(n, d)),
        "far": lambda: draw.normal(size=(n, d)) + 1e3 * draw.integers(0, 3, size=(n, 1)),
        "equal": lambda: np.repeat(draw.normal(size=(n // 5, d)), 5, axis=0),
    }[kind]()
    k = min(k, len(X) // 2)
    plain = coterie.partition(X, k, "mdav").sse
    for whole in (10, 10_000):  # tile by tile, though of one tile, and not
        for tick in (0.01, 1.0):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(driver, "time", Clock(tick))
                patch.setattr(paths, "UNCUT", whole)
                p = coterie.partition(X, k, method, time_limit=limit, random_state=seed % 7)
            assert p.sse <= plain * (1 + 1e-12)


def test_when_the_start_took_all_the_time_nothing_else_is_sought(rng, clock, monkeypatch):
    def refused(*_):
        raise AssertionError("near records were sought")

    monkeypatch.setattr(search, "candidates", refused)
    clock.tick = 1.0
    X = rng.normal(size=(300, 3))
    p = coterie.partition(X, 3, "optimize", time_limit=0.2, random_state=0)
    assert p.sse <= coterie.partition(X, 3, "mdav").sse
    (point,) = p.trace
    assert point.iterations == 0
    assert point.sse == pytest.approx(p.sse)
    assert not p.interrupted
    assert p.options["region"] == 60


def one_hot(rng, n):
    """Two numbers and two categories of five codes."""
    codes = np.hstack([np.eye(5)[rng.integers(0, 5, size=n)] for _ in range(2)]) / np.sqrt(2)
    return np.hstack([rng.normal(size=(n, 2)), codes])


SHAPES = {
    "200 x 1": lambda rng: rng.normal(size=(200, 1)),
    "300 x 30": lambda rng: rng.standard_t(3, size=(300, 30)),
    "2000 x 5": lambda rng: rng.lognormal(size=(2000, 5)),
    "2000 mixed": lambda rng: one_hot(rng, 2000),
    "11,000 x 3": lambda rng: rng.normal(size=(11_000, 3)),
    "20,000 mixed": lambda rng: one_hot(rng, 20_000),
}


@pytest.mark.parametrize("method", ["auto", "optimize"])
@pytest.mark.parametrize("shape", SHAPES)
def test_never_above_mdav_in_many_shapes(shape, method, rng, clock):
    X = SHAPES[shape](rng)
    plain = coterie.partition(X, 5, "mdav").sse
    for tick, limit in ((0.05, 0.2), (0.02, 0.5)):  # few looks: the start, and little more
        clock.tick = tick
        p = coterie.partition(X, 5, method, time_limit=limit, random_state=0)
        assert p.sse <= plain * (1 + 1e-12)


def test_a_table_that_mdav_takes_no_time_for_is_one_tile():
    for n, d, k in ((100_000, 10, 5), (200_000, 10, 5), (40_000, 30, 10), (10_001, 60, 3)):
        assert paths.tile_size(n, d, k, Run(time_limit=0.2)) >= n
    assert paths.tile_size(1_000_000, 10, 5, Run(time_limit=0.2)) < 100_000


def test_the_start_of_one_large_tile_is_told_and_heeds_the_callback(rng, monkeypatch, clock):
    monkeypatch.setattr(paths, "UNCUT", 1000)
    clock.tick = 0.1  # every look is told
    X = rng.normal(size=(60_000, 6))
    coterie.partition(X[:3000], 3, "optimize", iterations=1, melt=1)  # compiled
    heard = []

    def stop(told):
        heard.append((told.phase, told.fraction))
        if len(heard) == 2:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        coterie.partition(X, 3, "optimize", callback=stop, workers=2)
    assert {phase for phase, _ in heard} == {"tiles"}


def test_a_start_after_other_work_is_no_interrupt(rng, monkeypatch):
    monkeypatch.setattr(paths, "UNCUT", 100)
    problem = Problem.of(rng.normal(size=(300, 2)), 3)
    run = Run(workers=2)
    first = paths.first_partition(problem, run, 100)
    assert np.array_equal(paths.first_partition(problem, run, 100), first)


@apart.POSIX
def test_ctrl_c_does_not_wait_for_a_tile():
    """A tile of half the table takes long: what is told of it is far from the end."""
    code = """
        import os, signal
        import numpy as np, coterie
        from coterie.partitioning.search import paths
        paths.UNCUT = 1000
        X = np.random.default_rng(0).normal(size=(400_000, 6))
        told = []

        def tell(progress):
            if progress.phase == "tiles" and progress.fraction is not None:
                told.append(progress.fraction)
                if len(told) == 3:  # the first may be of its compilation
                    os.kill(os.getpid(), signal.SIGINT)  # nobody else's time counts

        p = coterie.partition(X, 3, "optimize", workers=2, tile=200_000, callback=tell)
        print(p.interrupted, p.sizes.min() >= 3, max(told) < 0.9)
    """
    assert apart.printed(code) == ["True True True"]


def test_without_highspy_it_works_and_proves_nothing(rng, monkeypatch):
    monkeypatch.setattr(search, "have_highs", lambda: False)
    p = coterie.partition(rng.normal(size=(40, 2)), 3, "optimize", random_state=0)
    assert p.lower_bound is None
    assert p.sizes.min() >= 3


def test_target_and_patience_end_it(rng):
    X = rng.normal(size=(200, 2))
    p = coterie.partition(X, 3, "optimize", random_state=0, target=30.0, columns=False)
    assert p.information_loss <= 30.0
    q = coterie.partition(X, 3, "optimize", random_state=0, patience=3, columns=False)
    assert q.sse <= p.sse


def test_a_time_limit_holds(rng, clock):
    clock.tick = 0.004
    X = rng.normal(size=(3000, 3))
    p = coterie.partition(X, 3, "optimize", time_limit=1.0, workers=1)
    assert 1.0 <= p.runtime < 1.1


@apart.POSIX
@pytest.mark.parametrize("workers", [later(1), 2])
def test_ctrl_c_gives_the_best_so_far(workers):
    code = f"""
        import numpy as np, coterie
        X = np.random.default_rng(0).normal(size=(3000, 3))
        told = []

        def tell(progress):
            if progress.phase == "regions" and not told:
                told.append(progress)
                print("at work", flush=True)

        p = coterie.partition(
            X, 3, "optimize", iterations=10**9, melt=50, workers={workers}, callback=tell
        )
        worse = coterie.partition(X, 3, "mdav")
        print(p.interrupted, p.sizes.min() >= 3, p.sse < worse.sse)
    """
    assert apart.interrupted(code) == ["True True True"]


def test_interrupted_before_there_is_a_partition(rng):
    def interrupt(progress):
        raise KeyboardInterrupt

    X = rng.normal(size=(2000, 2))
    p = coterie.partition(X, 3, "optimize", callback=interrupt)
    assert p.interrupted
    assert p.sizes.min() >= 3


def test_candidates_of_large_tables_are_near(rng, monkeypatch):
    from coterie.partitioning import neighbors as module

    problem = Problem.of(rng.normal(size=(3000, 3)), 3)
    exact = candidates(problem, 8, Run())
    monkeypatch.setattr(module, "ALL_PAIRS", 100)
    monkeypatch.setattr(module, "NEAR_TILE", 300)
    found = candidates(problem, 8, Run(workers=2))
    assert (found >= 0).all()
    assert (found != np.arange(3000)[:, None]).all()
    shared = np.mean([len(set(a) & set(b)) / 8 for a, b in zip(exact, found, strict=True)])
    assert shared > 0.8
    away = np.square(problem.points[found] - problem.points[:, None]).sum(axis=2)
    assert (np.diff(away, axis=1) >= 0).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"neighbors": 1}, "'neighbors'.*at least 2"),
        ({"proposals": 0}, "'proposals'"),
        ({"columns": 1}, "'columns'"),
        ({"target": -1.0}, "'target'"),
        ({"mlet": 3}, "mlet"),
    ],
)
def test_bad_options(options, message, rng):
    with pytest.raises(coterie.ParameterError, match=message):
        coterie.partition(rng.normal(size=(50, 2)), 3, "optimize", **options)


@pytest.mark.parametrize("method", ["optimize", "auto"])
def test_a_large_table_of_groups_of_equal_records_loses_nothing(rng, method):
    X = np.repeat(rng.normal(size=(1500, 3)), 6, axis=0)
    assert len(X) > LARGE
    p = coterie.partition(X, 3, method, random_state=0, iterations=1 if method != "auto" else None)
    assert p.information_loss == pytest.approx(0.0, abs=1e-9)
    assert p.sizes.min() >= 3


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
