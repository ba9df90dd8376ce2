"""Records are held out by a seed before grouping; the cheapest release that meets a bound wins."""

from __future__ import annotations

import numpy as np
import pytest

import coterie
from coterie.errors import CoterieError
from coterie.evaluation.bars import read_bars
from coterie.table import read
from coterie.tuning import cheapest, compare
from coterie.tuning.rehearsal import rehearse

KEYS = ["age", "height", "weight"]


@pytest.fixture(scope="module")
def people():
    return coterie.datasets.health(400, random_state=3)


def test_a_share_is_held_out_by_the_seed(people):
    source = read(people)
    first, again, other = (rehearse(source, 0.25, [], None, seed) for seed in (1, 1, 2))
    assert len(first.control) == 100
    assert len(first.source.frame) == 300
    rows = [set(map(tuple, part.rows())) for part in (first.control, again.control, other.control)]
    assert rows[0] == rows[1] != rows[2]
    assert not rows[0] & set(map(tuple, first.source.frame.rows()))
    assert rehearse(source, None, ["il"], None, 0).control is None
    assert len(rehearse(source, None, ["inference"], None, 0).control) == 80


def test_units_are_held_out_whole(people):
    stage = rehearse(read(people), 0.2, [], "household", 0)
    parts = [set(f["household"].to_list()) for f in (stage.control, stage.source.frame)]
    assert not parts[0] & parts[1]
    assert 80 <= len(stage.control) <= 85


def test_declared_analyses_have_a_column(people):
    asked = {"identifiers": ["household"], "declared": ["household", "income", "cost"]}
    asked |= {"random_state": 0, "analyses": ["weight ~ age"]}
    found = compare(people, [3, 25], ["mdav"], KEYS, **asked)
    named = compare(people, [3, 25], ["mdav"], KEYS, measures=["analyses"], **asked)
    assert found["analyses"].tolist() == named["analyses"].tolist()
    assert found["analyses"].between(0.0, 100.0).all()
    assert list(found.columns) == list(named.columns)


def test_the_cheapest_k_that_meets_a_bound(people):
    found = compare(
        people,
        [3, 6, 25],
        ["mdav"],
        KEYS,
        confidential=["diagnosis"],
        identifiers=["household"],
        declared=["household", "income", "cost"],
        random_state=0,
        thresholds={"inference": 20.0},
    )
    assert (found["inference_low"] <= found["inference"]).all()
    assert (found["inference"] <= found["inference_high"]).all()
    assert found["met"].tolist() == (found["inference"] <= 20.0).tolist()
    best = cheapest(found)
    assert best is not None
    met = found[found["met"]]
    assert best["information_loss"] == met["information_loss"].min()
    assert cheapest(found.assign(met=False)) is None
    assert int(found["groups"].iloc[0]) <= 320 // 3  # a fifth was held out


def test_measures_are_columns_and_bars_know_their_direction(people):
    table = people[[*KEYS, "sex"]]
    found = compare(table, [3], ["mdav"], KEYS, measures=["achieved_k", "distinct_l"])
    assert found["achieved_k"].tolist() == [3.0]
    assert found["distinct_l"].isna().all()  # no confidential column: not measured
    bars = read_bars({"achieved_k": 3, "il": 5})
    assert bars["achieved_k"].met(3.0)
    assert not bars["achieved_k"].met(2.0)
    assert bars["il"].met(5.0)
    assert not bars["il"].met(5.1)
    assert not bars["il"].met(None)
    assert not bars["il"].met(float("nan"))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"control": 1.5}, "'control' parameter of compare"),
        ({"thresholds": {"inferense": 5}}, "Did you mean 'inference'"),
        ({"thresholds": {"inference": "low"}}, "must be a finite number"),
        ({"measures": ["nothing"]}, "measure"),
        ({"unit": "house"}, "house"),
    ],
)
def test_bad_arguments_are_told(people, wrong, told):
    with pytest.raises(CoterieError, match=told):
        compare(people, [3], ["mdav"], KEYS, **wrong)


@pytest.mark.parametrize("limit", [{"time_limit": 1.5}, {"iterations": 3}])
def test_a_limit_that_no_method_takes_is_refused_as_anonymize_refuses_it(people, limit):
    with pytest.raises(CoterieError) as alone:
        coterie.anonymize(people, k=3, quasi_identifiers=KEYS, method="mdav", **limit)
    with pytest.raises(CoterieError) as compared:
        compare(people, [3], ["mdav"], KEYS, **limit)
    assert str(compared.value).rstrip(".") in str(alone.value)
    with pytest.raises(CoterieError, match="'mdav', 'md' run to their end"):
        compare(people, [3], ["mdav", "md"], KEYS, **limit)


def test_a_limit_that_some_take_is_for_them(people):
    found = compare(people[KEYS][:60], [3], ["mdav", "ls"], KEYS, iterations=1)
    assert found["method"].tolist() == ["mdav", "ls"]
    plan = coterie.Plan(k=3, quasi_identifiers=KEYS, time_limit=1.5)  # written for another method
    assert compare(people[KEYS][:60], None, ["mdav"], plan=plan)["method"].tolist() == ["mdav"]


def test_an_unknown_method_is_told_before_any_work(people):
    told = []
    with pytest.raises(CoterieError, match="Did you mean 'mdav'"):
        compare(people, [3], ["md", "mdaf"], KEYS, callback=told.append)
    assert not told


def test_any_measure_can_be_on_the_axis(people):
    numbers = people[[*KEYS, "cost"]].astype(float)
    found = coterie.tune(
        numbers,
        [3, 6],
        quasi_identifiers=KEYS,
        confidential=["cost"],
        aggregations=["mean"],
        risk="inference",
        loss="il",
        measures=[],
    )
    assert found.risk == "inference"
    assert np.isfinite(found.front["inference"]).all()
