"""The one sweep: rows in the order of the settings, refusals, progress, and what meets all bars."""

from __future__ import annotations

import pytest

from coterie.errors import DataError
from coterie.evaluation.bars import read_bars
from coterie.tuning.sweep import met, sweep


def make(k):
    if k > 10:
        raise DataError(f"too few records for {k}")
    return 100.0 / k


def judge(k, made, seconds):
    assert seconds >= 0.0
    return {"k": k, "risk": made}


def test_a_row_for_each_setting_and_what_is_told():
    told = []
    assert sweep([4, 2], make, judge, phase="tune", callback=told.append) == [
        {"k": 4, "risk": 25.0},
        {"k": 2, "risk": 50.0},
    ]
    assert [(one.phase, one.fraction) for one in told] == [("tune", 0.5), ("tune", 1.0)]


def test_a_refusal_ends_it_or_is_a_row():
    with pytest.raises(DataError, match="too few records for 20"):
        sweep([4, 20], make, judge)
    rows = sweep([20, 5], make, judge, refused=lambda k, error: {"k": k, "why": str(error)})
    assert rows == [{"k": 20, "why": "too few records for 20"}, {"k": 5, "risk": 20.0}]


def test_what_was_not_measured_meets_no_bar():
    bars = read_bars({"dld_expected": 10.0, "distinct_l": 2.0})
    assert met({"dld_expected": 9.0, "distinct_l": 2.0}, bars) is True
    assert met({"dld_expected": 9.0, "distinct_l": 1.0}, bars) is False
    assert met({"dld_expected": 9.0}, bars) is False
    assert met({"dld_expected": None, "distinct_l": 2.0}, bars) is False
    assert met({}, {}) is None
