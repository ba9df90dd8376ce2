"""Regrouping while it is warm: what is kept, what is put aside, and that it cools."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.guarantees.constraints import Constraints
from coterie.guarantees.disclosure import distinct_values
from coterie.kernels.base import draws, groups
from coterie.kernels.constrained import growth, regrouping
from coterie.kernels.search import descent, visits
from coterie.partitioning.core import sse_of

K = 3
ITERATIONS = 400


class Search:
    """A search over sixty records of units, from groups by the first coordinate."""

    def __init__(self, seed, heat, iterations):
        rng = np.random.default_rng(seed)
        n = 60
        self.points = rng.normal(size=(n, 2))
        self.units = np.arange(n) % 20
        labels = np.empty(n, dtype=np.int64)
        labels[np.argsort(self.points[:, 0])] = np.arange(n) // 12
        self.rules = Constraints(units=self.units).rules(n, K)
        self.state = groups.groups(self.points, labels, K, n)
        self.plan = descent.descent(len(self.state.size), False)
        slots = len(self.state.size)
        self.work = regrouping.regrouping(growth.growth(self.points, self.rules), n, slots)
        self.work.cursor[regrouping.DESCENDING] = 0
        self.words = draws.seeded(np.random.SeedSequence(seed))
        self.pair = visits.pair(n)
        if heat > 0:
            regrouping.warm(self.work, self.state, heat, iterations)

    def step(self):
        """One iteration; the SSE that it leaves, computed from the labels."""
        args = (self.plan, self.state, self.pair, self.rules, self.words, self.work, 1)
        assert regrouping.step(*args) == 1
        assert distinct_values(self.state.labels, self.units).min() >= K
        return sse_of(self.points, self.state.labels)


@pytest.mark.parametrize("seed", range(5))
def test_the_best_partition_seen_is_put_aside(seed):
    search = Search(seed, 0.3, ITERATIONS)
    seen = [sse_of(search.points, search.state.labels)]
    for _ in range(ITERATIONS):
        seen.append(search.step())
        least = search.work.warmth[regrouping.LEAST]
        assert least == pytest.approx(min(seen), rel=1e-9)
        assert sse_of(search.points, search.work.best) == pytest.approx(least, rel=1e-9)
        assert distinct_values(search.work.best, search.units).min() >= K
    assert (np.diff(seen) > 0).any()  # while it is warm some iterations cost


def test_warmth_falls_evenly_and_what_is_cold_only_descends():
    search = Search(1, 0.3, ITERATIONS)
    heats, losses = [], []
    for _ in range(ITERATIONS + 100):
        losses.append(search.step())
        heats.append(search.work.warmth[regrouping.HEAT])
    expected = np.maximum(0.3 * (1 - np.arange(1, ITERATIONS + 101) / ITERATIONS), 0.0)
    assert heats == pytest.approx(expected, abs=1e-12)
    assert (np.diff(losses[ITERATIONS:]) <= 1e-9).all()


def test_without_warmth_nothing_is_put_aside_and_nothing_costs():
    search = Search(2, 0.0, ITERATIONS)
    losses = [search.step() for _ in range(ITERATIONS)]
    assert (np.diff(losses) <= 1e-9).all()
    assert search.work.warmth[regrouping.LEAST] == -np.inf


def test_what_costs_is_kept_the_more_often_the_warmer_it_is():
    kept = []
    for heat in (0.0, 0.05, 1e9):
        search = Search(3, heat, 10**9)  # hardly falls
        for _ in range(ITERATIONS):
            search.step()
        kept.append(int(search.work.cursor[regrouping.ACCEPTED]))
    assert kept == sorted(set(kept))
