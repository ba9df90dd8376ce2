"""What classes give away, computed by hand: four records of one class and two of another."""

from __future__ import annotations

import math

import numpy as np
import pytest

from coterie.guarantees import disclosure

LABELS = np.array([0, 0, 0, 0, 1, 1])
CODES = np.array([0, 0, 0, 1, 1, 2])
SHARES = np.array([3, 2, 1]) / 6
AMOUNTS = np.array([10.0, -5.0, 2.0, 3.0, 7.0, 7.0])
UNITS = np.array([0, 0, 1, 2, 3, 3])


def test_values_of_a_class():
    assert disclosure.distinct_values(LABELS, CODES).tolist() == [2, 2]
    assert disclosure.largest_share(LABELS, CODES).tolist() == [0.75, 0.5]
    entropy = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))
    assert disclosure.effective_values(LABELS, CODES) == pytest.approx([math.exp(entropy), 2.0])


def test_distances_from_the_whole_table():
    # Class 0 has shares 3/4, 1/4, 0; class 1 has 0, 1/2, 1/2; the table 3/6, 2/6, 1/6.
    assert disclosure.equal_distance(LABELS, CODES) == pytest.approx([0.25, 0.5])
    assert disclosure.equal_distance(LABELS, CODES, SHARES) == pytest.approx([0.25, 0.5])
    assert disclosure.ordered_distance(LABELS, CODES) == pytest.approx([5 / 24, 5 / 12])


def test_limits_of_single_values():
    found = disclosure.largest_of(LABELS, CODES, np.array([0.5, 0.5, np.inf]))
    assert found.tolist() == [1.5, 1.0]


def test_the_most_frequent_value_against_the_rest():
    assert disclosure.recursive_ratio(LABELS, CODES, 2).tolist() == [3.0, 1.0]
    assert disclosure.recursive_ratio(LABELS, CODES, 3).tolist() == [np.inf, np.inf]


def test_growth_of_shares():
    # A share of 1/2 may grow by ln 2 at most, one of 1/6 by beta = 1.
    assert disclosure.growth_limits(SHARES, 1.0) == pytest.approx([math.log(2), 1.0, 1.0])
    assert disclosure.likeness(LABELS, CODES, SHARES, 1.0) == pytest.approx([0.5 / math.log(2), 2])
    assert disclosure.log_ratio(LABELS, CODES, SHARES).tolist() == [np.inf, np.inf]
    both = disclosure.log_ratio(np.zeros(6, dtype=np.int64), CODES, SHARES)
    assert both == pytest.approx([0.0])


def test_amounts_of_the_largest_units():
    assert disclosure.remainder_percent(LABELS, None, AMOUNTS).tolist() == [50.0, 0.0]
    assert disclosure.top_percent(LABELS, None, AMOUNTS, 1).tolist() == [50.0, 50.0]
    # Of units, the first adds 15 of 20; the last is alone in its class.
    assert disclosure.remainder_percent(LABELS, UNITS, AMOUNTS) == pytest.approx([2 / 15 * 100, 0])
    assert disclosure.top_percent(LABELS, UNITS, AMOUNTS, 1).tolist() == [75.0, 100.0]
