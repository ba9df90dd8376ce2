"""Distance targets: every way to give them, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from coterie.centroids.p3m.targets import distance_target
from coterie.errors import ParameterError

NAMES = ["age", "income"]
TABLE = pd.DataFrame({"age": [1.0, 2, 3], "income": [4.0, 5, 6], "own": [0.1, 0.2, 0.3]})


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (0.5, [[0.5, 0.5]] * 3),
        ([0.1, 0.2], [[0.1, 0.2]] * 3),
        (np.array([[1], [2], [3]]), [[1, 1], [2, 2], [3, 3]]),
        (np.arange(6).reshape(3, 2), [[0, 1], [2, 3], [4, 5]]),
        ("own", [[0.1, 0.1], [0.2, 0.2], [0.3, 0.3]]),
        ({"income": 0.4}, [[0, 0.4]] * 3),
        ({"income": "own", "age": [7, 8, 9]}, [[7, 0.1], [8, 0.2], [9, 0.3]]),
    ],
)
def test_every_way_gives_one_for_each_record_and_attribute(given, expected):
    found = distance_target("delta", given, 3, NAMES, TABLE)
    assert found.tolist() == expected
    found[0, 0] = -1.0  # the caller's own, whatever was given


def test_none_stays_none():
    assert distance_target("delta", None, 3, NAMES) is None


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("delta", -0.1, "'delta' parameter of p3m must be numbers of at least 0. Got -0.1"),
        ("delta", np.nan, "numbers of at least 0. Got nan"),
        ("delta", np.inf, "numbers of at least 0. Got inf"),
        ("importance", 1.5, "'importance' parameter of p3m must be numbers from 0 to 1. Got 1.5"),
        ("delta", [0.1, 0.2, 0.3], r"one for each of the 2 attributes .* 'shape \(3,\)'"),
        ("delta", [[0.1], [0.2, 0.3]], "numbers of at least 0"),
        ("delta", [True, False], "numbers of at least 0"),
        ("delta", {"agee": 0.1}, "Unknown attribute in 'delta': 'agee'. Did you mean 'age'"),
        ("delta", "owm", "Unknown column in 'delta': 'owm'. Did you mean 'own'"),
        ("delta", {"age": [1, 2]}, "shape"),
    ],
)
def test_what_is_no_target_is_refused(name, given, message):
    with pytest.raises(ParameterError, match=message):
        distance_target(name, given, 3, NAMES, TABLE)


def test_an_array_has_no_columns_to_name():
    with pytest.raises(ParameterError, match="names a column, 'own', which only a table has"):
        distance_target("delta", "own", 3, NAMES, TABLE.to_numpy())
