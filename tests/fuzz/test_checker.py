"""The checker finds what is planted: a sound release with one thing broken in it."""

from __future__ import annotations

import datetime as dt
import math

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pytest

from tests.fuzz import checker, grid, strict_csv
from tests.fuzz.asked import Asked
from tests.fuzz.attempts import RUNS, attempt
from tests.fuzz.cases import generate
from tests.fuzz.dress import Named, column_of
from tests.fuzz.files import write_input
from tests.fuzz.limits import limits
from tests.fuzz.limits import rules as kept_rules
from tests.fuzz.originals import _between
from tests.fuzz.recoded import recoded
from tests.fuzz.truth import true_of_all
from tests.fuzz.written import formulas, in_text, unmarked

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


def judged(released=None, original=None, damaged=False, **plan):
    asked = Asked(
        3,
        ["age", "sex"],
        ["region"],
        "unit",
        ["name"],
        "tag",
        plan={**PLAN, **plan},
        damaged=damaged,
    )
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
        ({"region": pd.Series([*"NNNSS", Named("S")], dtype=object)}, "k"),
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


def test_columns_of_units_lie_among_the_originals_of_whole_units():
    """Three units share one size: 50 lies among theirs, though not among those of a class."""
    before = {"age": [20, 21, 60, 61, 62], "size": [20, 40, 20, 40, 90], "unit": [1, 2, 1, 2, 3]}
    after = {"age": [20, 20, 61, 61, 61], "size": [50] * 5}
    tables = [pd.DataFrame({**made, "tag": range(5)}) for made in (before, after)]
    asked = Asked(2, ["age", "size"], [], "unit", [], "tag", plan={"unit_columns": ["size"]})
    assert checker.check(asked, *map(grid.of_table, tables)) == []
    tables[1]["size"] = 110
    assert {f.rule for f in checker.check(asked, *map(grid.of_table, tables))} == {"centroid"}
    tables[1]["size"] = 50
    asked.plan = {}
    assert {f.rule for f in checker.check(asked, *map(grid.of_table, tables))} == {"centroid"}


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
    high = {"nan": [90.0] * 6}  # a column of that name
    assert judged(high, high, rules=["age <= nan"]) == set()
    assert judged(high, high, rules=["nan <= age"]) == {"rule"}


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


LABELS = [
    ({"hierarchies": {"age": {"bands": [10, 20, 40]}}}, ["[20, 40)", "[60, 80)"], ["[20, 24)", 62]),
    ({"hierarchies": {"age": {"prefix": [1]}}}, ["2", "6"], ["2", "62"]),
    (
        {
            "hierarchies": {
                "age": {"tree": {"young": ["20", "22", "24"], "old": ["60", "62", "64"]}}
            }
        },
        ["young", "old"],
        ["young", "young"],
    ),
    ({"releases": {"age": "interval"}, "steps": {"age": 5}}, ["[20, 25)", "[60, 65)"], ["*", "*"]),
    ({"hierarchies": {"age": {"bands": [10]}}}, ["*", "[60, 70)"], ["*", "[70, 80)"]),
]


@pytest.mark.parametrize(("plan", "good", "bad"), LABELS)
def test_labels_must_be_true_of_everybody(plan, good, bad):
    assert judged({"age": [good[0]] * 3 + [good[1]] * 3}, **plan) == set()
    assert judged({"age": [bad[0]] * 3 + [bad[1]] * 3}, **plan) == {"truth"}


def test_intervals_of_dates_hold_their_days():
    born = pd.to_datetime(["1984-05-31", "1984-06-01", "1984-09-30"] + ["2001-01-01"] * 3)
    by_month = {"releases": {"age": "interval"}, "steps": {"age": "month"}}
    for plan, good, bad in (
        (by_month, "1984-05..1984-09", "1984-05..1984-08"),
        ({"hierarchies": {"age": {"dates": ["quarter", "decade"]}}}, "1980s", "1984-Q2"),
        ({"hierarchies": {"age": {"dates": ["month", "year"]}}}, "1984", "1984-05"),
    ):
        for label, rules in ((good, set()), (bad, {"truth"})):
            found = judged({"age": [label] * 3 + ["2001-01-01"] * 3}, {"age": born}, **plan)
            assert found == rules, (plan, label)


def test_a_label_that_tells_less_than_all_know_is_missed():
    alike = {"age": [22, 22, 22, 60, 62, 64]}
    plan = {"hierarchies": {"age": {"bands": [10]}}}
    assert judged({"age": ["22"] * 3 + ["[60, 70)"] * 3}, alike, **plan) == set()
    assert judged({"age": ["*"] * 3 + ["[60, 70)"] * 3}, alike, **plan) == {"root"}


def test_a_label_of_whole_units_is_true_of_all_their_records():
    """A unit with records in two classes joins what is released of its columns."""
    tables = [
        pd.DataFrame({"size": size, "age": age, "unit": [1, 2, 1, 3], "tag": range(4)})
        for size, age in ((["y", "y", "y", "x"], [20, 22, 60, 62]), (["*"] * 4, [21, 21, 61, 61]))
    ]
    tables[1] = tables[1].drop(columns="unit")
    plan = {"hierarchies": {"size": {"prefix": [1]}}, "declared": ["tag"]}
    for given, rules in (({"unit_columns": ["size"]}, set()), ({}, {"root"})):
        asked = Asked(2, ["size", "age"], [], "unit", [], "tag", plan={**plan, **given})
        assert {f.rule for f in checker.check(asked, *map(grid.of_table, tables))} == rules


def test_recodings_are_done_by_the_checker_too():
    plan = {"recodings": {"note": {"merge": {"first": ["a", "b"]}}}, "min_distinct": 2}
    assert judged(**plan) == {"changed"}
    assert judged({"note": ["first", "first", "c", "d", "e", "f"]}, **plan) == set()
    plan = {"recodings": {"tall": {"round": 10, "top": "auto"}}}
    tall = {"tall": [151, 158, 172, 177, 181, 199]}
    assert judged({"tall": [150, 160, 170, 180, 180, 200]}, tall, **plan) == {"changed"}
    assert judged({"tall": [150, 160, 170, 170, 170, 170]}, tall, **plan) == set()
    endless = {"tall": [151, 158, 172, math.inf, 181, 199]}
    assert judged({"tall": [150, 160, 170, 170, 170, 170]}, endless, **plan) == set()
    assert judged({"tall": [150, 160, 170, math.inf, 170, 170]}, endless, **plan) == {"changed"}
    plan = {"recodings": {"tall": {"bands": 25}}}
    bands = ["[150, 175)"] * 3 + ["[175, 200)"] * 3
    assert judged({"tall": bands}, tall, **plan) == set()
    assert judged({"tall": bands[::-1]}, tall, **plan) == {"changed"}
    worded = {name: [str(v) for v in values] for name, values in tall.items()}
    assert judged({"tall": bands}, worded, **plan) == set()
    plan = {"recodings": {"tall": {"prefix": 1}}}
    assert judged({"tall": ["1"] * 6}, tall, **plan) == set()


def test_no_more_units_are_left_out_than_may_be():
    plan = {**PLAN, "suppress_at_most": 0.5}
    asked = Asked(3, ["age", "sex"], ["region"], "unit", ["name"], "tag", plan=plan)
    before = grid.of_table(pd.DataFrame(ORIGINAL))
    after = grid.of_table(pd.DataFrame({name: values[:3] for name, values in RELEASED.items()}))
    assert checker.check(asked, before, after) == []
    plan["suppress_at_most"] = 0.4
    assert {f.rule for f in checker.check(asked, before, after)} == {"rows"}


def test_columns_of_a_unit_are_released_alike():
    several = {"unit": [1, 2, 3, 1, 2, 3]}
    assert judged(original=several) == set()
    assert judged(original=several, unit_columns=["region"]) == {"unit column"}


def test_shares_beside_the_table_are_counted():
    ill = {"ill": ["x", "x", "x", "x", "y", "y"]}
    plan = {"confidential": ["ill"], "min_distinct": None}
    for rule, tight, loose in (
        ("alpha_k", 0.6, 0.99),
        ("recursive_cl", (9.0, 2), None),
        ("beta_likeness", 0.1, 9.0),
        ("delta_disclosure", 0.5, None),
    ):
        assert judged(ill, ill, **plan, **{rule: tight}) == {rule}
        if loose is not None:
            mixed = {"ill": ["x", "y", "x", "x", "y", "x"]}
            assert judged(mixed, mixed, **plan, **{rule: loose}) == set()


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
    assert formulas(b"a,b\n-1,'=1+1\n+1.5,x\n-,+49 30\n", ",") == []
    assert unmarked(grid.of_csv(b"'=a,b\n1,2\n", ",")).names == ["=a", "b"]


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


def test_a_text_file_says_the_unit_of_durations():
    seconds = grid.of_table(pa.table({"d": pa.array([40655, None, 0, -1], pa.duration("s"))}))
    assert seconds.values["d"] == [40655 * 10**9, None, 0, -(10**9)]
    held = in_text(seconds, [{"name": "d", "kind": "duration"}, {"name": "e", "kind": "duration"}])
    assert held.values["d"] == ["PT11H17M35S", None, "PT0S", "-PT1S"]
    assert in_text(seconds, [{"name": "d", "kind": "integer"}]).values == seconds.values


def test_a_zero_is_one_value_whatever_its_sign():
    table = pa.table({"x": [1, 1, 2, 2], "c": [-0.0, 0.0, -0.0, -0.0]})
    plan = {"k": 2, "quasi_identifiers": ["x"], "confidential": ["c"], "beta_likeness": 0.1}
    asked = Asked.of({"plan": plan, "columns": [], "roles": {"tag": []}})
    assert not limits(asked, grid.of_table(table), grid.of_table(table))
    told = table.set_column(1, "c", pa.array([1.0, 0.0, 1.0, 1.0]))
    assert limits(asked, grid.of_table(told), grid.of_table(told))


def test_a_number_among_words_may_be_a_word():
    tree = {"tree": {"far": ["+1", "y"], "near": ["1"]}}
    plan = {"k": 2, "quasi_identifiers": ["c"], "hierarchies": {"c": tree}}
    asked = Asked.of({"plan": plan, "columns": [], "roles": {"tag": []}})
    before = grid.of_csv(b"c\n+1\ny\n", ",")
    assert before.values["c"] == [1, "y"]
    for label, wrong in (("far", 0), ("near", 1)):
        after = grid.of_csv(f"c\n{label}\n{label}\n".encode(), ",")
        assert len(true_of_all(asked, before, after, [0, 1])) == wrong


def test_a_marked_level_is_the_level():
    order = ["a", "=1+1", "b"]
    assert _between(order, ["a", "b"], "'=1+1")
    assert not _between(order, ["b", "b"], "'=1+1")
    assert not _between(order, ["a", "b"], "'x")


def test_a_huge_number_is_rounded_to_a_float():
    plan = {"k": 2, "quasi_identifiers": ["x"], "recodings": {"x": {"round": 100}}}
    asked = Asked.of({"plan": plan, "columns": [], "roles": {"tag": []}})
    before = grid.of_table(pa.table({"x": [7.915060000000001e299, 149.0]}))
    assert list(map(repr, recoded(asked, before).values["x"])) == ["7.915060000000001e+299", "100"]


def test_a_huge_number_with_no_float_beyond_it_stays():
    plan = {"k": 2, "quasi_identifiers": ["x"], "recodings": {"x": {"round": 3}}}
    asked = Asked.of({"plan": plan, "columns": [], "roles": {"tag": []}})
    most = 1.7976931348623157e308
    before = grid.of_table(pa.table({"x": [most, 149.0]}))
    assert recoded(asked, before).values["x"] == [most, 150]
    plan["recodings"]["x"]["round"] = 1e308
    before = grid.of_table(pa.table({"x": [most, -1.7e308, 0.9e308]}))
    assert recoded(asked, before).values["x"] == [1e308, -1e308, 1e308]


def test_codes_without_a_column_are_meant_in_columns_that_are_no_keys_too():
    plan = {"recodings": {"tall": {"round": 10}}, "missing_codes": 5}
    tall = {"tall": [5, 158, 172, 177, 181, 199]}
    asked = Asked(3, ["age"], columns=["age", "tall"], plan=plan)
    made = recoded(asked, grid.of_table(pd.DataFrame({**ORIGINAL, **tall})))
    assert made.values["tall"] == [5, 160, 170, 180, 180, 200]


def test_a_quote_is_a_mark_only_before_what_would_run():
    plan = {"k": 2, "quasi_identifiers": ["c"], "hierarchies": {"c": {"prefix": [2]}}}
    asked = Asked.of({"plan": plan, "columns": [], "roles": {"tag": []}})
    for value, label, wrong in (("'x'", "'x'", 0), ("=12", "'=1", 0), ("xy", "'x", 1)):
        before = grid.of_table(pa.table({"c": [value, value]}))
        after = grid.of_table(pa.table({"c": [label, label]}))
        assert len(true_of_all(asked, before, after, [0, 1])) == wrong


def test_a_tag_that_a_damaged_text_has_twice_tells_no_rows_apart():
    twice = {"tag": [103, 103, 105, 100, 104, 102]}
    assert judged(twice, {"tag": RELEASED["tag"]}) == {"tag"}
    assert judged(twice, twice) == {"tag"}
    assert judged(twice, twice, damaged=True) == set()
    assert "k" in judged({**twice, "age": [22, 22, 23, 62, 62, 62]}, twice, damaged=True)
    for released in ([103, 103, 103, 100, 104, 102], [103, 103, 105, 100, 104, 999]):
        assert judged({"tag": released}, twice, damaged=True) == {"tag"}


def test_rules_hold_on_columns_that_are_no_keys_whatever_code_has_no_column():
    columns = {"lo": [1, 9], "hi": [2, 1]}
    for codes in ({}, 5, {"*": [5]}):
        plan = {"rules": ["lo <= hi"], "missing_codes": codes}
        asked = Asked(2, ["age"], columns=["age", "lo", "hi"], plan=plan)
        after = grid.of_table(pa.table({"age": [1, 1], **columns}))
        assert [finding.rule for finding in kept_rules(asked, after)] == ["rule"]


def test_codes_of_a_column_stand_beside_those_of_all():
    plan = {"missing_codes": {"*": 5, "tall": [-1]}}
    codes = Asked(2, ["age"], columns=["age", "tall"], plan=plan).codes
    assert codes == {"age": [5], "tall": [-1, 5]}


def test_names_of_a_workbook_are_no_formulas(tmp_path):
    columns = [{"name": "=1+1", "kind": "text", "dtype": "string", "values": ["=2", "b"]}]
    path = tmp_path / "in.xlsx"
    write_input({"format": "xlsx", "columns": columns, "rows": 2}, path)
    read = openpyxl.load_workbook(path).active
    assert [(cell.value, cell.data_type) for cell in read["A"]] == [
        ("=1+1", "s"), ("=2", "s"), ("b", "s"),
    ]  # fmt: skip


def shuffled(dtype):
    """A case of kind `order` with one column beside the key."""
    values = ["d", "b", None, "c", "a", "b"]
    columns = [
        {"name": "x", "kind": "integer", "dtype": "int64", "values": [5] * 6},
        {"name": "c", "kind": "text", "dtype": dtype, "values": values},
    ]
    plan = {"k": 2, "quasi_identifiers": ["x"], "declared": ["c"], "method": "mdav"}
    return {
        "kind": "order",
        "library": "pandas",
        "rows": 6,
        "shuffled": [3, 5, 0, 1, 4, 2],
        "columns": columns,
        "plan": {**plan, "random_state": 0},
    }


@pytest.mark.parametrize("dtype", ["category", "arrow:dictionary:string", "object:gaps"])
def test_the_order_of_records_shows_nowhere(dtype):
    assert attempt(shuffled(dtype)).outcome == "released"


def test_the_zone_of_the_first_record_would_be_found(monkeypatch):
    days = [dt.datetime(2020, 1, day) for day in (4, 2, 1, 3)]
    zones = shuffled("object:zones")
    zones["columns"][1] |= {"kind": "moment", "values": [None, *days, None]}
    assert attempt(zones).outcome == "released"
    as_arrow_has_it = "coterie.table.admission.in_one_zone"
    monkeypatch.setattr(as_arrow_has_it, lambda values, held: (held, None))
    assert [finding.rule for finding in attempt(zones).findings] == ["order"]


@pytest.mark.parametrize("dtype", ["category", "arrow:dictionary:string"])
def test_a_list_of_categories_in_the_order_of_records_is_found(dtype, monkeypatch):
    as_they_came = "coterie.table.categories._places"
    monkeypatch.setattr(as_they_came, lambda values: np.arange(len(values)))
    assert [finding.rule for finding in attempt(shuffled(dtype)).findings] == ["order"]


@pytest.mark.parametrize("dtype", ["object:gaps", "object:zones", "object:named"])
def test_objects_of_one_value_are_told_apart_by_the_checker(dtype):
    day = dt.datetime(2020, 1, 1)
    values = [day if dtype == "object:zones" else "a", None] * 6
    made = grid.of_table(pd.DataFrame({"c": column_of("pandas", "text", dtype, values)}))
    assert len(set(made.tokens["c"])) > 2
    assert len(set(made.values["c"])) == 2
