"""Sweeps: the table, the front, the best, progress and bad input."""

from __future__ import annotations

import inspect

import numpy as np
import pandas as pd
import polars as pl
import pytest

import coterie
from coterie.centroids.mean import mean
from coterie.centroids.p3m import p3m
from coterie.cli.tune import AGGREGATIONS, command
from coterie.tuning import Tuning, choose_basins


@pytest.fixture
def people(rng):
    x = np.exp(rng.normal(size=(90, 3)) * 0.5)
    return pd.DataFrame(x, columns=["a", "b", "c"]).assign(d=list("uvw" * 30), wish=0.2)


def test_every_combination_is_a_row(people):
    told = []
    found = coterie.tune(
        people,
        [3, 5],
        ["mdav", "mdav-mhm"],
        quasi_identifiers=["a", "b", "c"],
        confidential=["d"],
        aggregations=["mean", "renormalized", "median", "p3m"],
        alpha=[0.2, 0.8],
        delta=[0.1, "wish"],
        callback=told.append,
    )
    assert len(found.table) == 2 * 2 * (3 + 4) == len(told)
    assert told[-1].fraction == 1.0
    assert set(found.table["k"]) == {3, 5}
    assert (found.table["achieved_k"] >= found.table["k"]).all()
    assert {"t_closeness", "si", "offset_adversary", "sl"} <= set(found.table.columns)
    row = found.table.query("k == 5 and method == 'mdav' and aggregation == 'p3m'").iloc[0]
    x = people[["a", "b", "c"]].to_numpy()
    labels = coterie.partition(coterie.standardize(x), 5).labels
    released = p3m(x, labels, delta=0.1, alpha=0.2).table
    again = coterie.evaluate(x, released, aligned=True, delta=0.1, importance=0.001)
    for name in ("dld", "sdid", "pil", "si", "sl", "il", "offset_adversary"):
        assert row[name] == pytest.approx(again[name].value)


def test_the_earlier_spelling_of_an_aggregation_is_taken(people):
    frame = people[["a", "b", "c"]]
    now, before = (
        coterie.tune(frame, 4, aggregations=[one], measures=["si"]).table
        for one in ("renormalized", "renormalised")
    )
    assert before.equals(now)
    assert set(now["aggregation"]) == {"renormalized"}


def test_front_and_best():
    table = pd.DataFrame({"dr": [5.0, 1.0, 3.0, 3.0, 9.0], "pil": [1.0, 9.0, 4.0, 3.0, 0.5]})
    found = Tuning(table)
    assert found.front.index.tolist() == [1, 3, 0, 4]
    assert found.best.name in (0, 3)


def test_any_table_gives_the_same(people):
    frame = people[["a", "b", "c"]]
    options = {"k": 4, "aggregations": ["mean"], "measures": ["si"]}
    plain = coterie.tune(frame, **options).table
    assert coterie.tune(pl.from_pandas(frame), **options).table.equals(plain)
    assert coterie.tune(frame.to_numpy(), **options).table.equals(plain)
    assert {"si", "dr", "pil"} <= set(plain.columns)


def test_basins_are_chosen_attribute_by_attribute(people):
    x = people[["a", "b", "c"]].to_numpy()
    labels = coterie.partition(coterie.standardize(x), 3).labels
    chosen = choose_basins(x, labels, delta=0.8, alpha=0.8)
    assert chosen.value <= min(chosen.uniform.values())
    again = p3m(x, labels, delta=0.8, alpha=0.8, basin=chosen.basins)
    assert np.array_equal(again.values, chosen.result.values)
    assert again.objective == pytest.approx(chosen.result.objective)
    judged = coterie.evaluate(x, again.table, aligned=True)["si"].value
    assert judged == pytest.approx(chosen.value)
    swept = coterie.tune(x, 3, aggregations=["p3m"], delta=[0.8], alpha=[0.8], basins=["search"])
    assert swept.best["si"] == pytest.approx(chosen.value)


def test_the_command_sweeps_over_the_same_where_nothing_is_said():
    told = inspect.signature(coterie.tune).parameters
    asked = inspect.signature(command).parameters["methods"].default
    assert tuple(asked.split(",")) == told["methods"].default
    assert tuple(AGGREGATIONS.split(",")) == told["aggregations"].default


def test_larger_groups_lose_more(people):
    x = people[["a", "b", "c"]].to_numpy()
    found = coterie.tune(x, [3, 9], ["mdav"], aggregations=["mean"])
    loss = found.table.set_index("k")["il"]
    labels = coterie.partition(coterie.standardize(x), 9).labels
    released = mean(x, labels).table
    assert loss[9] == pytest.approx(coterie.evaluate(x, released, aligned=True)["il"].value)
    assert loss[3] < loss[9]


def test_a_key_that_is_confidential_is_judged_as_released(people):
    """Not as the original, which the other confidential columns are."""
    asked = {"quasi_identifiers": ["a", "b"], "aggregations": ["mean"], "measures": ["il"]}
    plain = coterie.tune(people, 3, **asked).table
    watched = coterie.tune(people, 3, confidential=["a", "c"], **asked).table
    assert watched["il"].tolist() == plain["il"].tolist()


BAD = {
    "method": ({"methods": ["mdaw"]}, r"Unknown method 'mdaw'. Did you mean 'mdav'"),
    "methods text": ({"methods": "mdav"}, r"'methods'.*list of one or more. Got 'mdav'"),
    "aggregation": ({"aggregations": ["p3n"]}, r"name in 'aggregations': 'p3n'.*'p3m'"),
    "basin": ({"basins": ["up"]}, r"name in 'basins': 'up'"),
    "no k": ({"k": []}, r"'k'.*list of one or more"),
    "small k": ({"k": 1}, r"'k'.*at least 2"),
    "no delta": ({"delta": []}, r"'delta'.*list of one or more"),
    "negative delta": ({"delta": [-1.0]}, r"'delta'.*at least 0. Got -1.0"),
    "importance": ({"importance": 2.0}, r"'importance'.*0 to 1. Got 2.0"),
    "alpha": ({"alpha": [2.0]}, r"'alpha'.*Got 2.0"),
    "column": ({"quasi_identifiers": ["z"]}, r"column of table: 'z'"),
    "words": ({"quasi_identifiers": ["d"]}, r"Column 'd' of tune must hold numbers"),
    "measure": ({"measures": ["sii"]}, r"Unknown measure 'sii'. Did you mean 'si'"),
    "risk": ({"risk": "achieved_k"}, r"'achieved_k': higher is safer"),
    "k no whole number": ({"k": 3.0}, r"'k' parameter of tune.*integer of at least 2. Got 3.0"),
    "k text": ({"k": "35"}, r"'k' parameter of tune.*integer of at least 2. Got '35'"),
    "large k": ({"k": [3, 91]}, r"'k' parameter of tune.*at most the number of records, 90"),
    "no aggregation": ({"aggregations": []}, r"'aggregations'.*list of one or more. Got \[\]"),
    "aggregation text": ({"aggregations": "p3m"}, r"'aggregations'.*list of one or more"),
    "no basin": ({"basins": []}, r"'basins'.*list of one or more. Got \[\]"),
    "basin unused": (
        {"aggregations": ["mean"], "basins": ["search"]},
        r"basins has no effect without aggregation 'p3m'. Got \['search'\]",
    ),
    "importance unused": (
        {"aggregations": ["mean"], "importance": 0.9},
        r"importance has no effect without aggregation 'p3m'. Got 0.9",
    ),
    "own option": (
        {"method_options": {"k": 1}},
        r"method_options of tune must leave out 'k'. Got 1",
    ),
    "options no dictionary": ({"method_options": [1]}, r"'method_options'.*dictionary.*Got \[1\]"),
    "options no names": ({"method_options": {1: 2}}, r"'method_options'.*dictionary"),
    "unknown option": ({"method_options": {"seeds": 2}}, r"seeds"),
    "key twice": ({"quasi_identifiers": ["a", "a"]}, r"'a' in quasi_identifiers.*given twice"),
    "watched twice": ({"confidential": ["d", "d"]}, r"'d' in confidential.*given twice"),
    "no key": ({"quasi_identifiers": []}, r"'quasi_identifiers'.*list of one or more"),
    "key text": ({"quasi_identifiers": "ab"}, r"'quasi_identifiers'.*list of one or more"),
    "wish": ({"delta": ["wich"]}, r"column in 'delta': 'wich'. Did you mean 'wish'"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_line(people, name):
    options, expected = BAD[name]
    options = {"k": 3, "quasi_identifiers": ["a", "b"], "aggregations": ["p3m"], **options}
    with pytest.raises(coterie.CoterieError, match=expected) as raised:
        coterie.tune(people, **options)
    assert "\n" not in str(raised.value)


def test_choosing_needs_a_measure_of_which_less_is_better(people):
    with pytest.raises(coterie.ParameterError, match="less is better"):
        choose_basins(people[["a"]].to_numpy(), [0] * 90, measure="achieved_k")
    with pytest.raises(coterie.ParameterError, match="less is better; 'achieved_k': higher is"):
        coterie.tune(people, 3, quasi_identifiers=["a"], risk="achieved_k")
