"""AdmissibleWalks of a small table: what they keep, and that work is counted."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.guarantees.constraints import Constraints
from coterie.kernels.base import draws
from coterie.partitioning.constrained import walks as walking
from coterie.partitioning.constrained.walks import (
    COUNTED,
    COUNTS,
    NUMBERS,
    REGIONS,
    WALKED,
    AdmissibleWalks,
    WalkLimits,
)
from coterie.partitioning.core import sse_of
from coterie.partitioning.driver import Run
from tests import naive_constraints as naive

K, N = 3, 50


def table(seed):
    """Points with ties, units, and groups by the first coordinate."""
    rng = np.random.default_rng(seed)
    points = rng.choice([0.0, 40.0], (N, 1)) + rng.integers(-3, 4, (N, 2)).astype(float)
    labels = np.empty(N, dtype=np.int64)
    labels[np.argsort(points[:, 0], kind="stable")] = np.arange(N) // 10
    return points, rng.integers(0, 25, N), labels


def walked(points, units, labels, most, grown=None, k=K):
    """The labels in the end and how the last walk ended; `most` is of regions where it is one."""
    rules = Constraints(units=units).rules(len(points), k)
    walks = AdmissibleWalks(points, rules, k, Run(), draws.seeded(np.random.SeedSequence(1)))
    most = most if isinstance(most, WalkLimits) else WalkLimits(most, 0.0)
    *_, last = walks.improved(labels, most, lambda: grown)
    return last


@pytest.mark.parametrize("seed", range(3))
def test_what_is_found_is_admissible_and_loses_no_more_for_more_work(seed):
    points, units, labels = table(seed)
    losses = [sse_of(points, labels)]
    one = WALKED * len(NUMBERS) * N
    for work in (0.0, one, len(REGIONS) * one):
        found, ended = walked(points, units, labels, work)
        assert ended in ("finished", "iterations")
        assert naive.admissible(found.tolist(), K, units.tolist())
        losses.append(sse_of(points, found))
    assert losses[1] < losses[0]
    assert losses[1] >= losses[2] >= losses[3]
    again, _ = walked(points, units, labels, len(REGIONS) * one)
    assert np.array_equal(found, again)


def test_equal_records_are_left_as_they_are():
    points, units = np.ones((N, 2)), np.arange(N)
    found, _ = walked(points, units, np.arange(N) // 10, 1e9)
    assert np.array_equal(found, np.arange(N) // 10)


def test_a_group_of_equal_records_goes_for_the_sake_of_others():
    """Eight equal records make two groups of four; one of them is wanted elsewhere."""
    near = [[0, 0]] * 8 + [[0, 1]] * 5
    far = [[0, -1], [0, -1], [0, -1], [-2, -1], [-2, 2], [0, 1], [-1, 0], [-1, 1]]
    points = np.array(near + far, dtype=float)
    labels = np.repeat([0, 1, 2, 3, 4], [4, 4, 5, 4, 4])
    units = np.arange(len(points))
    found, _ = walked(points, units, labels, 1e9, k=4)
    assert found.max() == 3
    assert sse_of(points, found) < sse_of(points, labels) * 0.999


def test_other_groups_bring_a_number_that_no_walk_from_ours_comes_to(monkeypatch):
    """Eight triples in seven groups: each can spare next to nothing, and together just a group."""
    monkeypatch.setattr(walking, "REGIONS", ())
    points = np.repeat(np.arange(8.0)[:, None] * 9, K, axis=0)
    points += np.tile([-0.1, 0.0, 0.1], 8)[:, None]
    units, triples = np.arange(24), np.arange(24) // K
    seven = np.minimum(np.arange(24) * 7 // 24, 6)
    assert np.bincount(seven).min() >= K
    most = WalkLimits(0.0, COUNTS * COUNTED * 24)
    found, _ = walked(points, units, seven, most, np.arange(24) % 8)
    assert len(np.unique(np.column_stack([found, triples]), axis=0)) == 8 == found.max() + 1
    dear, _ = walked(points, units, seven, WalkLimits(0.0, 0.99 * most.counts), np.arange(24) % 8)
    assert dear.max() + 1 == 7
    kept, _ = walked(points, units, triples, most, np.arange(24) % 8)
    assert np.array_equal(kept, triples)


@pytest.mark.parametrize("seed", range(3))
def test_other_groups_never_make_it_worse(seed):
    points, units, labels = table(seed)
    first = walked(points, units, labels, 1e9)[0]
    grown = np.argsort(np.argsort(points[:, 1], kind="stable")) // 10  # other groups, admissible
    assert naive.admissible(grown.tolist(), K, units.tolist())
    found, ended = walked(points, units, labels, WalkLimits(1e9, 1e9), grown)
    assert ended in ("finished", "iterations")
    assert naive.admissible(found.tolist(), K, units.tolist())
    assert sse_of(points, found) <= sse_of(points, first)


def test_units_that_stay_together_are_not_walked_in_regions(monkeypatch):
    points, units, _ = table(0)
    asked = Constraints(units=units, together=True)
    rules = asked.rules(N, K)
    atoms = len(rules.first) - 1
    walks = AdmissibleWalks(
        points[:atoms], rules, K, Run(), draws.seeded(np.random.SeedSequence(1))
    )
    monkeypatch.setattr(AdmissibleWalks, "_regions", None)
    monkeypatch.setattr(AdmissibleWalks, "_counted", None)
    *_, (found, _) = walks.improved(np.arange(atoms) % 2, WalkLimits(1e9, 1e9), lambda: None)
    assert len(found) == atoms < N


def test_nothing_is_walked_where_nothing_can_be_won(monkeypatch):
    """Groups of equal records: their loss, by which a walk is warm, is none."""
    monkeypatch.setattr(AdmissibleWalks, "_walk", None)
    points, units, labels = np.repeat(np.arange(5.0), 10)[:, None], np.arange(N), np.arange(N) // 10
    found, ended = walked(points, units, labels, WalkLimits(1e9, 1e9), np.arange(N) % 5)
    assert np.array_equal(found, labels)
    assert ended == "finished"
