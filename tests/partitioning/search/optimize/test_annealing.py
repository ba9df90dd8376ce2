from __future__ import annotations

import numpy as np
import pytest

from coterie.kernels.base import draws
from coterie.kernels.search import annealing, regions, slots
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.optimize.annealing import Annealing
from tests import naive_annealing, naive_search
from tests.partitioning.search.optimize.courses import assert_whole, course_of, halves
from tests.trials import later


def nearest(X, count):
    d2 = np.square(X[:, None, :] - X[None]).sum(axis=2)
    np.fill_diagonal(d2, np.inf)
    return np.argsort(d2, axis=1, kind="stable")[:, :count].astype(np.int32)


@pytest.mark.parametrize(("n", "k", "rare"), [(18, 2, 4), (23, 3, 5), (31, 3, 40), (40, 2, 10)])
@pytest.mark.parametrize("seed", [0, later(1), later(2)])
def test_annealing_agrees_with_its_oracle_move_by_move(n, k, rare, seed):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    near = nearest(X, 6)
    labels = halves(Problem.of(X, k))
    state = slots.slots(X, near, labels, k, 2 * k - 1, 2)
    walk = regions.walk(state, 0, draws.seeded(np.random.SeedSequence(seed)))
    count = len(state.size)
    walk.territory[:count] = np.arange(count)
    walk.parts[1] = count
    walk.cursor[regions.TERRITORY] = count
    walk.cursor[regions.PARTS] = 1
    state.owner[:] = 0
    plan = regions.Schedule(0, 20, 2.0, 0.01, 0.0, False, 1, rare)
    while annealing.step(state, walk, plan, 1, 7) == 0:  # left and resumed again and again
        pass
    begin = [np.flatnonzero(labels == g).tolist() for g in range(count)]
    words = draws.seeded(np.random.SeedSequence(seed))
    naive = naive_annealing.anneal(
        X, near.tolist(), begin, k, naive_search.Draws(words), 20, 2.0, 0.01, rare
    )
    found = [sorted(np.flatnonzero(state.labels == g).tolist()) for g in range(count)]
    assert found == [sorted(group) for group in naive]
    assert state.sse.sum() == pytest.approx(naive_annealing.total(X, naive))


def test_annealing_works_alone_and_keeps_what_is_better(rng):
    course = course_of(rng.normal(size=(300, 3)), 3)
    before = course.sse
    Annealing(200).run(course)
    annealed, labels = course.sse, course.labels
    assert annealed < 0.8 * before
    assert course.budget.done == 0  # what is counted are regions
    assert [point.iterations for point in course.trace.points] == [0, 0]
    assert_whole(course.walks.state, 3)
    Annealing(20, hot=50.0, cold=40.0, last=0).run(course)  # never cold
    assert course.sse == pytest.approx(annealed)
    assert np.array_equal(course.labels, labels)
    assert course.walks.tally()["proposals"] > 300 * 220 * 0.9
