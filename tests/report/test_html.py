"""The page: self-contained, accessible, small, the same in every kind of report."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.partitioning.core import TracePoint
from coterie.report import comparison_summary, html, summary
from coterie.tuning import compare
from tests.mixed import FLAGS, KEYS, ORDERS, mixed
from tests.trials import later

VOID = {"meta", "br", "link", "img", "hr", "input", "path", "use", "rect"}


class Page(HTMLParser):
    """Tags in order, with a check that each is closed."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.text = [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module")
def release():
    return coterie.anonymize(
        mixed(600, seed=2),
        5,
        KEYS,
        confidential=["diagnosis"],
        orders=ORDERS,
        method="mdav",
        **FLAGS,
    )


@pytest.fixture(scope="module")
def pages(release):
    found = compare(coterie.datasets.diabetes(), [3, 5], ["mdav", "mdav-mhm"], ["age", "bmi"])
    return {
        "internal": html(summary(release)),
        "public": html(summary(release, "public")),
        "comparison": html(comparison_summary(found, ["age", "bmi"])),
    }


@pytest.mark.parametrize("kind", ["internal", "public", "comparison"])
def test_a_page_stands_alone(pages, kind):
    page = Page(pages[kind])
    names = Counter(tag for tag, _ in page.tags)
    assert not names.keys() & {"script", "link", "img", "iframe", "object", "embed", "form"}
    for _, attributes in page.tags:
        assert not any(name.startswith("on") for name in attributes)
        for name in ("href", "xlink:href", "src", "action"):
            assert attributes.get(name, "#").startswith("#")
    assert "@import" not in pages[kind]
    assert not re.search(r"url\((?!#)", pages[kind])
    assert "http" not in pages[kind]
    assert len(pages[kind]) < 300_000


@pytest.mark.parametrize("kind", ["internal", "public", "comparison"])
def test_a_page_can_be_read_out(pages, kind):
    page = Page(pages[kind])
    identifiers = Counter(a["id"] for _, a in page.tags if "id" in a)
    assert max(identifiers.values()) == 1
    pictures = [a for tag, a in page.tags if tag == "svg"]
    assert pictures
    for attributes in pictures:
        assert attributes["role"] == "img"
        assert all(name in identifiers for name in attributes["aria-labelledby"].split())
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in itertools.pairwise(levels))
    for tag, attributes in page.tags:
        if tag == "th":
            assert attributes["scope"] in ("row", "col")
    assert dict(page.tags[0][1]) == {"lang": "en"}


def test_pictures_take_the_colors_of_the_page(pages):
    drawn = "".join(re.findall(r"<svg.*?</svg>", pages["internal"], re.S))
    fixed = set(re.findall(r"(?<!,)#[0-9a-f]{6}", drawn))
    assert fixed == set()
    assert "var(--after" in drawn
    assert "@media screen and (prefers-color-scheme: dark)" in pages["internal"]
    assert "font-family: '" not in drawn


def test_no_picture_grows_with_the_records(pages):
    many = mixed(2000, seed=2)
    more = coterie.anonymize(
        many, 5, KEYS, confidential=["diagnosis"], orders=ORDERS, method="mdav", **FLAGS
    )
    assert len(html(summary(more, "public"))) < 1.25 * len(pages["public"])


def test_values_cannot_break_out_of_the_page():
    rng = np.random.default_rng(0)
    bad = '</text><script>alert("1")</script>'
    table = pd.DataFrame(
        {f"<b>{bad}": rng.choice([bad, "<i>&amp;", "ok"], 60), "y": rng.normal(size=60)}
    )
    release = coterie.anonymize(table, 3, list(table.columns), method="mdav", declared=["y"])
    for kind in ("internal", "public"):
        page = Page(html(summary(release, kind)))
        assert "script" not in {tag for tag, _ in page.tags}
        assert "b" not in {tag for tag, a in page.tags if a.get("onload")}


def test_the_course_of_a_search_is_drawn_with_its_bound():
    table = coterie.datasets.diabetes()
    release = coterie.anonymize(table, 5, ["age", "bmi"], method="lsc", random_state=0)
    groups = release.partition
    told = summary(release)
    assert told["search"]["trace"][-1][1] == pytest.approx(groups.information_loss)
    object.__setattr__(groups, "lower_bound", 0.9 * groups.sse)
    long = tuple(TracePoint(i, i / 100, groups.sse * (2 - i / 5000)) for i in range(5001))
    object.__setattr__(groups, "trace", long)
    told = summary(release)
    assert len(told["search"]["trace"]) <= 301
    assert told["search"]["bound"] == pytest.approx(0.9 * groups.information_loss)
    assert told["search"]["gap"] == pytest.approx(10)
    page = html(told)
    assert "Course of the search" in page
    assert "no grouping can lose less" in page
    assert "at most 10\u00a0% above" in page or "at most 10 % above" in page


def test_json_gives_the_same_page(release, pages):
    assert html(json.loads(json.dumps(summary(release)))) == pages["internal"]


@pytest.mark.parametrize(
    "columns",
    [
        {"x": np.ones(30)},
        {"x": np.arange(30), "y": np.zeros(30)},
        {"x": np.r_[np.zeros(29), 1e12]},
        {"x": np.arange(30) * 1e-9, "y": -np.arange(30.0)},
        {"x": ["a"] * 30},
        {"x": pd.to_datetime(["2020-01-01", "2020-01-03"] * 15)},
        {"x": [True, False] * 15, "y": [None, *range(29)]},
        {f"column with a long name {i}": np.arange(30) % (i + 2) for i in range(12)},
        later({f"column with a long name {i}": np.arange(30) % (i + 2) for i in range(30)}),
    ],
)
def test_odd_tables_have_a_report(columns):
    table = pd.DataFrame(columns)
    release = coterie.anonymize(
        table, 3, list(table.columns), method="mdav", declared=list(table.columns), missing="drop"
    )
    for kind in ("internal", "public"):
        told = summary(release, kind)
        Page(html(told))
        json.dumps(told, allow_nan=False)
