"""Which records break a rule, where numbers are infinite or as large as float64 allows."""

from __future__ import annotations

import math
import operator

import pyarrow as pa
import pytest

import coterie
from coterie.centroids.edits import check, read_rules
from coterie.errors import CoterieError
from coterie.table import read

VALUES = [-math.inf, -1.7e308, -1.0, 0.0, 5e-324, 1.0, 1.7e308, math.inf]
SIGNS = {"<=": operator.le, ">=": operator.ge, "==": operator.eq}


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("bound", ["0", "1", "1.7e308", "-1.7e308"])
def test_one_column_is_compared_as_python_does(sign, bound):
    table = pa.table({"a": VALUES})
    (found,) = check(read(table), read_rules([f"a {sign} {bound}"], ["a"]))
    limit = float(bound)
    wanted = sum(not SIGNS[sign](value, limit) for value in VALUES)
    # To within rounding: 5e-324 equals 0 where the rule is about numbers of the size of 1e308.
    assert abs(found.broken - wanted) <= (limit == 0)


@pytest.mark.parametrize("sign", SIGNS)
def test_two_columns_are_compared_as_python_does(sign):
    pairs = [(a, b) for a in VALUES for b in VALUES]
    table = pa.table({"a": [a for a, _ in pairs], "b": [b for _, b in pairs]})
    (found,) = check(read(table), read_rules([f"a {sign} b"], ["a", "b"]))
    near = {-1.0, 0.0, 5e-324, 1.0}  # alike beside 1e308
    wanted = 0
    for a, b in pairs:
        if math.isinf(a) and a == b:
            wanted += 1  # no difference to compare with 0
        elif not ({a, b} <= near or SIGNS[sign](a, b)):
            wanted += 1
    assert found.broken == wanted


@pytest.mark.parametrize(("more", "broken"), [(0.0, 0), (5e-9, 0), (5e-8, 1), (0.5, 1)])
def test_rounding_is_measured_by_the_size_of_the_terms(more, broken):
    """1e-9 of 4 + 6 + 10: a sum of columns may differ by so much from its bound."""
    table = pa.table({"a": [4.0 + more], "b": [6.0]})
    for rule in ("a + b <= 10", "a + b == 10"):
        (found,) = check(read(table), read_rules([rule], ["a", "b"]))
        assert found.broken == broken


def test_an_infinite_number_does_not_excuse_the_others():
    table = pa.table({"a": [1, 1, 1, 2, 2, 2], "o": [1.0, 99.0, math.inf, 1.0, 1.0, 1.0]})
    with pytest.raises(CoterieError, match=r"break 'o <= 5' \(2 of 6 records\)"):
        coterie.anonymize(table, 3, ["a"], rules=["o <= 5"], declared=["o"], method="mdav")


@pytest.mark.parametrize("size", [1e150, 1e300])
def test_keys_whose_squares_are_no_numbers_are_refused(size):
    table = pa.table({"a": [size, 2 * size, 3 * size, -size, 0.0, size]})
    with pytest.raises(CoterieError, match=r"Key 'a' in rule 'a >= 0' must lie within 1e\+140"):
        coterie.anonymize(table, 3, ["a"], rules=["a >= 0"], broken_rules="repair", method="mdav")


def test_keys_too_narrow_for_squares_keep_their_rules():
    table = pa.table({"a": [1e-300, 2e-300, 3e-300, -1e-300, 0.0, 1e-300]})
    made = coterie.anonymize(
        table, 3, ["a"], rules=["a >= 0"], broken_rules="repair", method="mdav"
    )
    assert min(made.data["a"].to_pylist()) >= 0


def test_a_distance_that_rounding_swallows_is_none():
    """A constant that P3M holds with all its weight, and a rule that moves it far away."""
    table = pa.table({"a": [611030000.0, 168749999.99999997, 231068000.00000006], "b": [0.0] * 3})
    asked = {"rules": ["a >= 680423999.9999999", "a <= b"], "broken_rules": "repair"}
    with pytest.raises(coterie.CoterieError, match="keep all rules"):
        coterie.anonymize(table, 3, ["a", "b"], method="mdav", aggregation="p3m", **asked)
    mean = coterie.anonymize(table, 3, ["a", "b"], method="mdav", **asked)
    assert mean.data["a"].to_pylist() == mean.data["b"].to_pylist() == [680423999.9999999] * 3
