"""Forms and plan say the same: what a field shows, it reads again."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette")

from coterie.app.forms import (
    BY_COLUMN,
    CHOOSING,
    RUNNING,
    Form,
    declared,
    field,
    hierarchy_text,
    said,
)
from coterie.app.state import amended, empty_plan
from coterie.plan import Plan
from coterie.plan.plan import options

NAMES = [*(name for names in CHOOSING.values() for name in names), *RUNNING]
FULL = {
    "k": 7,
    "method": "optimize",
    "aggregation": "p3m",
    "delta": 0.25,
    "alpha": 0.5,
    "min_distinct": 3,
    "max_share": {"first name": 0.5, "b": 0.25},
    "dominance": {"b": (2, 80.0)},
    "p_percent": 10.0,
    "recursive_cl": (2.0, 3),
    "beta_likeness": {"b": 2.0},
    "delta_disclosure": 1.5,
    "k_map": 4,
    "population": "people.csv",
    "analyses": ("b ~ age", "mean b by age"),
    "rules": ("age >= 0", "total == a + b"),
    "broken_rules": "drop",
    "missing": "pattern",
    "small_strata": "merge",
    "pooled": "the rest",
    "time_limit": 30.0,
    "random_state": 4,
    "row_order": "keep",
}


BARE = Plan(k=2, quasi_identifiers=["age"])


def test_every_option_stands_on_a_page():
    """All but what a table of fields cannot say: plans that hold it can be loaded."""
    changes, _ = declared(Form(), LOOK, empty_plan())
    assert {*options()} - {*NAMES} - {*changes} == {"attribute_groups", "method_options"}


def test_a_choice_is_of_what_the_rule_names():
    shown = [field(option, option.default) for option in options().values()]
    chosen = {one["name"]: one["choices"] for one in shown if one["kind"] == "choice"}
    assert chosen == {
        name: [part.strip("'") for part in option.rule.removeprefix("one of ").split(", ")]
        for name, option in options().items()
        if option.rule.startswith("one of ")
    }
    assert chosen["missing"] == ["error", "drop", "pattern"]
    assert all(one["choices"] == [] for one in shown if one["name"] not in chosen)


def test_what_a_field_cannot_say_stays_unless_it_is_changed():
    by_value = {"diag": {"flu": 0.4}}
    tree = {"edu": {"tree": {"low": ["a"], "high": ["b"]}}}
    asked = {"alpha_k": by_value, "confidential": ["diag"], "hierarchies": tree}
    plan = Plan(k=3, quasi_identifiers=["edu"], **asked)
    shown = field(options()["alpha_k"], plan.alpha_k)["text"]
    assert said(Form({"alpha_k": [shown]}), ["alpha_k"], [], plan) == {"alpha_k": by_value}
    assert said(Form({"alpha_k": ["0.3"]}), ["alpha_k"], [], plan) == {"alpha_k": 0.3}
    kept = form(role_2="key", hierarchy_2=hierarchy_text(plan.hierarchies["edu"]))
    assert declared(kept, LOOK, plan)[0]["hierarchies"] == plan.hierarchies
    assert declared(form(role_2="key"), LOOK, plan)[0]["hierarchies"] == {}


def test_every_field_reads_what_it_shows():
    plan = Plan(quasi_identifiers=["age"], **FULL)
    form = Form({name: [field(options()[name], getattr(plan, name))["text"]] for name in NAMES})
    found = said(form, NAMES, ["first name", "b", "age"], BARE)
    made, problems = amended(BARE, found)
    assert problems == []
    assert made == plan


def test_empty_fields_are_as_usual():
    plan = Plan(quasi_identifiers=["age"], **FULL)
    usual = {"k": "5", "method": "auto", "aggregation": "mean", "missing": "error"}
    form = Form({name: [usual.get(name, "")] for name in NAMES})
    made, problems = amended(plan, said(form, NAMES, [], plan))
    assert problems == []
    assert made == Plan(k=5, quasi_identifiers=["age"])


def test_choices_come_from_the_rule_of_the_option():
    assert field(options()["missing"], "drop")["choices"] == ["error", "drop", "pattern"]
    assert field(options()["k"], 5)["kind"] == "text"


def test_what_breaks_its_rule_is_told_and_left_as_it_was():
    made, problems = amended(empty_plan(), said(Form({"k": ["one"]}), NAMES, [], empty_plan()))
    assert made.k == options()["k"].default
    assert "'k' parameter of Plan must be an integer of at least 2. Got 'one'" in problems[0]


LOOK = {
    "columns": [
        {"name": "id", "categories": None},
        {"name": "age", "categories": None},
        {"name": "edu", "categories": ["high", "low", "middle", "NA"]},
        {"name": "w", "categories": None},
    ]
}


def form(**fields):
    return Form({name.replace("_", "."): [value] for name, value in fields.items()})


def test_columns_are_declared_by_their_numbers():
    given = form(
        role_0="identifier",
        role_1="both",
        role_2="key",
        role_3="weight",
        type_2="ordinal",
        codes_2="NA",
        order_2="1,2,0,3",
        transform_1="rank",
        weight_1="2",
        hierarchy_1="bands:5, 10",
        release_1="interval",
        step_1="5",
        recode_1="round:1,top:auto",
        recode_2="some=high, middle; few=low",
        hierarchy_0="prefix:1",
        transform_3="rank",
    )
    changes, problems = declared(given, LOOK, empty_plan())
    assert problems == []
    made, problems = amended(empty_plan(), changes)
    assert problems == []
    assert made == Plan(
        k=5,
        quasi_identifiers=["age", "edu"],
        confidential=["age"],
        identifiers=["id"],
        sample_weight="w",
        types={"edu": "ordinal"},
        orders={"edu": ["low", "middle", "high"]},
        missing_codes={"edu": ["NA"]},
        transforms={"age": "rank"},
        attribute_weights={"age": 2},
        hierarchies={"age": {"bands": [5, 10]}},
        releases={"age": "interval"},
        steps={"age": 5},
        recodings={
            "age": {"round": 1, "top": "auto"},
            "edu": {"merge": {"some": ["high", "middle"], "few": ["low"]}},
        },
    )
    look = {"columns": LOOK["columns"]}
    again = form(**{f"role_{i}": role for i, role in enumerate(("identifier", "both", "key"))})
    for option, (what, shown, _, _) in BY_COLUMN.items():
        for i, name in enumerate(("id", "age", "edu")):
            if name in getattr(made, option):
                again[f"{what}.{i}"] = [shown(getattr(made, option)[name])]
    changes, _ = declared(again, look, empty_plan())
    read, problems = amended(empty_plan(), changes)
    assert problems == []
    assert all(getattr(read, option) == getattr(made, option) for option in BY_COLUMN)


@pytest.mark.parametrize("order", ["", "0,1", "0,0,1,2", "9,1,2,3", "x"])
def test_an_order_that_is_none_leaves_the_one_that_was(order):
    plan = amended(
        empty_plan(), {"types": {"edu": "ordinal"}, "orders": {"edu": ["low", "middle", "high"]}}
    )[0]
    changes, _ = declared(form(type_2="ordinal", order_2=order), LOOK, plan)
    assert changes["orders"] == {"edu": ["low", "middle", "high"]}


def test_codes_of_every_column_stay():
    plan = amended(empty_plan(), {"missing_codes": [-9]})[0]
    changes, _ = declared(form(codes_1="99"), LOOK, plan)
    assert changes["missing_codes"] == {"*": (-9,), "age": [99]}


def test_there_is_one_unit():
    _, problems = declared(form(role_0="unit", role_1="unit"), LOOK, empty_plan())
    assert problems == ["unit must be one column. Got id, age; keep one"]
