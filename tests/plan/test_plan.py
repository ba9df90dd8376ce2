"""The plan: one value, from which every surface is made."""

from __future__ import annotations

import dataclasses
import datetime as dt
import inspect
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from coterie.errors import DataError, ParameterError
from coterie.plan import Plan
from coterie.plan.plan import options

WHOLE = {
    "k": 7,
    "quasi_identifiers": ["age", "edu", 'we.ird "x"\n\x7f\\'],
    "confidential": ["diag"],
    "identifiers": ["name"],
    "declared": ["nr"],
    "unit": "household",
    "strata": ["region"],
    "sample_weight": None,
    "types": {"age": "continuous"},
    "orders": {"edu": ["lo", "hi"], "born": [dt.date(1980, 1, 1), dt.date(1990, 1, 1)]},
    "missing_codes": {"age": [-9, -8], "*": [99]},
    "transforms": {"age": "log1p"},
    "attribute_weights": {"age": 0.5},
    "hierarchies": {
        "region": {"prefix": [1, 2]},
        "edu": {"tree": {"x y": {"lo": [], "m": ["hi"]}}},
    },
    "releases": {"age": "interval"},
    "steps": {"age": 2.5, "born": "month"},
    "recodings": {"age": {"round": 5, "top": "auto"}, "edu": {"merge": {"any": ["lo", "hi"]}}},
    "suppress_at_most": 0.0,  # not beside earlier releases
    "unit_members": "together",
    "unit_columns": [],
    "min_distinct": 2,
    "max_share": {"diag": 0.5},
    "entropy_l": 1.5,
    "t_closeness": {"diag": 0.3},
    "alpha_k": {"diag": {"flu": 0.4}},
    "recursive_cl": (2.0, 3),
    "beta_likeness": {"diag": 1.5},
    "delta_disclosure": 2.0,
    "p_percent": 10,
    "dominance": {"age": (2, 80.0)},
    "k_map": 9,
    "population": "register.csv",
    "on_violation": "refuse",
    "attribute_groups": None,
    "missing": "pattern",
    "small_strata": "merge",
    "pooled": "elsewhere",
    "rules": ["age >= 0"],
    "broken_rules": "drop",
    "previous": ["earlier.csv"],
    "match": "nr",
    "departed": "drop",
    "method": "ilsmc",
    "method_options": {"samples": 3},
    "time_limit": 2.5,
    "iterations": 10,
    "random_state": 3,
    "aggregation": "p3m",
    "delta": [0.1, 0.2],
    "importance": {"age": 0.5},
    "alpha": 0.25,
    "row_order": "keep",
    "analyses": ["age ~ edu", "count by edu"],
    "formulas": "quote",
}


def test_every_option_is_tried_here():
    assert set(WHOLE) == set(options())


def test_a_file_holds_it_without_loss(tmp_path):
    plan = Plan(**WHOLE)
    assert Plan.from_toml(plan.to_toml()) == plan
    plan.to_toml(tmp_path / "plan.toml")
    assert Plan.from_toml(tmp_path / "plan.toml") == plan
    assert plan.beyond_file == ()
    assert pickle.loads(pickle.dumps(plan)) == plan


def test_given_makes_it_again_and_replace_changes_it():
    plan = Plan(**WHOLE)
    assert Plan(**plan.given) == plan
    assert plan.replace(k=9) != plan
    assert plan.replace(k=9).replace(k=7) == plan
    assert Plan(5, ["a"]).given == {"k": 5, "quasi_identifiers": ("a",)}
    with pytest.raises(ParameterError, match="Unknown parameter of Plan: 'kk'"):
        plan.replace(kk=3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        plan.k = 3


def test_what_lives_in_memory_is_named():
    plan = Plan(5, ["a"], random_state=np.random.default_rng(1))
    assert plan.beyond_file == ("random_state",)
    assert "# random_state" in plan.to_toml()
    assert plan.record["random_state"] is None


@given(
    st.dictionaries(st.text(max_size=6), st.lists(st.integers() | st.text(max_size=5), max_size=3)),
    st.lists(st.text(max_size=8), min_size=1, max_size=4),
)
def test_any_names_and_codes_survive_a_file(codes, keys):
    texts = [*codes, *keys, *(c for row in codes.values() for c in row if isinstance(c, str))]
    if any(t.encode("utf-8", "ignore").decode() != t for t in texts):
        return  # lone surrogates are no Unicode text: no file can hold them
    plan = Plan(2, keys, missing_codes=codes)
    assert Plan.from_toml(plan.to_toml()) == plan


def test_forms_that_callers_use():
    assert Plan(2, "age").quasi_identifiers == ("age",)
    assert Plan(2, (name for name in "ab")).quasi_identifiers == ("a", "b")
    assert Plan(np.int64(3), pd.Index(["a"])).k == 3
    assert Plan(2, ["a"], missing_codes=[-9]).missing_codes == {"*": (-9,)}
    assert Plan(2, ["a"], aggregation="p3m", delta=np.array([0.5])).delta == [0.5]
    assert Plan(2, ["a"], previous="walk.csv").previous == ("walk.csv",)


@pytest.mark.parametrize(
    ("asked", "messages"),
    [
        ({}, ["must be given k (-k)", "must be given quasi_identifiers (-q)"]),
        ({"k": 1}, ["'k' parameter", "Got 1", "quasi_identifiers"]),
        ({"k": True, "quasi_identifiers": []}, ["Got True", "quasi_identifiers"]),
        ({"k": 2.5, "quasi_identifiers": 5}, ["Got 2.5", "'quasi_identifiers'", "Got 5"]),
        (
            {"method_options": 5, "attribute_groups": [5]},
            ["'method_options'", "'attribute_groups'"],
        ),
        ({"rules": 5, "unit": ["a"], "sample_weight": 3}, ["'rules'", "'unit'", "'sample_weight'"]),
        ({"orders": {"a": 5}, "types": {"a": 5}}, ["'orders'", "'types'"]),
        ({"missing_codes": {5: [1]}}, ["'missing_codes'"]),
        ({"attribute_weights": {"a": "2"}}, ["'attribute_weights'"]),
        ({"method": "mdaw", "missing": "x"}, ["Did you mean 'mdav'", "'missing'"]),
        ({"method_options": {"endin": 1}, "method": "mdav"}, ["'endin'. Did you mean 'ending'"]),
        ({"method_options": {"k": 1}}, ["give it as an argument of its own"]),
        ({"method": "mdav", "time_limit": 5}, ["for methods that search"]),
        ({"departed": "drop"}, ["departed must come with previous"]),
        ({"match": "a"}, ["match must come with previous"]),
        ({"broken_rules": "drop"}, ["broken_rules='drop' has no effect without rules"]),
        (
            {"small_strata": "drop"},
            ["small_strata='drop' has no effect without strata, previous or"],
        ),
        ({"pooled": "rest"}, ["pooled='rest' has no effect without small_strata='merge'"]),
        ({"unit_members": "together"}, ["needs a unit"]),
        ({"on_violation": "refuse"}, ["needs something to violate"]),
        ({"delta": 0.1}, ["is for aggregation='p3m'"]),
        ({"aggregation": "p3m", "sample_weight": "w"}, ["'sample_weight'", "Use 'mean'"]),
        (
            {"min_distinct": 1},
            ["'min_distinct' parameter of Plan must be an integer of"],
        ),
        ({"dominance": (2, 180)}, ["'dominance'"]),
        ({"random_state": -1}, ["'random_state'"]),
        ({"time_limit": float("inf")}, ["'time_limit'"]),
    ],
)
def test_all_problems_come_at_once_in_one_line(asked, messages):
    base = {} if not asked or "k" in asked else {"k": 5, "quasi_identifiers": ["a"]}
    with pytest.raises(ParameterError) as caught:
        Plan(**{**base, **asked})
    for message in messages:
        assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_problems_of_plan_and_table_come_together():
    table = pd.DataFrame({"age": [1.0, 2.0, np.nan, 4.0], "x": ["a", "b", "c", "d"]})
    with pytest.raises(ParameterError) as caught:
        coterie.anonymize(table, k=1, quasi_identifiers=["age", "agee"], method="mdaw", unit="hh")
    for part in ("Got 1", "'agee'", "'mdaw'", "'hh'", "gaps in 'age' (1)"):
        assert part in str(caught.value)


def test_a_call_that_cannot_be_understood():
    table, plan = pd.DataFrame({"a": [1, 2]}), Plan(2, ["a"])
    with pytest.raises(ParameterError, match=r"a plan and k; use plan.replace"):
        coterie.anonymize(table, plan, k=3)
    with pytest.raises(ParameterError, match="by name"):
        coterie.anonymize(table, 2, ["a"], ["b"])
    with pytest.raises(ParameterError, match="given twice"):
        coterie.anonymize(table, 2, k=2)
    with pytest.raises(ParameterError, match="Did you mean 'quasi_identifiers'"):
        coterie.anonymize(table, k=2, quasi_identifier=["a"])


def test_signature_and_docstring_come_from_the_options():
    signature = inspect.signature(coterie.anonymize)
    assert list(signature.parameters) == ["table", *options(), "callback"]
    for name, option in options().items():
        assert f"\n{name} : {option.kind}\n" in coterie.anonymize.__doc__
        assert option.doc
        assert option.rule


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("k = ", "not valid TOML"),
        ("kk = 5", "Unknown setting in .*: 'kk'. Did you mean 'k'"),
        ("[columns.age]\ntipe = 'x'", "'tipe'. Did you mean 'type'"),
        ("[columns]\nage = 5", "a table for each column"),
        ("columns = 5", "a table of columns"),
        ("k = 2\nquasi_identifiers = ['a']\nidentifiers = 5", "a sequence of column names"),
        ("k = 2\nquasi_identifiers = ['a']\nstrata = [1]", "a sequence of column names"),
    ],
)
def test_mistakes_in_a_file_are_told_in_one_line(tmp_path, text, message):
    path = tmp_path / "a.toml"
    path.write_text(text)
    with pytest.raises((DataError, ParameterError), match=message) as caught:
        Plan.from_toml(path)
    assert "\n" not in str(caught.value)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(DataError, match="does not exist"):
        Plan.from_toml(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_bytes(b"a = '\xff'")
    with pytest.raises(DataError, match="not valid TOML"):
        Plan.from_toml(tmp_path / "bad.toml")


def test_a_draft_may_lack_what_a_plan_must_be_given():
    assert len(Plan.gather({})[1]) == 2
    plan, problems = Plan.gather({}, draft=True)
    assert problems == []
    assert plan.quasi_identifiers == ()
    wrong, tail = (
        {"k": 1, "missing": "dropp", "pooled": "x", "mising": 1},
        {"quasi_identifiers": ()},
    )
    assert Plan.gather(wrong | tail, draft=True)[1] == [
        one for one in Plan.gather(wrong | tail)[1] if "must be given" not in one
    ]


def test_a_default_that_stands_for_a_refused_value_is_each_plans_own():
    asked = {"k": 5, "quasi_identifiers": ["age"], "method_options": 5}
    one, problems = Plan.gather(asked, "anonymize")
    assert len(problems) == 1
    one.method_options["effort"] = 1
    assert Plan.gather(asked, "anonymize")[0].method_options == {}
    assert Plan(k=5, quasi_identifiers=["age"]).method_options == {}
