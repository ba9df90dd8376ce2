from __future__ import annotations

import numpy as np
import pytest

from coterie.partitioning.search.optimize.annealing import Annealing
from coterie.partitioning.search.optimize.columns import Plunge, Relaxing, Tightening
from coterie.partitioning.search.optimize.regions import Regions
from tests.partitioning.search.optimize.courses import assert_whole, course_of, halves


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


def test_steps_that_the_clock_has_ended_are_the_last(rng, clock):
    pytest.importorskip("highspy")
    course = course_of(rng.standard_t(3, size=(150, 2)), 4, seconds=10.0)
    clock.tick = 0.05
    columns = Relaxing(share=0.1).run(course)
    steps = columns.relaxation.steps
    assert steps.most == steps.done
    Tightening().run(course, columns)
    assert steps.most == steps.done
