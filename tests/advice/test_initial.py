"""The first settings file of a table."""

from __future__ import annotations

import datetime as dt
import tomllib

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from coterie.advice import settings_file
from coterie.table import infer, read

ODD = 'we.ird "x"\n\x7f\\'


@pytest.fixture
def source():
    table = {
        "patient_id": range(6),
        "age": [30, 40, -9, 60, 30, 40],
        "edu": ["lo", "hi"] * 3,
        ODD: [1.5, 2.5] * 3,
        "born": [dt.date(1990, 1, 1), dt.date(1980, 1, 1)] * 3,
        "empty": [None] * 6,
    }
    return read(pd.DataFrame(table))


def test_what_a_schema_says_is_a_plan(source):
    given = {
        "quasi_identifiers": ["age", "edu", ODD],
        "confidential": ["born"],
        "identifiers": ["patient_id"],
        "declared": ["empty"],
        "orders": {"edu": ["lo", "hi"], "born": [dt.date(1980, 1, 1), dt.date(1990, 1, 1)]},
        "missing_codes": {"age": [-9]},
        "transforms": {"age": "log1p"},
        "attribute_weights": {ODD: 0.5},
    }
    schema = infer(source, **given)
    plan = coterie.Plan.from_toml(settings_file(schema, source))
    assert plan.k == 5
    again = infer(source, **plan.described)
    for one, other in zip(schema, again, strict=True):
        assert (one.roles, one.type, one.order) == (other.roles, other.type, other.order)
        assert (one.missing_codes, one.transform) == (other.missing_codes, other.transform)
        assert (one.weight, one.declared) == (other.weight, other.declared)


def test_without_keys_the_file_is_a_guess(source):
    text = settings_file(infer(source), source)
    assert "A guess" in text
    assert "looks like an identifier" in text
    plan = coterie.Plan.from_toml(text)
    assert plan.identifiers == ("patient_id",)
    assert plan.quasi_identifiers == ("age", "edu", ODD, "born")
    infer(source, **plan.described)


@given(st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=4, unique=True))
def test_any_name_can_stand_in_the_file(names):
    names = [n for n in names if n.encode("utf-8", "ignore").decode() == n] or ["a"]
    source = read(pd.DataFrame({name: [1, 1] for name in names}))
    text = settings_file(infer(source), source)
    assert set(tomllib.loads(text)["columns"]) == set(names)
