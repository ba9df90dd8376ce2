from __future__ import annotations

import dataclasses
from functools import partial

import numpy as np
import pytest

import coterie
from coterie.partitioning.core import sse_of
from coterie.partitioning.driver import Run
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.optimize import search
from coterie.partitioning.search.optimize import start as start_phase
from coterie.partitioning.search.optimize.composition import Composition, Melting
from coterie.partitioning.search.optimize.options import OptimizeOptions
from coterie.partitioning.search.optimize.start import Start
from coterie.partitioning.search.walks import Walks
from tests import apart
from tests.partitioning.search.optimize.courses import budget_of


@pytest.mark.parametrize(
    "start", [Start(), Start(uncut=100), Start(way="halves"), Start(way="halves", pieces=3)]
)
def test_a_start_alone_gives_groups_of_k_and_more(start, rng):
    problem = Problem.of(rng.normal(size=(400, 3)), 4)
    labels = start.run(problem, budget_of(Run()))
    sizes = np.bincount(labels)
    assert sizes.sum() == 400
    assert 4 <= sizes.min() <= sizes.max() <= 7
    assert np.array_equal(start.run(problem, budget_of(Run(workers=2))), labels)


def test_the_best_path_is_the_start(rng):
    X = rng.normal(size=(400, 3))
    problem = Problem.of(X, 4)
    found = sse_of(problem.points, Start().run(problem, budget_of(Run())))
    paths = [coterie.partition(X, 4, f"{name}-mhm").labels for name in ("mdav", "cbfs", "npn")]
    assert found == pytest.approx(min(sse_of(problem.points, labels) for labels in paths))
    assert found < sse_of(problem.points, Start(way="halves").run(problem, budget_of(Run())))


def test_fewer_paths_are_the_first_of_them(rng):
    X = rng.normal(size=(400, 3))
    problem = Problem.of(X, 4)
    found = sse_of(problem.points, Start(paths=1).run(problem, budget_of(Run())))
    path = coterie.partition(X, 4, "mdav-mhm").labels
    assert found == pytest.approx(sse_of(problem.points, path))
    both = Start(way="both", paths=1).run(problem, budget_of(Run()))
    assert sse_of(problem.points, both) == found


class Quick:
    """In place of the quick annealing: the second one may find something, or be interrupted."""

    proposals = 1

    def __init__(self, labels=None):
        self.labels, self.seen = labels, []

    def run(self, course):
        self.seen.append(course.sse)
        if len(self.seen) == 2:
            if self.labels is None:
                raise KeyboardInterrupt
            course.walks.replace(self.labels)


@pytest.mark.parametrize("second", ["better", "worse", "interrupted"])
def test_of_both_starts_the_better_goes_on(second, rng):
    X = rng.normal(size=(90, 2))
    problem = Problem.of(X, 3)
    paths, halves = (Start(way=way).run(problem, budget_of(Run())) for way in ("paths", "halves"))
    best = coterie.partition(X, 3, "optimize", random_state=0, rounds=20, columns=False).labels
    quick = Quick({"better": best, "worse": halves, "interrupted": None}[second])
    composition = Composition(melting=Melting(quick=quick))
    options = OptimizeOptions(start="both", melt=0, rounds=0.0, columns=False)
    found = search.optimize(problem, Run(), options, composition)
    cost = partial(sse_of, problem.points)
    assert quick.seen == pytest.approx([cost(paths), cost(halves)])
    assert cost(best) < cost(paths) < cost(halves)
    assert cost(found.labels) == pytest.approx(cost(best if second == "better" else paths))
    assert found.interrupted == (second == "interrupted")
    losses = [point.sse for point in found.trace]
    assert losses == sorted(losses, reverse=True)


def test_ctrl_c_while_halves_are_put_in_place_leaves_the_paths(rng, monkeypatch):
    problem = Problem.of(rng.normal(size=(90, 2)), 3)
    replaced, whole = [], Walks.replace

    def interrupted(self, labels):
        whole(self, labels)
        replaced.append(labels)
        if len(replaced) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(Walks, "replace", interrupted)
    composition = Composition(melting=Melting(quick=Quick()))
    options = OptimizeOptions(start="both", columns=False)
    found = search.optimize(problem, Run(), options, composition)
    assert found.interrupted
    assert len(replaced) == 2
    assert sse_of(problem.points, found.labels) == pytest.approx(found.trace[-1].sse)


def test_a_start_without_time_for_more_ends_after_its_first_path(rng, clock, monkeypatch):
    def refused(*_):
        raise AssertionError("a second path was sought")

    monkeypatch.setattr(start_phase, "cbfs", refused)
    X = rng.normal(size=(400, 3))
    problem = Problem.of(X, 4)
    clock.tick = 1.0
    labels = Start().run(problem, budget_of(Run(time_limit=0.5)))
    first = coterie.partition(X, 4, "mdav-mhm")
    assert sse_of(problem.points, labels) == pytest.approx(sse_of(problem.points, first.labels))


def test_tiles_are_as_large_as_is_asked_or_as_time_allows(rng):
    """Cut into four, paths cannot be those of the whole table; what is not asked for is chosen."""
    problem = Problem.of(rng.normal(size=(400, 3)), 4)
    whole, some = Start(uncut=100), Start(uncut=100, tile=100, granted=0.0)
    tiled = whole.run(problem, budget_of(Run()), 100)
    assert np.array_equal(some.run(problem, budget_of(Run())), tiled)
    assert not np.array_equal(whole.run(problem, budget_of(Run())), tiled)


def test_the_parameters_of_a_start_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Start().uncut = 1
    assert Start() == Start(way="paths")


def test_tiles_shrink_with_the_time_limit():
    start = Start()

    def size(d, limit):
        return start.tile_size(1_000_000, d, 5, budget_of(Run(time_limit=limit)))

    sizes = [size(10, limit) for limit in (1, 10, 600)]
    assert sizes == sorted(sizes)
    assert start.least / 2 < sizes[0] < sizes[-1] == size(10, None) == start.tile
    assert size(40, None) < start.tile / 8  # nothing is passed over
    assert start.tile_size(20_000, 40, 5, budget_of(Run())) >= 20_000


def test_a_table_that_mdav_takes_no_time_for_is_one_tile():
    def size(n, d, k):
        return Start().tile_size(n, d, k, budget_of(Run(time_limit=0.2)))

    for n, d, k in ((100_000, 10, 5), (200_000, 10, 5), (40_000, 30, 10), (10_001, 60, 3)):
        assert size(n, d, k) >= n
    assert size(1_000_000, 10, 5) < 100_000


def test_the_start_of_one_large_tile_is_told_and_heeds_the_callback(rng, monkeypatch, clock):
    monkeypatch.setattr(search, "USUAL", Composition(start=Start(uncut=1000)))
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


def test_a_start_after_other_work_is_no_interrupt(rng):
    problem = Problem.of(rng.normal(size=(300, 2)), 3)
    start, budget = Start(uncut=100), budget_of(Run(workers=2))
    first = start.run(problem, budget, 100)
    assert np.array_equal(start.run(problem, budget, 100), first)


@apart.POSIX
def test_ctrl_c_does_not_wait_for_a_tile():
    """A tile of half the table takes long: what is told of it is far from the end."""
    code = """
        import os, signal
        import numpy as np, coterie
        from coterie.partitioning.search.optimize import search
        from coterie.partitioning.search.optimize.composition import Composition
        from coterie.partitioning.search.optimize.start import Start
        search.USUAL = Composition(start=Start(uncut=1000))
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
