"""SPSS, Stata, SAS and Excel: labels, user-missing codes, and what cells can hold."""

from __future__ import annotations

import datetime as dt

import openpyxl
import pandas as pd
import pyreadstat
import pytest

from coterie.errors import DataError, ParameterError
from coterie.table import infer, read, write


@pytest.fixture
def survey(tmp_path):
    """An SPSS file with labels, a user-missing code and a user-missing range."""
    table = pd.DataFrame(
        {
            "sex": [1, 2, 1, -9],
            "rank": [1, 2, 3, 98],
            "age": [30.0, 41.0, 52.0, 60.0],
            "height": [1.5, 1.7, None, 1.8],
            "note": ["a", "", "b", "zz"],
        }
    )
    path = tmp_path / "survey.sav"
    pyreadstat.write_sav(
        table,
        path,
        column_labels={"sex": "Sex of respondent"},
        variable_value_labels={"sex": {1: "male", 2: "female", -9: "refused"}},
        missing_ranges={"sex": [-9], "rank": [{"lo": 97, "hi": 99}], "note": ["zz"]},
        variable_measure={"rank": "ordinal", "age": "scale"},
    )
    return read(path)


def test_labels_measures_and_missing_codes_are_read(survey):
    assert survey.format == "spss"
    assert survey.frame["sex"].to_list() == [1, 2, 1, -9]
    assert survey.frame["note"].to_list() == ["a", None, "b", "zz"]
    assert survey.details["labels"]["sex"] == {1: "male", 2: "female", -9: "refused"}
    assert survey.details["column_labels"] == {"sex": "Sex of respondent"}
    assert survey.details["missing"] == {"sex": (-9,), "rank": (98,), "note": ("zz",)}


def test_the_schema_follows_the_file(survey):
    schema = infer(survey)
    assert [a.type for a in schema] == ["nominal", "ordinal", "integer", "continuous", "nominal"]
    assert schema["rank"].order == (1, 2, 3)
    assert schema["sex"].missing_codes == (-9,)
    assert "value label" in schema["sex"].reason
    assert infer(survey, types={"sex": "integer"})["sex"].type == "integer"


@pytest.mark.parametrize("extension", [".sav", ".zsav"])
def test_labels_go_out_again(survey, tmp_path, extension):
    write(survey, survey.frame.drop("height"), tmp_path / f"out{extension}")
    back = read(tmp_path / f"out{extension}")
    assert back.details == survey.details
    assert back.frame.columns == ["sex", "rank", "age", "note"]


def test_labels_go_from_spss_to_stata(survey, tmp_path):
    write(survey, survey.frame, tmp_path / "out.dta")
    back = read(tmp_path / "out.dta")
    assert back.details["labels"]["sex"] == {1: "male", 2: "female", -9: "refused"}
    assert back.frame["sex"].dtype.is_integer()


def test_stata_special_missing_values_are_missing(tmp_path):
    table = pd.DataFrame({"a": [1.0, "a", 3.0]}, dtype=object)
    pyreadstat.write_dta(table, tmp_path / "a.dta", missing_user_values={"a": ["a"]})
    assert read(tmp_path / "a.dta").frame["a"].to_list() == [1.0, None, 3.0]


def test_sas_can_be_read_but_only_transport_files_written(survey, tmp_path):
    write(survey, survey.frame, tmp_path / "out.xpt")
    assert read(tmp_path / "out.xpt").frame["age"].to_list() == [30, 41, 52, 60]
    with pytest.raises(DataError, match=r"read but not written. Choose one of .*\.xpt"):
        write(survey, survey.frame, tmp_path / "out.sas7bdat")


def workbook(path, rows, title="People"):
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    book.create_sheet("Second").append(["z"])
    book["Second"].append([1])
    book.save(path)
    return path


def test_excel_cells(tmp_path):
    day, moment = dt.date(2020, 1, 1), dt.datetime(2020, 1, 1, 10)
    path = workbook(
        tmp_path / "a.xlsx",
        [
            ["whole", "real", "mixed", "day", "moment", "flag", "time", 2020, None],
            [1, 1.5, 1, day, moment, True, dt.time(10), "00123", None],
            [2, 2, "x", None, day, None, None, None, None],
            [None] * 9,
        ],
    )
    source = read(path, sheet="People")
    assert source.frame.to_dict(as_series=False) == {
        "whole": [1, 2],
        "real": [1.5, 2.0],
        "mixed": ["1", "x"],
        "day": [day, None],
        "moment": [moment, dt.datetime(2020, 1, 1)],
        "flag": [True, None],
        "time": [dt.time(10), None],
        "2020": ["00123", None],
    }
    assert source.details["sheet"] == "People"
    write(source, source.frame, tmp_path / "b.xlsx")
    assert (
        read(tmp_path / "b.xlsx", sheet="People").frame.to_native().equals(source.frame.to_native())
    )


def test_sheets(tmp_path):
    path = workbook(tmp_path / "a.xlsx", [["a"], [1]])
    assert read(path, sheet="Second").frame.columns == ["z"]
    with pytest.raises(ParameterError, match="Did you mean 'People'"):
        read(path, sheet="Peeple")
    empty = workbook(tmp_path / "b.xlsx", [])
    with pytest.raises(DataError, match="is empty"):
        read(empty, sheet="People")
    with pytest.raises(DataError, match="'a' 2 times"):
        read(workbook(tmp_path / "c.xlsx", [["a", "a"], [1, 2]]), sheet="People")


def test_formulas_are_never_made(tmp_path):
    source = read(pd.DataFrame({"=a": ["=1+1", "#N/A", "x"]}))
    write(source, source.frame, tmp_path / "a.xlsx")
    assert read(tmp_path / "a.xlsx").frame.to_dict(as_series=False) == {"=a": ["=1+1", "#N/A", "x"]}


@pytest.mark.parametrize("extension", [".sav", ".dta", ".xpt"])
def test_text_that_these_files_would_cut_is_refused(tmp_path, extension):
    source = read(pd.DataFrame({"n": [1, 2], "t": ["a\0b", "c"]}))
    with pytest.raises(DataError, match=r"'t' must hold text without .* NUL .* Got 'a"):
        write(source, source.frame, tmp_path / f"a{extension}")
    assert list(tmp_path.iterdir()) == []
