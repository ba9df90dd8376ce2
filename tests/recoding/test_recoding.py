"""Recoding before the space: what it does, what it refuses, and what it is counted as."""

from __future__ import annotations

import math
import operator
from decimal import Decimal
from functools import reduce

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import coterie
from coterie.recoding.apply import applied, looked, recode, settled
from coterie.recoding.rule import check_recoding
from coterie.table import read


def people(n=60, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "household": rng.integers(0, n // 2, n),
            "region": rng.choice(["n1", "n2", "s1", "s2"], n),
            "age": rng.integers(18, 90, n),
            "income": rng.lognormal(8, 1, n).round(1),
        }
    )


def recoded(table, k=3, unit=None, codes=None, **rules):
    plan = coterie.Plan(
        k=k, quasi_identifiers=["age"], recodings=rules, unit=unit, missing_codes=codes
    )
    return recode(read(table), plan)


def made(table, name, rule, **more):
    source, done, problems = recoded(table, **{name: rule}, **more)
    assert problems.texts == []
    return source.frame[name].to_list(), done[name]


def test_merge_prefix_and_bands():
    table = people()
    values, done = made(table, "region", {"merge": {"north": ["n1", "n2"]}})
    assert values == ["north" if r[0] == "n" else r for r in table.region]
    assert done.changed == int(table.region.str.startswith("n").sum())
    assert done.distinct == (4, 3)
    assert made(table, "region", {"prefix": 1})[0] == [r[0] for r in table.region]
    bands, _ = made(table, "age", {"bands": 20})
    assert bands == [f"[{a // 20 * 20}, {a // 20 * 20 + 20})" for a in table.age]


def test_rounding_top_and_bottom():
    table = people()
    values, _ = made(table, "age", {"round": 10, "top": 60, "bottom": 30})
    wanted = np.clip(np.rint(table.age / 10) * 10, 30, 60)
    assert values == wanted.astype(int).tolist()
    assert made(table, "income", {"round": 0.5})[0] == (np.rint(table.income * 2) / 2).tolist()


def test_infinities_lie_beyond_every_end():
    table = pa.table({"x": [1.0, 2.0, 3.0, math.inf, -math.inf, 4.0] * 3, "a": [1, 2] * 9})
    values, done = made(table, "x", {"top": "auto", "bottom": 2})
    assert values == [2.0, 2.0, 3.0, 4.0, 2.0, 4.0] * 3
    assert done.rule == {"top": 4, "bottom": 2}


def test_what_is_not_recoded_stays_to_the_last_digit():
    big = 2**53 + 1
    table = pa.table({"x": pa.array([1, 2, big, -5, None] * 4, pa.int64()), "a": [1, 2] * 10})
    made = coterie.anonymize(
        table, 2, ["a"], method="mdav", recodings={"x": {"bottom": 1}}, row_order="keep"
    ).data
    assert made["x"].to_pylist() == [1, 2, big, 1, None] * 4
    odd = [math.nan, math.inf, 1.26, None, -math.inf] * 4
    table = pa.table({"x": pa.array(odd, pa.float64()), "a": [1, 2] * 10})
    made = coterie.anonymize(
        table, 2, ["a"], method="mdav", recodings={"x": {"round": 0.5}}, row_order="keep"
    ).data
    assert repr(made["x"].to_pylist()) == repr([math.nan, math.inf, 1.5, None, -math.inf] * 4)


def test_narrow_floats_hold_the_multiple_that_was_asked_for():
    """In 32 bits 261,404,600 is 261,404,608: no multiple of 100."""
    column = pa.array(np.array([2.6140461e8, 1.4102109e8, math.nan, 7.0] * 5, np.float32))
    for step in (100, 3):
        after, _ = made(pa.table({"x": column, "a": [1, 2] * 10}), "x", {"round": step})
        wanted = [v if v != v else float(step * round(v / step)) for v in column.to_pylist()]
        assert repr(after) == repr(wanted)


def test_floats_keep_their_type_where_it_is_wide_enough():
    table = pa.table({"x": pa.array([1.26, 20.0, 3e9, 1e-9] * 5, pa.float32()), "a": [1, 2] * 10})
    for rule in ({"round": 0.5}, {"round": 0.1}, {"top": 20}):
        source, _, problems = recoded(table, x=rule)
        assert problems.texts == []
        assert source.frame.to_arrow()["x"].type == pa.float32()


def test_gaps_stay_gaps_whatever_they_are_called():
    """NaN in a column of text would be one more category, and a record of it a value."""
    table = pa.table({"x": pa.array([1.0, 2.0, math.nan, None] * 3, pa.float64()), "a": [1] * 12})
    made = coterie.anonymize(
        table, 2, ["a"], method="mdav", recodings={"x": {"bands": 5}}, row_order="keep"
    ).data
    assert made["x"].to_pylist() == ["[0, 5)", "[0, 5)", None, None] * 3


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ([127, 3], pa.int8(), [130, 0]),
        ([250, 3], pa.uint8(), [250, 0]),
        ([Decimal("99.99"), Decimal("0.10")], pa.decimal128(4, 2), [100, 0]),
        ([1.7976931348623157e308, 3.0], pa.float64(), [1.7976931348623157e308, 0]),
        ([126.0, 3.0], pa.float16(), [130, 0]),
    ],
)
def test_rounded_numbers_that_the_type_does_not_hold(values, kind, expected):
    table = pa.table({"x": pa.array(values * 6, kind), "a": [1, 2] * 6})
    made = coterie.anonymize(
        table, 2, ["a"], method="mdav", recodings={"x": {"round": 10}}, row_order="keep"
    ).data
    assert made["x"].to_pylist() == expected * 6


def test_auto_takes_the_end_nearest_that_leaves_k_units_beyond():
    table = people()
    values, done = made(table, "income", {"top": "auto"}, k=4)
    ranked = np.sort(table.income.unique())[::-1]
    beyond = [int((table.income > one).sum()) for one in ranked]
    assert done.rule["top"] == next(v for v, b in zip(ranked, beyond, strict=True) if b >= 4)
    assert max(values) == done.rule["top"]
    assert done.changed >= 4
    units = made(table, "income", {"top": "auto"}, k=4, unit="household")[1].rule["top"]
    over = table.household[table.income > units]
    assert over.nunique() >= 4


@pytest.mark.parametrize(
    ("name", "rule", "words"),
    [
        ("age", {"top": 200}, r"at least k = 3 units.*Got 200, with none"),
        ("region", {"round": 5}, "must be for numbers"),
        ("region", {"bands": 5}, "is for numbers"),
        ("region", {"merge": {"x": ["n1", "n9"]}}, "'n9', which it has not"),
        ("region", {"merge": {"s1": ["n1"]}}, "name of another one"),
        ("regoin", {"prefix": 1}, "Did you mean 'region'"),
        ("household", {"prefix": 1}, "not released"),
    ],
)
def test_refusals(name, rule, words):
    problems = recoded(people(), unit="household", **{name: rule})[2]
    with pytest.raises(coterie.CoterieError, match=words):
        problems.refuse()


@pytest.mark.parametrize(
    "rule",
    [{}, {"merge": {}}, {"prefix": 0}, {"bands": -1}, {"prefix": 1, "top": 3}, {"top": "safe"}, 3],
)
def test_what_is_no_rule(rule):
    with pytest.raises((TypeError, ValueError)):
        check_recoding(rule)


def test_loss_counts_what_recoding_gave_up():
    table = people(seed=1)
    asked = {"method": "mdav", "row_order": "keep"}
    top = coterie.anonymize(table[["age"]], 3, ["age"], recodings={"age": {"top": 40}}, **asked)
    plain = coterie.anonymize(table[["age"]], 3, ["age"], **asked)
    assert top.data.age.max() <= 40
    spread = np.square(table.age - table.age.mean()).sum()
    lost = 100 * np.square(table.age - top.data.age).sum() / spread
    assert top.information_loss == pytest.approx(lost)
    assert top.information_loss > plain.information_loss
    assert top.evidence.internal["recoded"]["age"]["records_changed"] == int((table.age > 40).sum())
    assert top.evidence.public["recoded"] == {"age": "top coded at 40"}


def test_merged_categories_are_true_and_lose_a_level():
    table = people(seed=2)
    out = coterie.anonymize(
        table[["region"]],
        3,
        ["region"],
        recodings={"region": {"merge": {"north": ["n1", "n2"], "south": ["s1", "s2"]}}},
        releases={"region": "ancestor"},
        method="mdav",
        row_order="keep",
    )
    assert set(out.data.region) <= {"north", "south", "*"}
    lost = [0.5 if one != "*" else 1.0 for one in out.data.region]
    assert out.information_loss == pytest.approx(100 * np.mean(lost))
    assert out.evidence.public["truthful"] is True


@pytest.mark.parametrize("unit", [None, "household"])
@pytest.mark.parametrize("parts", [2, 3, 7])
def test_parts_are_recoded_as_the_whole(parts, unit):
    """What is found in parts adds up, wherever they begin and end."""
    table = people(300, seed=parts)
    table.loc[table.age < 30, "age"] = 30  # ties at an end
    rules = {
        "region": {"merge": {"north": ["n1", "n2"]}},
        "age": {"round": 7, "bottom": "auto", "top": 70},
        "income": {"top": "auto", "bottom": "auto"},
    }
    plan = coterie.Plan(k=5, quasi_identifiers=["age"], recodings=rules, unit=unit)
    whole, done, _ = recode(read(table), plan)
    pieces = [read(table.iloc[rows]) for rows in np.array_split(np.arange(300), parts)]
    seen = [looked(piece, plan) for piece in pieces]
    added = {name: reduce(operator.add, (one[name] for one in seen)) for name in rules}
    settled_rules, problems = settled(added, plan, list(table.columns))
    assert problems.texts == []
    made = [applied(piece, settled_rules, plan) for piece in pieces]
    for name, rule in settled_rules.items():
        values = [value for piece, _ in made for value in piece.frame[name].to_list()]
        assert values == whole.frame[name].to_list()
        assert rule.rule == done[name].rule
        assert rule.distinct == done[name].distinct
        assert sum(changed[name] for _, changed in made) == done[name].changed


def test_a_type_is_that_of_all_parts():
    """One part would fit into a byte: the other would not."""
    table = pa.table({"x": pa.array([3, 4, 5, 6, 126, 127], pa.int8()), "a": [1] * 6})
    plan = coterie.Plan(k=2, quasi_identifiers=["a"], recodings={"x": {"round": 10}})
    pieces = [read(table.slice(start, 3)) for start in (0, 3)]
    added = reduce(operator.add, (looked(piece, plan)["x"] for piece in pieces))
    rules, _ = settled({"x": added}, plan, ["x", "a"])
    made = [applied(piece, rules, plan)[0].frame["x"].to_arrow() for piece in pieces]
    assert [array.type for array in made] == [pa.int64()] * 2


def test_the_public_evidence_tells_no_end_that_was_found():
    """It is a value of the table, which one record may have alone."""
    table = people(200)
    asked = {"quasi_identifiers": ["age", "income"], "identifiers": ["household"], "method": "mdav"}
    done = coterie.anonymize(table, 5, **asked, recodings={"income": {"top": "auto"}})
    end = done.evidence.internal["recoded"]["income"]["rule"]["top"]
    assert (table.income == end).sum() == 1
    public = done.evidence.json("public")
    assert str(end) not in public
    assert "top coded where at least k units lie beyond" in public
    done = coterie.anonymize(table, 5, **asked, recodings={"income": {"top": 9000}})
    assert "top coded at 9000" in done.evidence.json("public")


def test_no_number_is_passed_through_because_its_multiple_is_beyond_all_floats():
    from coterie.recoding.numbers import _rounded

    values = np.array([1.7e308, -1.7e308, 0.9e308, 1.7976931348623157e308, np.inf, 12.0])
    found = _rounded(values, 1e308)
    assert found.tolist() == [1e308, -1e308, 1e308, 1e308, np.inf, 0.0]
    assert _rounded(values, 1e-320)[:4].tolist() == values[:4].tolist()  # multiples already
