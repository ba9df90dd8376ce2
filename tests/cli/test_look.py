"""``coterie look`` and the options of reading."""

from __future__ import annotations

import json

import openpyxl
import pytest

from tests.cli.test_commands import run


def test_look_on_the_terminal(capsys, people):
    code, out, _ = run(capsys, "look", people)
    assert code == 0
    words = " ".join(out.split())
    for part in (
        "60 of 60 records share",
        "identifier, sure",
        "pairs told apart",
        "groups at most",
    ):
        assert part in words
    assert "Person 7" not in out


def test_look_as_json_and_as_a_page(capsys, people, tmp_path):
    page = tmp_path / "look.html"
    code, out, _ = run(capsys, "look", people, "--json", "--html", page, "-k", 3)
    assert code == 0
    assert json.loads(out)["k"] == 3
    assert page.read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-k", "one"), "'k' parameter of look"),
        (("--sheet", "x"), "'sheet' parameter means nothing for format 'csv'"),
        (("--dates", "iso"), "'dates' parameter of read"),
        (("--html", "people.csv"), "--html"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(capsys, people, monkeypatch, arguments, words):
    monkeypatch.chdir(people.parent)
    before = sorted(people.parent.iterdir()), people.read_bytes()
    code, _, err = run(capsys, "look", "people.csv", *arguments)
    assert (code, len(err.splitlines())) == (2, 1)
    assert words in err
    assert (sorted(people.parent.iterdir()), people.read_bytes()) == before


def test_a_sheet_is_chosen(capsys, tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["read me"])
    sheet = book.create_sheet("data")
    for row in (["age", "x"], *([i % 40, i % 3] for i in range(60))):
        sheet.append(row)
    book.save(tmp_path / "b.xlsx")
    code, _, err = run(capsys, "look", tmp_path / "b.xlsx")
    assert code == 2
    assert "'Sheet', 'data'. Choose one with sheet= (--sheet)" in err
    out = tmp_path / "o.xlsx"
    asked = ("-k", 3, "-q", "age", "-q", "x", "--method", "mdav", "--quiet", "--sheet", "data")
    assert run(capsys, "anonymize", tmp_path / "b.xlsx", "-o", out, *asked)[0] == 0
    assert run(capsys, "verify", out, "-k", 3, "-q", "age", "-q", "x")[0] == 0


def test_unclear_dates_are_asked_for(capsys, tmp_path):
    rows = [f"{i % 12 + 1}/{i % 9 + 1}/1990,{i % 5}" for i in range(60)]
    (tmp_path / "d.csv").write_text("\n".join(["seen,x", *rows]) + "\n")
    asked = ("anonymize", tmp_path / "d.csv", "-k", 3, "-q", "seen", "-q", "x", "--method", "mdav")
    code, _, err = run(capsys, *asked, "-o", tmp_path / "o.csv")
    assert code == 2
    assert "--dates" in err
    assert run(capsys, *asked, "-o", tmp_path / "o.csv", "--dates", "month-first")[0] == 0
