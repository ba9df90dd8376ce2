"""The command beside the plan does what the plan asks for: read again, it is the plan again."""

from __future__ import annotations

import shlex

import pytest

pytest.importorskip("starlette")

from coterie.app.command import command_line, flags
from coterie.cli.asked import arguments
from coterie.plan import Plan
from coterie.plan.plan import options

PLANS = [
    {"k": 5, "quasi_identifiers": ["age"]},
    {"k": 3, "quasi_identifiers": ["first name", "a=b"], "confidential": ["$x"]},
    {"k": 3, "quasi_identifiers": ["-q", "--k"], "identifiers": ["it's"]},
    {
        "k": 5,
        "quasi_identifiers": ["age", "edu"],
        "types": {"age": "integer"},
        "orders": {"edu": ["low", "high"]},
        "missing_codes": {"age": [-9, 99], "*": ["NA"]},
        "transforms": {"age": "rank"},
        "attribute_weights": {"age": 2.5},
        "strata": ["region"],
        "unit": "person",
        "small_strata": "merge",
        "pooled": "rest",
    },
    {
        "k": 5,
        "quasi_identifiers": ["income"],
        "confidential": ["diag"],
        "min_distinct": 3,
        "max_share": {"diag": 0.5},
        "dominance": (2, 80.0),
        "rules": ["income >= 0", "total == a + b"],
        "row_order": "keep",
    },
    {
        "k": 5,
        "quasi_identifiers": ["x"],
        "method": "optimize",
        "time_limit": 2.5,
        "random_state": 0,
    },
    {"k": 5, "quasi_identifiers": ["x"], "aggregation": "p3m", "delta": 0.1, "alpha": 0.5},
    {
        "k": 5,
        "quasi_identifiers": ["age", "job", "born"],
        "hierarchies": {"job": {"prefix": [1, 2]}, "age": "ages.csv", "born": {"dates": ["year"]}},
        "releases": {"age": "interval"},
        "recodings": {"job": {"prefix": 2}, "age": {"round": 5, "top": "auto"}},
        "k_map": 3,
        "population": "people.csv",
        "analyses": ["mean age by job"],
    },
]


def read_again(words):
    """What typer makes of the words, without typer: flags by their names."""
    by_flag = {name: o for o in options().values() if o.flag for name in o.flag.names}
    asked = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--keep-order":
            asked["row_order"] = True
            continue
        name, equals, value = word.partition("=") if word.startswith("-") else (word, "", "")
        option = by_flag[name]
        value = value if equals else rest.pop(0)
        if option.flag.reads in ("text", "number"):
            asked[option.name] = value
        else:
            asked.setdefault(option.name, []).append(value)
    found, problems = arguments(None, asked)
    assert problems == []
    return Plan(**found)


@pytest.mark.parametrize("asked", PLANS, ids=range(len(PLANS)))
def test_the_command_is_the_plan(asked):
    plan = Plan(**asked)
    words = shlex.split(command_line(plan, "in.csv", "out.csv"))
    assert words[:3] == ["coterie", "anonymize", "in.csv"]
    assert words[-2:] == ["-o", "out.csv"]
    assert read_again(words[3:-2]) == plan


@pytest.mark.parametrize(
    "asked",
    [
        {"orders": {"edu": ["a,b", "c"]}},  # a comma in a category
        {"missing_codes": {"x": ["-9"]}},  # the text, not the number
        {"attribute_groups": [["x"], ["y"]]},
        {"hierarchies": {"x": {"tree": {"a": ["b", "c"]}}}},
        {"recodings": {"x": {"merge": {"a": ["b", "c"]}}}},
        {"method": "mdav", "method_options": {}, "orders": {"edu": [1, 2]}},
    ],
)
def test_what_flags_cannot_say_needs_the_file(asked):
    plan = Plan(k=5, quasi_identifiers=["x", "y"], **asked)
    assert flags(plan) is None
    assert "--config plan.toml" in command_line(plan, "in.csv", "out.csv")


def test_how_the_table_is_read_is_part_of_it():
    plan = Plan(k=5, quasi_identifiers=["x"])
    made = command_line(plan, "-in.csv", "out.csv", reading={"encoding": "utf-16", "sheet": "A b"})
    words = shlex.split(made)
    assert words[2] == "./-in.csv"
    assert words[words.index("--encoding") + 1] == "utf-16"
    assert words[words.index("--sheet") + 1] == "A b"
