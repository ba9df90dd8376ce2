"""`coterie hierarchy`, and hierarchies as flags of `coterie anonymize`."""

from __future__ import annotations

import pandas as pd
import pytest


@pytest.fixture
def jobs(tmp_path):
    path = tmp_path / "jobs.csv"
    codes = ["2611", "2612", "2611", "2512", "3111", "3112"] * 5
    pd.DataFrame({"isco": codes, "age": range(20, 50)}).to_csv(path, index=False)
    return path


def test_a_rule_is_drawn_and_written_as_a_file(run, jobs, tmp_path):
    target = tmp_path / "isco.csv"
    code, out, err = run(
        "hierarchy", jobs, "--column", "isco", "--rule", "prefix:1,2", "-o", target
    )
    assert code == 0, err
    assert out.splitlines()[:4] == ["*  30", "  2  20", "    25  5", "      2512  5"]
    assert target.read_text().splitlines()[0] == "2512;25;2;*"
    code, again, _ = run("hierarchy", target, "--depth", 1)
    assert code == 0
    assert again.splitlines() == [
        "*  5",
        "  2  3",
        "  3  2",
        "3 levels below the root, values first, with 5, 3, 2 labels",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--column", "isco"), "--column needs --rule"),
        (("--column", "isco", "--rule", "prefix:0"), "--rule must be"),
        (("--column", "isko", "--rule", "prefix:1"), "Did you mean 'isco'"),
        (("--column", "isco", "--rule", "dates:year"), "must know every value"),
        (("--column", "isco", "--rule", "prefx:1,2"), "Did you mean 'prefix:1,2'"),
        (("--column", "isco", "--rule", "nowhere.csv"), "Check the path"),
        (("--depth", "0"), "--depth must be"),
        ((), "levels"),
        ((), "; if it is a table, name --column and --rule.\n"),
    ],
)
def test_refusals_are_one_line(run, jobs, arguments, words):
    if not arguments:  # a table is no hierarchy: rows of different lengths, or labels in two places
        jobs.write_text("a;b;c\nd;e\n")
    code, _, err = run("hierarchy", jobs, *arguments)
    assert code == 2
    assert words in err
    assert len(err.strip().splitlines()) == 1


def test_flags_ask_for_hierarchies_and_intervals(run, jobs, tmp_path):
    out = tmp_path / "out.csv"
    code, _, err = run(
        *("anonymize", jobs, "-k", 5, "-q", "isco", "-q", "age", "-o", out, "--method", "mdav"),
        *("--hierarchy", "isco=prefix:1,2", "--release", "age=interval", "--step", "age=5"),
    )
    assert code == 0, err
    assert "every released key value is true" in err
    found = pd.read_csv(out, dtype=str)
    assert found.groupby(["isco", "age"]).size().min() >= 5
    assert found.age.str.fullmatch(r"\[\d+, \d+\)").all()


def test_recoding_as_a_flag(run, jobs, tmp_path):
    out = tmp_path / "out.csv"
    asked = ("anonymize", jobs, "-k", 5, "-q", "isco", "-q", "age", "--method", "mdav")
    code, _, err = run(*asked, "--recode", "isco=prefix:2", "--recode", "age=round:5,top:40")
    assert code == 2
    assert "-o" in err  # nothing else is wrong with it
    code, _, err = run(
        *asked, "--recode", "isco=prefix:2", "--recode", "age=round:5,top:40", "-o", out
    )
    assert code == 0, err
    found = pd.read_csv(out, dtype={"isco": str})
    assert set(found.isco) <= {"25", "26", "31"}
    assert found.age.max() <= 40


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("age=top", "--recode must be COLUMN=RULE:VALUE"),
        ("age=top:48", "at least k = 5 units beyond it"),
        ("age=tops:40", "'recodings' parameter"),
        ("agee=top:40", "Did you mean 'age'"),
    ],
)
def test_a_recoding_that_cannot_be(run, jobs, tmp_path, rule, words):
    target = tmp_path / "out.csv"
    code, _, err = run("anonymize", jobs, "-k", 5, "-q", "age", "--recode", rule, "-o", target)
    assert code == 2
    assert words in err
    assert len(err.strip().splitlines()) == 1
    assert not target.exists()
