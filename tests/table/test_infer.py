"""Roles and types: what is inferred, why, and that every problem is told at once."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import pandas as st_pandas

import coterie
from coterie.errors import CoterieError, DataError, ParameterError
from coterie.table import infer, read
from coterie.table.infer import examine

COLUMNS = {
    "age": [30, 40, 50, 60],
    "income": [1.5, 2.5, -1.0, 0.0],
    "sex": ["f", "m", "m", "f"],
    "smokes": [True, False, True, True],
    "born": [dt.date(1990, 1, 1), dt.date(1980, 1, 1), dt.date(1970, 1, 1), dt.date(1960, 1, 1)],
    "seen": [dt.datetime(2020, 1, d, 10) for d in (1, 2, 3, 4)],
}
KINDS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.fixture(params=KINDS, ids=list(KINDS))
def source(request):
    return read(KINDS[request.param](COLUMNS))


def problem(source, **given):
    with pytest.raises((DataError, ParameterError)) as caught:
        infer(source, **given)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_types_are_inferred_alike_in_every_library(source):
    schema = infer(source)
    assert {a.name: a.type for a in schema} == {
        "age": "integer",
        "income": "continuous",
        "sex": "nominal",
        "smokes": "boolean",
        "born": "date",
        "seen": "datetime",
    }
    assert all(a.roles == {"other"} and a.reason for a in schema)
    assert schema.names == tuple(COLUMNS)
    assert len(schema) == 6


def test_a_reason_is_that_of_role_and_type(source):
    tree = infer(source, quasi_identifiers=["sex"], hierarchies={"sex": {"prefix": [1]}})
    for schema, name, role, kind in (
        (infer(source), "age", "other: named in no role", "whole numbers"),
        (tree, "sex", "named in quasi_identifiers", "it has a hierarchy"),
        (infer(source, base=tree), "sex", "key by the schema given", "type as declared"),
    ):
        found = schema[name]
        assert (found.role_reason, found.type_reason) == (role, kind)
        assert found.reason == f"{role}; {found.type}: {kind}"


def test_a_code_with_a_hierarchy_has_its_type_by_that():
    codes = read(pd.DataFrame({"sex": [1, 2, 9, 1, 2, 1] * 20}))
    taken = infer(codes, quasi_identifiers=["sex"])["sex"]
    given = infer(codes, quasi_identifiers=["sex"], hierarchies={"sex": {"prefix": [1]}})["sex"]
    named = "named in quasi_identifiers; nominal: "
    assert taken.type_reason == taken.coded == given.coded
    assert taken.reason == f"{named}taken for a code: {taken.coded}"
    assert given.reason == f"{named}it has a hierarchy"


def test_roles(source):
    schema = infer(
        source,
        quasi_identifiers=["age", "income"],
        confidential=["income"],
        identifiers=["sex"],
        strata="smokes",
        unit="seen",
    )
    assert schema.keys == ("age", "income")
    assert schema["income"].roles == {"key", "confidential"}
    assert schema.identifiers == ("sex",)
    assert schema.strata == ("smokes",)
    assert schema.unit == "seen"
    assert schema.sample_weight is None
    assert schema["income"].role_reason == "named in quasi_identifiers and confidential"
    with pytest.raises(ParameterError, match="Did you mean 'age'"):
        schema["agee"]


def test_every_problem_is_told_at_once(source):
    text = problem(
        source,
        quasi_identifiers=["agee", "sex", "sex", "income"],
        identifiers=["sex"],
        strata=["income"],
        types={"born": "numeric", "age": "ordnal", "seen": "integer"},
        orders={"smokes": [True]},
        transforms={"income": "log1p", "nowhere": "rank"},
        attribute_weights={"income": 0},
        missing_codes={"smokes": ["x"]},
        sample_weight="income",
    )
    for expected in (
        "Unknown column in quasi_identifiers: 'agee'. Did you mean 'age'?",
        "'sex' is named twice in quasi_identifiers",
        "'sex' is named in identifiers and in quasi_identifiers",
        "'income' is named in quasi_identifiers and in strata",
        "Unknown type of column 'born': 'numeric'",
        "Unknown type of column 'age': 'ordnal'. Did you mean 'ordinal'?",
        "'seen' is declared integer but holds datetime",
        "order of column 'smokes' must hold every value",
        "Unknown column in transforms: 'nowhere'",
        "'log1p' of column 'income' must have no negative value. Got -1.0",
        "weight of column 'income' must be a finite number above 0. Got 0",
        "missing code 'x' of column 'smokes'",
        "Sample weight 'income' must be above 0",
    ):
        assert expected in text


def test_problems_of_the_data_alone_are_data_errors():
    source = read(
        pd.DataFrame({"x": [1.0, np.inf], "n": [2**60, 1], "m": [1, "a"], "e": [None] * 2})
    )
    with pytest.raises(DataError) as caught:
        infer(source, quasi_identifiers=["x", "n", "m", "e"])
    text = str(caught.value)
    assert "'x' must be finite. Got 1 infinite value(s)" in text
    assert "'n' must hold integers within 2**53" in text
    assert "Got 1152921504606846976" in text
    assert "'m' must hold values of one type that a file can keep. Got values of type int" in text
    assert "'e' has no value at all" in text
    infer(source, confidential=["x", "n"], identifiers=["m"])  # as it is, it may stay or go


def test_examine_gives_schema_and_problems_without_raising(source):
    schema, problems = examine(source, quasi_identifiers=["age", "agee"])
    assert schema.keys == ("age",)
    assert len(problems.texts) == 1


def test_ordinals():
    values = ["low", "high", "mid", None]
    for table in (
        pd.DataFrame({"a": values}),
        pl.DataFrame({"a": values}),
        pa.table({"a": values}),
    ):
        source = read(table)
        attribute = infer(source, orders={"a": ["low", "mid", "high"]})["a"]
        assert attribute.type == "ordinal"
        assert attribute.order == ("low", "mid", "high")
        assert "Missing: 'mid'" in problem(source, orders={"a": ["low", "high"]})
        assert "orders={'a': ['high', 'low', 'mid']}" in problem(source, types={"a": "ordinal"})
        assert "twice: low" in problem(source, orders={"a": ["low", "low", "mid", "high"]})
    numbers = read(pd.DataFrame({"a": [3, 1, 2, 3]}))
    assert infer(numbers, types={"a": "ordinal"})["a"].order == (1, 2, 3)
    assert infer(numbers, orders={"a": ["3", "2", "1"]})["a"].order == (3, 2, 1)
    assert "has an order but is nominal" in problem(
        numbers, types={"a": "nominal"}, orders={"a": [1, 2, 3]}
    )


def test_ordered_categoricals_bring_their_order():
    ordered = pd.Categorical(["lo", "hi"], categories=["lo", "hi", "top"], ordered=True)
    frame = pd.DataFrame({"a": ordered})
    enum = pl.DataFrame({"a": pl.Series(["lo", "hi"], dtype=pl.Enum(["lo", "hi", "top"]))})
    for table in (frame, enum, pa.Table.from_pandas(frame)):
        attribute = infer(read(table))["a"]
        assert (attribute.type, attribute.order) == ("ordinal", ("lo", "hi", "top"))
        assert infer(read(table), types={"a": "ordinal"})["a"].order == ("lo", "hi", "top")
    plain = pd.DataFrame({"a": pd.Categorical(["lo", "hi"])})
    assert infer(read(plain))["a"].type == "nominal"
    attribute = infer(read(plain), orders={"a": ["lo", "hi"]}, missing_codes={"a": ["?"]})["a"]
    assert attribute.order == ("lo", "hi")


def test_missing_codes_stay_values_until_they_are_declared():
    source = read(pa.table({"n": [-999, 5], "x": [-999.0, 1.5], "t": ["-999", "a"], "u": [1, 2]}))
    assert infer(source)["n"].missing_codes == ()
    schema = infer(source, missing_codes=["-999"])
    assert [a.missing_codes for a in schema] == [(-999,), (-999.0,), ("-999",), ()]
    schema = infer(source, missing_codes={"n": [-999], "*": ["a"]})
    assert [a.missing_codes for a in schema] == [(-999,), (), ("a",), ()]
    infer(source, quasi_identifiers=["n"], missing_codes=[-999], transforms={"n": "log1p"})
    days = read(pa.table({"d": [dt.date(1900, 1, 1), dt.date(2020, 1, 1)]}))
    assert infer(days, missing_codes=["1900-01-01"])["d"].missing_codes == (dt.date(1900, 1, 1),)
    endless = read(pa.table({"x": [1.0, float("inf")]}))
    infer(endless, quasi_identifiers=["x"], missing_codes={"x": [float("inf")]})


def test_whole_numbers_beside_gaps_are_integers():
    assert infer(read(pd.DataFrame({"a": [1, None, 3]})))["a"].type == "integer"
    assert infer(read(pd.DataFrame({"a": [1.0, 2.0, 3.0]})))["a"].type == "continuous"
    assert infer(read(pd.DataFrame({"a": [1.5, None]})))["a"].type == "continuous"


def test_midnights_are_dates():
    frame = pd.DataFrame({"a": pd.to_datetime(["2020-01-01", None])})
    assert infer(read(frame))["a"].type == "date"
    assert infer(read(frame), types={"a": "datetime"})["a"].type == "datetime"
    timed = read(pd.DataFrame({"a": pd.to_datetime(["2020-01-01 10:00"])}))
    assert "times of day" in problem(timed, types={"a": "date"})


def test_decimals():
    whole = pa.array([Decimal(12345678901234567890), Decimal(1)], pa.decimal128(38, 0))
    source = read(pa.table({"n": whole, "x": pa.array([Decimal("1.5"), None])}))
    assert [a.type for a in infer(source)] == ["integer", "continuous"]
    assert "Got 12345678901234567890" in problem(source, quasi_identifiers=["n"])
    infer(source, quasi_identifiers=["x"])


def test_declared_types_are_checked_against_values(source):
    assert "holds text such as 'f'" in problem(source, types={"sex": "continuous"})
    assert "holds 1.5" in problem(source, types={"income": "integer"})
    assert "holds 4 values" in problem(source, types={"age": "boolean"})
    assert "to dates" in problem(source, types={"sex": "date"})
    assert infer(source, types={"sex": "boolean", "age": "nominal"})["sex"].type == "boolean"


def test_settings_of_keys_are_for_keys(source):
    assert "no quasi-identifier" in problem(source, transforms={"age": "rank"})
    assert "no quasi-identifier" in problem(source, attribute_weights={"age": 2})
    assert "is for numbers" in problem(
        source, quasi_identifiers=["sex"], transforms={"sex": "rank"}
    )
    schema = infer(
        source,
        quasi_identifiers=["age"],
        transforms={"age": "log1p"},
        attribute_weights={"age": 2},
    )
    assert (schema["age"].transform, schema["age"].weight) == ("log1p", 2.0)
    assert "must be a mapping" in problem(source, types=["age"])
    assert "must be the name of a column" in problem(source, unit=["age"])


def test_sample_weights():
    source = read(pd.DataFrame({"w": [1.0, None], "t": ["a", "b"], "v": [1, 2]}))
    assert infer(source, sample_weight="v").sample_weight == "v"
    assert "1 missing" in problem(source, sample_weight="w")
    assert "must hold numbers" in problem(source, sample_weight="t")


def test_a_base_schema_is_overridden_column_by_column(source):
    base = infer(
        source,
        quasi_identifiers=["age", "income"],
        identifiers=["sex"],
        types={"age": "ordinal"},
        attribute_weights={"income": 3},
    )
    schema = infer(source, confidential=["age"], base=base)
    assert schema["age"].roles == {"confidential"}
    assert schema["age"].type == "ordinal"
    assert schema["income"].weight == 3
    assert schema.identifiers == ("sex",)
    without = read(source.native(source.frame.drop("sex")))
    assert infer(without, base=base).keys == ("age", "income")
    fewer = read(source.native(source.frame.drop("age")))
    assert "does not have: 'age'" in problem(fewer, base=base)


@given(
    st_pandas.data_frames(
        [
            st_pandas.column("f", dtype=float),
            st_pandas.column("i", dtype="int64"),
            st_pandas.column("s", elements=st.one_of(st.none(), st.text(max_size=3))),
            st_pandas.column("o", elements=st.one_of(st.none(), st.booleans(), st.integers())),
            st_pandas.column("d", dtype="datetime64[ns]"),
        ],
        index=st_pandas.range_indexes(min_size=1, max_size=6),
    ),
    st.sets(st.sampled_from("fisod")),
    st.dictionaries(st.sampled_from("fisod"), st.sampled_from(["ordinal", "integer", "nominal"])),
    st.lists(st.one_of(st.integers(-3, 3), st.text(max_size=2)), max_size=2),
)
def test_any_table_has_a_schema_or_one_line(table, keys, types, codes):
    for frame in (table, pl.from_pandas(table.drop(columns="o"))):
        names = [k for k in keys if k in frame.columns]
        kinds = {k: v for k, v in types.items() if k in frame.columns}
        try:
            schema = infer(read(frame), quasi_identifiers=names, types=kinds, missing_codes=codes)
        except CoterieError as error:
            message = str(error)
        else:
            message = ""
            assert schema.names == tuple(frame.columns)
        assert "\n" not in message


LEVELS = {
    "text": ["low", "mid", "high"],
    "integer": [3, 1, 2],
    "float": [2.5, 0.5, 1.5],
    "moment": list(pd.to_datetime(["2022-01-01", "2020-01-01", "2021-01-01"])),
}


@pytest.mark.parametrize("kind", LEVELS)
@pytest.mark.parametrize("library", ["pandas", "pandas of Arrow", "pyarrow"])
def test_categories_of_any_type_have_orders_and_codes_of_their_own_type(library, kind):
    levels = LEVELS[kind]
    values = pd.Categorical(levels * 4, categories=levels, ordered=True)
    plain = pd.Categorical(levels * 4)
    tables = [pd.DataFrame({"a": made}) for made in (values, plain)]
    if library != "pandas":
        tables = [pa.Table.from_pandas(table) for table in tables]
    if library == "pandas of Arrow":
        tables = [table.to_pandas(types_mapper=pd.ArrowDtype) for table in tables]
        if kind == "text":  # what pandas makes of it
            assert str(tables[0]["a"].dtype).startswith("dictionary")
    for table, options in zip(tables, ({}, {"orders": {"a": levels}}), strict=True):
        made = coterie.anonymize(table, 4, ["a"], method="mdav", **options)
        assert made.schema["a"].type == "ordinal"
        assert list(made.schema["a"].order) == levels
        released = made.data["a"]
        assert set(released.to_pylist() if library == "pyarrow" else released) == set(levels)
    gone = coterie.anonymize(
        tables[1], 4, ["a"], method="mdav", missing="drop", missing_codes={"a": [levels[0]]}
    )
    assert len(gone.data) == 8


def test_numbers_kept_as_objects_are_numbers():
    table = pd.DataFrame({"a": pd.Series([1, 2, 3, 4], dtype=object), "b": [1.5, 2.5] * 2})
    table["b"] = table["b"].astype(object)
    made = coterie.anonymize(table, 2, ["a", "b"], method="mdav")
    assert [made.schema[name].type for name in "ab"] == ["integer", "continuous"]
    assert made.data.dtypes.tolist() == [object, object]
