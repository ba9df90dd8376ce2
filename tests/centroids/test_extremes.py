"""At the ends of what 64 bits hold, centroids still lie among the originals."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import coterie
from coterie.centroids.mean import mean
from coterie.centroids.median import median
from coterie.centroids.mode import mode
from coterie.centroids.p3m import p3m
from coterie.errors import CoterieError
from coterie.numbers.ticks import later, since
from coterie.table.encoding import Column
from coterie.table.schema import Attribute

LARGEST = float(np.finfo(float).max)
HUGE = [
    [-1e308, 1e308, 0.0],
    [LARGEST] * 5,
    [-LARGEST, LARGEST, LARGEST, LARGEST],
    [1e300, LARGEST, -3.0],
    [5e-324, 1e308, 5e-324],
]
# Means of these pairs must be moved beyond float64 to have the variance of the numbers.
WIDE = LARGEST * np.array([[1.0], [1.0], [-1.0], [1.0], [-1.0], [1.0], [-1.0], [-1.0]])
PAIRS = np.repeat(np.arange(4), 2)


def exact_mean(values, weights=None):
    """By fractions: the float64 next to the true mean."""
    weights = [1] * len(values) if weights is None else weights
    total = sum(Fraction(v) * Fraction(w) for v, w in zip(values, weights, strict=True))
    return float(total / sum(map(Fraction, weights)))


@pytest.mark.parametrize("values", HUGE)
def test_means_of_huge_numbers(values):
    found = mean(np.array([values]).T, [0] * len(values)).values[0, 0]
    assert found == pytest.approx(exact_mean(values), rel=1e-15, abs=1e293)
    assert min(values) <= found <= max(values)


@pytest.mark.parametrize("weights", [None, np.arange(1.0, 34.0)])
def test_a_number_may_be_huge_for_the_largest_group_alone(weights):
    """A group of three holds it, one of thirty would not."""
    X = np.array([[5e306], [4e306], [3e306], *[[float(i)] for i in range(30)]])
    labels = np.repeat([0, 1], [3, 30])
    released = mean(X, labels, weights=weights).table.ravel()
    w = [Fraction(v) for v in (np.ones(33) if weights is None else weights)]
    for rows in (range(3), range(3, 33)):
        exact = sum(w[i] * Fraction(X[i, 0]) for i in rows) / sum(w[i] for i in rows)
        assert released[rows[0]] == pytest.approx(float(exact), rel=1e-15)


def test_a_group_of_small_numbers_loses_nothing_beside_a_huge_one():
    values = [1e308, -1e308, 1e308, 1e-300, 3e-300, 5e-324, 5e-324, 5e-324]
    labels = [0, 0, 0, 1, 1, 2, 2, 2]
    found = mean(np.array([values]).T, labels).values[:, 0]
    assert found[1] == pytest.approx(2e-300, rel=1e-15)
    assert found[2] == 5e-324


@pytest.mark.parametrize("size", [1e300, LARGEST, 1e-300, 5e-324])
def test_weights_of_any_size_give_the_same_centroids(size):
    rng = np.random.default_rng(0)
    values = rng.integers(0, 5, (60, 1)).astype(float)
    labels = np.repeat(np.arange(12), 5)
    shares = rng.choice([0.25, 0.5, 1.0], 60)
    weights = shares * size if size > 1 else np.full(60, size)
    plain = shares if size > 1 else np.ones(60)
    for aggregate in (mean, median, mode):
        found = aggregate(values, labels, weights=weights).values
        assert found == pytest.approx(aggregate(values, labels, weights=plain).values, rel=1e-14)


def test_weights_differ_from_group_to_group():
    """A group of light records after a heavy one: its median and mode are its own."""
    values = [[1.0], [2.0], [3.0], [1.0], [2.0], [3.0]]
    labels = [0, 0, 0, 1, 1, 1]
    weights = [1e300, 1e300, 1e300, 1.0, 1.0, 5.0]
    assert median(values, labels, weights=weights).values.ravel().tolist() == [2.0, 3.0]
    assert mode(values, labels, weights=weights).values.ravel().tolist() == [1.0, 3.0]
    assert mean(values, labels, weights=weights).values[1, 0] == pytest.approx(18 / 7)


def test_the_median_of_two_huge_numbers_lies_between_them():
    assert median([[-LARGEST], [LARGEST]], [0, 0]).values.tolist() == [[0.0]]


def test_renormalized_means_of_huge_numbers_keep_the_variance_or_are_refused():
    values = np.array([[-4e300], [-2e300], [2e300], [4e300]])
    found = mean(values, [0, 0, 1, 1], renormalize=True).table / 1e300
    assert found.std() == pytest.approx((values / 1e300).std())
    with pytest.raises(CoterieError, match="must give numbers within float64"):
        mean(WIDE, PAIRS, renormalize=True)


@pytest.mark.parametrize("unit", [1e300, 1.0, 1e-300])
def test_p3m_is_the_same_in_any_unit(unit):
    rng = np.random.default_rng(1)
    values = rng.normal(size=(60, 1)) * 8
    labels = np.repeat(np.arange(20), 3)
    small = p3m(values, labels, delta=0.2, importance=0.5)
    found = p3m(values * unit, labels, delta=0.2, importance=0.5)
    assert found.values / unit == pytest.approx(small.values, rel=1e-6)
    assert found.satisfied == pytest.approx(small.satisfied)


def test_p3m_beyond_float64_is_refused_by_name():
    with pytest.raises(CoterieError, match=r"of 'x1' must give numbers within float64"):
        p3m(WIDE, PAIRS)


@pytest.mark.parametrize("aggregation", ["mean", "median", "p3m"])
@pytest.mark.parametrize("low", [-1e308, 0.0])
def test_a_release_of_huge_numbers_is_finite(low, aggregation):
    rng = np.random.default_rng(2)
    table = pd.DataFrame({"x": rng.uniform(low / 1e308, 1, 40) * 1e308})
    made = coterie.anonymize(
        table, 5, ["x"], method="mdav", aggregation=aggregation, row_order="keep"
    )
    released = made.data["x"]
    assert np.isfinite(released).all()
    if aggregation == "mean":
        for group in range(len(made.partition.sizes)):
            members = made.partition.labels == group
            assert released[members].iloc[0] == pytest.approx(exact_mean(table["x"][members]))


@pytest.mark.parametrize("unit", ["ns", "us", "ms", "s"])
def test_times_over_centuries_average_to_what_lies_between_them(unit):
    texts = ["1678-01-01 01:00", "2262-01-01 02:00", "1970-06-01 03:00", "2200-12-31 23:59"] * 3
    table = pd.DataFrame({"t": pd.to_datetime(texts, format="ISO8601").astype(f"M8[{unit}]")})
    made = coterie.anonymize(table, 12, ["t"], method="mdav")
    ticks = [int(t) for t in table["t"].astype("int64")]
    wanted = sum(ticks) // 12
    found = int(made.data["t"].astype("int64").iloc[0])
    assert abs(found - wanted) <= max(1, (max(ticks) - min(ticks)) // 2**52)
    assert 1980 < made.data["t"].iloc[0].year < 2040


def test_heavy_weights_release_dates_among_the_originals():
    table = pd.DataFrame(
        {
            "t": pd.date_range("2020", periods=12, freq="31h"),
            "d": pd.date_range("2020", periods=12),
            "n": ["a", "b", "c"] * 4,
            "w": [1e300] * 12,
        }
    )
    for aggregation in ("mean", "median"):
        made = coterie.anonymize(
            table, 3, ["t", "d", "n"], sample_weight="w", method="mdav", aggregation=aggregation
        ).data
        assert made["t"].between(table["t"].min(), table["t"].max()).all()
        assert made["d"].between(table["d"].min(), table["d"].max()).all()


@pytest.mark.parametrize("start", [-(2**63) + 1, -(2**62), 0, 2**63 - 1])
def test_differences_of_64_bits_and_back(start):
    units = np.array([-(2**63) + 1, -(2**53), -1, 0, 7, 2**53, 2**63 - 1])
    apart = since(start, units)
    assert apart.tolist() == [float(int(u) - start) for u in units]
    back = later(start, apart)
    wide = [max(1, abs(int(u) - start) // 2**52) for u in units]
    assert all(abs(int(b) - int(u)) <= w for b, u, w in zip(back, units, wide, strict=True))


def column(kind, values, declared="integer"):
    return Column.of(Attribute("o", frozenset({"key"}), declared, ""), pa.array(values, type=kind))


@pytest.mark.parametrize(
    ("kind", "values", "beyond"),
    [
        (pa.uint8(), [250, 255, 0], 274.0),
        (pa.uint8(), [250, 255, 0], -1.0),
        (pa.int8(), [-128, 127, 0], 128.0),
        (pa.int64(), [1, 2, 3], 2.0**60),
        (pa.float32(), [1.0, 2.0, 3.0], 1e39),
        (pa.decimal128(4, 2), [1, 2, 3], 100.0),
        (pa.date32(), [1, 2, 3], 2.0**33),
        (pa.timestamp("ns"), [0, 0, 0], 2.0**20),
    ],
)
def test_a_value_that_the_type_cannot_hold_is_refused(kind, values, beyond):
    declared = "date" if pa.types.is_temporal(kind) else "integer"
    made = column(kind, values, "continuous" if kind == pa.float32() else declared)
    with pytest.raises(
        CoterieError, match=rf"Column .o. must be of a type that holds .*{re.escape(str(kind))}"
    ):
        made.restore(np.array([1.0, 2.0, beyond]))
    assert len(made.restore(np.array([1.0, 2.0, 3.0]))) == 3


@pytest.mark.parametrize("kind", [pa.uint8(), pa.int8()])
@pytest.mark.parametrize("rule", ["o >= 300", "o <= -300"])
def test_rules_beyond_a_byte_are_refused(kind, rule):
    table = pa.table({"o": pa.array([1, 2, 100] * 4, type=kind)})
    with pytest.raises(CoterieError, match=r"Column 'o' must be of a type that holds .* Got -?300"):
        coterie.anonymize(table, 3, ["o"], rules=[rule], broken_rules="repair", method="mdav")


def test_p3m_beyond_a_byte_is_refused():
    table = pa.table({"o": pa.array([250, 255, 0] * 4, type=pa.uint8())})
    with pytest.raises(CoterieError, match=r"Column 'o' must be of a type that holds"):
        coterie.anonymize(table, 3, ["o"], aggregation="p3m", method="mdav", delta=0.5)


def test_intervals_with_huge_weights():
    """A width times a weight is beyond float64; the share that is lost is not."""
    weights = np.array([4.5, 7.8, 6.6, 1.3, 8.3])
    table = pd.DataFrame({"a": [-6.6e8, -9.4e8, 2e8, 1.7e8, 1e8], "w": weights})
    asked = {
        "sample_weight": "w",
        "releases": {"a": "interval"},
        "steps": {"a": 7.5},
        "declared": ["w"],
    }
    plain = coterie.anonymize(table, 5, ["a"], **asked)
    huge = coterie.anonymize(table.assign(w=weights * 1e300), 5, ["a"], **asked)
    assert huge.information_loss == pytest.approx(plain.information_loss)


@pytest.mark.parametrize(("unit", "shift"), [(1e-301, 2.27060e300), (1e-307, 2.27060e306)])
def test_rules_that_move_tiny_numbers_far_are_told_in_numbers(unit, shift):
    """All are moved to 1, which has a square that is beyond float64 beside theirs."""
    tiny = np.array([2.0, -4.4, 8.3, 3.5, 9.9, 0.9, 4.1]) * unit
    table = pd.DataFrame({"b": [0, 0, 0, 1, 1, 0, 0], "a": tiny})
    asked = {"aggregation": "p3m", "rules": ["b >= 1", "b <= a"], "broken_rules": "repair"}
    told = coterie.anonymize(table, 5, ["a", "b"], declared=["a", "b"], **asked)
    targets = told.evidence.internal["measures"]["distance_targets"]
    assert all(map(math.isfinite, targets["b"].values()))
    assert targets["a"]["sd_ratio"] == 0.0  # all are equal
    assert targets["a"]["mean_shift_sd"] == pytest.approx(shift, rel=1e-4)


def test_a_constant_that_a_rule_moves_has_no_shift_in_standard_deviations():
    table = pd.DataFrame({"a": [0.0] * 7, "b": [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]})
    ruled = {"rules": ["a >= 1"], "broken_rules": "repair"}
    for rules, shift in ((ruled, None), ({}, 0.0)):
        told = coterie.anonymize(table, 3, ["a", "b"], aggregation="p3m", method="mdav", **rules)
        found = told.evidence.internal["measures"]["distance_targets"]["a"]
        assert found["mean_shift_sd"] == shift
        assert found["sd_ratio"] == 1.0
        assert ('"mean_shift_sd": null' in told.evidence.json("internal")) == (shift is None)
