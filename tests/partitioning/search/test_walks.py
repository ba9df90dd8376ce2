from __future__ import annotations

import numpy as np
import pytest

from coterie.kernels.search import regions
from coterie.partitioning.driver import Run
from coterie.partitioning.neighbors import candidates
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.walks import Walks
from tests.partitioning.search.optimize.courses import assert_whole, halves


def test_records_arranged_in_memory_are_the_same_partition(rng):
    problem = Problem.of(rng.normal(size=(300, 3)), 3)
    near = candidates(problem, 10, Run())
    walks = Walks(problem, halves(problem), near, np.random.SeedSequence(1), 4)
    walks.schedule = regions.Schedule(40, 50, 4.0, 0.01, 0.0, False, 3, 20)
    walks.state.price[:] = np.arange(300)
    for _ in range(3):
        before, sse = walks.labels, walks.sse
        walks.arrange()
        pairs = np.unique(np.column_stack([walks.labels, before]), axis=0)
        assert len(pairs) == len(np.unique(before)) == len(np.unique(walks.labels))
        assert walks.sse == pytest.approx(sse)
        assert_whole(walks.state, 3)
        state = walks.state
        assert (np.diff(state.labels) >= 0).all()  # group by group
        record = state.price.astype(int)  # which one lies where
        assert np.array_equal(state.points, problem.points[record])
        assert np.array_equal(record[state.near], near[record])
        walks.replace(before)  # whatever lies where
        assert np.array_equal(walks.labels, before)
        walks.share_out()
        Run(workers=2).drive(walks.streams, phase="test", epoch=2, iterations=2)
        assert_whole(walks.state, 3)
