from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coterie
from coterie.partitioning import driver, neighbors
from coterie.partitioning.search.optimize import search
from coterie.partitioning.search.optimize.annealing import Annealing
from coterie.partitioning.search.optimize.columns import Closing, Dive, Relaxing
from coterie.partitioning.search.optimize.composition import Composition, Melting
from coterie.partitioning.search.optimize.course import LARGE
from coterie.partitioning.search.optimize.regions import Regions
from coterie.partitioning.search.optimize.start import Start
from tests import apart
from tests.clock import Clock
from tests.partitioning.search.optimize.courses import assert_whole, course_of, halves
from tests.trials import later


@pytest.mark.parametrize("n", [400, 9000])
def test_the_same_on_any_number_of_workers(n, rng, monkeypatch):
    melting = Melting(quick=Annealing(20), slow=Annealing(50))
    monkeypatch.setattr(search, "USUAL", Composition(melting=melting))
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


def test_a_number_of_rounds_ends_it_beside_a_time_limit(rng):
    X = rng.normal(size=(200, 2))
    p = coterie.partition(X, 3, "optimize", random_state=0, time_limit=600, rounds=1, melt=10)
    assert p.runtime < 300


@pytest.mark.parametrize("method", ["auto", "optimize"])
@pytest.mark.parametrize("whole", [200, 10_000])
def test_never_above_mdav_however_short_the_time(method, whole, rng, clock, monkeypatch):
    """With a start in tiles, too: short of time MDAV has the whole table for one."""
    clock.tick = 0.01
    monkeypatch.setattr(search, "USUAL", Composition(start=Start(uncut=whole)))
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
                patch.setattr(search, "USUAL", Composition(start=Start(uncut=whole)))
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


@pytest.mark.parametrize("large", [False, True])
def test_near_records_that_are_not_there_in_time_are_not_waited_for(large, rng, clock, monkeypatch):
    """Of many records and attributes they take several times as long as the start."""
    monkeypatch.setattr(neighbors, "FEW", 0)
    if large:
        monkeypatch.setattr(neighbors, "ALL_PAIRS", 100)
    whole = neighbors.nearest_neighbors

    def slow(*given, **options):
        clock.tick = 1.0
        return whole(*given, **options)

    def refused(*_):
        raise AssertionError("walks were laid out")

    monkeypatch.setattr(neighbors, "nearest_neighbors", slow)
    monkeypatch.setattr(neighbors._Lists, "merge", lambda *_: setattr(clock, "tick", 1.0))
    monkeypatch.setattr(search, "Walks", refused)
    X = rng.normal(size=(300, 3))
    p = coterie.partition(X, 3, "optimize", time_limit=0.2, random_state=0, workers=1)
    assert p.sse <= coterie.partition(X, 3, "mdav").sse
    (point,) = p.trace
    assert point.sse == pytest.approx(p.sse)
    assert not p.interrupted


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


def test_interrupted_before_there_are_walks(rng, monkeypatch):
    """Their kernels are compiled then, and large tables laid out: what the start found is kept."""

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(search, "Walks", interrupted)
    X = rng.normal(size=(300, 2))
    p = coterie.partition(X, 3, "optimize")
    assert p.interrupted
    assert p.sse <= coterie.partition(X, 3, "mdav-mhm").sse * (1 + 1e-12)


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


def test_a_large_table_is_never_above_its_start(rng, monkeypatch):
    melting = Melting(slow=Annealing(100))
    monkeypatch.setattr(search, "USUAL", Composition(melting=melting))
    X = rng.normal(size=(8200, 6))
    start = coterie.partition(X, 4, "mdav")
    p = coterie.partition(X, 4, "optimize", random_state=0, iterations=1, proposals=10)
    assert p.sse < 0.95 * start.sse
    assert p.sizes.min() >= 4
    assert p.sizes.max() <= 7
