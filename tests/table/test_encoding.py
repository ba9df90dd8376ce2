"""Columns as numbers and back: every type, every kind of gap, and what no type can hold."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.errors import DataError
from coterie.table.categories import category_key, texts_of
from coterie.table.encoding import Column, absences, pattern_codes
from coterie.table.schema import Attribute


def attribute(kind, **more):
    return Attribute("x", frozenset({"key"}), kind, "the test", **more)


DAY = dt.date(2024, 2, 29)
NOON = dt.datetime(1677, 9, 22, 12)
LATE = dt.datetime(2262, 4, 11, 12)

WHOLE = [
    ("integer", pa.int8(), [-128, 0, 127, None]),
    ("integer", pa.int64(), [2**53, -(2**53), 1, None]),
    ("continuous", pa.float64(), [0.1, -1e300, None, 2.5]),
    ("continuous", pa.float32(), [0.5, -2.0, None]),
    ("continuous", pa.decimal128(6, 2), [Decimal("1.25"), Decimal("-9999.99"), None]),
    ("date", pa.date32(), [DAY, dt.date(1, 1, 1), None]),
    ("date", pa.date64(), [DAY, None]),
    ("datetime", pa.timestamp("ns"), [NOON, LATE, None]),  # further apart than 2**63 nanoseconds
    (
        "datetime",
        pa.timestamp("s", "Europe/Vienna"),
        [dt.datetime(2024, 1, 1, tzinfo=dt.UTC), None],
    ),
    ("nominal", pa.string(), ["b", "a", None, "b"]),
    ("nominal", pa.dictionary(pa.int8(), pa.string()), ["b", "a", None]),
    ("boolean", pa.bool_(), [True, None, False]),
    ("ordinal", pa.int64(), [3, 1, None, 2]),
]


@pytest.mark.parametrize(("kind", "arrow", "values"), WHOLE, ids=[str(w[:2]) for w in WHOLE])
def test_there_and_back(kind, arrow, values):
    array = (
        pa.array(values).cast(arrow) if pa.types.is_dictionary(arrow) else pa.array(values, arrow)
    )
    column = Column.of(attribute(kind), array)
    assert column.missing.tolist() == [value is None for value in values]
    restored = column.restore(column.values)
    assert restored.type == arrow
    assert restored.to_pylist() == array.to_pylist()


@pytest.mark.parametrize("arrow", [pa.float32(), pa.float64()], ids=str)
def test_no_zero_has_a_sign(arrow):
    """What rules or P3M move below the least number of a narrow type is 0.0 there."""
    column = Column.of(
        attribute("continuous"), pa.array([1.0, 2.0, None], pa.float32()).cast(arrow)
    )
    restored = column.restore(np.array([-1e-320, 1e-301, 0.0])).to_pylist()
    assert restored[2] is None
    signs = [math.copysign(1.0, value) for value in restored[:2]]
    assert signs == ([-1.0, 1.0] if arrow == pa.float64() else [1.0, 1.0])


@given(st.lists(st.none() | st.integers(-(2**62), 2**62), min_size=1))
def test_moments_keep_their_differences(units):
    array = pa.array(units, pa.int64()).cast(pa.timestamp("us"))
    column = Column.of(attribute("datetime"), array)
    present = [one for one in units if one is not None]
    assert column.origin == (min(present) if present else 0)
    for value, one in zip(column.values, units, strict=True):
        assert one is None or value == float(one - column.origin)


def test_a_declared_order_is_the_order_of_codes():
    array = pa.array(["low", "high", "mid", None])
    column = Column.of(attribute("ordinal", order=("low", "mid", "high")), array)
    assert column.values.tolist() == [0.0, 2.0, 1.0, 0.0]
    assert column.gaps.tolist() == [0, 0, 0, 1]
    with pytest.raises(DataError, match=r"only values that its order names. Got 'high'; add it"):
        Column.of(attribute("ordinal", order=("low", "mid")), array)


def test_missing_codes_are_gaps_of_their_own_and_stay():
    array = pa.array([10, -9, None, -8, 20, -9])
    column = Column.of(attribute("integer", missing_codes=(-8, -9, "?")), array)
    assert column.gaps.tolist() == [0, 3, 1, 2, 0, 3]
    assert column.values.tolist() == [10, 0, 0, 0, 20, 0]
    assert column.restore(np.full(6, 15.0)).to_pylist() == [15, -9, None, -8, 15, -9]


def test_not_a_number_is_a_gap():
    array = pa.array([1.0, float("nan"), None])
    assert absences(array).tolist() == [0, 1, 1]
    assert absences(pa.array(["a", None, "?"]), ("?",)).tolist() == [0, 1, 2]


def test_some_records_of_a_column():
    column = Column.of(attribute("integer"), pa.array([5, None, 7]))
    some = column.some(np.array([2, 1]))
    assert (some.values.tolist(), some.missing.tolist()) == ([7, 0], [False, True])
    assert column.some(np.arange(3)) is column


@pytest.mark.parametrize(
    ("kind", "array", "message"),
    [
        ("integer", pa.array([2**53 + 1]), r"integers within 2\*\*53.* Got 9007199254740993"),
        ("continuous", pa.array([1.0, np.inf]), r"must be finite. Got inf \(1 such values\)"),
        ("continuous", pa.array(["a"]), r"must hold numbers to be continuous. Got string \('a'\)"),
        ("nominal", pa.array([[1], [2]]), "must hold plain values to be a key. Got list"),
        (
            "date",
            pa.array([0]).cast(pa.timestamp("s", "UTC")),
            "must have no time zone to be a date. Got UTC",
        ),
    ],
)
def test_what_is_no_key_is_refused(kind, array, message):
    with pytest.raises(DataError, match=message):
        Column.of(attribute(kind), array)


@pytest.mark.parametrize(
    ("arrow", "value", "end"),
    [(pa.int8(), 128.0, "127"), (pa.uint8(), -1.0, "0"), (pa.float32(), 1e39, "3.40")],
)
def test_what_the_type_cannot_hold_is_refused(arrow, value, end):
    kind = "continuous" if pa.types.is_floating(arrow) else "integer"
    column = Column.of(attribute(kind), pa.array([1, 2], arrow))
    with pytest.raises(DataError, match=f"and {arrow} ends at {end}"):
        column.restore(np.array([value, 1.0]))


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=20))
def test_patterns_are_equal_where_all_gaps_are(rows):
    codes = pattern_codes(np.array(rows, dtype=np.int16))
    for one, code in zip(rows, codes, strict=True):
        for other, number in zip(rows, codes, strict=True):
            assert (one == other) == (code == number)
    assert set(codes.tolist()) == set(range(len(set(rows))))


def test_texts():
    assert texts_of(pa.array([1.0, None, float("nan"), 3.0])).to_pylist() == ["1", None, None, "3"]
    assert texts_of(pa.array([1.5, 2.0])).to_pylist() == ["1.5", "2"]
    assert texts_of(pa.array([DAY])).to_pylist() == ["2024-02-29"]
    assert texts_of(pa.array([1e300])).to_pylist() == ["1e+300"]


def test_categories_of_several_types_have_an_order():
    assert sorted([2, "b", 1, "a"], key=category_key) == [1, 2, "a", "b"]
