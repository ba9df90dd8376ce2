"""Result files of benchmarks: who measured them when and where, and the pages made from them."""

from __future__ import annotations

import json
import re

import pytest

from tests.docs.figures import RESULTS, ROOT, result_files

measured = pytest.importorskip("benchmarks.measured", reason="benchmarks are not distributed")

from benchmarks.exact import bounds  # noqa: E402
from benchmarks.optimum import records  # noqa: E402

SHEETS = sorted((RESULTS / "results").glob("*.json"))
# Folders with result files that are older than the stamp; what is kept there anew has it.
OLDER = {"meaning"}


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_page_is_made_from_its_results(path):
    page = ROOT / "docs" / "measured" / f"{path.stem}.md"
    assert page.read_text(encoding="utf-8") == measured.page(measured.kept(path.stem))


@pytest.mark.parametrize("path", result_files(), ids=lambda path: path.stem)
def test_results_name_version_machine_seconds_and_date(path):
    found = json.loads(path.read_text(encoding="utf-8"))
    for one in found if isinstance(found, list) else [found]:
        if "version" in one:
            assert set(measured.STAMP) - {"python"} <= set(one)
            assert re.fullmatch(r"2\d{3}-\d\d-\d\d", one["date"])
        else:
            assert path.relative_to(RESULTS).parts[0] in OLDER, "keep it anew: it names no version"


def test_every_measured_page_names_its_results_and_when():
    pages = sorted((ROOT / "docs" / "measured").glob("*.md"))
    assert len(pages) > 10
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert re.search(r"from (the files in )?`benchmarks/[\w/.-]+`", text), page.name
        assert re.search(r"\b2\d{3}-\d\d-\d\d\b", text), page.name
        assert re.search(r"[Vv]ersion 0\.|0\.\d+\.\d+, 2", text), page.name


def test_a_sheet_is_kept_and_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(measured, "PAGES", tmp_path)
    sheet = measured.Sheet("tried", "Tried", "tried", "Two\nlines.")
    table = sheet.table("A table", {"name": "", "loss": ".2f", "records": ","})
    table.add("`mdav`", 1.23456, 4092)
    table.add("none", None, 1)
    sheet.keep(tmp_path)
    found = measured.kept("tried", tmp_path)
    assert set(measured.STAMP) <= set(found)
    page = (tmp_path / "tried.md").read_text()
    assert "| `mdav` | 1.23 | 4,092 |" in page
    assert "| none |  | 1 |" in page
    assert f"{found['date']}, " in page
    with pytest.raises(ValueError, match="3 cells"):
        table.add(1)


def test_the_page_of_records_is_made_from_its_results():
    made = records.page(records.kept(), records.proved())
    assert records.PAGE.read_text(encoding="utf-8") == made


@pytest.mark.parametrize(
    ("cell", "form", "shown"),
    [
        (17.069865, ".4f", "17.0699"),
        (17.069865, ".4f down", "17.0698"),
        (17.06980001, ".4f down", "17.0697"),  # eight digits are to the nearest, too
        (0.0714, ".2f up", "0.08"),
        (0.07, ".2f up", "0.08"),
        (0.0, ".2f up", "0.00"),
        (-1.00001, ".2f down", "-1.01"),
        (1234.5, ",.0f down", "1,234"),
        (None, ".4f down", ""),
    ],
)
def test_bounds_are_rounded_so_that_they_stay_proved(cell, form, shown):
    table = measured.Table("A table", {"bound": form}, rows=[[cell]])
    found = {**vars(measured.Sheet("a", "A", "a", "a")), "command": "", "tables": [vars(table)]}
    assert f"| {shown} |" in measured.page(found)


def test_pages_of_bounds_round_bounds_down_and_gaps_up():
    for name, bound, gap in (
        ("bounds", "bound", "gap"),
        ("optimize", "no partition is below", "within"),
    ):
        (table,) = measured.kept(name)["tables"]
        assert table["columns"][bound].endswith(" down")
        assert table["columns"][gap].endswith(" up")


def test_bounds_stand_beside_the_records_of_today():
    """A record may be newer: `make bench-exact.bounds ARGS="--page"` makes the page anew."""
    (table,) = measured.kept("bounds")["tables"]
    for row, today in zip(table["rows"], bounds.rejudged(table["rows"]).values(), strict=True):
        assert row[:3] == today[:3]
        assert row[3:5] == pytest.approx(today[3:5], abs=1e-4)
        assert row[5] == today[5]


def test_a_page_is_spelled_as_the_others_whatever_was_kept(tmp_path):
    table = measured.Table("Standardised", {"not standardised": ""}, "Standardised.", [["a"]])
    sheet = measured.Sheet("a", "A", "a", "Of standardised tables.")
    text = measured.page({**vars(sheet), "command": "", "tables": [vars(table)]})
    assert "tandardised" not in text
    assert text.count("tandardized") == 4
