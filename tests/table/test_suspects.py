"""Columns that look like identifiers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from coterie.table import infer, read, suspects

N = 200


def flagged(values, name="x", role="other", **given):
    source = read(pd.DataFrame({name: values}))
    roles = {"quasi_identifiers": [name]} if role == "key" else {}
    return [str(s) for s in suspects(source, infer(source, **roles, **given))]


@pytest.mark.parametrize(
    "name",
    ["id", "ID", "PatientID", "patient_id", "e-mail", "Email", "Phone number", "SSN", "first name",
     "lastName", "UTILITYID", "userid", "Telefon", "mobile_phone"],
)  # fmt: skip
def test_names_point_at_people_even_where_ids_repeat(name):
    (text,) = flagged([1] * N, name)
    assert "named like an identifier" in text
    assert "identifiers=" in text
    assert "declared=" in text
    assert flagged([1] * N, name, declared=[name]) == []
    assert flagged([1] * N, name, identifiers=[name]) == []
    assert flagged([1] * N, name, role="key")


@pytest.mark.parametrize("name", ["age", "paid", "covid", "valid", "idea", "width", "humid"])
def test_names_that_only_look_alike(name):
    assert flagged([1, 2] * (N // 2), name) == []


def test_a_name_may_be_a_country_s():
    assert flagged([f"person {i}" for i in range(N // 2)] * 2, "name")
    assert flagged(["Spain", "Chad"] * (N // 2), "country name") == []


def test_values_of_which_no_two_are_equal():
    assert "no two of them equal" in flagged(np.arange(N))[0]
    assert flagged(np.arange(N), role="key") == []
    assert flagged(np.arange(N) + 0.5) == []
    words = [f"w{i}" for i in range(N)]
    assert flagged(words)
    assert flagged(words, role="key")
    assert "different values in" in flagged([*words[:-1], words[0]])[0]
    assert flagged(["a", "b"] * (N // 2)) == []
    assert flagged([None, None]) == []


@pytest.mark.parametrize(
    ("values", "what"),
    [
        (["ann@example.org", "bob@example.org"], "e-mail"),
        (["+49 30 123 45 67", "+1 (555) 123-4567"], "telephone"),
        (["123e4567-e89b-12d3-a456-426614174000"] * 2, "UUID"),
    ],
)
def test_values_that_look_like_contacts(values, what):
    assert what in flagged(values * 50)[0]
