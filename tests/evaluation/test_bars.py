"""Thresholds: which side of them is good, and what none can be."""

from __future__ import annotations

import math

import pytest

import coterie
from coterie.evaluation.bars import read_bars


def test_a_value_at_the_threshold_keeps_it_and_one_not_measured_does_not():
    bars = read_bars({"inference": 5, "distinct_l": 2.0})
    for name, good, bad in (("inference", 4.9, 5.1), ("distinct_l", 2.1, 1.9)):
        bar = bars[name]
        assert bar.met(bar.limit)
        assert bar.met(good)
        assert not bar.met(bad)
        assert not bar.met(None)
        assert not bar.met(math.nan)
    assert [str(bar) for bar in bars.values()] == ["at most 5", "at least 2"]
    assert read_bars(None) == read_bars({}) == {}


@pytest.mark.parametrize("limit", [math.inf, math.nan, True, "5", None])
def test_a_threshold_is_a_finite_number(limit):
    with pytest.raises(coterie.ParameterError, match="'il' must be a finite number"):
        read_bars({"il": limit})


def test_a_threshold_lies_within_the_bounds_of_its_measure():
    assert read_bars({"dld": 0})["dld"].limit == 0.0
    assert read_bars({"dld": 100})["dld"].limit == 100.0
    for limit in (-1, 100.5):
        with pytest.raises(coterie.ParameterError, match="within 0 and 100"):
            read_bars({"dld": limit})
    with pytest.raises(coterie.ParameterError, match="mapping of measures to numbers"):
        read_bars(["dld"])
