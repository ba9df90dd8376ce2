"""Files: by their ending, whole or not at all, never over the input."""

from __future__ import annotations

import json

import pytest

import coterie


@pytest.fixture(scope="module")
def release():
    return coterie.anonymize(coterie.datasets.diabetes(), 5, ["age", "bmi"], method="mdav")


def test_the_ending_decides(release, tmp_path):
    release.report(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text().startswith("<!DOCTYPE html>")
    release.report(str(tmp_path / "r.JSON"), "public")
    assert json.loads((tmp_path / "r.JSON").read_text())["kind"] == "public"


@pytest.mark.parametrize("path", ["r.pdf", "r", "-", "", None, 5])
def test_other_endings_are_refused_in_one_line(release, tmp_path, path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(coterie.ParameterError, match=r"ends in .html, .htm or .json") as caught:
        release.report(path)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_unknown_kinds_are_refused(release, tmp_path):
    with pytest.raises(coterie.ParameterError, match="'internal', 'public'"):
        release.report(tmp_path / "r.html", "secret")
    assert list(tmp_path.iterdir()) == []


def test_a_report_that_fails_leaves_the_old_one(release, tmp_path, monkeypatch):
    target = tmp_path / "r.html"
    target.write_text("old")
    monkeypatch.setattr("coterie.report.page.pictures", lambda summary: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        release.report(target)
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["r.html"]
    with pytest.raises(coterie.DataError, match="folder does not exist"):
        release.report(tmp_path / "no" / "r.json")


def test_the_input_is_never_overwritten(tmp_path):
    source = tmp_path / "data.json"  # a CSV file by another name
    coterie.datasets.diabetes().to_csv(source, index=False)
    before = source.read_bytes()
    table = coterie.table.read(str(source), format="csv")
    release = coterie.anonymize(table, 5, ["age", "bmi"], method="mdav")
    with pytest.raises(coterie.ParameterError, match="other than the input"):
        release.report(source)
    assert source.read_bytes() == before
