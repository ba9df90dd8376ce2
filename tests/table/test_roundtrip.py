"""An untouched table comes back with its values and types, as far as the format can hold them."""

from __future__ import annotations

import datetime as dt
import itertools

import pandas as pd
import polars as pl
import polars.testing
import pyarrow as pa
import pytest

import coterie
from coterie.table import read, write

EXACT = [".parquet", ".feather"]
OLDER = [".csv", ".xlsx", ".sav", ".zsav", ".dta", ".xpt"]


def pandas_table():
    return pd.DataFrame(
        {
            "real": [1.5, 2.0, float("nan")],
            "whole": [1, 2, 3],
            "small": pd.array([1, 2, 3], dtype="int8"),
            "gaps": pd.array([1, None, 3], dtype="Int64"),
            "text": ["a", None, '=c,"d'],
            "string": pd.array(["a", None, "c"], dtype="string"),
            "category": pd.Categorical(["x", "y", None]),
            "ordered": pd.Categorical(["lo", "hi", "lo"], categories=["lo", "hi"], ordered=True),
            "zoned": pd.to_datetime(["2020-01-01 10:00"] * 3).tz_localize("Europe/Berlin"),
            "moment": pd.to_datetime(["2020-01-01 10:00:01", None, "1960-01-01 00:00:00"]),
            "day": [dt.date(2020, 1, 1), None, dt.date(1950, 2, 1)],
            "flag": [True, False, True],
            "maybe": pd.array([True, None, False], dtype="boolean"),
        }
    )


def polars_table():
    return pl.DataFrame(
        {
            "real": [1.5, None, 2.0],
            "whole": [1, None, 3],
            "text": ["a", None, "c"],
            "category": pl.Series(["x", "y", None], dtype=pl.Categorical),
            "day": [dt.date(2020, 1, 1), None, dt.date(1950, 2, 1)],
            "moment": [dt.datetime(2020, 1, 1, 10), None, dt.datetime(1950, 2, 1)],
            "flag": [True, None, False],
        }
    )


def arrow_table():
    return pa.table(
        {
            "real": pa.array([1.5, None], pa.float32()),
            "whole": pa.array([1, None], pa.uint16()),
            "text": pa.array(["a", None], pa.large_string()),
            "view": pa.array(["a", None], pa.string_view()),
            "category": pa.array(["x", "y"]).dictionary_encode(),
            "amount": pa.array([1, None], pa.decimal128(20, 2)),
            "day": pa.array([dt.date(2020, 1, 1), None]),
            "list": pa.array([[1], None]),
            "nothing": pa.nulls(2),
        }
    )


def through(table, tmp_path, extension):
    """Write a table, read it, write that, and give what the second file holds."""
    source = read(table)
    write(source, source.frame, tmp_path / f"a{extension}")
    once = read(tmp_path / f"a{extension}")
    write(once, once.frame, tmp_path / f"b{extension}")
    return once, read(tmp_path / f"b{extension}")


@pytest.mark.parametrize("extension", EXACT)
def test_pandas_dtypes_survive_two_files(tmp_path, extension):
    table = pandas_table()
    table.attrs["secret"] = "Ann"
    table.index = ["ann", "bob", "cid"]
    through(table, tmp_path, extension)
    load = {".parquet": pd.read_parquet, ".feather": pd.read_feather}[extension]
    for name in "ab":
        back = load(tmp_path / f"{name}{extension}")
        pd.testing.assert_frame_equal(back, pandas_table(), check_index_type=False)
        assert not back.attrs


@pytest.mark.parametrize("extension", EXACT)
def test_polars_dtypes_survive_two_files(tmp_path, extension):
    through(polars_table(), tmp_path, extension)
    for name in "ab":
        back = pl.from_arrow(read(tmp_path / f"{name}{extension}").frame.to_native())
        polars.testing.assert_frame_equal(back, polars_table())


@pytest.mark.parametrize("extension", EXACT)
def test_arrow_types_survive_two_files(tmp_path, extension):
    _, back = through(arrow_table(), tmp_path, extension)
    assert back.frame.to_native().drop(["view"]).equals(arrow_table().drop(["view"]))
    assert back.frame["view"].to_list() == ["a", None]


@pytest.mark.parametrize("extension", OLDER)
@pytest.mark.parametrize("make", [pandas_table, polars_table])
def test_values_survive_older_formats(tmp_path, extension, make):
    once, twice = through(make(), tmp_path, extension)
    assert once.frame.to_native().equals(twice.frame.to_native())
    original = read(make()).frame
    for name in original.columns:
        if name == "zoned":
            continue
        expected = [plain(v) for v in original[name].to_list()]
        assert [plain(v) for v in once.frame[name].to_list()] == expected, name


@pytest.mark.parametrize("extension", OLDER)
def test_zoned_datetimes_keep_their_instant(tmp_path, extension):
    once, _ = through(pandas_table()[["zoned"]], tmp_path, extension)
    instant = once.frame["zoned"].to_list()[0].replace(tzinfo=dt.UTC)
    assert instant == dt.datetime(2020, 1, 1, 9, tzinfo=dt.UTC)


@pytest.mark.parametrize("extension", OLDER)
def test_integers_stay_integers(tmp_path, extension):
    once, _ = through(pandas_table()[["whole", "small", "gaps"]], tmp_path, extension)
    assert all(dtype.is_integer() for dtype in once.frame.schema.values())


@pytest.mark.parametrize("extension", [*OLDER, *EXACT])
def test_integers_are_never_rounded(tmp_path, extension):
    big = [2**53 + 1, -(2**62) - 1, 5]
    once, _ = through(pd.DataFrame({"big": big}), tmp_path, extension)
    assert [int(v) for v in once.frame["big"].to_list()] == big


def plain(value):
    """A value with what older formats do not know taken off."""
    if pd.isna(value):
        return None
    if isinstance(value, dt.datetime):
        return value.replace(tzinfo=None)
    if isinstance(value, bool):
        return int(value)
    return value


def test_days_before_the_calendar_of_a_workbook_are_text(tmp_path):
    days = [dt.date(508, 1, 3), dt.date(1900, 2, 28), dt.date(1900, 3, 1), dt.date(2024, 2, 29)]
    moments = [dt.datetime.combine(day, dt.time(12)) for day in days]
    table = pa.table({"early": days[:2], "late": days[2:], "times": moments[:2]})
    source = read(table)
    write(source, source.frame, tmp_path / "a.xlsx")
    back = read(tmp_path / "a.xlsx").frame.to_dict(as_series=False)
    assert back["early"] == ["0508-01-03", "1900-02-28"]
    assert back["late"] == days[2:]
    assert [str(value) for value in back["times"]] == ["0508-01-03 12:00:00", "1900-02-28 12:00:00"]


def test_days_that_a_workbook_has_lost_are_refused(tmp_path):
    """Other programs write days before 1900 as negative numbers: read as midnight, every one."""
    openpyxl = pytest.importorskip("openpyxl")

    def read_back(*rows):
        book = openpyxl.Workbook()
        for row in (["n", "d"], *rows):
            book.active.append(row)
        book.save(tmp_path / "a.xlsx")
        return read(tmp_path / "a.xlsx").frame.to_dict(as_series=False)["d"]

    old, new = dt.datetime(1850, 5, 31, 12, 30), dt.datetime(2000, 1, 1, 12, 30)
    with pytest.raises(coterie.DataError, match=r"a.xlsx, row 3: column 'd' must hold dates from"):
        read_back([1, new], [2, old], [3, new])
    # All of them lost: the column looks like times of day.
    with pytest.raises(coterie.DataError, match=r"cell B2: a column must .* Got 1850-05-31\."):
        read_back([1, old], [2, old])
    assert read_back([1, dt.time(12, 30)], [2, dt.time(1)]) == [dt.time(12, 30), dt.time(1)]


def test_lists_are_no_scale():
    made = {"d": [[], [1], [1]], "n": [0, 1, 2]}
    tables = [make(made) for make in (pd.DataFrame, pl.DataFrame, pa.table)]
    for table, order in itertools.product(tables, ({}, {"orders": {"d": ["x"]}})):
        with pytest.raises(coterie.CoterieError, match=r"'d'.*must hold numbers, text"):
            coterie.anonymize(table, 2, ["d"], types={"d": "ordinal"}, **order)
