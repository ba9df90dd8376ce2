"""`coterie.look`: what a table is, told without values that too few share."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.advice import settings_file
from coterie.advice.facts import facts
from coterie.advice.missing import missing_like
from coterie.table import infer, read
from coterie.table.source import from_frame
from tests.advice.scores import counted
from tests.advice.tables import tables


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(3)
    n = 400
    return pd.DataFrame(
        {
            "id": np.arange(n) + 70_001,
            "age": np.where(rng.random(n) < 0.05, -9, rng.integers(20, 90, n)),
            "sex": rng.choice([1, 2, 9], n, p=[0.5, 0.47, 0.03]),
            "income": rng.lognormal(10, 1, n).round(2),
            "city": [*rng.choice(["Ulm", "Bonn"], n).tolist()[:-1], "Zwergstadt"],
            "region": rng.choice(["north", "south"], n),
        }
    )


def test_columns_and_roles(table):
    found = coterie.look(table)
    assert found.records == 400
    assert found["id"].role == "identifier"
    assert found["sex"].meant == "code"
    assert found["sex"].type == "nominal"
    assert found["income"].meant == "money"
    assert found["income"].skew > 1
    assert found["age"].missing_like[0][0] == -9
    assert found.roles("key") == ("age", "sex", "income", "city", "region")
    assert [one.column for one in found.strata] == ["region"]
    with pytest.raises(KeyError):
        found["nothing"]


def test_no_value_that_fewer_than_k_share_is_told(table):
    found = coterie.look(table, k=5)
    for text in (found.json(), found.html(), found._repr_html_()):
        assert "Zwergstadt" not in text
        assert "70001" not in text
        assert str(table["income"].max()) not in text
        assert str(table["income"].min()) not in text
    shown = coterie.look(table, internal=True)
    assert "Zwergstadt" in shown.json()
    assert shown["income"].high == table["income"].max()


def test_of_units_all_records_count_once():
    rng = np.random.default_rng(0)
    rows = pd.DataFrame({"person_id": np.repeat(np.arange(50), 6), "note": "common"})
    rows["town"] = np.repeat(rng.choice(["a", "b"], 50), 6)
    rows.loc[rows["person_id"] == 7, "town"] = "rare"  # six records, one person
    found = coterie.look(rows)
    assert found["person_id"].role == "unit"
    assert "rare" not in found.json()


def test_json_is_plain_and_whole(table):
    told = json.loads(coterie.look(table).json())
    assert {"columns", "units", "weights", "relations", "keys", "uniques", "at_k"} <= set(told)
    assert [c["name"] for c in told["columns"]] == list(table.columns)
    assert told["uniques"]["on_one"] == coterie.look(table).uniques.on[0]


def test_the_page_loads_nothing(table):
    page = coterie.look(table).html()
    assert page.startswith("<!DOCTYPE html>")
    for word in ("<script", "http://", "https://", "<link"):
        assert word not in page


def test_odd_names_are_legible():
    odd = pd.DataFrame({"<b>&\x07": range(30), "a\nb": ["<script>x</script>"] * 30})
    page = coterie.look(odd).html()
    assert "<b>&" not in page
    assert "<script>" not in page
    assert "\x07" not in page


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([1, 2, 3, -9] * 20, [-9]),
        ([20, 35, 50, 64] * 20 + [999] * 10, [999]),
        ([1, 2, 3, 4, 5] * 20 + [8] * 9 + [9] * 5, [8, 9]),
        ([-15, -5, -1, 0, 3, 8] * 20, []),
        (list(range(100)) * 2, []),
        (["x", "NA", "don't know"] * 10, ["NA", "don't know"]),
        ([95.5, 97.0, 98.0, 99.0] * 10, []),
    ],
)
def test_values_that_look_like_missing_codes(values, codes):
    column = facts(read(pd.DataFrame({"x": values})))["x"]
    found = missing_like(column)
    assert sorted(one.value for one in found) == codes
    assert not any(one.labeled for one in found)


def test_bad_input_is_one_line(table):
    with pytest.raises(coterie.ParameterError, match="'k' parameter of look"):
        coterie.look(table, k=1)
    with pytest.raises(coterie.ParameterError, match="'internal' parameter of look"):
        coterie.look(table, internal="yes")


def test_roles_of_thirty_tables():
    found, told, missed = counted(tables())
    assert missed == []
    for what, (right, many, few) in found.items():
        assert right >= 0.9 * (right + few), (what, told)
        assert right >= 0.9 * (right + many), (what, told)


def test_labels_of_no_answer_are_told_and_set_in_the_first_plan():
    values = [20, 30, 40, 98, 99] * 20
    labels = {98.0: "DK", 99.0: "NA"}
    source = from_frame(
        pd.DataFrame({"age": values, "sex": ["f", "m"] * 50}),
        "spss",
        "x.sav",
        {"labels": {"age": labels}},
    )
    told = coterie.look(source)["age"].missing_like
    assert [(value, many) for value, many, _ in told] == [(98.0, 20), (99.0, 20)]
    plan = coterie.Plan.from_toml(settings_file(infer(source), source))
    assert plan.missing_codes == {"age": (98.0, 99.0)}
    assert plan.missing == "pattern"


def test_codes_that_no_label_calls_so_are_proposed_only():
    table = pd.DataFrame({"age": [20, 30, 40, 98, 99] * 20, "sex": ["f", "m"] * 50})
    labels = {"labels": {"age": {99.0: "NA", 98.0: "labeled"}}}
    source = from_frame(table, "spss", "x.sav", labels)
    found = coterie.look(source)["age"]
    assert [value for value, _, _ in found.missing_like] == [99.0, 98]
    assert not found.labeled
    assert "labeled" not in coterie.look(source).as_dict()["columns"][0]
    text = settings_file(infer(source), source)
    assert "# missing_codes = [99" in text
    assert "missing" not in coterie.Plan.from_toml(text).given


@pytest.mark.parametrize("size", [1e300, 1.7e308, 5e-324])
def test_numbers_at_the_ends_of_float64_are_looked_at(size):
    values = np.array([0.0, size, -size, size / 2, 0.0, size]).repeat(5)
    seen = coterie.look(pd.DataFrame({"x": values, "y": [1, 2, 3] * 10}), k=3)
    assert json.loads(seen.json(), parse_constant=lambda word: pytest.fail(word))
    endless = np.where(values > 0, np.inf, values)
    assert "x" in coterie.look(pd.DataFrame({"x": endless, "y": [1, 2, 3] * 10}), k=3).json()
