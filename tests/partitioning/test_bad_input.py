"""Bad input to the numeric core: one line that names the parameter, the rule and the value seen."""

from __future__ import annotations

import numpy as np
import pytest

import coterie

GOOD = np.arange(20.0).reshape(10, 2)


def with_value(value):
    X = GOOD.copy()
    X[3, 1] = value
    return X


BAD = {
    "nan": (with_value(np.nan), {}, r"finite.*1 missing or infinite.*nan in record 3, column 1"),
    "infinite": (with_value(-np.inf), {}, r"finite.*-inf in record 3, column 1"),
    "1e300": (with_value(1e300), {}, r"squared distances.*1e\+300 in column 1.*rescale"),
    "1.7e308 both ways": (np.array([[1.7e308], [-1.7e308]] * 4), {}, r"squared distances"),
    "beyond 2^53": (np.array([[2**53 + 2], [1], [2], [3]]), {}, r"2\*\*53.*9007199254740994"),
    "beyond 2^63": (np.array([[2**64 - 1], [1], [2], [3]], dtype=np.uint64), {}, r"2\*\*53"),
    "k = 0": (
        GOOD,
        {"k": 0},
        r"'k' parameter of partition must be an integer of at least 2. Got 0",
    ),
    "k = 1": (GOOD, {"k": 1}, r"at least 2. Got 1 instead. A group of one protects nobody"),
    "k = -3": (GOOD, {"k": -3}, r"Got -3"),
    "k = 2.5": (GOOD, {"k": 2.5}, r"integer of at least 2. Got 2.5"),
    "k = '3'": (GOOD, {"k": "3"}, r"Got '3'"),
    "k = True": (GOOD, {"k": True}, r"Got True"),
    "k = None": (GOOD, {"k": None}, r"Got None"),
    "k an array": (GOOD, {"k": np.array([3, 4])}, r"Got array"),
    "k > n": (GOOD, {"k": 11}, r"at most the number of records, 10. Got 11"),
    "no rows": (np.empty((0, 3)), {}, r"at least one record.*\(0, 3\)"),
    "no columns": (np.empty((5, 0)), {}, r"at least one record and one attribute.*\(5, 0\)"),
    "1-D": (np.arange(10.0), {}, r"two dimensions.*\(10,\).*reshape"),
    "3-D": (np.zeros((4, 2, 2)), {}, r"two dimensions.*\(4, 2, 2\)"),
    "0-D": (3.0, {}, r"two dimensions.*\(\)"),
    "strings": (np.array([["a", "b"]] * 5), {}, r"must hold numbers.*'a'"),
    "mixed": ([[1.0, "x"]] * 5, {}, r"must hold numbers"),
    "objects": (np.array([[1.0, None]] * 5, dtype=object), {}, r"must hold numbers.*None"),
    "dates": (np.array([["2020-01-01"]] * 5, dtype="datetime64[D]"), {}, r"must hold numbers"),
    "complex": (GOOD + 1j, {}, r"must hold numbers.*complex128"),
    "ragged": ([[1.0, 2.0], [3.0]], {}, r"rows of unequal length"),
    "masked": (np.ma.masked_equal(GOOD, 5.0), {}, r"1 masked values"),
    "unknown method": (GOOD, {"method": "mdaw"}, r"Unknown method 'mdaw'. Did you mean 'mdav'"),
    "method None": (GOOD, {"method": None}, r"Unknown method None. Known: "),
    "search of nothing": (GOOD, {"method": "-mhm"}, r"Unknown method '-mhm'"),
    "unknown option": (
        GOOD,
        {"endign": "x"},
        r"option of method 'mdav': 'endign'. Did you mean 'ending'",
    ),
    "no such option": (GOOD, {"method": "exact", "tour": True}, r"'tour'. It takes none"),
    "option value": (
        GOOD,
        {"ending": "never"},
        r"'ending' parameter.*one of 'last-group'.*Got 'never'",
    ),
    "option type": (GOOD, {"method": "mdav-mhm", "tour": 1}, r"'tour'.*True or False. Got 1"),
    "time limit": (GOOD, {"time_limit": 5}, r"'time_limit' parameter is for methods that search"),
    "iterations": (GOOD, {"iterations": 5}, r"'iterations' parameter is for methods that search"),
    "workers": (GOOD, {"workers": 2}, r"'workers' parameter is for methods that search"),
    "callback": (GOOD, {"callback": 3}, r"'callback' parameter of partition must be a function"),
    "huge iterations": (GOOD, {"method": "lsc", "iterations": 2**70}, r"'iterations' parameter"),
    "huge limit": (GOOD, {"method": "lsc", "time_limit": 10**400}, r"'time_limit' parameter"),
    "huge option": (GOOD, {"method": "ilsmc", "patience": 2**70}, r"'patience' parameter"),
    "shaken": (GOOD, {"method": "icsm", "shaken": 4}, r"'shaken' option.*needs restarts"),
    "seed": (GOOD, {"random_state": -1}, r"'random_state'.*Got -1"),
    "seed type": (GOOD, {"random_state": "1"}, r"'random_state'.*Got '1'"),
}


@pytest.mark.parametrize("name", BAD)
def test_one_line_error(name):
    X, arguments, message = BAD[name]
    with pytest.raises(coterie.CoterieError, match=message) as caught:
        coterie.partition(X, **{"k": 3, **arguments})
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_numbers_held_as_objects_are_numbers():
    mixed = np.array([[1.5, True], [2.0, False], [3.0, True], [9, 0]], dtype=object)
    assert coterie.partition(mixed, 2).sizes.sum() == 4


def test_wide_but_representable_values_are_taken():
    X = np.random.default_rng(0).normal(size=(30, 2))
    assert np.array_equal(coterie.partition(X * 2.0**480, 3).labels, coterie.partition(X, 3).labels)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 0, 0, 1], "1 group.s. below it, the smallest of 1"),
        ([0, 0, 0], "one integer for each of the 4 records"),
        ([0.0, 0.0, 1.0, 1.0], "one integer for each"),
        (["a", "a", "b", "b"], "one integer for each"),
    ],
)
def test_labels_from_elsewhere_are_checked(labels, message):
    with pytest.raises(coterie.ParameterError, match=message):
        coterie.Partition.from_labels(np.arange(4.0)[:, None], labels, k=2)
