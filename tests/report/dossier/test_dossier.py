"""The dossier: whole or not there, self-contained, replayable, and a sheet that tells no secret."""

from __future__ import annotations

import json
import os
import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.cli import main
from coterie.errors import DataError, ParameterError
from coterie.report.dossier import board, metadata, write_metadata
from coterie.report.dossier.scenarios import Bar, bars, judge

KEYS = ["age", "income", "sex"]
MORE = {"identifiers": ["id"], "confidential": ["score"], "method": "mdav", "random_state": 3}


def people(n=80):
    rng = np.random.default_rng(4)
    return pd.DataFrame(
        {
            "id": [f"person-{i}" for i in range(n)],
            "age": rng.integers(18, 90, n),
            "income": rng.lognormal(10, 0.6, n).round(2),
            "sex": rng.choice(["f", "m"], n),
            "score": rng.choice(["low", "high <&>"], n),
        }
    )


@pytest.fixture(scope="module")
def release():
    return coterie.anonymize(people(), 4, KEYS, rules=["income >= 0", "age <= 120"], **MORE)


@pytest.fixture(scope="module")
def folder(release, tmp_path_factory):
    place = tmp_path_factory.mktemp("dossiers") / "dossier"
    thresholds = {"dld_expected": 30, "distinct_l": 1}
    coterie.write_dossier(release, place, thresholds, k=[2, 8, 30], output="out.csv")
    return place


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.names, self.links = [], []

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.links += [v for n, v in attrs if n in ("src", "href") and not v.startswith("#")]


def test_the_folder_is_whole_and_self_contained(folder):
    names = {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}
    assert names == {
        "dossier.html",
        "dossier.json",
        "settings.toml",
        "README.txt",
        "public/metadata.xml",
        "public/metadata.json",
        "public/evidence.json",
    }
    page = (folder / "dossier.html").read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(page)
    assert "script" not in tags.names
    assert tags.links == []
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", page)
    assert [p.name for p in folder.parent.iterdir()] == ["dossier"]  # nothing hidden left behind


def test_what_the_board_reads(folder, release):
    found = json.loads((folder / "dossier.json").read_text(encoding="utf-8"))
    assert found["standing"] == "met"
    assert [row["k"] for row in found["sweep"]] == [2, 4, 8, 30]
    chosen = next(row for row in found["sweep"] if row["chosen"])
    assert chosen["information_loss"] == pytest.approx(release.information_loss)
    again = coterie.anonymize(people(), 8, KEYS, **MORE)
    row = found["sweep"][2]
    assert row["information_loss"] == pytest.approx(again.information_loss)
    assert row["measures"]["dld_expected"] == again.evidence.internal["measures"]["dld_expected"]
    assert [one["rule"] for one in found["rules"]["checked"]] == ["income >= 0", "age <= 120"]
    counts = {one["what"]: one["count"] for one in found["left_out"]}
    assert counts["records read"] == counts["records released"] == 80


def test_the_settings_make_the_release_again(folder, release):
    plan = coterie.Plan.from_toml(folder / "settings.toml")
    again = coterie.anonymize(people(), plan)
    pd.testing.assert_frame_equal(again.data, release.data)
    assert "coterie verify out.csv -k 4 -q age -q income -q sex --rule" in (
        folder / "dossier.html"
    ).read_text(encoding="utf-8")


def test_the_public_sheet_holds_what_the_release_holds(folder, release):
    space = "{ddi:codebook:2_5}"
    root = ET.parse(folder / "public" / "metadata.xml").getroot()
    assert root.tag == space + "codeBook"
    assert [child.tag.removeprefix(space) for child in root] == [
        "docDscr",
        "stdyDscr",
        "fileDscr",
        "dataDscr",
    ]
    variables = root.findall(f".//{space}var")
    assert [v.get("name") for v in variables] == list(release.data.columns)
    mean = variables[0].find(f"{space}sumStat[@type='mean']").text
    assert float(mean) == pytest.approx(release.data.age.mean(), rel=1e-4)
    frequencies = {
        c.find(f"{space}catValu").text: int(c.find(f"{space}catStat").text)
        for c in variables[-1].findall(f"{space}catgry")
    }
    assert frequencies == release.data.score.value_counts().to_dict()
    for name in ("metadata.xml", "metadata.json", "evidence.json"):
        text = (folder / "public" / name).read_text(encoding="utf-8")
        assert "person-" not in text
        assert "random_state" not in text
        assert not any(str(v) in text for v in people().income)


def test_the_sheet_beside_the_release(release, tmp_path):
    write_metadata(release, tmp_path / "out.xml", title="A & B", file="out.csv")
    root = ET.parse(tmp_path / "out.xml").getroot()
    assert root.find(".//{*}stdyDscr//{*}titl").text == "A & B"
    assert root.find(".//{*}fileName").text == "out.csv"
    made = root.find(".//{*}software")
    write_metadata(release, tmp_path / "out.json")
    sheet = json.loads((tmp_path / "out.json").read_text())
    assert sheet["records"] == 80
    assert (made.text, made.get("version")) == ("coterie", coterie.__version__)
    assert sheet["software"] == f"{made.text} {coterie.__version__}"
    with pytest.raises(ParameterError, match="\\.xml or \\.json"):
        write_metadata(release, tmp_path / "out.txt")
    assert metadata(release)["variables"][1]["released"] == "mean of its group"


def test_a_signed_dossier_is_never_overwritten(release, tmp_path):
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "signed.pdf").write_text("x")
    with pytest.raises(DataError, match="new or empty"):
        coterie.write_dossier(release, tmp_path / "d", k=[4])
    assert [p.name for p in (tmp_path / "d").iterdir()] == ["signed.pdf"]
    (tmp_path / "f").write_text("x")
    for place, words in ((tmp_path / "f", "is a file"), (tmp_path / "no" / "d", "does not exist")):
        with pytest.raises(DataError, match=words):
            coterie.write_dossier(release, place, k=[4])
    (tmp_path / "empty").mkdir()
    coterie.write_dossier(release, tmp_path / "empty", k=[4])
    assert (tmp_path / "empty" / "dossier.html").is_file()


def test_a_failure_leaves_nothing(release, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DataError, match="No space left"):
        coterie.write_dossier(release, tmp_path / "d", k=[4])
    assert list(tmp_path.iterdir()) == []


def test_thresholds():
    found = bars({"distinct_l": 2, "dld_expected": 10}, 5)
    assert found["prosecutor"].limit == 20
    assert found["distinct_l"].at_least
    assert not found["dld_expected"].at_least
    rows = judge({"prosecutor": 20.0, "dld_expected": 10.1, "distinct_l": None}, found)
    assert {row["measure"]: row["met"] for row in rows} == {
        "prosecutor": True,
        "dld_expected": False,
        "distinct_l": False,  # not measured is not met
    }
    assert Bar("x", 1.0, True).met(1.0) is True
    for bad in ({"dld_expectd": 1}, {"dld_expected": "low"}, {"dld_expected": float("nan")}, [1]):
        with pytest.raises(ParameterError):
            bars(bad, 5)


def test_a_missed_threshold_is_told(release):
    found = board(release, {"il": 0.001}, k=[4])
    assert found["standing"] == "missed"
    assert "il is" in found["decision"]


def test_a_refused_k_is_a_row(tmp_path):
    table = people()
    r = coterie.anonymize(table, 3, ["age"], strata=["sex"], identifiers=["id", "income"])
    found = board(r, k=[3, 60])
    assert "Every stratum must have at least k = 60" in found["sweep"][1]["refused"]
    coterie.write_dossier(r, tmp_path / "d", k=[3, 60])
    assert "refused:" in (tmp_path / "d" / "dossier.html").read_text(encoding="utf-8")
    for bad in ([1], [True], ["x"], [1000]):
        with pytest.raises(ParameterError, match="sweep"):
            board(r, k=bad)


def test_masked_tables_have_a_dossier_too(tmp_path):
    r = coterie.anonymize(
        people(), 3, ["age", "income"], attribute_groups=[["age"], ["income"]], identifiers=["id"]
    )
    coterie.write_dossier(r, tmp_path / "d", k=[3])
    page = (tmp_path / "d" / "dossier.html").read_text(encoding="utf-8")
    assert "masked, not k-anonymous" in page


def test_the_command_line(tmp_path, capsys):
    people().to_csv(tmp_path / "in.csv", index=False)

    def run(*more):
        flags = ["-k", "4", "-q", "age", "-q", "income", "--drop", "id", "--seed", "1"]
        out = ["-o", str(tmp_path / "out.csv")]
        code = main(["anonymize", str(tmp_path / "in.csv"), *flags, *out, *map(str, more)])
        return code, capsys.readouterr().err

    place = tmp_path / "dossier"
    bar = ["--threshold", "dld_expected=40"]
    code, err = run("--dossier", place, *bar, "--sweep-k", 8, "--metadata", tmp_path / "out.xml")
    assert code == 0, err
    assert (place / "dossier.html").is_file()
    assert (tmp_path / "out.xml").is_file()
    settings = (place / "settings.toml").read_text()
    assert "k = 4" in settings
    before = (tmp_path / "out.csv").read_text()
    again = ["anonymize", str(tmp_path / "in.csv"), "--config", str(place / "settings.toml")]
    assert main([*again, "-o", str(tmp_path / "again.csv")]) == 0
    assert (tmp_path / "again.csv").read_text() == before
    capsys.readouterr()
    for more, words in (
        (("--dossier", place), "new or empty"),
        (("--threshold", "dld_expected=40"), "needs --dossier"),
        (("--sweep-k", 3), "needs --dossier"),
        (("--dossier", tmp_path / "e", "--threshold", "dld=x"), "finite number"),
        (("--dossier", tmp_path / "e", "--threshold", "dldd=3"), "Did you mean"),
        (("--metadata", tmp_path / "m.txt"), "must end in"),
        (("--dossier", tmp_path / "e", "--dry-run"), "writes nothing"),
    ):
        code, err = run(*more)
        assert code == 2
        assert words in err
        assert len(err.splitlines()) == 1
    assert not (tmp_path / "e").exists()
