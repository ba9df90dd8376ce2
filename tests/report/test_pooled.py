"""What is told of pooled strata, whatever the keys are called."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.evaluation import evaluate
from coterie.report import summary
from coterie.report.judged import judged_summary
from coterie.report.verdict import pooled_text
from coterie.table import read

KEY = "pooled x"  # the words by which the evidence calls a pooled stratum x


def table(strata):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({KEY: rng.normal(size=60), "b": rng.normal(size=60)})
    if strata:
        frame["x"] = ["small"] * 2 + ["a"] * 28 + ["b"] * 30
    return frame


def release(strata):
    asked = {"strata": ["x"], "small_strata": "merge"} if strata else {}
    return coterie.anonymize(table(strata), 3, [KEY, "b"], method="mdav", **asked)


def judged(one, strata):
    original = table(strata).iloc[one.crosswalk].reset_index(drop=True)
    found = evaluate(
        original, one.data, [KEY, "b"], aligned=True, measures=["achieved_k", "il"],
        schema=one.schema,
    )  # fmt: skip
    sides = read(original), read(one.data)
    return found, judged_summary(*sides, [KEY, "b"], [], found, True, one.schema)


@pytest.mark.parametrize("kind", ["internal", "public"])
def test_a_key_called_pooled_is_a_key(kind):
    said = summary(release(False), kind)
    assert said["figures"]["pooled"] == []
    assert "pooled with others" not in said["verdict"]


def test_a_key_called_pooled_is_a_key_of_any_release():
    one = release(False)
    found, said = judged(one, False)
    assert found.pooled == {}
    assert said["figures"]["pooled"] == []
    assert "pooled with others" not in said["verdict"]
    assert "pooled_strata" not in one.evidence.internal
    assert "pooled_strata" not in one.evidence.public


def test_a_key_called_pooled_is_no_stratum_at_the_terminal():
    frame = table(True)
    kept = coterie.anonymize(frame[frame["x"] != "small"], 3, [KEY, "b"], strata=["x"])
    assert "too small" not in pooled_text(kept.evidence.internal)


def test_a_key_is_called_as_a_pooled_stratum_would_be():
    one = release(True)
    lost = one.evidence.internal["information_loss_percent_by_key"]
    (name,) = one.evidence.internal["pooled_strata"]
    assert name not in (KEY, "b")
    assert list(lost) == [KEY, "b", name]
    assert one.evidence.internal["pooled_strata"] == {name: ["x"]}
    assert one.evidence.public["pooled_strata"] == {name: ["x"]}
    gone = (one.data["x"] == "other").mean() * 100
    assert lost[name] == pytest.approx(gone)
    assert one.information_loss == pytest.approx(sum(lost.values()) / 3)
    alone = evaluate(
        table(True).iloc[one.crosswalk], one.data, [KEY, "b"], aligned=True, measures=["il"]
    )
    assert lost[KEY] == alone["il"].by_column[KEY]
    assert f"{lost[name]:.2f} %" in pooled_text(one.evidence.internal)
    found, said = judged(one, True)
    assert found.pooled == {name: ("x",)}
    assert found["il"].by_column == lost
    for figures in (said["figures"], summary(one)["figures"], summary(one, "public")["figures"]):
        assert [each["name"] for each in figures["pooled"]] == ["x"]
    assert f"x given up in {gone:.2g} %, pooled with others" in summary(one)["verdict"]
