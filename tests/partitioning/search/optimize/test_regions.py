from __future__ import annotations

import numpy as np

from coterie.kernels.search import annealing, regions
from coterie.partitioning.driver import Run
from coterie.partitioning.neighbors import candidates
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.optimize.regions import Regions
from coterie.partitioning.search.walks import Walks
from tests.partitioning.search.optimize.courses import assert_whole, course_of, halves


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


def test_regions_work_alone_until_every_record_was_in_so_many(rng):
    course = course_of(rng.normal(size=(240, 3)), 3)
    before, labels, plan, seen = course.sse, course.labels, Regions(30, 100), []
    assert plan.turn(course) == 4
    plan.run(course, 5, seen)
    assert course.sse < before
    assert course.budget.done == 5 * 4
    assert course.walks.tally()["regions"] == 2 * 5 * 4
    assert len(seen) == 10  # every half of a round
    assert np.array_equal(seen[0], labels)
    assert_whole(course.walks.state, 3)
