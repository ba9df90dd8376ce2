"""Promises beyond k, from the arguments of `anonymize` to the file and to `verify`."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.cli.app import run
from coterie.datasets import health
from tests import naive_constraints as naive

KEYS = ["age", "height", "weight"]
STAYING = [*KEYS, "cost", "income"]  # declared, whatever they give away
METHOD = {"method": "mdav-mhm", "random_state": 0}


@pytest.fixture(scope="module")
def people():
    return health(300, random_state=3)


def classes(table, keys=KEYS):
    return table.groupby(keys, dropna=False, sort=False).ngroup().tolist()


def protect(table, k=4, **arguments):
    given = {"confidential": ["diagnosis"], "declared": STAYING, **METHOD}
    given.update(arguments)
    return coterie.anonymize(table.drop(columns="household"), k, KEYS, **given)


def test_values_in_a_class_are_as_diverse_as_guaranteed(people, tmp_path):
    asked = {"min_distinct": 3, "max_share": 0.6, "t_closeness": 0.4}
    r = protect(people, **asked)
    r.write(tmp_path / "out.csv")
    file = pd.read_csv(tmp_path / "out.csv")
    values = file["diagnosis"].tolist()
    constraint = {"values": values, "ordered": False, **asked}
    assert naive.admissible(classes(file), 4, diversity=[constraint])
    found = coterie.verify(file, 4, KEYS, confidential=["diagnosis"], **asked)
    assert {one.rule for one in found.findings} == set(asked)
    assert "t_closeness = 0.4" in str(found)
    internal, public = r.evidence.internal, r.evidence.public
    search = internal["search"]
    assert search["objective_percent_k_alone"] < search["objective_percent"]
    assert internal["repair"][0]["violated"]
    assert [c["rule"] for c in public["constraints"]] == list(asked)
    assert all("worst" not in c for c in public["constraints"])
    assert "repair" not in public
    json.loads(r.evidence.json("internal"))


def test_a_guarantee_of_one_column_and_numbers_by_rank(people):
    r = protect(
        people, confidential=["cost"], t_closeness={"cost": 0.12}, entropy_l={"diagnosis": 2}
    )
    data = r.data
    constraints = [
        {"values": data["cost"].tolist(), "ordered": True, "t_closeness": 0.12},
        {"values": data["diagnosis"].tolist(), "ordered": False, "entropy_l": 2},
    ]
    assert naive.admissible(classes(data), 4, diversity=constraints)
    found = coterie.evaluate(data, data, KEYS, ["cost"], measures=["t_closeness"])
    worst = {c["rule"]: c["worst"] for c in r.evidence.internal["constraints"]}
    assert found["t_closeness"].value == pytest.approx(worst["t_closeness"])


def test_no_unit_dominates_a_cell(people):
    amounts = {"cost": 20, "weight": 30}
    r = protect(people, p_percent=amounts, dominance={"cost": (1, 60)}, row_order="keep")
    labels = classes(r.data)
    owners = list(range(len(people)))
    for members in naive.classes(labels).values():
        for name, p in amounts.items():
            assert naive.passes_p_percent(members, owners, people[name].tolist(), p)
        assert naive.passes_dominance(members, owners, people["cost"].tolist(), 1, 60)
    # Amounts that are released as they are can be judged in the file, keys cannot.
    coterie.verify(r.data, 4, KEYS, p_percent={"cost": 20}, dominance={"cost": (1, 60)})
    with pytest.raises(coterie.ParameterError, match="'weight': it is a key"):
        coterie.verify(r.data, 4, KEYS, p_percent={"weight": 30})


def test_without_columns_dominance_is_about_every_numeric_key(people):
    r = protect(people, p_percent=10)
    found = [c["column"] for c in r.evidence.internal["constraints"]]
    assert found == KEYS


@pytest.mark.parametrize("members", ["any", "together"])
def test_households(people, members, tmp_path):
    r = coterie.anonymize(
        people, 3, KEYS, unit="household", unit_members=members, declared=STAYING, **METHOD
    )
    r.write(tmp_path / "out.parquet")
    file = pd.read_parquet(tmp_path / "out.parquet")
    assert "household" not in file
    homes = people["household"].iloc[r.crosswalk].tolist()
    assert naive.admissible(classes(file), 3, homes, members == "together")
    assert r.verification.unit == "household"
    assert r.evidence.public["unit_members"] == members


def test_strata_gaps_and_units_together_with_diversity(people):
    table = people.copy()
    table.loc[:59, "weight"] = np.nan
    r = coterie.anonymize(
        table,
        3,
        KEYS,
        unit="household",
        strata=["sex"],
        confidential=["diagnosis"],
        min_distinct=2,
        missing="pattern",
        declared=STAYING,
        **METHOD,
    )
    labels = classes(r.data, [*KEYS, "sex"])
    homes = table["household"].iloc[r.crosswalk].tolist()
    constraint = {"values": r.data["diagnosis"].tolist(), "ordered": False, "min_distinct": 2}
    assert naive.admissible(labels, 3, homes, diversity=[constraint])
    for members in naive.classes(labels).values():
        assert r.data["sex"].iloc[members].nunique() == 1
    with pytest.raises(coterie.DataError, match="cannot stay together"):
        coterie.anonymize(
            people,
            3,
            KEYS,
            unit="household",
            unit_members="together",
            strata=["sex"],
            declared=STAYING,
            **METHOD,
        )


def test_distance_is_from_the_whole_table_in_every_stratum(people):
    r = protect(people, strata=["sex"], confidential=["diagnosis", "cost"], t_closeness=0.35)
    labels = classes(r.data, [*KEYS, "sex"])
    constraints = [
        {"values": r.data["diagnosis"].tolist(), "ordered": False, "t_closeness": 0.35},
        {"values": r.data["cost"].tolist(), "ordered": True, "t_closeness": 0.35},
    ]
    assert naive.admissible(labels, 4, diversity=constraints)
    lopsided = people[(people["sex"] == "m") | (people["diagnosis"] == "cancer")]
    with pytest.raises(coterie.DataError, match=r"t_closeness = 0.1.*1 of 2 strata"):
        protect(lopsided, strata=["sex"], t_closeness=0.1, k=2)


def test_sets_of_attributes_each_keep_the_guarantees(people):
    r = protect(
        people, attribute_groups=[["age"], ["height", "weight"]], min_distinct=3, p_percent=5
    )
    for keys in (["age"], ["height", "weight"]):
        labels = classes(r.data, keys)
        constraint = {"values": r.data["diagnosis"].tolist(), "ordered": False, "min_distinct": 3}
        original = people.iloc[r.crosswalk]
        amounts = [{"amounts": original[name].tolist(), "p_percent": 5} for name in keys]
        assert naive.admissible(labels, 4, diversity=[constraint], dominance=amounts)


def test_every_impossible_constraint_is_told_at_once(people):
    with pytest.raises(coterie.ParameterError) as caught:
        protect(
            people,
            min_distinct=1,
            max_share={"diagnos": 0.5, "age": 0.4},
            p_percent={"sex": 10},
            dominance=(0, 80),
            on_violation="repair",
            unit_members="together",
        )
    for part in (
        "'min_distinct' parameter of anonymize must be an integer of at least 2",
        "Did you mean 'diagnosis'",
        "'age': it is a key",
        "p_percent of 'sex' needs numbers",
        "'dominance' parameter of anonymize must be a pair",
        "unit_members='together' needs a unit",
    ):
        assert part in str(caught.value)
    with pytest.raises(coterie.DataError, match="min_distinct = 9 on 'diagnosis': worst 8"):
        protect(people, min_distinct=9)
    same = people.copy()
    same.loc[same["sex"] == "f", "diagnosis"] = "none"
    with pytest.raises(coterie.DataError, match="in 1 of 2 strata"):
        protect(same, min_distinct=2, strata=["sex"])
    with pytest.raises(coterie.ParameterError, match="needs confidential columns"):
        protect(people, confidential=[], min_distinct=2)
    with pytest.raises(coterie.ParameterError, match="something to violate"):
        protect(people, on_violation="refuse")
    with pytest.raises(coterie.ParameterError, match="without sample_weight"):
        protect(people, p_percent=10, sample_weight="cost")
    gap = people.copy()
    gap.loc[3, "cost"] = np.nan
    with pytest.raises(coterie.DataError, match="t_closeness of 'cost' needs a value"):
        protect(gap, t_closeness={"cost": 0.3})
    with pytest.raises(coterie.DataError, match="on_violation='repair'"):
        protect(people, max_share=0.5, on_violation="refuse")


def test_a_file_that_breaks_a_guarantee_is_not_kept(people, tmp_path):
    r = protect(people, min_distinct=3)
    labels = classes(r.data)
    broken = r.data.copy()
    first = [i for i, label in enumerate(labels) if label == labels[0]]
    broken.loc[first, "diagnosis"] = "none"
    import narwhals as nw

    forged = dataclasses.replace(r, frame=nw.from_native(broken, eager_only=True))
    with pytest.raises(coterie.NotAdmissible, match=r"min_distinct = 3.*1 of") as caught:
        forged.write(tmp_path / "out.csv")
    assert caught.value.findings[0].failing == 1
    assert not list(tmp_path.iterdir())
    with pytest.raises(coterie.NotAdmissible):
        coterie.verify(broken, 4, KEYS, confidential=["diagnosis"], min_distinct=3)


def test_verify_says_what_it_cannot_judge(people):
    for wrong, message in (
        ({"confidential": "diagnosis", "min_distinct": 2}, "a sequence of column names"),
        ({"confidential": ["diag"], "min_distinct": 2}, "Did you mean 'diagnosis'"),
        ({"confidential": ["diagnosis"]}, "given with one of min_distinct"),
        ({"min_distinct": 2}, "needs confidential columns"),
        ({"p_percent": 10}, "needs columns of amounts"),
        ({"t_closeness": {"age": 0.2}}, "'age': it is a key"),
    ):
        with pytest.raises(coterie.ParameterError, match=message):
            coterie.verify(people, 2, KEYS, **wrong)


def test_the_command_line(people, tmp_path, capsys):
    source, out, config = tmp_path / "in.csv", tmp_path / "out.csv", tmp_path / "c.toml"
    people.to_csv(source, index=False)
    keys = [flag for key in KEYS for flag in ("-q", key)]
    declared = [flag for key in STAYING for flag in ("--declare", key)]
    config.write_text('method = "mdav-mhm"\nmax_share = 0.7\n[p_percent]\ncost = 10\n')
    constraints = [
        "--unit",
        "household",
        "--confidential",
        "diagnosis",
        "--min-distinct",
        "diagnosis=3",
    ]
    call = ["anonymize", str(source), "-k", "3", *keys, *declared, *constraints, "--seed", "1"]
    more = ["--dominance", "cost=2,90", "--config", str(config), "-o", str(out)]
    assert run([*call, *more]) == 0
    told = capsys.readouterr().err
    assert "min_distinct = 3 on diagnosis" in told
    assert "max_share = 0.7" in told
    judged = ["verify", str(out), "-k", "3", *keys, "--confidential", "diagnosis"]
    assert run([*judged, "--min-distinct", "3", "--p-percent", "cost=10"]) == 0
    assert run([*judged, "--min-distinct", "8"]) == 1
    assert "min_distinct = 8" in capsys.readouterr().err
    assert run([*judged, "--max-share", "2"]) == 2
    assert run([*call, "--on-violation", "refuse", "--max-share", "0.4", "-o", str(out)]) == 2
