"""National notations: read as what they mean, written back as they came."""

from __future__ import annotations

import datetime as dt
import re

import openpyxl
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from coterie.table import read
from coterie.table.formats.notation import Notation, Unclear
from coterie.table.formats.recognition import recognize

MARKS = [
    ("", ","),
    (".", ","),
    (",", "."),
    (" ", ","),
    ("\u00a0", ","),
    ("'", "."),
    ("\u202f", ","),
]
AROUND = [("", ""), ("€ ", ""), ("", " €"), ("$", ""), ("", "\u00a0%"), ("CHF ", "")]


def plainly(number, thousands, decimal, prefix, suffix):
    """A number spelled by the letter: groups of three from the right."""
    whole, _, part = f"{abs(number):.2f}".partition(".")
    groups = []
    while len(whole) > 3:
        groups.insert(0, whole[-3:])
        whole = whole[:-3]
    text = thousands.join([whole, *groups]) if thousands else "".join([whole, *groups])
    return ("-" if number < 0 else "") + prefix + text + decimal + part + suffix


@given(
    st.lists(st.integers(-(10**9), 10**9).map(lambda n: n / 100), min_size=1, max_size=20),
    st.sampled_from(MARKS),
    st.sampled_from(AROUND),
)
def test_numbers_in_every_notation_come_back(numbers, marks, around):
    texts = [plainly(n, *marks, *around) for n in [*numbers, 12345.25]]
    found = recognize(pa.chunked_array([texts]))
    assert isinstance(found, Notation), texts
    assert found.parse(pa.chunked_array([texts])).to_pylist() == [*numbers, 12345.25]
    again = found.spell(pa.chunked_array([[*numbers, 12345.25]])).to_pylist()
    assert [t.replace("-" + around[0] + "0" + marks[1] + "00", around[0] + "0" + marks[1] + "00")
            for t in again] == texts  # fmt: skip


@pytest.mark.parametrize(
    ("texts", "come_back"),
    [
        (["1 234", "12 345"], True),
        (["1234", "12 345", "-1234,5"], True),  # marks from five digits on
        (["1'003", "1005"], False),  # two spellings of one kind of number: text
    ],
)
def test_marks_between_thousands_come_back_or_are_text(texts, come_back):
    found = recognize(pa.chunked_array([texts]))
    assert (found is not None) == come_back
    if found is not None:
        assert found.spell(found.parse(pa.chunked_array([texts]))).to_pylist() == texts


@given(st.lists(st.dates(dt.date(1000, 1, 1)), min_size=1), st.booleans())
def test_dates_with_points_have_the_day_first(dates, padded):
    two = "02d" if padded else "d"
    texts = [f"{d.day:{two}}.{d.month:{two}}.{d.year}" for d in dates]
    found = recognize(pa.chunked_array([texts]))
    assert found.parse(pa.chunked_array([texts])).to_pylist() == dates
    if found.padded == padded:
        assert found.spell(pa.chunked_array([dates])).to_pylist() == texts


@given(st.lists(st.dates(dt.date(1000, 1, 1)), min_size=1), st.sampled_from(["dmy", "mdy"]))
def test_dates_with_bars_are_read_or_unclear_never_guessed(dates, order):
    part = {"d": "%d", "m": "%m", "y": "%Y"}
    texts = ["/".join(d.strftime(part[p]).rjust(2, "0") for p in order) for d in dates]
    texts = [t if len(t) == 10 else t[:6] + t[6:].rjust(4, "0") for t in texts]
    found = recognize(pa.chunked_array([texts]))
    if all(d.day <= 12 for d in dates):
        assert isinstance(found, Unclear)
        found = recognize(pa.chunked_array([texts]), order=order)
    assert found.parse(pa.chunked_array([texts])).to_pylist() == dates


@pytest.mark.parametrize(
    "texts",
    [
        ["31.02.1999"],
        ["13/13/1999", "1/1/1999"],
        ["1.2.99"],
        ["1", "2"],
        ["1.5", "2"],
        ["007"],
        ["€ 5", "$ 5"],
        ["1,23,4"],
        ["abc"],
        ["1,234"],
        ["12:30"],
        [""],
    ],
)
def test_what_has_no_notation_stays_text(texts):
    assert recognize(pa.chunked_array([texts])) is None


def european(path, rows=60):
    lines = ["geburt;miete;quote;einw;gruppe"]
    lines += [
        f"{i % 28 + 1:02d}.{i % 12 + 1:02d}.{1940 + i};{i % 9 + 1}.{100 + i},55 €;{i},5 %;"
        f"{i % 9 + 1}.{100 + 3 * i};{'ab'[i % 2]}"
        for i in range(rows)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_european_file_is_released_in_its_own_notation(tmp_path):
    path = european(tmp_path / "de.csv")
    source = read(path)
    kinds = [str(dtype) for dtype in source.frame.schema.values()]
    assert kinds == ["Date", "Float64", "Float64", "Int64", "String"]
    assert source.frame["miete"][0] == 1100.55
    keys = ["geburt", "miete", "quote", "einw"]
    release = coterie.anonymize(path, 5, keys, method="mdav")
    release.write(tmp_path / "out.csv")
    text = pd.read_csv(tmp_path / "out.csv", sep=";", dtype=str)
    assert text["geburt"].str.fullmatch(r"\d{2}\.\d{2}\.\d{4}").all()
    assert text["miete"].str.fullmatch(r"\d{1,3}(\.\d{3})*,\d{2,} €").all()
    assert text["quote"].str.fullmatch(r"\d+(,\d+)? %").all()
    assert text["einw"].str.fullmatch(r"\d{1,3}(\.\d{3})*").all()
    assert coterie.verify(tmp_path / "out.csv", 5, keys).achieved >= 5


def test_a_point_between_thousands_needs_a_comma_elsewhere(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text("a;b\n1.234;2.5\n2.345;3.5\n")
    assert read(path).frame["a"].to_list() == [1.234, 2.345]
    path.write_text("a;b\n1.234;2,5\n2.345;3,5\n")
    assert read(path).frame["a"].to_list() == [1234, 2345]


def test_lists_between_commas_stay_text(tmp_path):
    path = tmp_path / "lists.csv"
    path.write_text('a,b\n"3,5",1\n"1,2",2\n')
    assert read(path).frame["a"].to_list() == ["3,5", "1,2"]


def test_unclear_dates_are_asked_for(tmp_path):
    path = tmp_path / "us.csv"
    rows = [f"0{i % 9 + 1}/0{i % 7 + 1}/{1950 + i},{i}" for i in range(20)]
    path.write_text("\n".join(["born,x", *rows]) + "\n")
    with pytest.raises(coterie.DataError, match=r"'born' of .* day or month may .* \(--dates\)"):
        coterie.anonymize(path, 5, ["born", "x"], method="mdav")
    coterie.anonymize(path, 5, ["x"], identifiers=["born"], method="mdav")
    first = read(path, dates="month-first").frame["born"][0]
    assert first == dt.date(1950, 1, 1)
    assert read(path, dates="day-first").frame["born"][1] == dt.date(1951, 2, 2)
    assert read(path, dates="text").frame["born"][1] == "02/02/1951"
    with pytest.raises(coterie.ParameterError, match=r"'dates' parameter .* Got 'iso'"):
        read(path, dates="iso")


def test_released_dates_keep_their_order_when_all_are_unclear(tmp_path):
    path = tmp_path / "in.csv"
    rows = [f"{day}/02/1950,{day}" for day in (1, 2, 3, 4, 28, 1, 2, 3, 4, 5)]
    path.write_text("\n".join(["born,x", *rows]) + "\n")
    release = coterie.anonymize(path, 5, ["born", "x"], method="mdav")
    release.write(tmp_path / "out.csv")  # read back in the notation it was written in
    lines = (tmp_path / "out.csv").read_text().splitlines()[1:]
    assert all(re.fullmatch(r"\d+/2/1950,\d+", line) for line in lines)


def workbook(path, sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_a_workbook_with_several_sheets_asks_for_one(tmp_path):
    data = [["born", "x"], *([f"{i + 1}.3.1980", i % 3] for i in range(20))]
    path = workbook(tmp_path / "b.xlsx", {"README": [["read me"], ["x"]], "data": data})
    with pytest.raises(coterie.DataError, match=r"2 sheets .* 'README', 'data'. Choose .*--sheet"):
        read(path)
    source = read(path, sheet="data")
    assert source.frame["born"][0] == dt.date(1980, 3, 1)
    coterie.anonymize(source, 5, ["born", "x"], method="mdav").write(tmp_path / "out.xlsx")
    written = openpyxl.load_workbook(tmp_path / "out.xlsx")
    assert written.sheetnames == ["data"]
    assert written["data"]["A2"].value.endswith(".3.1980")


def test_the_only_sheet_that_holds_something_is_taken(tmp_path):
    path = workbook(tmp_path / "b.xlsx", {"empty": [], "data": [["a"], [1], [2]]})
    assert read(path).details["sheet"] == "data"
