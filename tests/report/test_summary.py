"""What a summary says, in words and numbers; and that it says it of every kind of release."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import coterie
from coterie.public import DocumentRule
from coterie.report import comparison_summary, html, summary
from coterie.report.columns import describe
from coterie.report.released import sizes_of
from coterie.table import infer, read
from tests.mixed import FLAGS, ORDERS, mixed
from tests.mixed import KEYS as MIXED

KEYS = ["age", "sex", "bmi", "bp"]


@pytest.fixture(scope="module")
def release():
    return coterie.anonymize(
        coterie.datasets.diabetes(),
        5,
        KEYS,
        confidential=["progression"],
        types={"sex": "nominal"},
        method="mdav",
    )


def _most(told):
    """The most that who knows one key or two links."""
    return max(share for row in told["knowledge"]["linked"] for share in row if share is not None)


def test_the_verdict_is_worded_for_everybody(release):
    told = summary(release)
    loss = f"{release.information_loss:.2g} %"
    linked = next(m for m in told["measures"] if m["name"] == "dld_expected")["value"]
    changed = release.evidence.internal["changed_percent_by_key"]["sex"]
    assert changed > 0
    assert told["verdict"] == (
        f"Every record shares its 4 key attributes with at least 4 others; {loss} of the "
        f"information was lost (another category: sex in {changed:.2g} % of the records); an "
        f"intruder who knows them all links {linked:.2g} % of the records, one who knows only "
        f"{' and '.join(told['knowledge']['worst'])} {_most(told):.2g} %."
    )
    assert told["standing"] == "proven"
    assert "k-anonymous on the declared keys" in told["claim"][0]


def test_the_report_agrees_with_the_evidence(release):
    told = {m["name"]: m["value"] for m in summary(release)["measures"]}
    for name, value in release.evidence.internal["measures"].items():
        assert told[name] == value


def test_a_code_is_no_number(release):
    sex = summary(release)["columns"][1]
    assert sex["kind"] == "category"
    assert "sdid" not in sex["measures"]


def test_what_is_claimed_and_what_is_not(release):
    told = summary(release, "public")
    text = " ".join(one["title"] + " " + one["text"] for one in told["limits"])
    for words in ("declared keys", "confidential value", "differential privacy", "legal", "s1, s2"):
        assert words in text
    attacks = [row["attack"] for row in told["remaining"]]
    for words in ("DLD", "SDID", "Offset", "Homogeneity"):
        assert any(words in attack for attack in attacks)


def test_sets_masked_apart_are_not_called_protected():
    table = coterie.datasets.diabetes()
    release = coterie.anonymize(
        table, 3, ["age", "bmi"], attribute_groups=[["age"], ["bmi"]], method="mdav"
    )
    told = summary(release, "public")
    assert told["standing"] == "masked"
    assert "not on all keys together" in told["verdict"]
    assert "not k-anonymous" in told["claim"][0].replace("It is not", "not")


def test_medians_tell_what_was_released():
    table = coterie.datasets.diabetes()
    median = coterie.anonymize(table, 5, ["age", "bmi"], aggregation="median", method="mdav")
    told = summary(median)
    assert told["figures"]["loss"] == median.information_loss > median.partition.information_loss


def test_gaps_are_measured_and_counted():
    table = coterie.datasets.diabetes()
    table.loc[:20, "bmi"] = np.nan
    release = coterie.anonymize(table, 5, ["age", "bmi"], missing="pattern", method="mdav")
    told = summary(release, "public")
    assert "an intruder who knows them all links" in told["verdict"]
    linked = next(m for m in told["measures"] if m["name"] == "dld_expected")
    assert "records with gaps among those with the same gaps" in linked["title"]
    bmi = told["columns"][1]
    assert bmi["missing"] == 21
    assert 0 < bmi["measures"]["il"]["value"] < 100
    assert sum(bmi["before"]) == len(table) - 21


def test_a_large_table_is_told_what_was_left_out(monkeypatch, release):
    monkeypatch.setattr("coterie.report.measured.MOST_LINKED", 10)
    told = summary(release)
    assert "links was not measured (the table is large)" in told["verdict"]
    assert "sdid" in told["figures"]["too_large"]
    assert "Left out, because the table is large: dld_expected" in html(told)


def test_every_record_is_counted(release):
    table = coterie.datasets.diabetes()
    for column in summary(release)["columns"]:
        assert sum(column["before"]) == sum(column["after"]) == len(table)
        if column["kind"] == "number":
            assert column["largest"][0] == table[column["name"]].max()
            assert column["mean"][0] == pytest.approx(table[column["name"]].mean())


def test_bins_agree_with_numpy(rng):
    values = rng.normal(size=500)
    source = read(pd.DataFrame({"x": values}))
    schema = infer(source, quasi_identifiers=["x"])
    array = source.frame["x"].to_arrow()
    told = describe(schema["x"], array, array, DocumentRule("internal", 1))
    edges = np.array(told["edges"])
    inside = np.clip(values, edges[0], np.nextafter(edges[-1], -np.inf))
    assert told["before"] == np.histogram(inside, edges)[0].tolist()


@pytest.mark.parametrize("kind", ["category", "polars", "pyarrow", "csv"])
def test_kinds_of_tables_have_the_same_report(kind, tmp_path):
    table = mixed(300, seed=4)
    asked = {"confidential": ["diagnosis"], "orders": ORDERS, "method": "mdav", **FLAGS}
    expected = summary(coterie.anonymize(table, 5, MIXED, random_state=0, **asked), "public")
    if kind == "category":
        given = table.astype(dict.fromkeys(("region", "sector", "education"), "category"))
    elif kind == "csv":
        given = tmp_path / "t.csv"
        table.to_csv(given, index=False)
    else:
        given = pa.Table.from_pandas(table, preserve_index=False)
        given = pl.from_arrow(given) if kind == "polars" else given
    found = summary(coterie.anonymize(given, 5, MIXED, random_state=0, **asked), "public")
    assert found["verdict"] == expected["verdict"]
    assert found["columns"] == expected["columns"]
    assert found["remaining"] == expected["remaining"]


def test_sizes_are_named_one_by_one_then_in_ranges():
    assert sizes_of(np.array([5, 5, 7]), 5) == [["5", 2], ["6", 0], ["7", 1]]
    wide = sizes_of(np.array([3, 12, 13, 30, 2000]), 3)
    assert wide[0] == ["3", 1]
    assert wide[9] == ["12", 1]
    assert sum(count for _, count in wide) == 5
    assert wide[-1][0].endswith(str(13 * 2**8 - 1))


def test_progress_is_told(release):
    seen = []
    summary(release, callback=seen.append)
    assert {progress.phase for progress in seen} == {"report"}
    shares = [progress.fraction for progress in seen]
    assert shares == sorted(shares)


def test_a_comparison_names_the_best():
    rows = pd.DataFrame(
        {
            "k": [3, 3, 5, 5],
            "method": ["a", "b", "a", "b"],
            "information_loss": [9.0, 6.0, 12.0, 14.0],
            "linked": [20.0, 25.0, 12.0, 12.0],
        }
    )
    told = comparison_summary(rows, ["x"])
    assert told["verdict"].startswith(
        "Of 4 releases compared, b (6 % lost and 25 % linked at k = 3) and a (12 % lost and 12 % "
        "linked at k = 5) lose least."
    )
    assert told["front"] == [0, 1, 2]
    assert told["grids"][0]["rows"] == [[9.0, 12.0], [6.0, 14.0]]
    assert told["grids"][1]["rows"] == [[20.0, 12.0], [25.0, 12.0]]
    same = comparison_summary(rows.assign(method=["a", "b"] * 2, linked=None), ["x"])
    assert same["front"] == []
    with pytest.raises(coterie.ParameterError, match="at least one release"):
        comparison_summary(rows.head(0), ["x"])
