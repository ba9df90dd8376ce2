"""Errors: one base class, one wording, one line whatever the names and values hold."""

from __future__ import annotations

import pytest

import coterie
from coterie.errors import (
    CoterieError,
    DataError,
    MissingDependency,
    NotMeasured,
    ParameterError,
    bad_parameter,
    listed,
    one_line,
    shown,
    together,
    unknown_name,
)


@pytest.mark.parametrize(
    ("error", "also"),
    [
        (ParameterError, ValueError),
        (DataError, ValueError),
        (MissingDependency, ImportError),
        (NotMeasured, KeyError),
        (coterie.NotKAnonymous, CoterieError),
        (coterie.NotAdmissible, CoterieError),
        (coterie.RuleBroken, CoterieError),
    ],
)
def test_every_error_is_ours_and_of_a_kind_that_python_knows(error, also):
    assert issubclass(error, CoterieError)
    assert issubclass(error, also)


def test_a_message_is_one_line_whatever_it_names():
    error = DataError("column 'a\nb\r\x1b[2J\u2028'")
    assert str(error) == r"column 'a\nb\r\x1b[2J\u2028'"
    assert one_line("plain ä €") == "plain ä €"


def test_a_measure_that_is_missing_is_not_in_quotes():
    assert str(NotMeasured("il was not measured.")) == "il was not measured."


def test_a_parameter_with_rule_value_and_remedy():
    text = str(bad_parameter("k", "partition", "at least 2", 1, "Choose another."))
    assert text == (
        "The 'k' parameter of partition must be at least 2. Got 1 instead. Choose another."
    )


def test_an_unknown_name_has_the_nearest_all_or_none():
    assert str(unknown_name("method", "mdaw", ["exact", "mdav"])).endswith("Did you mean 'mdav'?")
    assert str(unknown_name("method", "zz", ["exact", "mdav"])).endswith("Known: exact, mdav.")
    assert str(unknown_name("option", "zz", [])).endswith("It takes none.")
    assert "Unknown column 5." in str(unknown_name("column", 5, ["a"]))


def test_values_are_shown_short():
    assert shown("x" * 58) == repr("x" * 58)
    assert shown("x" * 59) == repr("x" * 59)[:57] + "..."
    assert shown({"a": 1, "b": [2, 3]}, 12) == "{'a': 1, ..."


def test_many_items_are_counted():
    assert listed(map(str, range(8))) == "0, 1, 2, 3, 4, 5, 6, 7"
    assert listed(map(str, range(9))) == "0, 1, 2, 3, 4, 5, 6, 7 and 1 more"


def test_problems_are_one_sentence():
    assert together(["one.", "two. "]) == "one; two."
    assert together(["one.", "Did you mean 'a'?"]) == "one; Did you mean 'a'?"
