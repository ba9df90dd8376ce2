"""`coterie evaluate` with the plan of a release: the same figures as its report and evidence."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.cli import main

PLAN = """
k = 4
quasi_identifiers = ["age", "edu", "job", "income"]
confidential = ["diag"]
identifiers = ["name"]
unit = "home"
sample_weight = "w"
declared = ["w"]
strata = ["region"]
missing = "pattern"
small_strata = "drop"
method = "mdav"
random_state = 1

[columns.edu]
order = ["low", "mid", "high"]
missing_codes = ["none said"]

[columns.income]
missing_codes = [97, 98]
weight = 2
"""


@pytest.fixture
def survey(tmp_path):
    rng = np.random.default_rng(5)
    n = 300
    table = pd.DataFrame(
        {
            "name": [f"P{i}" for i in range(n)],
            "home": rng.permutation(n) // 2,
            "w": rng.uniform(1, 9, n).round(2),
            "region": rng.choice(["n", "s"], n),
            "age": rng.integers(18, 90, n).astype(float),
            "edu": rng.choice(["low", "mid", "high", "none said"], n, p=[0.4, 0.3, 0.2, 0.1]),
            "job": rng.choice(["a", "b", "c", "d"], n),
            "income": rng.choice([97.0, 98.0, 0.0], n, p=[0.05, 0.05, 0.9]),
            "diag": rng.choice(["x", "y"], n),
        }
    )
    paid = table["income"] == 0
    table.loc[paid, "income"] = rng.lognormal(8, 1, int(paid.sum())).round()
    table.loc[rng.choice(n, 20, replace=False), "age"] = np.nan
    table.to_csv(tmp_path / "in.csv", index=False)
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


def test_evaluate_report_and_evidence_give_one_number(survey, capsys):
    out = {name: survey / name for name in ("out.csv", "e.json", "r.json", "cross.csv")}
    config = ("--config", survey / "plan.toml")
    made = ("anonymize", survey / "in.csv", "-o", out["out.csv"], *config, "--quiet")
    kept = ("--evidence", out["e.json"], "--report", out["r.json"], "--crosswalk", out["cross.csv"])
    assert main([str(a) for a in (*made, *kept)]) == 0, capsys.readouterr().err
    capsys.readouterr()
    judged = ("evaluate", survey / "in.csv", out["out.csv"], *config, "--json")
    assert main([str(a) for a in (*judged, "--crosswalk", out["cross.csv"])]) == 0
    found = json.loads(capsys.readouterr().out)["measures"]
    evidence = json.loads(out["e.json"].read_text())
    assert found["il"]["value"] == evidence["information_loss_percent"]
    for name in ("dld_expected", "own_group", "exact_share"):
        assert found[name]["value"] == evidence["measures"][name]
    report = json.loads(out["r.json"].read_text())
    assert report["figures"]["loss"] == found["il"]["value"]
    # In plain pandas: age, over the records that have one, by their weights.
    rows = pd.read_csv(out["cross.csv"])["original_row"]
    before = pd.read_csv(survey / "in.csv").iloc[rows].reset_index(drop=True)
    after = pd.read_csv(out["out.csv"])
    there, w = before["age"].notna(), before["w"]
    mean = np.average(before["age"][there], weights=w[there])
    lost = (w * (before["age"] - after["age"]) ** 2)[there].sum()
    whole = (w * (before["age"] - mean) ** 2)[there].sum()
    assert found["il"]["by_column"]["age"] == pytest.approx(100 * lost / whole, rel=1e-9)
    changed = (before["job"] != after["job"]).astype(float)
    most = before["job"].eq(w.groupby(before["job"]).sum().idxmax())
    assert found["il"]["by_column"]["job"] == pytest.approx(
        100 * (w * changed).sum() / w[~most].sum(), rel=1e-9
    )


def test_a_plan_in_python_gives_the_same(survey):
    table = pd.read_csv(survey / "in.csv")
    plan = coterie.Plan.from_toml(survey / "plan.toml").replace(row_order="keep")
    release = coterie.anonymize(table, plan)
    original = table.iloc[release.crosswalk].reset_index(drop=True)
    found = coterie.evaluate(original, release.data, plan, aligned=True)
    assert found["il"].value == release.information_loss
    assert found["il"].value == release.evidence.internal["information_loss_percent"]


def test_known_without_a_measure_that_links(survey, capsys):
    flags = ("--known", "age", "--measure", "il", "--aligned", "-q", "age")
    file = str(survey / "in.csv")
    assert main(["evaluate", file, file, *flags]) == 2
    assert "known has no effect on il" in capsys.readouterr().err


def test_tune_with_targets_that_nothing_uses(survey, capsys):
    flags = ("-k", "3", "-q", "w", "--aggregations", "mean", "--alpha", "0.2")
    assert main(["tune", str(survey / "in.csv"), *flags]) == 2
    assert "alpha has no effect without aggregation 'p3m'" in capsys.readouterr().err
