"""Nothing that fewer than k units share is told in public; and the search for it can fail."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

import coterie
from coterie.report import html, summary, terminal
from tests.report.sentinels import KEYS, PLANTED, ROLES, K, found_in, planted


@pytest.fixture(scope="module")
def release():
    return coterie.anonymize(planted(), K, KEYS, method="mdav", **ROLES)


def printed(told):
    console = Console(width=200)
    with console.capture() as text:
        console.print(terminal(told))
    return text.get()


def test_forty_values_are_planted():
    assert sum(map(len, PLANTED.values())) + 1 == 40  # and the seed
    table = planted()
    for column, values in PLANTED.items():
        assert all((table[column] == value).sum() == 1 for value in values)


def test_no_planted_value_is_told_in_public(release, tmp_path):
    told = summary(release, "public")
    release.report(tmp_path / "r.html", "public")
    release.report(tmp_path / "r.json", "public")
    for text in (
        html(told),
        (tmp_path / "r.html").read_text(),
        (tmp_path / "r.json").read_text(),
        release.evidence.json("public"),
        printed(told),
    ):
        assert found_in(text) == set()


def test_the_search_finds_what_an_internal_report_tells(release):
    told = summary(release, "internal")
    page = found_in(html(told))
    # Extremes of numbers and dates, rare categories, the seed.
    assert {"7654321.25", "918273", "-45678.75", "1899-12-25", "Ultima Thule", "7351924"} <= page
    assert len(page) >= 10
    assert found_in(json.dumps(told)) >= page
    assert len(found_in(planted().to_csv())) == 39  # all but the seed


@pytest.mark.parametrize("spelled", ["7,654,321", "7.654M", "7.6543e6", "7 654 321.25", "7654000"])
def test_the_search_knows_spellings(spelled):
    assert found_in(f"<text>{spelled}</text>") == {"7654321.25"}


def test_bins_hold_k_units_and_lie_among_released_values(release):
    told = summary(release, "public")
    data = release.data
    for column in told["columns"]:
        assert min(column["before"]) >= K
        assert all(count == 0 or count >= K for count in column["after"])
        assert sum(column["before"]) == sum(column["after"]) == len(data)
        if column["kind"] == "number":
            values = data[column["name"]]
            if column["scale"] == "date":
                values = np.array([v.toordinal() - 719163 for v in values])
            slack = 1.1 * (values.max() - values.min()) / 24 + 1
            assert values.min() - slack <= column["edges"][0]
            assert column["edges"][-1] <= values.max() + slack
            assert "least" not in column
        else:
            assert "lost" not in column
            assert set(column["labels"]) <= {*data[column["name"]], "other categories"}


def test_what_is_left_of_the_total_tells_no_small_count():
    table = planted()[["age", "region"]].copy()
    table["region"] = ["a"] * 300 + ["b"] * (len(table) - 303) + ["rare"] * 3
    release = coterie.anonymize(table, K, ["age", "region"], method="mdav")
    column = summary(release, "public")["columns"][1]
    assert "rare" not in column["labels"]
    assert min(column["before"]) >= K
    assert sum(column["before"]) == len(table)


def test_units_are_counted_not_records():
    people = 120
    once = planted().head(people)[["age", "income"]].assign(who=np.arange(people))
    later = once.assign(age=once["age"] + 1)
    table = pd.concat([once.assign(wave=1), later.assign(wave=2)], ignore_index=True)
    release = coterie.anonymize(
        table, K, ["age", "income"], unit="who", strata=["wave"], method="mdav"
    )
    told = summary(release, "public")
    original = table.loc[release.crosswalk]
    for column in told["columns"]:
        edges = np.array(column["edges"])
        place = np.searchsorted(edges[1:-1], original[column["name"]].to_numpy(), "right")
        units = original.groupby(place)["who"].nunique()
        assert units.min() >= K
        held = original.groupby(place).size()
        assert sum(column["before"]) == len(table)
        base = 2 * (K - 1) + 1  # every unit has two records
        before = np.array(column["before"])
        takes = before % base != base // 2  # one bin takes what is left of the total
        assert takes.sum() <= 1
        assert (takes | (np.abs(before - held.to_numpy()) <= base // 2)).all()
    assert "other units" in told["verdict"]


def test_shares_of_fewer_than_k_records_are_told_as_a_limit():
    x = np.random.default_rng(0).normal(size=300)
    x[:6] = [1000.0, 1000.0, 1000.0, 1000.0, 999.5, 1000.5]  # a group; four keep their value
    table = pd.DataFrame({"x": x})
    release = coterie.anonymize(table, 6, ["x"], method="mdav", declared=["x"])
    assert release.evidence.internal["measures"]["exact_share"] == pytest.approx(4 / 3, abs=1e-4)
    assert release.evidence.public["measures"]["exact_share"] == "less than 3 %"
    told = summary(release, "public")
    assert told["columns"][0]["measures"]["exact_share"] == {"value": None, "below": 3.0}
    internal = summary(release)["columns"][0]["measures"]["exact_share"]
    assert internal["value"] == pytest.approx(4 / 3)
    assert "fewer than 3\u00a0%" in html(told)
