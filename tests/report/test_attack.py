"""Public documents under attack: nothing that fewer than k units share; and the attack can find."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.evaluation.registry import MEASURES
from coterie.public import MEASURES as TOLD
from coterie.public import DocumentRule
from coterie.public.rule import step_of
from coterie.report import dossier, summary
from tests.mixed import FLAGS, KEYS, ORDERS, mixed
from tests.report import attack as attacks
from tests.report.attack import Target, attack, random_table, target_of
from tests.trials import later


def attacked(seeds):
    """Random tables that were not refused."""
    for seed in seeds:
        target = target_of(*random_table(seed))
        if target is not None:
            yield seed, target


@pytest.mark.parametrize(
    ("seeds", "least"),
    [(range(6), 4), later(range(6, 36), 21)],
    ids=["some", "more"],
)
def test_public_reports_hold(seeds, least):
    found = {seed: attack(target) for seed, target in attacked(seeds)}
    assert len(found) >= least
    assert not any(found.values()), found


@pytest.mark.slow
def test_three_hundred_public_reports_hold():
    found = {seed: attack(target) for seed, target in attacked(range(1000, 1360))}
    assert len(found) >= 300
    assert not any(found.values()), found


def test_the_attack_finds_what_an_internal_report_tells():
    rng = np.random.default_rng(5)
    table = pd.DataFrame({"income": rng.pareto(1.2, 500) * 1e4, "town": rng.zipf(1.7, 500) % 30})
    table["town"] = "town " + table["town"].astype(str)
    table["flag"] = np.arange(500) < 2
    keys = list(table)
    release = coterie.anonymize(table, 5, keys, method="mdav", declared=["income"])
    original = table.iloc[release.crosswalk].reset_index(drop=True)
    documents = json.loads(json.dumps(summary(release, "internal")))
    open_book = Target(
        original,
        release.data,
        keys,
        5,
        np.arange(500),
        documents,
        json.loads(release.evidence.json("internal")),
        {"information_loss_percent": release.information_loss, "variables": []},
    )
    for function in ("counts", "shares", "moments", "extremes", "digits"):
        assert list(getattr(attacks, function)(open_book)), function
    found = " ".join(attacks.moments(open_book))
    for what in ("loss", "deviation", "the loss of the report"):
        assert what in found
    documents["evidence"] = {}
    assert list(attacks.noted(dataclasses.replace(open_book, evidence={"records_dropped": 3})))


@pytest.mark.parametrize(
    ("seeds", "least"), [(range(40, 49), 4), later(range(49, 60), 4)], ids=["some", "more"]
)
def test_what_is_told_is_true(seeds, least):
    """Cells and steps hold the truth: the arithmetic is sound, and readers are not misled."""
    seen = 0
    for _, target in attacked(seeds):
        for column in target.report["columns"]:
            if column["kind"] != "number" or column["scale"] == "date":
                continue
            values = target.original[column["name"]].dropna().to_numpy(dtype=float)
            place = np.searchsorted(column["edges"][1:-1], values, "right")
            truth = np.bincount(place, minlength=len(column["before"]))
            low, high = attacks._cells(column["before"], column["after"], column["cell"])
            # Edges are printed with six digits: a value may lie between an edge and its print.
            apart = (truth < low) | (truth > high)
            assert apart.sum() <= 2
            if column["mean"][0] is not None:
                step = column["mean_step"] or 0.0  # none: all have one value, and it is released
                assert abs(column["mean"][0] - values.mean()) <= 0.51 * step + 1e-9
            seen += 1
        for name, one in {m["name"]: m for m in target.report["measures"]}.items():
            if name == "exact_share":
                keys = target.keys
                same = (target.original[keys] == target.released[keys]).to_numpy()
                if not target.original[keys].isna().any(axis=None):
                    low, high = attacks._interval(one, 0.0, 100.0)
                    assert low - 1e-6 <= 100 * same.mean() <= high + 1e-6
    assert seen > least


def test_a_lone_value_is_not_told_by_the_spread():
    """500 values of which one is most of the variance: nothing public tells how large it is."""
    rng = np.random.default_rng(1)
    x = np.append(rng.normal(100, 15, 499), 98765.4321)
    table = pd.DataFrame({"x": x})
    target = target_of(
        table, {"k": 5, "quasi_identifiers": ["x"], "method": "mdav", "declared": ["x"]}
    )
    assert target is not None
    column = target.report["columns"][0]
    assert column["sd"][0] is None
    assert column["measures"]["il"] == {"value": None, "reported": False}
    assert target.evidence["information_loss_percent"] == "not reported"
    assert target.metadata["information_loss_percent"] == "not reported"
    assert "is not told, since it is the work of few" in target.report["verdict"]
    assert target.report["search"] is None


def test_a_figure_has_the_digits_that_k_units_support():
    rng = np.random.default_rng(2)
    steps = []
    for n in (100, 1000, 20_000):
        table = pd.DataFrame(rng.normal(size=(n, 2)), columns=["x", "y"])
        release = coterie.anonymize(table, 5, ["x", "y"], method="mdav", declared=["x", "y"])
        told = release.evidence.public
        step = told["rounded_to"]["information_loss_percent"]
        exact = release.evidence.internal["information_loss_percent"]
        assert abs(told["information_loss_percent"] - exact) <= step / 2 + 1e-9
        steps.append(step)
    assert steps[0] > steps[1] > steps[2]


@pytest.mark.parametrize("units", [None, np.repeat(np.arange(40), 3)])
def test_differences_of_counts_never_pin_few(units):
    """By trying: whatever is told of n and of a total, no difference lies within 1 .. base - 1."""
    rule = DocumentRule("public", 4, units)
    base = rule.base
    assert base == (4 if units is None else 10)
    for number in range(3 * base):
        cell = [n for n in range(5 * base) if rule.count(n) == rule.count(number)]
        assert len(cell) == base
        assert number in cell
    for held in ([base, 2 * base + 1, 3 * base + 2], [base + 1] * 7):
        told = rule.counts(held, 1)
        assert not told or sum(told) == sum(held)
        for place, (one, other) in enumerate(zip(told, held, strict=False)):
            assert place == 1 or one // base == other // base


def test_shares_and_their_complements():
    rule = DocumentRule("public", 5)
    for n in (50, 333, 10_000):
        cells: dict[str, list[int]] = {}
        for records in range(n + 1):
            cells.setdefault(str(rule.share(100 * records / n, n)), []).append(records)
        assert min(map(len, cells.values())) >= 5
        assert all(np.ptp(cell) == len(cell) - 1 for cell in cells.values())


def test_steps_are_at_least_what_they_must_be():
    for least in np.geomspace(1e-9, 1e9, 1000):
        assert least * (1 - 1e-9) <= step_of(least) <= 2.5 * least


def test_every_measure_is_classified():
    assert set(TOLD) == set(MEASURES)


def test_every_name_is_on_its_list(monkeypatch):
    """A name that a document holds and no list names would be left out in silence."""
    table = mixed(300, seed=4)
    release = coterie.anonymize(
        table, 5, KEYS, confidential=["diagnosis"], orders=ORDERS, method="mdav", **FLAGS
    )
    listed = summary(release, "public")
    monkeypatch.setattr("coterie.report.released.listed", lambda found, _: found)
    assert _names(summary(release, "public")) == _names(listed)


def _names(found):
    if isinstance(found, dict):
        return {name: _names(value) for name, value in found.items()}
    return [_names(value) for value in found] if isinstance(found, list) else None


def test_a_sheet_lists_no_category_of_few():
    table = coterie.datasets.diabetes()[["age", "bmi"]]
    ill = ["flu"] * (len(table) - 9) + ["gout"] * 6 + ["rare"] * 2 + [None]
    table = table.assign(ill=ill)
    release = coterie.anonymize(table, 5, ["age", "bmi"], confidential=["ill"], method="mdav")
    sheet = dossier.metadata(release)["variables"][2]
    assert sheet["categories"] == {"flu": len(table) - 9}
    assert sheet["other_categories"] == 9
    assert sheet["missing"] is None
    text = dossier.metadata.__globals__["render"](dossier.metadata(release), ".xml")
    assert "rare" not in text
    assert "gout" not in text
