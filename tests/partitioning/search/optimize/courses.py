"""Courses that phases run over alone, and what every phase leaves."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.partitioning.driver import Run
from coterie.partitioning.neighbors import candidates
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.optimize.course import Course
from coterie.partitioning.search.optimize.start import Start
from coterie.partitioning.search.stop import Budget, Stop
from coterie.partitioning.search.sweeps import Sweeps
from coterie.partitioning.search.walks import Walks
from tests import naive_annealing

__all__ = ["assert_whole", "budget_of", "course_of", "halves", "swept_course"]

halves = Start().halves


def budget_of(run):
    """One that nothing but the clock ends."""
    return Budget(run, Stop(np.inf, -1.0, 2**62))


def course_of(X, k, seconds=None):
    """Two walks over halves."""
    problem = Problem.of(X, k)
    run = Run(time_limit=seconds, seed=np.random.SeedSequence(0))
    near = candidates(problem, 10, run)
    walks = Walks(problem, halves(problem), near, np.random.SeedSequence(1), 2)
    return Course(problem, budget_of(run), walks)


def swept_course(X, k, seconds=None):
    """The same, with sweeps over its partition."""
    course = course_of(X, k, seconds)
    problem, near = course.problem, course.walks.state.near
    sweeps = Sweeps(problem, course.labels, near, np.random.SeedSequence(2), 2, course.sse)
    return course, sweeps


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
