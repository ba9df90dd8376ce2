"""Hierarchies and intervals in tiles: true, proven on the text, counted as in memory."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import coterie

ASKED = {
    "quasi_identifiers": ["code", "age"],
    "hierarchies": {"code": {"prefix": [1, 2]}},
    "releases": {"age": "interval"},
    "steps": {"age": 5},
    "method": "mdav",
    "random_state": 1,
    "declared": ["row"],
}


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    codes = [f"{a}{b}{c}" for a in "ABCDE" for b in range(5) for c in range(6)]
    frame = pd.DataFrame(
        {
            "code": rng.choice(codes, 400),
            "age": rng.integers(18, 90, 400),
            "row": rng.normal(size=400),
        }
    )
    frame.to_parquet(tmp_path / "in.parquet")
    return frame


def run(tmp_path, **more):
    return coterie.distributed.anonymize(
        tmp_path / "in.parquet", tmp_path / "out.parquet", 4, **ASKED, engine="tiles", **more
    )


def test_tiles_release_what_is_true(table, tmp_path):
    done = run(tmp_path, tile=100)
    out = pd.read_parquet(tmp_path / "out.parquet")
    assert out.groupby(["code", "age"]).size().min() >= 4
    assert done.evidence.public["truthful"] is True
    assert done.evidence.internal["tiles"] > 1
    both = table.merge(out, on="row", suffixes=("", "_now"))
    assert len(both) == len(table)
    for code, label in zip(both.code, both.code_now, strict=True):
        assert label == "*" or code.startswith(label)
    ends = both.age_now.str.extract(r"\[(\d+), (\d+)\)").astype(int)
    assert ((ends[0] <= both.age) & (both.age < ends[1])).all()
    lost = [1.0 if label == "*" else (3 - len(label)) / 3 for label in both.code_now]
    told = done.evidence.internal["information_loss_percent_by_key"]
    assert told["code"] == pytest.approx(100 * np.mean(lost))
    whole = (ends[1] - ends[0]).mean() / (ends[1].max() - ends[0].min())
    assert told["age"] == pytest.approx(100 * whole)


def test_unknown_codes_are_refused(table, tmp_path):
    table.to_parquet(tmp_path / "in.parquet")
    tree = {"A": sorted({c for c in table.code if c[0] == "A"})}
    with pytest.raises(coterie.CoterieError, match="must know every value"):
        coterie.distributed.anonymize(
            tmp_path / "in.parquet",
            tmp_path / "out.parquet",
            4,
            **{**ASKED, "hierarchies": {"code": tree}},
            engine="tiles",
        )
    assert not (tmp_path / "out.parquet").exists()
