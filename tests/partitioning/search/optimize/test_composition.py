from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import coterie
from coterie.partitioning.driver import Run
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.optimize import search
from coterie.partitioning.search.optimize.annealing import Annealing
from coterie.partitioning.search.optimize.columns import Relaxing
from coterie.partitioning.search.optimize.composition import (
    USUAL,
    ColumnPhases,
    Composition,
    Dives,
    Melting,
    Nearness,
    Rounds,
    Territories,
)
from coterie.partitioning.search.optimize.options import OptimizeOptions
from coterie.partitioning.search.optimize.start import Start
from tests.partitioning.search.optimize.courses import budget_of


def test_a_composition_is_frozen_all_through():
    assert Composition() == USUAL
    for one in (USUAL, *vars(USUAL).values()):
        if dataclasses.is_dataclass(one):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(one, dataclasses.fields(one)[0].name, None)
    assert len({Composition(), USUAL}) == 1


def test_the_same_composition_runs_with_other_parameters(rng, monkeypatch):
    """Handed over, and down to what the certain groups leave."""
    pytest.importorskip("highspy")
    problem = Problem.of(rng.standard_t(2, size=(150, 2)), 3)
    other = Composition(
        start=Start(way="halves"),
        melting=Melting(quick=Annealing(20), slow=Annealing(30)),
        rounds=Rounds(usual=2, early=1),
        columns=ColumnPhases(relaxing=Relaxing(tolerance=1e-3)),
        dives=Dives(proposals=50, rounds=1),
    )
    handed, whole = [], search.optimize

    def watched(problem, run, options, composition=None):
        handed.append(composition)
        return whole(problem, run, options, composition)

    monkeypatch.setattr(search, "optimize", watched)
    options = OptimizeOptions(relaxation=200)
    found = search.optimize(problem, Run(iterations=30), options, other)
    assert found.settings["melt"] == 30
    assert len(handed) > 1
    assert all(one is other for one in handed)
    usual = whole(problem, Run(iterations=2), dataclasses.replace(options, columns=False))
    assert usual.settings["melt"] == 10_000


def test_what_the_clock_leaves_is_shared():
    melting = Melting()
    assert melting.chosen(budget_of(Run()), 1.0, 0.5, True) == 5000
    hour = budget_of(Run(time_limit=3600.0))
    assert melting.chosen(hour, 0.01, 1.0, False) == pytest.approx(0.4 * 3600 / 0.01, rel=0.01)
    assert melting.chosen(hour, 0.01, 1.0, True) == pytest.approx(0.13 * 3600 / 0.01, rel=0.01)
    assert melting.chosen(hour, 0.0, 1.0, False) == melting.most
    assert melting.chosen(hour, 3600 / 10_000, 1.0, False) == pytest.approx(7000, abs=1)
    assert melting.chosen(hour, 3600 / 40_000, 1.0, False) == pytest.approx(0.55 * 40_000, abs=1)
    shares = [melting.share_of(2.0**i) for i in range(22)]
    assert shares == sorted(shares, reverse=True)
    assert (shares[0], shares[-1]) == (melting.short_share, melting.share)
    assert Nearness().chosen(3, False) == 20
    assert [Nearness().chosen(k, True) for k in (3, 5, 10)] == [10, 10, 20]


def test_columns_take_part_where_they_are_worth_it():
    columns = ColumnPhases()
    minute = budget_of(Run(time_limit=60.0))
    assert columns.worth(3, minute, 30 / 15e3, 0.0)
    assert not columns.worth(3, minute, 31 / 15e3, 0.0)
    assert not columns.worth(7, minute, 1e-9, 0.0)
    assert not columns.worth(3, budget_of(Run()), 1e-9, math.inf)
    assert columns.worth(3, budget_of(Run(iterations=10)), 0.0, 1500.0)
    assert not columns.worth(3, budget_of(Run(iterations=10)), 0.0, 1499.0)


@pytest.mark.parametrize(("workers", "wanted"), [(1, 2), (2, 2), (3, 4), (8, 8), (40, 8)])
def test_territories_follow_the_workers_where_the_clock_decides(workers, wanted, rng):
    def chosen(n, **given):
        problem = Problem.of(rng.normal(size=(n, 2)), 3)
        options = OptimizeOptions(**given.pop("options", {}))
        run = Run(workers=workers, **given)
        return search._Search(problem, run, options, USUAL).settings.territories

    assert chosen(9000, time_limit=1.0) == wanted
    assert chosen(9000, iterations=1) == chosen(9000) == Territories().usual
    assert chosen(9000, time_limit=1.0, options={"territories": 5}) == 5
    assert chosen(900, time_limit=1.0) is None


def test_iterations_that_are_worth_it_bring_columns(rng, monkeypatch):
    pytest.importorskip("highspy")
    melting = Melting(slow=Annealing(100))
    monkeypatch.setattr(search, "USUAL", Composition(melting=melting))
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


def test_dives_are_short_at_first_and_get_longer(rng, monkeypatch, clock):
    pytest.importorskip("highspy")
    clock.tick = 0.001
    melts, whole = [], search.optimize

    def watched(problem, run, options, composition=None):
        if options.start == "halves":  # what the certain groups leave
            melts.append((options.melt, options.rounds))
        return whole(problem, run, options, composition)

    monkeypatch.setattr(search, "optimize", watched)
    dives = Dives(proposals=100)
    monkeypatch.setattr(search, "USUAL", Composition(dives=dives))
    X = rng.standard_t(2, size=(260, 3))
    p = coterie.partition(
        X, 4, "optimize", random_state=0, time_limit=15.0, relaxation=1000, melt=60
    )
    assert p.options["melt"] == 60
    assert len(melts) > 3
    assert melts[0] == (100, dives.rounds)
    assert melts == sorted(melts)
    assert melts[-1] > melts[0]
    assert all(melt <= dives.melts * 60 for melt, _ in melts)


def test_dives_without_end_stay_as_deep_as_they_may():
    """A float holds no power of millions."""
    dives, options = Dives(), OptimizeOptions()
    last = dives.chosen(options, 10**7, 10_000)
    assert last == dives.chosen(options, dives.deepest, 10_000)
    assert (last.melt, last.rounds) == (dives.melts * 10_000, dives.most_rounds)
