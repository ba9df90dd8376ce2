"""Levels that codes suggest, and the hierarchies that a first plan takes from them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from coterie.advice import settings_file
from coterie.advice.facts import facts
from coterie.advice.levels import levels_of, prefix_lengths
from coterie.advice.meaning import DISEASES, meaning
from coterie.advice.roles import propose
from coterie.table import infer, read

ICD = [f"{a}{b:02d}.{c}" for a in "ACIJ" for b in range(30) for c in range(4)]


def table(n=600, seed=0):
    rng = np.random.default_rng(seed)
    days = pd.Timestamp("1950-01-01") + pd.to_timedelta(rng.integers(0, 20_000, n), unit="D")
    return pd.DataFrame(
        {
            "cause": rng.choice(ICD, n),
            "isco": rng.choice(np.arange(1110, 9630, 7), n),
            "country": rng.choice(np.arange(100, 900, 4), n),
            "born": days.strftime("%Y%m%d").astype(int),
            "age": rng.integers(18, 90, n),
        }
    )


def cut(code, length):
    """A code up to so many letters and digits; as it stands if it has no more of them."""
    ends = [place for place, sign in enumerate(code, 1) if sign.isalnum()]
    return code[: ends[length - 1]] if len(ends) > length else code


@given(st.lists(st.text("AB12.", min_size=1, max_size=6), min_size=1, max_size=40, unique=True))
def test_lengths_cut_codes_into_more_and_more_labels(codes):
    codes = [code for code in codes if any(map(str.isalnum, code))] or ["A"]
    labels = [1]
    for length in prefix_lengths(codes):
        labels.append(len({cut(code, length) for code in codes}))
        assert labels[-1] >= max(2, 1.5 * labels[-2])


def test_a_look_suggests_them_and_never_for_what_is_numbered_through():
    found = coterie.look(table())
    assert found["cause"].levels == (1, 2, 3)
    assert found["isco"].levels == (1, 2)
    assert found["country"].levels == ()
    assert found["born"].levels == (4, 6)
    assert found["born"].meant == "date"
    assert found["age"].levels == ()
    assert any("--hierarchy isco=prefix:1,2" in line for line in found.hierarchies)
    assert found.as_dict()["columns"][1]["levels"] == [1, 2]


def test_what_a_column_means_does_not_hang_on_its_wording():
    found = facts(read(table()))
    meant = {name: meaning(column) for name, column in found.items()}
    assert (meant["cause"].shape, meant["isco"].shape) == (DISEASES, "")
    assert [name for name, one in meant.items() if one.calendar] == ["born"]
    reworded = {name: replace(one, reason="otherwise") for name, one in meant.items()}
    for name, column in found.items():
        assert levels_of(column, reworded[name]) == levels_of(column, meant[name])
    roles = [propose(found, said, (), ()) for said in (meant, reworded)]
    assert roles[0]["cause"].role == "confidential"
    assert {n: one.role for n, one in roles[0].items()} == {
        n: one.role for n, one in roles[1].items()
    }


def test_the_first_plan_releases_shared_prefixes():
    people = table()[["isco", "born", "age"]]
    source = read(people)
    plan = coterie.Plan.from_toml(settings_file(infer(source), source))
    assert plan.hierarchies == {"isco": {"prefix": [1, 2]}, "born": {"prefix": [4, 6]}}
    out = coterie.anonymize(people, plan.replace(method="mdav", row_order="keep")).data
    for text, code in zip(out.isco, people.isco, strict=True):
        assert text == "*" or str(code).startswith(text)


@pytest.mark.parametrize("release", ["ancestor", "mode"])
def test_codes_that_are_all_different_may_be_a_key_only_as_labels(release):
    people = pd.DataFrame({"icd": ICD[:200], "age": np.arange(200) % 60})
    asked = {"hierarchies": {"icd": {"prefix": [1, 3]}}, "releases": {"icd": release}}
    if release == "ancestor":
        assert coterie.anonymize(people, 5, ["icd", "age"], method="mdav", **asked).verification
        return
    with pytest.raises(coterie.DataError, match="no two of them equal"):
        coterie.anonymize(people, 5, ["icd", "age"], method="mdav", **asked)
