"""``--report`` as a steward types it: refused before any work, and never at the release's cost."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from tests.cli.test_commands import run

KEYS = ("-q", "age", "-q", "income")
PROTECT = ("-k", "3", *KEYS, "--drop", "name", "--confidential", "diagnosis", "--method", "mdav")


def test_a_release_with_its_report(capsys, people, tmp_path):
    out, page = tmp_path / "o.csv", tmp_path / "r.html"
    code, _, err = run(capsys, "anonymize", people, "-o", out, *PROTECT, "--report", page)
    assert code == 0, err
    assert "Every record shares its 2 key attributes" in " ".join(err.split())
    assert "internal: not for publication" in page.read_text()
    plain = tmp_path / "r.json"
    flags = ("--report", plain, "--report-kind", "public", "--quiet", "--seed", 918273)
    assert run(capsys, "anonymize", people, "-o", out, *PROTECT, *flags)[0] == 0
    assert json.loads(plain.read_text())["kind"] == "public"
    assert "918273" not in plain.read_text()


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--report", "r.pdf"), "--report must end in .html"),
        (("--report", "-"), "--report must end in .html"),
        (("--report", "r.html", "--report-kind", "secret"), "must be internal or public"),
        (("--report-kind", "public"), "needs --report"),
        (("--report", "no/r.html"), "folder does not exist"),
        (("--report", "r.html", "--dry-run"), "--dry-run writes nothing"),
        (("--report", "o.json", "--evidence", "o.json"), "a file of its own"),
    ],
)
def test_bad_reports_are_refused_before_any_work(
    capsys, people, tmp_path, monkeypatch, flags, words
):
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, "anonymize", people, "-o", "o.csv", *PROTECT, *flags)
    assert code == 2
    assert words in err
    assert len(err.splitlines()) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["people.csv"]


@pytest.mark.parametrize("error", [ZeroDivisionError("by 0"), OSError(28, "No space left")])
def test_a_failing_report_keeps_the_release(capsys, people, tmp_path, monkeypatch, error):
    def fail(summary):
        raise error

    monkeypatch.setattr("coterie.report.page.pictures", fail)
    out, page = tmp_path / "o.csv", tmp_path / "r.html"
    page.write_text("old")
    code, _, err = run(capsys, "anonymize", people, "-o", out, *PROTECT, "--report", page)
    assert code == 2
    assert "The release was written to" in err
    assert sum(line.startswith("coterie:") for line in err.splitlines()) == 1
    assert page.read_text() == "old"
    assert pd.read_csv(out).groupby(["age", "income"]).size().min() >= 3
    code, released, _ = run(capsys, "anonymize", people, "-o", "-", *PROTECT, "--report", page)
    assert code == 2
    assert released.startswith("age,income")


def test_a_failing_release_keeps_the_report(capsys, people, tmp_path, monkeypatch):
    page = tmp_path / "r.html"
    page.write_text("old")
    monkeypatch.setattr("coterie.pipeline.release.Release.write", lambda self, target: 1 / 0)
    code, _, _ = run(
        capsys, "anonymize", people, "-o", tmp_path / "o.csv", *PROTECT, "--report", page
    )
    assert code == 70
    assert page.read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["people.csv", "r.html"]


def test_a_judgment_has_a_report(capsys, people, tmp_path):
    out, cross, page = (tmp_path / name for name in ("o.csv", "c.csv", "r.html"))
    assert run(capsys, "anonymize", people, "-o", out, *PROTECT, "--crosswalk", cross)[0] == 0
    asked = ("evaluate", people, out, *KEYS, "--confidential", "diagnosis", "--report", page)
    code, _, err = run(capsys, *asked, "--crosswalk", cross)
    assert code == 0, err
    text = page.read_text()
    assert "Every record shares its 2 key attributes with at least 2 others" in text
    assert "Judgment of a release" in text
    code, _, err = run(capsys, *asked)
    assert code == 0, err
    assert "cannot be told" in page.read_text()
    exposed = ("evaluate", people, people, *KEYS, "--aligned", "--report", page)
    assert run(capsys, *exposed)[0] == 0
    assert "Not protected by its keys: 60 records are alone" in page.read_text()
    code, _, err = run(capsys, *asked[:-1], people)
    assert code == 2
    assert "must end in" in err


def test_comparisons_have_a_report(capsys, people, tmp_path):
    page = tmp_path / "r.html"
    flags = ("-k", 3, "-k", 5, *KEYS, "--drop", "name", "--methods", "mdav,mdav-mhm")
    code, _, err = run(capsys, "compare", people, *flags, "--report", page)
    assert code == 0, err
    text = page.read_text()
    assert "Of 4 releases compared" in text
    assert "k\u00a0=\u00a05" in text
    assert "Risk-utility map" in text
    swept = ("tune", people, "-k", 3, *KEYS, "--methods", "mdav,mdav-mhm")
    code, _, err = run(capsys, *swept, "--aggregations", "mean,median", "--report", page)
    assert code == 0, err
    assert "mdav-mhm, median" in page.read_text()
    code, _, err = run(capsys, *swept, "--report", people)
    assert code == 2
    assert "must end in" in err
