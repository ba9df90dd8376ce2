"""The schema as a TOML file."""

from __future__ import annotations

import datetime as dt
import tomllib

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.errors import DataError, ParameterError
from coterie.table import config, infer, read

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


def test_what_is_dumped_is_loaded(source, tmp_path):
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
    config.dump(schema, source, tmp_path / "schema.toml")
    loaded = config.load(tmp_path / "schema.toml", allowed=["k"])
    assert loaded.pop("k") == 5
    again = infer(source, **loaded)
    for one, other in zip(schema, again, strict=True):
        assert (one.roles, one.type, one.order) == (other.roles, other.type, other.order)
        assert (one.missing_codes, one.transform) == (other.missing_codes, other.transform)
        assert (one.weight, one.declared) == (other.weight, other.declared)


def test_without_keys_the_file_is_a_guess(source, tmp_path):
    config.dump(infer(source), source, tmp_path / "schema.toml")
    text = (tmp_path / "schema.toml").read_text()
    assert "A guess" in text
    assert "looks like an identifier" in text
    loaded = config.load(tmp_path / "schema.toml")
    assert loaded["identifiers"] == ["patient_id"]
    assert loaded["quasi_identifiers"] == ["age", "edu", ODD, "born"]
    loaded.pop("k")
    infer(source, **loaded)


def test_codes_for_every_column_and_for_one(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text("missing_codes = [-1]\n[columns.a]\nmissing_codes = [-2]\n")
    assert config.load(path) == {"missing_codes": {"a": [-2], "*": [-1]}}
    path.write_text("missing_codes = [-1]\n")
    assert config.load(path) == {"missing_codes": [-1]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("k = ", "not valid TOML"),
        ("kk = 5", "Unknown setting in .*: 'kk'. Did you mean 'k'"),
        ("[columns.age]\ntipe = 'x'", "'tipe'. Did you mean 'type'"),
        ("[columns]\nage = 5", "a table for each column"),
        ("columns = 5", "a table of columns"),
        ("identifiers = 'a'", "a list of column names"),
        ("strata = [1]", "a list of column names"),
    ],
)
def test_mistakes_are_told_in_one_line(tmp_path, text, message):
    path = tmp_path / "a.toml"
    path.write_text(text)
    with pytest.raises((DataError, ParameterError), match=message) as caught:
        config.load(path, allowed=["k"])
    assert "\n" not in str(caught.value)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(DataError, match="does not exist"):
        config.load(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_bytes(b"a = '\xff'")
    with pytest.raises(DataError, match="not valid TOML"):
        config.load(tmp_path / "bad.toml")


@given(st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=4, unique=True))
def test_any_name_can_stand_in_the_file(names):
    names = [n for n in names if n.encode("utf-8", "ignore").decode() == n] or ["a"]
    source = read(pd.DataFrame({name: [1, 1] for name in names}))
    text = config.render(infer(source), source)
    assert set(tomllib.loads(text)["columns"]) == set(names)
