"""Numeric input: what may come in, and what is said where it may not."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.errors import DataError, ParameterError
from coterie.numbers.checks import check_k, check_points


@pytest.mark.parametrize(
    "given",
    [
        [[1, 2], [3, 4]],
        np.array([[1, 2], [3, 4]], dtype=np.int8),
        np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32),
        np.array([[1, 2.0], [3, 4]], dtype=object),
        [[2**53, 2], [-(2**53), 4]],
        [[True, False], [False, True]],
    ],
)
def test_numbers_come_in_as_they_are(given):
    found = check_points(given)
    assert found.dtype == np.float64
    assert found.tolist() == np.asarray(given).astype(float).tolist()


def test_what_is_float64_already_is_not_copied():
    X = np.zeros((3, 2))
    assert check_points(X) is X


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[1, 2], [3]], "Got rows of unequal length"),
        ([["a", "b"]], "must hold numbers. Got values of type .*for example 'a'"),
        ([[1, None]], "must hold numbers"),
        ([1, 2, 3], r"Got shape \(3,\). Use X.reshape"),
        (np.zeros((2, 2, 2)), r"Got shape \(2, 2, 2\). Flatten it first"),
        (np.empty((0, 3)), "at least one record and one attribute"),
        ([[0, 2**53 + 1]], r"Column 1 .*Got 9007199254740993"),
        ([[-(2**60), 0]], r"Column 0 .*Got -1152921504606846976"),
        ([[0.0, 1.0], [np.nan, np.inf]], r"Got 2 missing .* first nan in record 1, column 0"),
        (np.ma.masked_array([[1.0, 2.0]], mask=[[True, False]]), "has 1 masked values"),
    ],
)
def test_what_is_no_table_of_numbers_is_refused(given, message):
    with pytest.raises(DataError, match=message):
        check_points(given)


@pytest.mark.parametrize("k", [2, np.int32(5), 9])
def test_a_group_size(k):
    found = check_k(k, 9)
    assert found == k
    assert type(found) is int


@pytest.mark.parametrize("k", [1, 0, -3, 2.0, "3", None, True, np.True_])
def test_no_group_size(k):
    with pytest.raises(
        ParameterError, match=r"'k' parameter of partition must be an integer of at"
    ):
        check_k(k, 9)


def test_more_than_there_are():
    with pytest.raises(ParameterError, match=r"at most the number of records, 9. Got 10 instead"):
        check_k(10, 9)
