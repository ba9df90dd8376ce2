from __future__ import annotations

import numpy as np
import pytest

import coterie
from coterie.partitioning.driver import Run
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.optimize import search


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
