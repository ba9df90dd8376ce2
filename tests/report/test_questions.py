"""The three questions stand first; records and keys are named in the internal kind alone."""

from __future__ import annotations

import json

import numpy as np
import pytest

import coterie
from coterie.evaluation import by_record
from coterie.public import DocumentRule
from coterie.report import html, judged_summary, summary, terminal
from coterie.report.questions import attacked_records
from coterie.table import read
from tests.mixed import mixed

KEYS = ["age", "income", "hours"]


@pytest.fixture(scope="module")
def people():
    return mixed(300, seed=2).dropna().drop(columns=["name", "email"]).reset_index(drop=True)


@pytest.fixture(scope="module")
def release(people):
    return coterie.anonymize(
        people,
        5,
        KEYS,
        confidential=["diagnosis"],
        declared=["born"],
        method="mdav",
        random_state=0,
    )


@pytest.fixture(scope="module")
def told(release):
    return summary(release)


def test_each_question_has_figure_interval_and_sentence(told):
    assert [q["name"] for q in told["questions"]] == ["singling_out", "linkability", "inference"]
    for question in told["questions"]:
        assert question["found"].endswith("%")
        assert " to " in question["interval"]
        assert "no records were held out" in question["sentence"]
    page = html(told)
    assert page.index("Three questions") < page.index("Classes by size")
    assert "Who knows one key or two" in page
    assert told["knowledge"]["worst"][0] in told["verdict"]
    assert "one who knows only" in told["verdict"]
    shown = [cell for part in terminal(told).renderables for cell in _cells(part)]
    assert "Inference" in shown


def test_a_sentence_names_a_column_as_it_is_called(people):
    """Whatever signs its name has: what was guessed is not read out of a note."""
    odd = people.rename(columns={"diagnosis": "a; b"})
    one = coterie.anonymize(
        odd, 5, KEYS, confidential=["a; b"], declared=["born"], method="mdav", random_state=0
    )
    single, _, guess = summary(one)["questions"]
    assert "guesses a; b by" in guess["sentence"]
    assert "knowing" not in single["sentence"]


def _cells(part):
    return [c for column in getattr(part, "columns", ()) for c in column.cells]


def test_the_riskiest_are_rows_of_the_original(people, release, told):
    before = people.iloc[release.crosswalk].reset_index(drop=True)
    found = by_record(before, release.data, KEYS, ["diagnosis"], aligned=True)
    rows = [int(release.crosswalk[row]) for row in found["original_row"][:10]]
    assert [one["row"] for one in told["records"]["listed"]] == rows
    assert sum(number for _, number in told["records"]["spread"]) == len(people)
    for one in told["records"]["listed"]:
        if one["alone_on"]:
            same = people[one["alone_on"]] == people.loc[one["row"], one["alone_on"]]
            assert same.all(axis=1).sum() == 1


def population_row(release, kind="internal"):
    rows = summary(release, kind)["remaining"]
    return next(one for one in rows if one["attack"] == "Somebody of the population")


def test_the_population_is_told_of_or_that_there_are_no_weights(people, release):
    assert population_row(release)["found"] == "not measured: no sampling weights"
    weighted = people.assign(drawn=np.linspace(10.0, 60.0, len(people)))
    asked = {"confidential": ["diagnosis"], "declared": ["born"], "method": "mdav"}
    asked["identifiers"] = ["drawn"]  # one for each record: it counts, and is not released
    made = coterie.anonymize(weighted, 5, KEYS, sample_weight="drawn", **asked)
    assert "drawn" not in made.data.columns
    row = population_row(made)
    assert row["found"].endswith("%")
    assert "are expected to be so in the population" in row["reads"]
    public = population_row(made, "public")
    assert public["found"] in ("not told", row["found"])
    assert "expected" not in public["reads"]


def test_records_are_listed_where_linkage_was_not_measured(release, monkeypatch):
    from coterie.report import measured

    monkeypatch.setattr(measured, "MOST_LINKED", 0)
    told = summary(release)
    assert all(one["linked"] is None for one in told["records"]["listed"])
    assert told["records"]["spread"] == []
    assert "The riskiest records" in html(told)


def test_the_public_kind_tells_neither_records_nor_intervals(release):
    told = summary(release, "public")
    assert "records" not in told
    assert "knowledge" not in told
    assert [q["interval"] for q in told["questions"]] == ["", "", ""]
    assert "one who knows only" not in told["verdict"]
    text = json.dumps(told)
    for word in ("alone_on", "stands_out", "attacks", "success", "partial_knowledge"):
        assert word not in text
    page = html(told)
    assert "Three questions" in page
    assert "riskiest" not in page
    assert told["questions"][0]["found"] == "not reported"


def test_a_public_risk_is_as_coarse_as_k_persons_make_it(release):
    found = coterie.evaluate(
        release.source.frame.to_native().iloc[release.crosswalk],
        release.data,
        KEYS,
        ["diagnosis"],
        aligned=True,
        measures=["inference"],
    )["inference"]
    n = len(release.data)
    records = attacked_records(found, n)
    assert records == pytest.approx(n * (1 - found.parts["baseline"] / 100))
    told = DocumentRule("public", 5).measure("inference", found.value, records)
    step = told.get("step", told.get("below", 0) / 1.5)
    assert step >= 100 * 5 / records * (1 - 1e-9)


def test_what_was_not_measured_says_why(people):
    table = people[["age", "region"]]
    alone = summary(coterie.anonymize(table, 5, ["age"], method="mdav"))
    by_name = {q["name"]: q for q in alone["questions"]}
    assert by_name["linkability"]["found"] == "not measured"
    assert "two quasi-identifiers" in by_name["linkability"]["sentence"]
    assert "confidential column" in by_name["inference"]["sentence"]
    assert "one who knows only" not in alone["verdict"]


def test_a_judgment_has_them_too(people, release):
    kept = coterie.anonymize(people, release.plan.replace(row_order="keep"))
    others = people.iloc[:40].assign(age=lambda part: part["age"] + 1)
    found = coterie.evaluate(people, kept.data, KEYS, ["diagnosis"], aligned=True, control=others)
    told = judged_summary(read(people), read(kept.data), KEYS, ["diagnosis"], found, True)
    assert "who are not in the release" in told["questions"][2]["sentence"]
    assert told["records"] is not None
    assert "Three questions" in html(told)
    assert np.isfinite(found["inference"].parts["control"])
