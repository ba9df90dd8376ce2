"""American spelling in names, comments, docstrings and messages, and on the pages of the site."""

from __future__ import annotations

import ast
import functools
import io
import re
import tokenize
from pathlib import Path

import pytest

import coterie
from tests.test_rooms import names_of, tree

ROOT = Path(coterie.__file__).parent
ABOVE = ROOT.parents[1]

# What is spelled -is- in America, too.
ALWAYS = re.compile(
    r"(?:ar|cr|dem|exc|inc|r|surm)is|"
    r"\w*(?:advertis|advis|alois|bruis|compris|concis|cruis|despis|devis|disguis|enterpris|exercis|"
    r"expertis|franchis|improvis|merchandis|nois|paradis|pois|prais|precis|premis|promis|rais|revis|"
    r"supervis|surpris|televis|treatis|wis)"
)
ISE = re.compile(r"(\w+is)(?:e|es|ed|ing|er|ers|ation|ations|able)")
OUR = re.compile(
    r"\w*(?:arm|behavi|cand|col|endeav|fav|flav|harb|hon|hum|lab|neighb|od|parl|rig|rum|savi|"
    r"splend|tum|val|vap|vig)our(?!c|s?e|ier)\w*"
)
DOUBLE = re.compile(
    r"\w*(?:cancel|channel|counsel|dial|equal|fuel|funnel|initial|label|level|marshal|model|panel|"
    r"parcel|pencil|rival|signal|spiral|total|travel|tunnel|unravel)l(?:ed|ing|er|ers|able)"
)
OTHERS = re.compile(
    r"(?:ana|cata|para)lys(?:e|ed|ing|er|ers|able)|"
    r"(?:centre|(?:centi|kilo|milli)?metre|litre|fibre|theatre|calibre|spectre|lustre|meagre)s?|"
    r"centred|centring|(?:de|of)fences?|(?:defence|offence|licence|pretence)s?|"
    r"(?:enrol|fulfil|instal|instil|distil|appal)s?|(?:enrol|fulfil|instal)ments?|(?:skil|wil)ful\w*|"
    r"(?:catalogue|analogue)[sd]?|grey\w*|programmes?|cheques?|artefacts?|ageing|whilst|amongst|"
    r"(?:mis)?judgements?|acknowledgements?|learnt|spelt|burnt|dreamt|spoilt|mould\w*|plough\w*|"
    r"sceptic\w*|tyres?|aluminium|enquir\w+|practis\w+|manoeuvr\w+|maths|(?:focuss|biass|benefitt)\w+"
)

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]{2,}")

# Titles and words of others, as they are.
QUOTED = re.compile(r"anonymisation techniques")
KEPT = {"systematic2011.py"}  # names the stand-ins of its kept results


def british(text):
    """The words of a text that are spelled otherwise in America."""
    return [word for word in WORD.findall(QUOTED.sub("", text)) if elsewhere(word.lower())]


@functools.cache
def elsewhere(word):
    """Whether a word in small letters is spelled otherwise in America."""
    ise = ISE.fullmatch(word)
    if ise and len(ise[1]) > 3 and not ALWAYS.fullmatch(ise[1]):
        return True
    return any(kind.fullmatch(word) for kind in (OUR, DOUBLE, OTHERS))


def texts(path, messages):
    """Comments, docstrings, names, and texts of several words where `messages` are asked for."""
    code = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    yield from ((1, name) for name in names_of(path))
    for node in ast.walk(tree(path)):
        kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        if isinstance(node, kinds):
            yield getattr(node, "lineno", 1), ast.get_docstring(node) or ""
        elif messages and isinstance(node, ast.Constant) and " " in str(node.value).strip():
            yield node.lineno, str(node.value)  # a single word may be a value of somebody's table


def found(path, messages=True):
    """Each of them and where it stands."""
    if not british(path.read_text(encoding="utf-8")):
        return  # nothing anywhere in it
    for line, text in texts(path, messages):
        for word in british(text):
            yield f"{path.name}:{line} {word}"


@pytest.mark.parametrize(
    "word", ["neighbours", "Standardised", "colour_of", "centre", "labelled", "distil"]
)
def test_the_other_spelling_is_known(word):
    assert british(f"a {word} here") == [word.partition("_")[0]]


@pytest.mark.parametrize(
    "word", ["raised", "otherwise", "precise", "four", "hourly", "source", "enterprise", "analyses"]
)
def test_words_that_only_look_so_are_let_through(word):
    assert not british(word)


def test_the_package_is_spelled_as_its_functions_are():
    assert not [one for path in sorted(ROOT.rglob("*.py")) for one in found(path)]


def test_words_of_templates_and_of_the_app_are_spelled_so():
    kinds = {".html", ".toml", ".js", ".css", ".json"}
    files = [path for path in sorted(ROOT.rglob("*")) if path.suffix in kinds]
    assert files
    read = ((path, path.read_text(encoding="utf-8")) for path in files)
    assert not [f"{path.name} {word}" for path, text in read for word in british(text)]


def test_tests_and_benchmarks_are_spelled_so():
    if not (ABOVE / "benchmarks").is_dir():
        pytest.skip("benchmarks are not part of a source distribution")
    files = [path for room in ("tests", "benchmarks") for path in (ABOVE / room).rglob("*.py")]
    others = [path for path in sorted(files) if path.name not in {Path(__file__).name, *KEPT}]
    assert not [one for path in others for one in found(path, messages=False)]


def test_pages_are_spelled_so():
    if not (ABOVE / "docs").is_dir():
        pytest.skip("pages are not part of a source distribution")
    kinds = ("start", "tutorials", "how-to", "explanation", "reference", "measured")
    pages = [path for kind in kinds for path in (ABOVE / "docs" / kind).glob("*.md")]
    pages += [ABOVE / "README.md", ABOVE / "CONTRIBUTING.md", ABOVE / "docs" / "index.md"]
    read = ((path, path.read_text(encoding="utf-8")) for path in pages)
    assert not [f"{path.name} {word}" for path, text in read for word in british(text)]
