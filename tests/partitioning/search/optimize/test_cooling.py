from __future__ import annotations

import numpy as np
import pytest

from coterie.partitioning.core import sse_of
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.optimize import cooling
from coterie.partitioning.search.optimize.cooling import Cooling, breadth
from coterie.partitioning.search.sweeps import Sweeps
from coterie.partitioning.search.walks import Walks
from tests.partitioning.search.optimize.courses import swept_course


def test_cooling_works_alone_and_keeps_what_is_better(rng):
    course, sweeps = swept_course(rng.normal(size=(900, 4)), 3)
    before = course.sse
    Cooling((60,), level=900).run(course, sweeps)
    cooled, labels = course.sse, course.labels
    assert cooled < 0.8 * before
    assert sweeps.tally()["proposals"] == pytest.approx(900 * 70, rel=0.05)
    Cooling((3,), warm=50.0, cool=40.0, last=0).run(course, sweeps)
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
        course, sweeps = swept_course(rng.normal(size=(400, d)), 3)
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
    course, sweeps = swept_course(rng.normal(size=(400, 3)), 3)
    found = levels(course, sweeps, Cooling((50,), fewest=7, level=10_000))
    assert len(found) == 8
    assert sum(turns for _, turns in found) == 60
    assert found[-1] == (0.0, 10)
    heat = [t for t, _ in found]
    assert heat == sorted(heat, reverse=True)


def test_what_the_clock_cuts_short_is_cold_in_the_end(rng, clock, monkeypatch):
    """Temperatures are left out rather than the last turns, in which all falls into place."""
    course, sweeps = swept_course(rng.normal(size=(400, 3)), 3, seconds=5.5)
    monkeypatch.setattr(Sweeps, "tally", lambda _: {"proposals": int(4000 * clock.now), "moves": 0})
    found = levels(course, sweeps, Cooling((100,), fewest=10, most=10), clock)
    assert [turns for _, turns in found] == [10] * 5 + [10]
    assert found[-1][0] == 0.0


def test_parts_of_the_temperatures_take_the_same_time_whatever_the_pace(rng, clock, monkeypatch):
    """Half way down everything becomes four times as slow."""
    course, sweeps = swept_course(rng.normal(size=(400, 3)), 3, seconds=100.0)
    made = [0]

    def drive(*_, **__):
        made[0] += 400 * sweeps.level.sweeps
        clock.now += sweeps.level.sweeps * (0.1 if clock.now < 50 else 0.4)

    course.drive = drive
    monkeypatch.setattr(Sweeps, "tally", lambda _: {"proposals": made[0], "moves": 0})
    plan = Cooling((None,) * 4, fewest=4, level=400, share=1.0)
    turns = plan.run(course, sweeps, 0.2).proposals
    assert turns[0] == pytest.approx(122, abs=2)  # what was expected
    assert turns[1] == pytest.approx(290, abs=5)  # twice as fast
    assert clock.now == pytest.approx(100.0, abs=2.0)
    given = Cooling(turns, fewest=4, level=400).run(course, sweeps).proposals
    assert given == turns


def test_records_are_arranged_anew_once_they_have_moved_on(rng, monkeypatch):
    """By their moves: often where it is warm, not at all where nothing moves."""
    course, sweeps = swept_course(rng.normal(size=(500, 3)), 3)
    arranged = []
    monkeypatch.setattr(sweeps, "arrange", lambda: arranged.append(sweeps.tally()["moves"]))
    Cooling((200,), level=500, settled=0.5).run(course, sweeps)
    moves = sweeps.tally()["moves"]
    assert len(arranged) > 5
    assert np.diff([0, *arranged]).min() >= 250
    assert np.diff([0, *arranged, moves]).max() < 2 * 250
    arranged.clear()
    Cooling((200,), level=500, settled=np.inf).run(course, sweeps)
    assert not arranged


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
