"""A release judged by its plan: all that the released table can show, and what it cannot."""

from __future__ import annotations

import datetime
import decimal
import json

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.cli import main

KEYS = ["age", "edu"]
LEVELS = ["low", "mid", "high"]


@pytest.fixture
def people():
    rng = np.random.default_rng(3)
    n = 240
    return pd.DataFrame(
        {
            "home": np.arange(n) // 2,
            "age": rng.integers(18, 90, n),
            "edu": rng.choice(LEVELS, n),
            "area": rng.choice(["n", "s"], n),
            "ill": rng.choice(["a", "b", "c", "d"], n),
            "cost": rng.lognormal(4, 0.3, n).round(),
        }
    )


@pytest.fixture
def plan():
    return coterie.Plan(
        k=4,
        quasi_identifiers=KEYS,
        orders={"edu": LEVELS},
        strata=["area"],
        unit="home",
        confidential=["ill"],
        min_distinct=2,
        declared=["cost"],
        dominance={"cost": (1, 90)},
        rules=["age >= 18"],
        method="mdav",
        row_order="keep",
    )


def counted(table, by):
    """Records of the smallest class, in plain pandas."""
    return int(table.groupby(by, dropna=False).size().min())


def test_a_release_is_judged_by_its_plan(people, plan):
    released = coterie.anonymize(people, plan).data
    found = coterie.verify(released, plan)
    assert found.keys == ("age", "edu", "area")
    assert found.achieved == counted(released, ["age", "edu", "area"])
    assert found.classes == released.groupby(["age", "edu", "area"]).ngroups
    assert found.unit is None
    assert found.left_out == ("records are counted, not units: the table does not hold 'home'",)
    assert "each of at least" in str(found)
    assert str(found).endswith(found.left_out[0])
    assert [(one.rule, one.column) for one in found.findings] == [
        ("min_distinct", "ill"),
        ("dominance", "cost"),
    ]
    least = released.groupby(["age", "edu", "area"])["ill"].nunique().min()
    assert found.findings[0].worst == least
    # With the unit at hand, units are counted.
    with_units = released.assign(home=people["home"].to_numpy())
    found = coterie.verify(with_units, plan)
    assert found.left_out == ()
    assert found.achieved == with_units.groupby(["age", "edu", "area"])["home"].nunique().min()


def test_what_the_plan_guarantees_is_missed_by_its_original(people, plan):
    with pytest.raises(coterie.NotKAnonymous) as caught:
        coterie.verify(people, plan)
    units = people.groupby([*KEYS, "area"])["home"].nunique()
    assert caught.value.achieved == units.min()
    assert len(caught.value.violations) == (units < 4).sum()
    released = coterie.anonymize(people, plan).data
    with pytest.raises(coterie.NotAdmissible, match="ill"):
        coterie.verify(released.assign(ill="a"), plan)
    broken = released.assign(age=released["age"] - released["age"].min())
    with pytest.raises(coterie.RuleBroken):
        coterie.verify(broken, plan)


def test_roles_without_guarantees_are_no_problem(people):
    plan = coterie.Plan(
        4, KEYS, confidential=["ill"], identifiers=["home"], declared=["cost"], method="mdav"
    )
    released = coterie.anonymize(people, plan).data
    assert coterie.verify(released, plan).achieved == counted(released, KEYS)


def test_missing_codes_break_no_rule(people):
    people.loc[:9, "age"] = -9
    plan = coterie.Plan(
        4,
        KEYS,
        identifiers=["home"],
        declared=["cost"],
        missing_codes=[-9],
        missing="pattern",
        rules=["age >= 18"],
        method="mdav",
    )
    released = coterie.anonymize(people, plan).data
    found = coterie.verify(released, plan)
    assert found.rules[0].records == (released["age"] != -9).sum() == len(people) - 10
    with pytest.raises(coterie.RuleBroken):
        coterie.verify(released, plan.replace(missing_codes=None))


def test_distances_follow_the_declared_order():
    """By the plan's order the classes are near the table, with equal distances they are not."""
    table = pd.DataFrame({"x": [1] * 4 + [2] * 4, "edu": ["low", "mid"] * 2 + ["mid", "high"] * 2})
    given = {"confidential": ["edu"], "declared": ["edu"]}
    # The class of 1 has shares 1/2, 1/2, 0; the table 1/4, 1/2, 1/4: ordered distance
    # (1/4 + 1/4) / 2, equal distance 1/4.
    ordered = coterie.Plan(4, ["x"], orders={"edu": LEVELS}, t_closeness=0.25, **given)
    assert coterie.verify(table, ordered).findings[0].worst == pytest.approx(0.25)
    far = pd.DataFrame({"x": [1] * 4 + [2] * 4, "edu": ["low"] * 4 + ["mid"] * 2 + ["high"] * 2})
    # low against half low, a quarter mid, a quarter high: (1/2 + 1/4) / 2 or 1/2.
    assert coterie.verify(far, ordered.replace(t_closeness=0.9)).findings[0].worst == (
        pytest.approx(0.375)
    )
    nominal = coterie.Plan(4, ["x"], t_closeness=0.9, **given)
    assert coterie.verify(far, nominal).findings[0].worst == pytest.approx(0.5)


def test_sets_of_keys_are_judged_apart(people):
    plan = coterie.Plan(
        4,
        KEYS,
        attribute_groups=[["age"], ["edu"]],
        identifiers=["home"],
        declared=["cost"],
        method="mdav",
    )
    released = coterie.anonymize(people, plan).data
    found = coterie.verify(released, plan)
    sizes = {name: counted(released, name) for name in KEYS}
    assert found.achieved == min(sizes.values())
    assert {one.keys[0]: one.achieved for one in (found, *found.other_sets)} == sizes
    assert found.achieved <= found.other_sets[0].achieved


def test_what_a_released_key_does_not_tell_is_said(people):
    plan = coterie.Plan(3, ["age", "cost"], p_percent=10, identifiers=["home"], method="mdav")
    released = coterie.anonymize(people, plan).data
    found = coterie.verify(released, plan)
    assert found.left_out == (
        "p_percent of age, cost is not judged: a released key does not tell what each unit added",
    )
    assert found.achieved == counted(released, ["age", "cost"])


UTC, EAST = datetime.UTC, datetime.timezone(datetime.timedelta(hours=1))
NOON = datetime.datetime(2020, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (decimal.Decimal("1.0"), decimal.Decimal("1.00")),
        (NOON, NOON.astimezone(EAST)),
        (datetime.date(2020, 1, 1), pd.Timestamp("2020-01-01")),
        (0.0, -0.0),
    ],
)
def test_objects_that_are_equal_and_look_different_are_two_values(one, other, tmp_path):
    """As they would be in the text file that pandas writes."""
    table = pd.DataFrame({"a": pd.Series([one, other, one], dtype=object)})
    with pytest.raises(coterie.NotKAnonymous, match="spelled in several ways"):
        coterie.verify(table, 3, ["a"])
    table.to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(coterie.NotKAnonymous):
        coterie.verify(tmp_path / "a.csv", 3, ["a"])
    for same in (one, other):
        alike = pd.DataFrame({"a": pd.Series([same] * 3, dtype=object)})
        assert coterie.verify(alike, 3, ["a"]).classes == 1
    with pytest.raises(coterie.NotKAnonymous):  # but they are no two people
        coterie.verify(table.assign(b=1), 2, ["b"], unit="a")


@pytest.mark.parametrize(
    "values", [[np.int64(1), 1, np.int32(1)], [None, float("nan"), pd.NA], [True, np.True_, True]]
)
def test_objects_that_look_alike_are_one_value(values):
    table = pd.DataFrame({"a": pd.Series(values, dtype=object)})
    assert coterie.verify(table, 3, ["a"]).classes == 1


def test_a_plan_and_more_is_refused(people, plan):
    with pytest.raises(coterie.ParameterError, match=r"Got both, a plan and strata; use plan.repl"):
        coterie.verify(people, plan, strata=["area"])
    with pytest.raises(coterie.ParameterError, match="quasi_identifiers"):
        coterie.verify(people, 3)


def test_the_command_judges_by_the_settings_file(people, plan, tmp_path, capsys):
    table, config, out = (tmp_path / name for name in ("in.csv", "plan.toml", "out.csv"))
    people.to_csv(table, index=False)
    plan.to_toml(config)
    given = [str(word) for word in ("--config", config)]
    assert main(["anonymize", str(table), "-o", str(out), *given, "--quiet"]) == 0
    capsys.readouterr()
    assert main(["verify", str(out), *given]) == 0
    told = capsys.readouterr().out
    assert "records are counted, not units: the table does not hold 'home'" in told
    assert main(["verify", str(out), *given, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    released = pd.read_csv(out)
    assert found["achieved"] == counted(released, [*KEYS, "area"])
    assert main(["verify", str(table), *given]) == 1
    assert main(["verify", str(out), *given, "--unit", "homes"]) == 2
    assert "'homes'" in capsys.readouterr().err
