"""Documents are as their shipped schemas say, judged by a validator of a few lines."""

from __future__ import annotations

import json
import re

import pytest

import coterie
from coterie.public.descriptions import DESCRIPTIONS
from coterie.public.documents import FORMAT, document_schema, read_schema
from coterie.report import summary

KINDS = {
    "integer": lambda x: isinstance(x, int) and not isinstance(x, bool),
    "number": lambda x: isinstance(x, int | float) and not isinstance(x, bool),
    "string": lambda x: isinstance(x, str),
    "boolean": lambda x: isinstance(x, bool),
    "array": lambda x: isinstance(x, list),
    "object": lambda x: isinstance(x, dict),
    "null": lambda x: x is None,
}


def problems(schema, found, at="$"):
    """What is wrong with a document, by the part of JSON Schema that ours use."""
    if "anyOf" in schema and all(list(problems(one, found, at)) for one in schema["anyOf"]):
        yield f"{at} is none of the kinds allowed"
    if "const" in schema and found != schema["const"]:
        yield f"{at} is {found!r}"
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(KINDS[kind](found) for kind in kinds):
        yield f"{at} is a {type(found).__name__}"
        return
    if isinstance(found, dict):
        named = schema.get("properties", {})
        other = schema.get("additionalProperties", {})
        yield from (
            f"{at}.{name} is missing" for name in schema.get("required", ()) if name not in found
        )
        for name, value in found.items():
            if name in named:
                yield from problems(named[name], value, f"{at}.{name}")
            elif other is False:
                yield f"{at}.{name} is on no list"
            else:
                yield from problems(other, value, f"{at}.{name}")
    if isinstance(found, list) and "items" in schema:
        for place, value in enumerate(found):
            yield from problems(schema["items"], value, f"{at}[{place}]")


@pytest.fixture(scope="module")
def documents():
    table = coterie.datasets.diabetes()[["age", "sex", "bmi", "bp"]]
    release = coterie.anonymize(table, 5, ["age", "bmi"], confidential=["bp"], method="mdav")
    made = {"evidence": release.evidence.public, "report": summary(release, "public")}
    return json.loads(json.dumps(made))


@pytest.mark.parametrize("name", ["evidence", "report"])
def test_a_document_is_as_its_schema_says(documents, name):
    schema = read_schema(name)
    assert list(problems(schema, documents[name])) == []
    assert documents[name]["format"] == FORMAT


def test_documents_of_p3m_are_as_their_schemas_say():
    table = coterie.datasets.diabetes()[["age", "bmi", "bp"]]
    release = coterie.anonymize(
        table, 5, ["age", "bmi"], method="mdav", aggregation="p3m", delta=0.2, random_state=0
    )
    for name, made in (
        ("evidence", release.evidence.public),
        ("report", summary(release, "public")),
    ):
        assert list(problems(read_schema(name), json.loads(json.dumps(made)))) == []


@pytest.mark.parametrize("name", ["evidence", "report"])
def test_the_shipped_schema_is_that_of_the_lists(name):
    assert read_schema(name) == document_schema(name), "python -m coterie.public.documents"


def described(schema, at=""):
    """Each name that a schema has, with those above it, and what is said of it."""
    if isinstance(schema, dict):
        for name, one in schema.get("properties", {}).items():
            yield at + name, one.get("description", "")
            yield from described(one, f"{at}{name}.")
        for deeper in (
            *schema.get("anyOf", ()),
            schema.get("items"),
            schema.get("additionalProperties"),
        ):
            yield from described(deeper, at)


@pytest.mark.parametrize("name", ["evidence", "report"])
def test_every_name_is_described_by_one_sentence(name):
    found = dict(described(read_schema(name)))
    assert found == DESCRIPTIONS[name]
    for at, text in found.items():
        assert re.fullmatch(r"[A-Z].*\.", text), at
        assert ". " not in text, at


@pytest.mark.parametrize("name", ["evidence", "report"])
def test_the_schema_notices_what_does_not_belong(documents, name):
    schema, good = read_schema(name), documents[name]
    assert list(problems(schema, {**good, "seed": 7})) == ["$.seed is on no list"]
    assert list(problems(schema, {**good, "format": FORMAT + 1}))
    assert list(problems(schema, {key: good[key] for key in good if key != "claim"}))
    assert list(problems(schema, {**good, "claim": 5}))
