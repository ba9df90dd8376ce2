"""Each threshold: one value within its rule, and some beyond."""

from __future__ import annotations

import math

import pytest

from coterie.guarantees.thresholds import THRESHOLDS

GOOD = {
    "min_distinct": [2, 7],
    "max_share": [0.5, 1e-9],
    "entropy_l": [1.01, 3],
    "t_closeness": [0.2],
    "alpha_k": [0.5, {"hiv": 0.2, "flu": 0.9}],
    "recursive_cl": [(0.5, 2), [3, 4]],
    "beta_likeness": [0.1, 4],
    "delta_disclosure": [1.0],
    "p_percent": [10, 150.5],
    "dominance": [(1, 50), [2, 85.5]],
}
BAD = {
    "min_distinct": [1, 2.0, True, "3"],
    "max_share": [0, 1, math.nan, "half"],
    "entropy_l": [1, math.inf, None],
    "t_closeness": [0, 1.0, True],
    "alpha_k": [0, 1, {}, {"hiv": 1.2}],
    "recursive_cl": [(0, 2), (1, 1), (1, 2.5), (1, 2, 3), 2],
    "beta_likeness": [0, -1],
    "delta_disclosure": [0],
    "p_percent": [0, -5, math.inf],
    "dominance": [(0, 50), (1, 0), (1, 100), (1.5, 50), (1,), 50],
}


def test_every_rule_is_tried():
    assert set(GOOD) == set(BAD) == set(THRESHOLDS)


@pytest.mark.parametrize("name", THRESHOLDS)
def test_within_and_beyond(name):
    words, holds = THRESHOLDS[name]
    assert words
    assert [value for value in GOOD[name] if not holds(value)] == []
    assert [value for value in BAD[name] if holds(value)] == []
