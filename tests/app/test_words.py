"""All words are in the catalog, and the catalog has none that nobody says."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("starlette")

import coterie.app
from coterie.app.forms import CHOOSING, ROLES, RUNNING
from coterie.app.pages.releasing import ITEMS
from coterie.app.render import STEPS
from coterie.app.words import catalog, say
from coterie.plan.columns import RELEASED
from coterie.plan.plan import options
from coterie.table.schema import TRANSFORMS, TYPES

ROOM = Path(coterie.app.__file__).parent
TEMPLATES = sorted((ROOM / "templates").glob("*.html"))
SOURCES = [*TEMPLATES, *sorted(ROOM.rglob("*.py"))]
PARTS = {key.partition(".")[0] for key in catalog()}
SAID = re.compile(rf"""["']((?:{"|".join(PARTS)})\.[a-z_0-9]*[a-z0-9])["']""")
JINJA = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
# Keys that are put together: each with what can follow.
MADE = {
    "step": [*STEPS, "history"],
    "role": ROLES,
    "type": TYPES,
    "transform": [one for one in TRANSFORMS if one != "none"],
    "option": [*(n for names in CHOOSING.values() for n in names), *RUNNING],
    "item": ITEMS,
    "choose": CHOOSING,
    "status": ["waiting", "running", "paused", "stopping", "done", "failed", "canceled"],
    "job": ["look", "curve", "run", "write"],
    "done": ["begun", "read_back", "proven", "named"],
    "run": ["pause", "resume", "take", "cancel"],
    "open": ["delimiter", "encoding", "sheet", "comma", "semicolon", "tab", "bar"],
    "release": ["mean", "sd", "least", "largest"],
    "compared": ["k", "achieved", "records", "classes", "loss", "risk"],
    "history": ["first", "second"],
    "released": RELEASED,
    "error": ["text_404", "text_405", "text_500"],
    "fate": ["released as centroids", "released as it is", "dropped"],
    "change": ["start", "open", "declare", "propose", "choose", "take", "run", "load", "back"],
}


def said():
    keys = {key for path in SOURCES for key in SAID.findall(path.read_text(encoding="utf-8"))}
    keys -= {"plan.html", "plan.toml", "released.csv"}  # names of files
    return keys | {f"{part}.{name}" for part, names in MADE.items() for name in names}


def test_every_word_that_is_said_is_in_the_catalog():
    assert said() - set(catalog()) == set()


def test_no_word_is_there_for_nobody():
    assert set(catalog()) - said() == set()


def test_every_field_is_an_option_of_the_plan():
    assert set(MADE["option"]) <= set(options())


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_hold_no_words_of_their_own(path):
    found = []

    class Reader(HTMLParser):
        def handle_data(self, data):
            found.extend(re.findall(r"[^\W\d_]{2,}", data))

        def handle_starttag(self, tag, attrs):
            named = ("aria-label", "title", "alt", "placeholder")
            found.extend(
                word
                for name, value in attrs
                if name in named and value
                for word in re.findall(r"[^\W\d_]{2,}", value)
            )

    Reader().feed(JINJA.sub(" ", path.read_text(encoding="utf-8")))
    assert found == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_load_nothing_from_elsewhere_and_hold_no_script_or_style(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"https?:|//\w", text)
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", text)
    assert all("src=" in one for one in re.findall(r"<script[^>]*>", text))


def test_script_and_style_name_no_other_host():
    for path in (ROOM / "static").iterdir():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:", text), path.name


def test_gaps_are_filled():
    assert say("plan.kept", name="a.toml") == "The plan was kept as a.toml."
