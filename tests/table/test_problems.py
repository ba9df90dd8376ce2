"""All that is wrong is told at once, each problem once, in one order."""

from __future__ import annotations

import pandas as pd
import pytest

import coterie
from coterie.errors import DataError, ParameterError
from coterie.table.problems import Problems


def test_nothing_wrong_is_not_refused():
    Problems().refuse(Problems())


def test_problems_are_told_once_and_in_order():
    here, there = Problems(), Problems()
    here.add("age holds text.", data=True, columns=["age"], refuses=True)
    here.add("age holds text", data=True)
    there.add("zip cannot be banded", data=True)
    there.add("age holds text", data=True)
    with pytest.raises(DataError) as caught:
        here.refuse(there)
    assert caught.value.problems == ("age holds text", "zip cannot be banded")
    assert here.refused == {"age"}


def test_what_was_known_before_comes_first_and_is_of_the_arguments():
    found = Problems()
    found.add("age holds text", data=True)
    with pytest.raises(ParameterError) as caught:
        found.refuse(first=["k must be at least 2"])
    assert caught.value.problems == ("k must be at least 2", "age holds text")


def test_each_problem_knows_the_columns_that_it_is_about():
    here, there = Problems(), Problems()
    with here.about("age"):
        here.add("age holds text")
        here.add("zip gives age back", columns=["zip", "age"])
    here.add("k must be at least 2")
    there.add("age holds text", columns=["year", "age"])
    with pytest.raises(ParameterError) as caught:
        here.refuse(there, first=["alpha is unknown"])
    assert caught.value.columns == {
        "alpha is unknown": (),
        "age holds text": ("age", "year"),
        "zip gives age back": ("zip", "age"),
        "k must be at least 2": (),
    }


def test_a_refused_table_says_of_which_columns_each_problem_is():
    table = {"1": [1.0, float("inf"), 2.0, 3.0], "11": ["a", None, "c", "d"], "x": [1, 2, 3, 4]}
    with pytest.raises(coterie.CoterieError) as caught:
        coterie.anonymize(pd.DataFrame(table), 2, ["1", "11"], transforms={"x": "log1p"})
    found = caught.value
    assert tuple(found.columns) == found.problems
    assert set(found.columns.values()) == {("1",), ("11",), ("x",)}
