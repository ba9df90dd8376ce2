"""Judge and report of a release in parts: sums of all records, pictures of those drawn."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import coterie
from coterie.cli import main
from coterie.distributed import anonymize
from coterie.pipeline import tiles
from coterie.report import summary
from coterie.report.dossier import board, metadata
from tests.pipeline.conftest import KEYS, numbers, write_parts
from tests.pipeline.outcomes import hidden

PLAN = {"k": 4, "quasi_identifiers": KEYS, "method": "mdav", "random_state": 3}
HOW = {"engine": "tiles", "tile": 500}


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    return write_parts(numbers(2500), tmp_path_factory.mktemp("report") / "in", 3)


def without_words(told):
    """A summary without what is about time, place and the engine."""
    hidden = ("evidence", "search", "bound", "source", "created", "measures")
    hidden += (
        "questions",
        "knowledge",
        "records",
        "verdict",
    )  # by records drawn in the order of the rows
    return {name: value for name, value in told.items() if name not in hidden}


def rounded(told):
    """Numbers without their last digits: sums depend on the order of the records there."""
    if isinstance(told, float):
        return float(f"{told:.9g}")
    if isinstance(told, list):
        return [rounded(one) for one in told]
    return {n: rounded(v) for n, v in told.items()} if isinstance(told, dict) else told


@pytest.mark.parametrize("kind", ["internal", "public"])
def test_a_table_of_one_tile_has_the_report_of_memory(parts, tmp_path, kind):
    plan = {**PLAN, "strata": ["group"], "confidential": ["spent"]}
    done = anonymize(parts, tmp_path / "out", engine="tiles", tile=5000, **plan)
    expected = coterie.anonymize(pd.read_parquet(parts), **plan)
    mine, theirs = done.summary(kind), summary(expected, kind)
    for name in ("sizes", "columns", "correlations", "claim", "limits"):
        assert rounded(mine[name]) == rounded(theirs[name]), name
    assert mine["figures"]["achieved"] == theirs["figures"]["achieved"]
    assert mine["figures"]["drawn"] is None
    if kind == "internal":
        assert rounded(without_words(mine)) == rounded(without_words(theirs))
        found, wanted = ({m["name"]: m["value"] for m in one["measures"]} for one in (mine, theirs))
        assert set(found) == set(wanted)
        # Models are fitted to, and attacks made on, records in another order.
        drawn = {"pmse", "singling_out", "linkability", "inference", "partial_knowledge"}
        for name in set(wanted) - drawn:
            assert found[name] == pytest.approx(wanted[name], rel=1e-6, abs=1e-9), name


@pytest.fixture(scope="module")
def drawn(parts, tmp_path_factory):
    """A release of which 400 records or so are looked at, and one of which all are."""
    folder = tmp_path_factory.mktemp("drawn")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiles, "MOST_JUDGED", 400)
        some = anonymize(parts, folder / "some", **HOW, **PLAN)
    return some, anonymize(parts, folder / "all", **HOW, **PLAN)


def test_linkage_of_records_drawn_is_told_with_its_interval(drawn):
    some, every = (one.evidence.internal["measures"] for one in drawn)
    looked = some["linked"]
    assert 300 < looked["records"] < 500
    low, high = looked["dld_expected_between"]
    assert low < some["dld_expected"] < high
    assert abs(some["dld_expected"] - every["dld_expected"]) < 1.5 * (high - low)
    assert every["linked"]["records"] == 2500
    low, high = every["linked"]["dld_expected_between"]
    assert low == high  # nothing is left to chance
    public = drawn[0].evidence.public["measures"]
    assert set(public["linked"]) == {"records", "among"}
    assert some["il"] == every["il"] == drawn[0].information_loss


def test_others_would_only_be_further_rivals(parts, drawn):
    """Linked within tiles, a table looks no safer than it is."""
    inside = drawn[1].evidence.internal["measures"]["dld_expected"]
    original, released = pd.read_parquet(parts), drawn[1]
    whole = coterie.anonymize(original, **PLAN).evidence.internal["measures"]["dld_expected"]
    assert inside <= 100.0 / 4
    assert whole <= 100.0 / 4
    assert released.verification.achieved >= 4


def test_the_report_says_what_it_is_of(drawn, tmp_path):
    done = drawn[0]
    told = done.summary()["figures"]
    assert 300 < told["drawn"] < 500
    assert told["records"] == 2500
    assert told["classes"] == done.verification.classes
    names = {one["name"] for one in done.summary()["measures"]}
    assert {"dld_expected", "own_group", "il", "ks"} <= names
    assert not names & {"prosecutor", "journalist", "achieved_k", "sdid"}
    assert told["loss"] == done.information_loss
    done.report(tmp_path / "out.html")
    page = (tmp_path / "out.html").read_text()
    assert f"are of {told['drawn']} records drawn by a hash of their number" in page
    done.report(tmp_path / "out.json", "public")
    public = json.loads((tmp_path / "out.json").read_text())
    assert public["kind"] == "public"
    assert "source" not in public
    for column in public["columns"]:
        assert min(column["before"]) == 0 or min(n for n in column["before"] if n) >= 4


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """Parts of a small table with households."""
    table = numbers(300)
    table["household"] = [f"h{n // 2}" for n in range(300)]
    return write_parts(table, tmp_path_factory.mktemp("few") / "in", 3)


WATCHED = {**PLAN, "confidential": ["group"], "identifiers": ["household"]}
WATCHED["declared"] = ["household"]


@pytest.mark.parametrize("ending", ["", ".csv"])
def test_a_dossier_of_one_tile_is_that_of_memory(few, tmp_path, ending):
    """The board's page, the sheet for everybody and the comparison of other k, by the engine."""
    release = coterie.anonymize(pd.read_parquet(few), **WATCHED)
    done = anonymize(few, tmp_path / f"out{ending}", engine="tiles", **WATCHED)
    wanted = {"thresholds": {"dld_expected": 30, "distinct_l": 1}, "k": [3, 8]}
    one = coterie.write_dossier(release, tmp_path / "one", output=f"out{ending}", **wanted)
    other = coterie.write_dossier(done, tmp_path / "other", output=f"out{ending}", **wanted)
    for figure in ("standing", "conditions", "left_out", "sizes"):
        assert other[figure] == one[figure]
    bars, wanted = ([row for row in told["scenarios"] if row["bar"]] for told in (other, one))
    assert rounded(bars) == rounded(wanted)  # attacks go by the order of the rows
    assert [row["k"] for row in other["sweep"]] == [3, 4, 8]
    for mine, theirs in zip(other["sweep"], one["sweep"], strict=True):
        assert mine["information_loss"] == pytest.approx(theirs["information_loss"])
        assert mine["groups"] == theirs["groups"]
    sheets = (tmp_path / name / "public/metadata.json" for name in ("one", "other"))
    told = [json.loads(sheet.read_text())["variables"] for sheet in sheets]
    assert told[0] == told[1]
    assert "engine='tiles'" in other["replay"]["command"]
    assert len(board(done)["sweep"]) == 1  # others are jobs of their own
    assert not hidden(tmp_path)


def test_a_sheet_without_units_counts_nothing_of_them(tmp_path, few):
    plan = {**PLAN, "unit": "household"}
    done = anonymize(few, tmp_path / "out", engine="tiles", **plan)
    for told in metadata(done)["variables"]:
        assert told["missing"] is None
        assert "categories" not in told


def test_a_dossier_on_the_command_line(tmp_path, few):
    flags = [*(f"-q{key}" for key in KEYS), "-k4", "--engine", "tiles", "--quiet"]
    flags += ["--drop", "household", "--declare", "household", "--method", "mdav"]
    flags += ["--dossier", str(tmp_path / "d"), "--metadata", str(tmp_path / "m.xml")]
    flags += ["--threshold", "dld_expected=30", "--sweep-k", "6"]
    assert main(["anonymize", str(few), "-o", str(tmp_path / "out.csv"), *flags]) == 0
    assert (tmp_path / "d" / "dossier.html").exists()
    assert (tmp_path / "m.xml").exists()
    told = json.loads((tmp_path / "d" / "dossier.json").read_text())
    assert [row["k"] for row in told["sweep"]] == [4, 6]
