"""The page of the campaign is what its runs say, and a run that was kept is not made again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import coterie

if not (Path(__file__).parents[1] / "benchmarks").is_dir():
    pytest.skip("benchmarks are not part of a source distribution", allow_module_level=True)

from benchmarks.optimum import campaign

RUN = campaign.Kept(
    table="Census",
    k=4,
    limit=20.0,
    seed=0,
    workers=2,
    clock="processor",
    source="0" * 12,
    percent=6.1249,
    reached=3.25,
    bound=None,
    version="0.1.0",
    python="3.11",
    machine="a machine",
    date="2026-11-18",
    seconds=20.0,
)


def test_the_page_is_made_from_the_kept_runs():
    assert campaign.PAGE.read_text(encoding="utf-8") == campaign.text(campaign.kept())


def test_a_run_takes_the_place_of_an_older_one(tmp_path):
    path = tmp_path / "some" / "campaign.json"
    for run in (RUN, replace(RUN, seed=1), replace(RUN, source="1" * 12, percent=6.2)):
        campaign.keep(run, path)
    runs = campaign.kept(path)
    assert [(run.seed, run.percent) for run in runs.values()] == [(0, 6.2), (1, 6.1249)]
    assert campaign.kept(tmp_path / "none.json") == {}


def test_two_decimals_decide():
    """Published: 6.12."""
    above = replace(RUN, seed=1, percent=6.1251, reached=None)
    runs = {run.place: run for run in (RUN, above, replace(RUN, seed=2, percent=6.0))}
    (row,) = campaign.cells_of(list(runs.values()))
    assert row == ["Census", 4, 6.12, 6.1251, 6.1249, 6.0, "2 of 3", 3.25]
    page = campaign.text(runs)
    assert "0 of 1 cells are at or below the published loss with every seed" in page
    assert "| Census | 4 | 6.12 | 6.1251 | 6.1249 | 6.0000 | 2 of 3 | 3.2 |" in page


def test_the_hash_follows_the_source_of_the_search(tmp_path):
    for room in campaign.SOURCES:
        (tmp_path / room).mkdir()
    (tmp_path / "kernels" / "one.py").write_text("a = 1\n", encoding="utf-8")
    before = campaign.source_hash(tmp_path)
    (tmp_path / "elsewhere.py").write_text("a = 1\n", encoding="utf-8")
    assert campaign.source_hash(tmp_path) == before
    (tmp_path / "kernels" / "one.py").write_text("a = 2\n", encoding="utf-8")
    assert campaign.source_hash(tmp_path) != before


def test_a_kept_run_is_not_made_again(tmp_path, monkeypatch, rng):
    X = rng.normal(size=(60, 3))
    calls = []
    monkeypatch.setattr(campaign, "RESULTS", tmp_path / "campaign.json")
    monkeypatch.setattr(campaign, "write", lambda: None)
    monkeypatch.setattr(campaign, "tables", lambda: {"Census": np.repeat(X, 2, axis=0)})

    def run(X, table, k, limit, seed, workers, clock):
        calls.append((table, k, limit, seed))
        made = replace(RUN, k=k, limit=limit, seed=seed, clock=clock, source="1" * 12)
        campaign.keep(made, campaign.RESULTS)
        return made

    kept = campaign.kept
    monkeypatch.setattr(campaign, "kept", lambda path=campaign.RESULTS: kept(path))
    monkeypatch.setattr(campaign, "run", run)
    monkeypatch.setattr(campaign, "source_hash", lambda: "1" * 12)
    asked = ["--cells", "Census:4", "--seconds", "20", "--seeds"]
    campaign.main([*asked, "1"])
    campaign.main([*asked, "2"])
    assert calls == [("Census", 4, 20.0, 0), ("Census", 4, 20.0, 1)]
    monkeypatch.setattr(campaign, "source_hash", lambda: "2" * 12)
    campaign.main([*asked, "1", "--others"])
    assert len(calls) == 2
    campaign.main([*asked, "1"])
    assert len(calls) == 3


def test_when_the_published_loss_was_reached(rng):
    p = coterie.partition(rng.normal(size=(60, 3)), 3, "optimize", random_state=0, iterations=5)
    assert campaign.reached(p, 0.0) is None
    assert campaign.reached(p, 100.0) == round(p.trace[0].seconds, 2)
