"""Reports, pictures and sheets of tables whose names and categories are anything."""

from __future__ import annotations

import json
import math
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.pipeline.release import Evidence
from coterie.report import plots as plotting
from coterie.report import summary, write
from coterie.report.dossier import metadata, write_metadata
from coterie.report.plain import printable, to_json
from coterie.report.plots.svg import inline_svg

ODD = {
    "formula": ("$\\frac{x$", "a$b$c$", "$", "\\$", "x_1^2", "\\alpha{"),
    "control": ("a\x00b", "line\nbreak", "tab\there", "bell\x07", "\x1b[31mred", "c1\x85"),
    "long": ("x" * 5000, "y" * 300),
    "turned": ("\u202eevil", "\u05d0\u05d1\u05d2", "\u0639\u0645\u0631", "a\u2067b", "\ufffe"),
    "foreign": ("\u5e74\u9f62", "\U0001f600", "e\u0301"),
    "markup": ("<script>alert(1)</script>", "&amp;", "a]]>b", '"quoted"', "{{ 7 * 7 }}"),
}
PLAIN = ("\t", "\n", "\r")


def valid_in_xml(text):
    return all(
        c in PLAIN or 32 <= ord(c) < 0xD800 or 0xE000 <= ord(c) < 0xFFFE or ord(c) > 0xFFFF
        for c in text
    )


@pytest.fixture(scope="module", params=ODD)
def odd(request):
    """A release with odd names of columns and categories."""
    names = ODD[request.param]
    rng = np.random.default_rng(0)
    n = 80
    table = pd.DataFrame({names[0]: rng.normal(size=n), names[1]: rng.normal(size=n)})
    table["c"] = rng.choice(names, n)
    table[names[-1] + "!"] = rng.choice(names, n)
    keys = [names[0], names[1], "c"]
    release = coterie.anonymize(
        table, 4, keys, confidential=[names[-1] + "!"], method="mdav", declared=keys
    )
    return names, release


@pytest.mark.parametrize("kind", ["internal", "public"])
def test_pages_and_data_are_written(odd, kind, tmp_path):
    names, release = odd
    told = summary(release, kind)
    for ending in ("html", "json"):
        write(told, tmp_path / f"r.{ending}")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert valid_in_xml(page)
    assert printable(names[0])[:10].split("$")[0].split("<")[0].split("&")[0] in page
    again = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert again["figures"]["keys"][0] == names[0]


def test_sheets_are_well_formed(odd, tmp_path):
    names, release = odd
    write_metadata(release, tmp_path / "m.xml", title=names[0], file=names[1] + ".csv")
    root = ET.parse(tmp_path / "m.xml").getroot()
    found = [one.get("name") for one in root.iter("{ddi:codebook:2_5}var")]
    assert found == [printable(name) for name in release.frame.columns]
    assert len(set(found)) == len(found)
    write_metadata(release, tmp_path / "m.json")
    assert metadata(release)["variables"][0]["name"] == names[0]


@pytest.mark.parametrize("names", ODD.values(), ids=ODD)
def test_pictures_are_drawn(names):
    two = list(names[:2])
    for axes in (
        plotting.distribution_of_categories(two, [3, 4], [4, 3]),
        plotting.by_column(two, [1.0, 2.0], [3.0, None]),
        plotting.correlations(two, [[1.0, None], [None, 1.0]]),
    ):
        drawn = inline_svg(axes, "x", two[0], two[1])
        assert valid_in_xml(drawn)
        ET.fromstring(drawn)


def test_a_dollar_is_drawn_as_it_is():
    drawn = inline_svg(plotting.by_column(["$a$", "b"], [1.0, 2.0], [3.0, None]), "x", "t", "d")
    assert ">$a$<" in drawn


def test_printable_shows_what_cannot_be_seen():
    every = "".join(map(chr, (*range(0x300), *range(0x2000, 0x2070), 0xD800, 0xDFFF, 0xFFFE)))
    shown = printable(every)
    assert len(shown) == len(every)
    assert valid_in_xml(shown)
    assert not set(shown) & {"\n", "\x00", "\u202e", "\ud800"}
    assert printable("plain text, \u00e9 \u5e74") == "plain text, \u00e9 \u5e74"


def test_evidence_is_json_that_every_reader_takes():
    odd = {"a": math.nan, "b": [math.inf, -math.inf], "c": {"d": np.float64("nan"), "e": 1.5}}
    evidence = Evidence(odd, {"k": 5})

    def refuse(constant):
        raise AssertionError(constant)

    found = json.loads(evidence.json("internal"), parse_constant=refuse)
    assert found == {"a": None, "b": ["infinite", "minus infinite"], "c": {"d": None, "e": 1.5}}
    assert json.loads(to_json([math.nan]), parse_constant=refuse) == [None]
