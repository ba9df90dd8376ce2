"""Codes are never averaged: whole numbers that look like codes are nominal until declared."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.table import infer, read

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("x", RNG.choice([1, 2, 9], 300, p=[0.5, 0.45, 0.05])),
        ("sex", [1, 2, 9] * 5),
        ("marital", RNG.integers(1, 6, 200)),
        ("x", RNG.choice([10.0, 20.0, 70.0], 200)),
        ("isco", RNG.choice(np.arange(1110, 9630, 100), 500)),
        ("x", RNG.choice(np.sort(RNG.choice(np.arange(1110, 9630), 60, replace=False)), 1500)),
        ("x", [1.0, 2.0, 9.0, np.nan] * 20),
        ("isco", np.arange(1110, 9630, 7)),
        ("zip", RNG.integers(10_000, 99_999, 3000)),
        ("nace_r2", RNG.choice([62.01, 62.1, 10.11, 47.5], 60)),
    ],
)
def test_codes_are_nominal(name, values):
    attribute = infer(read(pd.DataFrame({name: values})))[name]
    assert attribute.type == "nominal"
    assert attribute.coded


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("x", RNG.integers(0, 30, 300)),
        ("sex", [1, 2] * 20),
        ("x", [0, 1] * 20),
        ("x", RNG.poisson(2, 500)),
        ("age", RNG.choice([18, 25, 40, 67], 300)),
        ("x", RNG.choice([20, 25, 30, 35], 300)),
        ("x", RNG.lognormal(8, 1, 2000).round()),
        ("x", RNG.integers(1950, 2010, 500)),
        ("x", RNG.normal(0, 1, 300)),
        ("x", [3, 7]),
        ("hours", RNG.choice([8, 16, 20, 38, 40], 300)),
    ],
)
def test_numbers_stay_numbers(name, values):
    attribute = infer(read(pd.DataFrame({name: values})))[name]
    assert attribute.type in ("integer", "continuous")
    assert not attribute.coded


def test_no_code_is_released_that_nobody_has():
    table = pd.DataFrame({"sex": [1, 2, 9, 1, 2, 1] * 20, "age": range(120)})
    release = coterie.anonymize(table, 120, ["age", "sex"])
    assert set(release.data["sex"]) == {1}
    assert "taken for a code" in release.evidence.internal["schema"]["sex"]["reason"]
    declared = coterie.anonymize(table, 120, ["age", "sex"], types={"sex": "integer"})
    assert declared.schema["sex"].type == "integer"
    assert set(declared.data["sex"]) == {3}


def test_zeros_of_either_sign_are_no_codes():
    attribute = infer(read(pd.DataFrame({"x": [0.0, -0.0] * 20})))["x"]
    assert not attribute.coded


def test_whole_numbers_beyond_64_bits_have_a_text():
    """As strata they are texts; as integers they would not fit."""
    table = pd.DataFrame({"a": [1, 2, 3, 4], "z": [2.0**63] * 4})
    made = coterie.anonymize(table, 2, ["a"], strata=["z"], method="mdav").data
    assert made["z"].tolist() == [2.0**63] * 4


def test_numbers_from_one_end_of_the_floats_to_the_other_are_looked_at(recwarn):
    """Their range is beyond float64, with and without others in between."""
    rng = np.random.default_rng(0)
    for between in (rng.normal(size=60) * 1e149, rng.integers(0, 30, 60) * 1e300):
        table = pd.DataFrame({"x": np.concatenate([[-1e308, 1e308, -1.7e308, 1.7e308], between])})
        assert not infer(read(table))["x"].coded
        assert coterie.look(table).columns[0].name == "x"
    assert not recwarn.list
