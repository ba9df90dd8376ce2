"""The checker finds what is planted: a sound release with one thing broken in it."""

from __future__ import annotations

import math

import pandas as pd
import pyarrow as pa
import pytest

from tests.fuzz import checker, grid, strict_csv
from tests.fuzz.attempts import RUNS, attempt, formulas
from tests.fuzz.cases import generate
from tests.fuzz.checker import Asked

ORIGINAL = {
    "age": [20, 22, 24, 60, 62, 64],
    "sex": ["f", "f", "m", "m", "m", "f"],
    "region": ["N", "N", "N", "S", "S", "S"],
    "unit": [1, 2, 3, 4, 5, 6],
    "name": [f"SECRET-{i}" for i in range(6)],
    "note": ["a", "b", "c", "d", "e", "f"],
    "tag": [103, 101, 105, 100, 104, 102],
}
# Sorted by age, sex, region, then the note; what each column of the original becomes.
RELEASED = {
    "age": [22, 22, 22, 62, 62, 62],
    "sex": ["f", "f", "f", "m", "m", "m"],
    "region": ["N", "N", "N", "S", "S", "S"],
    "note": ["a", "b", "c", "d", "e", "f"],
    "tag": [103, 101, 105, 100, 104, 102],
}
PLAN = {"declared": ["note", "tag"], "confidential": ["note"], "min_distinct": 3, "rules": []}


def judged(released=None, original=None, **plan):
    asked = Asked(3, ["age", "sex"], ["region"], "unit", ["name"], "tag", plan={**PLAN, **plan})
    before = grid.of_table(pd.DataFrame({**ORIGINAL, **(original or {})}))
    after = grid.of_table(pd.DataFrame({**RELEASED, **(released or {})}))
    return {finding.rule for finding in checker.check(asked, before, after)}


def test_a_sound_release_is_sound():
    assert judged() == set()


@pytest.mark.parametrize(
    ("released", "rule"),
    [
        ({"age": [22, 22, 23, 62, 62, 62]}, "k"),
        ({"age": [22.0, 22.0, -0.0, 62.0, 62.0, 62.0]}, "k"),
        ({"sex": ["f", "f", None, "m", "m", "m"]}, "k"),
        ({"region": ["N", "N", "N", "S", "S", "W"]}, "k"),
        ({"note": ["a", "b", "SECRET-3", "d", "e", "f"]}, "identifier"),
        ({"name": [f"SECRET-{i}" for i in range(6)]}, "columns"),
        ({"tag": [103, 101, 105, 100, 104, 104]}, "tag"),
        ({"tag": [103, 101, 105, 100, 104, 999]}, "tag"),
        ({"note": ["a", "b", "c", "d", "e", "x"]}, "changed"),
        ({"region": ["S", "S", "S", "N", "N", "N"]}, "stratum"),
        ({"age": [90, 90, 90, 62, 62, 62]}, "centroid"),
        ({"age": [math.inf] * 3 + [62.0] * 3}, "finite"),
        ({"age": [None] * 3 + [62.0] * 3}, "gap"),
        ({"sex": ["x", "x", "x", "m", "m", "m"]}, "centroid"),
    ],
)
def test_what_is_planted_is_found(released, rule):
    assert rule in judged(released)


def test_units_are_counted_not_records():
    assert "k" in judged(original={"unit": [1, 2, 2, 4, 5, 6]})


def test_rows_that_went_without_leave_are_missed():
    short = {name: values[:3] for name, values in RELEASED.items()}
    asked = Asked(3, ["age", "sex"], ["region"], None, ["name", "unit"], "tag", plan=dict(PLAN))
    before = grid.of_table(pd.DataFrame(ORIGINAL))
    after = grid.of_table(pd.DataFrame(short))
    assert {f.rule for f in checker.check(asked, before, after)} == {"rows"}
    asked.plan["missing"] = "drop"
    assert checker.check(asked, before, after) == []


def test_equal_keys_that_do_not_stand_together():
    mixed = {name: [v[0], v[3], v[1], v[4], v[2], v[5]] for name, v in RELEASED.items()}
    assert judged(mixed) == {"order"}
    assert judged(mixed, row_order="keep") == set()


def test_diversity_and_rules_are_counted():
    assert judged(min_distinct=4) == {"min_distinct"}
    assert judged(max_share=0.2) == {"max_share"}
    assert judged(entropy_l=4.0) == {"entropy_l"}
    assert judged(rules=["age >= 30"]) == {"rule"}
    assert judged(rules=["age <= tag"]) == set()


def test_categories_metadata_and_an_index_are_looked_at():
    asked = Asked(3, ["age", "sex"], ["region"], None, ["name", "unit"], plan=dict(PLAN))
    before = grid.of_table(pd.DataFrame(ORIGINAL))
    table = pd.DataFrame(RELEASED)
    table["sex"] = pd.Categorical(table["sex"], categories=["f", "m", "rare"])
    assert {f.rule for f in checker.check(asked, before, grid.of_table(table))} == {"category"}
    arrow = pa.table(RELEASED).replace_schema_metadata({"note": "SECRET-1"})
    assert {f.rule for f in checker.check(asked, before, grid.of_table(arrow))} == {"identifier"}
    kept = pd.DataFrame(RELEASED, index=[5, 4, 3, 2, 1, 0])
    assert {f.rule for f in checker.check(asked, before, grid.of_table(kept))} == {"index"}


def test_attribute_groups_are_counted_apart():
    apart = {"age": [22, 22, 22, 62, 62, 62], "sex": ["f", "f", "m", "f", "m", "m"]}
    asked = Asked(3, ["age", "sex"], [], plan={"attribute_groups": [["age"], ["sex"]]})
    table = grid.of_table(pd.DataFrame(apart))
    assert checker.check(asked, table, table) == []
    asked.plan = {}
    assert {f.rule for f in checker.check(asked, table, table)} == {"k"}


def test_text_is_read_by_the_letter():
    assert strict_csv.parse('a,b\n"x ""y""",\n\n1,"2\n3"\r\n', ",") == [
        ["a", "b"],
        ['x "y"', ""],
        ["1", "2\n3"],
    ]
    for wrong in ('a,b\n"5 ft,1\n2,3\n', 'a,b\n"x"y,1\n', "a,b\n1\n", "a,b\n1,2,3\n", ""):
        with pytest.raises(strict_csv.Malformed):
            strict_csv.parse(wrong, ",")
    records = [["a", 'b"'], ["", "x;y"], ["1", "2\n"]]
    for options in ({}, {"quote_all": True}, {"line": "\r\n"}, {"last_line": False}):
        assert strict_csv.parse(strict_csv.write(records, delimiter=";", **options), ";") == records


def test_spellings_are_told_apart():
    text = grid.of_csv(b'a\n1\n1.0\n 1\n1e0\nnan\n""\n', ",")
    assert len(set(text.tokens["a"])) == 6
    assert [rule.rule for rule in formulas(b"a,b\n-1,=1+1\n", ",")] == ["formula"]
    assert formulas(b"a,b\n-1,'=1+1\n+1.5,x\n", ",") == []


@pytest.mark.parametrize(
    "leak", ["raw", "identifier", "one class", "crash", "two lines", "warning"]
)
def test_a_broken_release_does_not_pass_as_a_release(monkeypatch, leak):
    """The whole way: a table goes in, something broken comes out, an attempt finds it."""
    import coterie

    def broken(table, k, quasi_identifiers, **rest):
        made = coterie.pipeline.anonymize(table, k, quasi_identifiers, **rest)
        if leak == "crash":
            raise KeyError("a bug")
        if leak == "two lines":
            loud = type("Loud", (coterie.CoterieError,), {"__str__": lambda self: "of\nlines"})
            raise loud
        if leak == "warning":
            pd.Series([1e308]).to_numpy() * 10
        changed = table if leak == "raw" else made.data.copy()
        if leak == "identifier":
            changed["b"] = table["c"]
        if leak == "one class":
            changed.loc[changed.index[0], "a"] += 1
        return type("Broken", (), {"data": changed, "evidence": made.evidence})()

    columns = [
        {"name": "a", "kind": "integer", "dtype": "int64", "values": [1, 2, 3, 7, 8, 9]},
        {"name": "b", "kind": "text", "dtype": "str", "values": ["x"] * 6},
        {"name": "c", "kind": "text", "dtype": "str", "values": [f"SECRET-{i}" for i in range(6)]},
    ]
    roles = {"key": ["a"], "identifier": ["c"], "other": ["b"], "tag": []}
    plan = {"k": 3, "quasi_identifiers": ["a"], "identifiers": ["c"], "method": "mdav"}
    case = {"kind": "memory", "library": "pandas", "columns": columns, "roles": roles, "plan": plan}
    assert attempt(case).outcome == "released"
    monkeypatch.setattr(coterie, "anonymize", broken, raising=False)
    assert attempt(case).findings


def test_every_kind_of_case_can_be_run():
    assert {generate(f"kinds-{n}")["kind"] for n in range(400)} == set(RUNS)
