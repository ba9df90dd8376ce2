"""Groups that share more: the cost as a plain program has it, and never a higher one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from coterie.centroids.sharing import _Records, _state, sharpen
from coterie.guarantees.constraints import Constraints
from coterie.kernels.centroids import sharing
from coterie.partitioning.core import Partition
from coterie.space import Space
from coterie.table import infer, read
from coterie.table.encoding import Column
from tests import naive_hierarchy as naive


def columns_of(n=48, seed=0):
    rng = np.random.default_rng(seed)
    codes = [f"{a}{b}{c}" for a in "AB" for b in "12" for c in "xyz"]
    table = pd.DataFrame(
        {
            "code": rng.choice(codes, n),
            "age": rng.integers(20, 60, n),
            "height": rng.normal(170, 9, n),
        }
    )
    source = read(table)
    schema = infer(
        source,
        quasi_identifiers=list(table),
        hierarchies={"code": {"prefix": [1, 2]}},
        releases={"age": "interval"},
        steps={"age": 5},
    )
    columns = [Column.of(schema[name], source.frame[name].to_arrow()) for name in schema.keys]
    return table, columns


def plain_cost(table, labels):
    low, high = naive.interval(table.age.tolist(), 5)
    height = (table.height - table.height.mean()) / table.height.std(ddof=0)
    total = 0.0
    for group in np.unique(labels):
        mine = labels == group
        paths = [(c, c[:2], c[:1]) for c in table.code[mine]]
        shared = naive.ancestor(paths)
        given = next((i for i, label in enumerate(paths[0]) if label == shared), 3)
        ends = naive.interval(table.age[mine].tolist(), 5)
        total += mine.sum() * (given / 3 + (ends[1] - ends[0]) / (high - low))
        total += np.square(height[mine] - height[mine].mean()).sum()
    return total


def test_the_cost_is_that_of_the_oracle_before_and_after():
    for seed in range(5):
        table, columns = columns_of(seed=seed)
        points = Space.of(columns).coordinates(columns)
        labels = np.random.default_rng(seed).permutation(np.arange(len(table)) // 4)
        start = Partition.from_labels(points, labels, 3)
        state = _state(_Records.of(columns), start)
        assert sharing.costs(state) == pytest.approx(plain_cost(table, labels))
        made, told = sharpen(columns, start, points, [np.arange(len(table))], Constraints(), seed)
        assert made.sizes.min() >= 3
        assert made.sizes.max() <= 5
        after = plain_cost(table, made.labels)
        scale = 100 / (3 * len(table))
        assert told.before == pytest.approx(plain_cost(table, labels) * scale)
        assert told.after == pytest.approx(after * scale)
        assert told.after < 0.8 * told.before
        again, _ = sharpen(columns, start, points, [np.arange(len(table))], Constraints(), seed)
        assert (again.labels == made.labels).all()


def test_strata_are_not_crossed_and_constraints_leave_groups_alone():
    table, columns = columns_of(seed=9)
    points = Space.of(columns).coordinates(columns)
    parts = [np.arange(0, 24), np.arange(24, 48)]
    start = Partition.from_labels(points, np.arange(48) // 4, 3)
    made, _ = sharpen(columns, start, points, parts, Constraints(), 0)
    assert not set(made.labels[:24].tolist()) & set(made.labels[24:].tolist())
    same, told = sharpen(columns, start, points, parts, Constraints(units=np.arange(48)), 0)
    assert same is start
    assert told is None
    assert len(table) == 48
