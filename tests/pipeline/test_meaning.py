"""Codes with a tree behind them, from the plan to the released file: true, proven, counted."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import coterie
from tests import naive_hierarchy as naive

KEYS = ["icd", "isco", "age", "born"]
ASKED = {
    "hierarchies": {"icd": {"prefix": [1, 3]}, "isco": {"prefix": [1, 2]}},
    "releases": {"age": "interval", "born": "interval"},
    "steps": {"age": 5, "born": "year"},
}


def people(n=90, seed=0):
    rng = np.random.default_rng(seed)
    codes = [f"{a}{b:02d}.{c}" for a in "ACI" for b in range(4) for c in range(3)]
    days = pd.to_timedelta(rng.integers(0, 20_000, n), unit="D")
    return pd.DataFrame(
        {
            "icd": rng.choice(codes, n),
            "isco": rng.choice([2611, 2612, 3111, 3222, 4110], n),
            "age": rng.integers(18, 95, n),
            "born": (pd.Timestamp("1950-01-01") + days),
            "score": rng.integers(0, 3, n),
        }
    )


def released(table, k=5, **more):
    return coterie.anonymize(
        table, k, more.pop("keys", KEYS), **{**ASKED, **more}, method="mdav", row_order="keep"
    )


@pytest.fixture(scope="module")
def both():
    table = people()
    return table, released(table)


def test_what_is_released_is_true_of_every_record(both):
    table, release = both
    out = release.data
    for text, code in zip(out.icd, table.icd, strict=True):
        assert text == "*" or code.startswith(text)
    for text, code in zip(out.isco, table.isco, strict=True):
        assert text == "*" or str(code).startswith(text)
    for text, age in zip(out.age, table.age, strict=True):
        low, high = map(int, text[1:-1].split(", "))
        assert low <= age < high
        assert low % 5 == high % 5 == 0
    for text, day in zip(out.born, table.born, strict=True):
        first, _, last = text.partition("..")
        assert int(first) <= day.year <= int(last or first)
    assert release.evidence.public["truthful"] is True
    assert release.evidence.internal["changed_percent_by_key"] == {"icd": 0.0, "isco": 0.0}


def test_k_is_proven_on_the_text(both, tmp_path):
    _, release = both
    assert release.data.groupby(KEYS).size().min() >= 5
    release.write(tmp_path / "out.csv")
    found = pd.read_csv(tmp_path / "out.csv", dtype=str)
    assert found.groupby(KEYS).size().min() >= 5
    assert coterie.verify(tmp_path / "out.csv", k=5, quasi_identifiers=KEYS).achieved >= 5


def test_losses_are_those_of_the_oracle(both):
    table, release = both
    told = release.evidence.internal["information_loss_percent_by_key"]
    groups = release.partition.labels
    codes = [(c, c[:3], c[:1]) for c in table.icd]
    lost = []
    for group in np.unique(groups):
        paths = [codes[row] for row in np.flatnonzero(groups == group)]
        shared = naive.ancestor(paths)
        assert set(release.data.icd[groups == group]) == {shared}
        lost += [float(naive.loss(path, shared)) for path in paths]
    assert told["icd"] == pytest.approx(100 * np.mean(lost))
    ages = [table.age[groups == g].tolist() for g in np.unique(groups)]
    assert told["age"] == pytest.approx(naive.interval_loss(ages, 5))
    assert release.information_loss == pytest.approx(np.mean(list(told.values())))


def test_evaluate_tells_the_same_loss(both):
    table, release = both
    schema = release.schema
    found = coterie.evaluate(
        table, release.data, KEYS, aligned=True, measures=["il", "dld_expected"], schema=schema
    )
    assert found["il"].value == pytest.approx(release.information_loss)
    assert found["dld_expected"].value <= 100 / 5 + 1e-9


def test_the_plan_goes_to_a_file_and_back(both):
    _, release = both
    assert coterie.Plan.from_toml(release.plan.to_toml()) == release.plan
    assert "hierarchy = {prefix = [1, 3]}" in release.plan.to_toml()


def test_more_than_a_hundred_categories_are_no_longer_refused():
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"code": [f"c{i}" for i in rng.integers(0, 150, 400)]})
    out = coterie.anonymize(table, 3, ["code"], method="mdav")
    assert out.verification.achieved >= 3
    assert set(out.data.code) <= set(table.code)


def test_mode_is_false_for_some_and_ancestor_for_none():
    table = people(seed=2)[["icd", "isco"]]
    mode = released(table, releases={"icd": "mode", "isco": "mode"}, steps={}, keys=["icd", "isco"])
    true = released(table, releases={}, steps={}, keys=["icd", "isco"])
    assert mode.evidence.internal["changed_percent_by_key"]["icd"] > 0
    assert "truthful" not in mode.evidence.internal
    assert set(mode.data.isco) <= set(table.isco)
    assert true.evidence.internal["changed_percent_by_key"] == {"icd": 0.0, "isco": 0.0}


def test_gaps_and_missing_codes_stay():
    table = people(seed=3)
    table.loc[:9, "icd"] = None
    table["age"] = table.age.where((table.index % 6 != 0) | (table.index < 10), -9)
    out = released(table, missing="pattern", missing_codes={"age": [-9]})
    data = out.data
    assert (data.icd.isna() == table.icd.isna()).all()
    assert ((data.age == "-9") == (table.age == -9)).all()
    assert out.verification.achieved >= 5


def test_a_nested_mapping_a_file_and_a_number_in_bands(tmp_path):
    table = people(seed=4)
    path = tmp_path / "isco.csv"
    path.write_text("".join(f"{c};{str(c)[:2]};*\n" for c in sorted(set(table.isco))))
    tree = {"A": sorted({c for c in table.icd if c[0] == "A"})}
    tree["other"] = sorted({c for c in table.icd if c[0] != "A"})
    out = released(
        table,
        hierarchies={"icd": tree, "isco": str(path), "age": {"bands": [5, 20]}},
        releases={"born": "interval"},
        steps={"born": "decade"},
    ).data
    assert set(out.icd) <= {"A", "other", "*", *table.icd}
    for text, age in zip(out.age, table.age, strict=True):
        low, high = map(int, text[1:-1].split(", ")) if text[0] == "[" else (0, 1000)
        assert low <= age < high


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"hierarchies": {"icd": {"prefix": [0]}}}, "'hierarchies' parameter"),
        ({"hierarchies": {"icd": {"bands": [5]}}}, "must know every value"),
        ({"hierarchies": {"score": {"bands": [5]}}}, "no quasi-identifier"),
        ({"hierarchies": {"icd": "none.csv"}}, "cannot be read"),
        ({"releases": {"icd": "interval"}}, "an interval is for numbers"),
        ({"releases": {"age": "interval"}, "steps": {}}, "needs a step"),
        ({"steps": {"age": 1, "born": "year"}}, "would show original values"),
        ({"steps": {"age": "year", "born": "year"}}, "must be a number"),
        ({"releases": {"age": "ancestor"}, "steps": {}}, "has no hierarchy"),
        ({"releases": {"icd": "mean"}}, "to be released as 'mean'"),
        ({"rules": ["age >= 0"]}, "must be released as a number"),
        ({"strata": ["score"], "hierarchies": {"score": {"bands": [1]}}}, "small_strata='merge'"),
    ],
)
def test_refusals_name_the_column_and_the_way_out(asked, words):
    with pytest.raises(coterie.CoterieError, match=words):
        released(people(30), **asked)


def test_reports_of_both_kinds_say_that_it_is_true(both, tmp_path):
    _, release = both
    for kind in ("internal", "public"):
        path = tmp_path / f"{kind}.json"
        release.report(path, kind)
        told = json.loads(path.read_text())
        assert "every released key value is true of its record" in told["verdict"]
        why = {column["name"]: column.get("why") for column in told["columns"]}
        assert (
            why["icd"] == "released as an ancestor of its codes, which is true of its whole group"
        )


def test_intervals_are_recognized_by_whoever_judges_a_file(both, tmp_path):
    table, release = both
    release.write(tmp_path / "out.csv")
    keys = ["age", "born"]
    told = release.evidence.internal["information_loss_percent_by_key"]
    expected = (told["age"] + told["born"]) / 2
    found = coterie.evaluate(table, tmp_path / "out.csv", keys, aligned=True, measures=["il"])
    assert found["il"].value == pytest.approx(expected)
    plan = coterie.Plan(k=5, quasi_identifiers=keys)
    assert coterie.evaluate(table, tmp_path / "out.csv", plan, aligned=True, measures=["il"])[
        "il"
    ].value == pytest.approx(expected)


def test_records_beside_the_table_change_no_loss(both):
    table, release = both
    asked = {"aligned": True, "measures": ["il", "linkability"]}
    alone = coterie.evaluate(table, release.data, release.plan, **asked)
    beside = coterie.evaluate(
        table, release.data, release.plan, control=people(40, seed=7), **asked
    )
    assert beside["il"].value == pytest.approx(alone["il"].value) == release.information_loss
    assert 0 <= beside["linkability"].value <= 100


def test_an_interval_as_wide_as_numbers_go():
    table = pd.DataFrame({"d": [1.7976931348623157e308, -1e308, -3.7, 5.0, 6.0, 7.0]})
    made = coterie.anonymize(
        table, 3, ["d"], releases={"d": "interval"}, steps={"d": 7.5}, method="mdav"
    )
    assert 0 < made.information_loss <= 100


def test_text_made_by_a_recoding_is_no_interval_and_told_once():
    table = pd.DataFrame({"a": [0.5, 1.5, 2.5, 7.5, 8.5, 9.5]})
    with pytest.raises(coterie.CoterieError) as refused:
        coterie.anonymize(
            *(table, 3, ["a"]),
            types={"a": "continuous"},
            recodings={"a": {"bands": 5}},
            releases={"a": "interval"},
            steps={"a": 0.25},
        )
    assert str(refused.value).count("Column 'a'") == 1
    assert "is declared continuous but holds text" in str(refused.value)
