from __future__ import annotations

import numpy as np
import pytest

import coterie
from coterie.partitioning.core import Outcome, Partition, TracePoint
from coterie.partitioning.problem import Problem


def test_labels_are_numbered_by_first_record():
    p = coterie.Partition.from_labels(np.arange(6.0)[:, None], [9, 2, 9, 2, -5, -5], k=2)
    assert p.labels.tolist() == [0, 1, 0, 1, 2, 2]
    assert p.sizes.tolist() == [2, 2, 2]


def test_equal_records_have_exactly_their_value_as_centroid():
    value = np.array([0.1, 1e9 + 0.1, -3e-7])
    X = np.vstack([np.tile(value, (7, 1)), np.random.default_rng(0).normal(size=(7, 3))])
    p = coterie.Partition.from_labels(X, [0] * 7 + [1] * 7, k=7)
    assert np.array_equal(p.centroids[0], value)


def test_no_cancellation_at_large_offsets():
    X = np.array([[0.0], [1.0], [5.0], [7.0]]) + 1e15
    p = coterie.Partition.from_labels(X, [0, 0, 1, 1], k=2)
    assert p.sse == 2.5
    assert p.sst == 32.75


def test_arrays_cannot_be_changed():
    p = coterie.partition(np.arange(12.0).reshape(6, 2), 3)
    for array in (p.labels, p.sizes, p.centroids):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_bound_gap_and_trace_are_in_the_units_of_the_table():
    problem = Problem.of(np.array([[0.0], [8.0], [100.0], [108.0]]), 2)
    outcome = Outcome(
        np.array([0, 0, 1, 1]),
        trace=(TracePoint(1, 0.1, 64.0 / problem.scale**2),),
        lower_bound=48.0 / problem.scale**2,
    )
    p = Partition.of(problem, outcome, method="test")
    assert (p.sse, p.lower_bound, p.gap, p.trace[0].sse) == (64.0, 48.0, 25.0, 64.0)


def test_without_a_bound_there_is_no_gap():
    p = coterie.partition(np.arange(12.0).reshape(6, 2), 3)
    assert (p.lower_bound, p.gap, p.trace, p.epochs) == (None, None, None, None)


def test_repr_tells_the_essentials():
    p = coterie.partition(np.arange(12.0).reshape(6, 2), 3)
    assert repr(p) == "Partition(method='mdav', n=6, k=3, groups=2, information_loss=22.8571)"
