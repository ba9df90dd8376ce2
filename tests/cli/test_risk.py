"""Attacks, thresholds and records on the command line; refusals in one line, nothing written."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest

import coterie
from coterie.cli import main


@pytest.fixture
def survey(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    people = coterie.datasets.health(150, random_state=0)[["age", "height", "weight", "diagnosis"]]
    people[:110].to_csv("in.csv", index=False)
    people[110:].to_csv("held.csv", index=False)
    return tmp_path


KEYS = ["-q", "age", "-q", "height", "-q", "weight", "--confidential", "diagnosis"]


def test_evaluate_tries_attacks_and_lists_records(survey, capsys):
    asked = ["in.csv", *KEYS, "-k", "4", "--method", "mdav", "--seed", "0"]
    assert main(["anonymize", *asked, "-o", "out.csv", "--crosswalk", "rows.csv"]) == 0
    capsys.readouterr()
    judged = ["evaluate", "in.csv", "out.csv", *KEYS, "--crosswalk", "rows.csv", "--json"]
    more = ["--measure", "inference", "--control", "held.csv", "--attempts", "50"]
    assert main([*judged, *more, "--riskiest", "riskiest.csv"]) == 0
    found = json.loads(capsys.readouterr().out)["measures"]["inference"]
    assert found["parts"]["control"] >= 0.0
    assert {one["trials"] for one in found["attacks"] if one["who"] == "all"} == {50}
    listed = pd.read_csv("riskiest.csv")
    assert sorted(listed["original_row"]) == list(range(110))
    assert listed["class_size"].min() >= 4


def test_the_cheapest_k_is_named(survey, capsys):
    bound = ["--methods", "mdav", "--threshold", "inference=60", "--seed", "0"]
    assert main(["tune", "in.csv", "-k", "3", "-k", "9", *KEYS, *bound]) == 0
    assert "cheapest with inference at most 60: k = " in capsys.readouterr().out
    bound = ["--methods", "mdav", "--threshold", "achieved_k=50", "--measure", "distinct_l"]
    assert main(["compare", "in.csv", "-k", "3", *KEYS, *bound]) == 1  # an answer, and it is no
    assert "no release meets achieved_k at least 50" in capsys.readouterr().out


def test_the_table_of_bounds_fits_a_terminal(survey, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    bound = ["--methods", "mdav", "--threshold", "inference=60", "--seed", "0"]
    assert main(["tune", "in.csv", "-k", "3", "-k", "9", *KEYS, *bound]) == 0
    out = capsys.readouterr().out
    assert "information_loss" in out
    assert re.search(r"│ [0-9.]+ \[[0-9.]+, [0-9.]+\] *│", out)  # the interval beside the risk
    assert "…" not in out


def test_a_bound_that_cannot_be_is_refused_and_one_not_measured_says_why(survey, capsys):
    asked = ["tune", "in.csv", "-k", "3", *KEYS, "--methods", "mdav", "--seed", "0", "--threshold"]
    assert main([*asked, "inference=-1"]) == 2
    assert "'inference' must be within 0 and 100" in capsys.readouterr().err
    assert main([*asked, "inference=500"]) == 2
    capsys.readouterr()
    assert main([*asked, "analyses=50"]) == 1
    out = capsys.readouterr().out
    assert "analyses was not measured: it needs analyses" in " ".join(out.split())


def test_tune_takes_what_a_release_is_asked_for(survey, capsys):
    people = coterie.datasets.health(150, random_state=0).drop(columns="household")
    people.to_csv("whole.csv", index=False)
    (survey / "plan.toml").write_text('declared = ["cost"]\nconfidential = ["diagnosis"]\n')
    bound = ["--methods", "mdav", "--threshold", "inference=90", "--config", "plan.toml"]
    more = ["-q", "age", "-q", "weight", "--drop", "income", "--drop", "height", "--seed", "0"]
    page = ["--report", "tried.html"]
    assert main(["tune", "whole.csv", "-k", "3", "-k", "5", *more, *bound, *page]) == 0
    assert "cheapest with inference at most 90: k = 3 by mdav" in capsys.readouterr().out
    assert "inference" in (survey / "tried.html").read_text()


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            ["evaluate", "in.csv", "in.csv", *KEYS, "--riskiest", "r.csv"],
            "--riskiest names records",
        ),
        (["evaluate", "in.csv", "in.csv", *KEYS, "--attempts", "0", "--aligned"], "'attempts'"),
        (["tune", "in.csv", "-k", "3", *KEYS], "is for --threshold"),
        (["tune", "in.csv", "-k", "3", *KEYS, "--threshold", "inferense=5"], "inference"),
        (
            ["tune", "in.csv", "-k", "3", *KEYS, "--threshold", "il=5", "--aggregations", "mean"],
            "Got --aggregations mean",
        ),
        (["tune", "in.csv", "-k", "3", "-q", "age", "--control", "0.1"], "--control of tune"),
        (["compare", "in.csv", "-k", "3", *KEYS, "--threshold", "inference=x"], "finite number"),
        (
            ["compare", "in.csv", "-k", "3", *KEYS, "--measure", "inference", "--control", "2"],
            "share",
        ),
        (["anonymize", "in.csv", "-k", "3", *KEYS, "-o", "r.csv", "--analysis", "x"], "must read"),
        (["anonymize", "in.csv", "-k", "3", *KEYS, "-o", "r.csv", "--k-map", "3"], "population"),
        (["anonymize", "in.csv", "-k", "3", *KEYS, "-o", "r.csv", "--recursive-cl", "2"], "a pair"),
    ],
)
def test_refusals(survey, capsys, asked, told):
    assert main(asked) == 2
    error = capsys.readouterr().err
    assert told in error
    assert not (survey / "r.csv").exists()


def test_guarantees_on_values_are_kept_and_verified(survey, capsys):
    rules = ["--alpha-k", "0.7", "--recursive-cl", "4,2", "--beta-likeness", "4"]
    asked = ["in.csv", *KEYS, "-k", "4", "--method", "mdav", "--seed", "0", *rules]
    assert main(["anonymize", *asked, "-o", "out.csv"]) == 0
    assert main(["verify", "out.csv", "-k", "4", *KEYS, *rules]) == 0
    told = capsys.readouterr().out
    assert "recursive_cl = (4.0, 2) on 'diagnosis'" in told
    assert main(["verify", "out.csv", "-k", "4", *KEYS, "--delta-disclosure", "0.01"]) == 1
