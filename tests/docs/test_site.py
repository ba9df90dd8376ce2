"""The site: what the code writes into it, that it is whole, and that it fetches nothing."""

from __future__ import annotations

import importlib
import importlib.util
import re

import pytest

import coterie
from tests.docs.examples import ROOT, pages
from tests.docs.figures import prose

REFERENCE = "".join(path.read_text() for path in (ROOT / "docs/reference").glob("*.md"))


GUIDES = ("start", "tutorials", "how-to", "explanation")
MOST = 600  # words of a page that is read from top to bottom; examples and their output aside
USERS = ("steward", "engineer", "researcher")


@pytest.mark.parametrize(
    "path",
    [path for kind in GUIDES for path in sorted((ROOT / "docs" / kind).glob("*.md"))],
    ids=lambda path: path.relative_to(ROOT / "docs").as_posix(),
)
def test_guides_are_short(path):
    words = len(prose(path.read_text(encoding="utf-8")).split())
    assert words <= MOST, f"{path.name} has {words} words: split it, or move what is looked up"


def test_every_page_is_of_one_kind():
    kinds = {path.parent.name for path in (ROOT / "docs").glob("*/*")}
    assert kinds - {"assets", "images", "__pycache__"} == {*GUIDES, "reference", "measured"}
    assert [path.name for path in (ROOT / "docs").glob("*.md")] == ["index.md"]


def test_each_kind_of_user_has_a_start_page_that_leads_on():
    index = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    for user in USERS:
        assert f"(start/{user}.md)" in index
        page = (ROOT / "docs/start" / f"{user}.md").read_text(encoding="utf-8")
        assert f"(../tutorials/{user}.md)" in page
        assert len(set(re.findall(r"\]\((\.\./[\w/-]+\.md)", page))) >= 10


def test_notes_say_that_they_are_not_regenerated():
    for path in (ROOT / "notes").glob("*.md"):
        text = path.read_text(encoding="utf-8")
        assert path.name == "README.md" or re.search(r"[Mm]easured at .*not regenerated", text)
        assert (
            path.name == "README.md" or f"({path.name})" in (ROOT / "notes/README.md").read_text()
        )


@pytest.fixture(scope="module")
def generate():
    specification = importlib.util.spec_from_file_location("generate", ROOT / "docs/generate.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "name", sorted(set(coterie.__all__) - {"__version__", "datasets", "distributed"})
)
def test_every_public_name_is_in_the_reference(name):
    assert re.search(rf"^::: coterie\.{name}$", REFERENCE, re.MULTILINE) or re.search(
        rf"members: \[.*\b{name}\b", REFERENCE
    )


def found_at(name):
    """What a dotted name of the reference stands for."""
    module, _, rest = name.rpartition(".")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return getattr(importlib.import_module(module), rest)


def test_pages_use_what_is_public_only():
    """What is neither in `__all__` nor in the reference may change without notice."""
    listed = [
        found_at(name) for name in re.findall(r"^::: (coterie[\w.]+)", REFERENCE, re.MULTILINE)
    ]
    imported = re.compile(r"^(?:>>> )?from (coterie\.[\w.]+) import (.+)$", re.MULTILINE)
    used = [
        (page.name, module, name.strip())
        for page in pages()
        for module, names in imported.findall(page.read_text(encoding="utf-8"))
        for name in names.split(",")
    ]
    assert used
    for page, module, name in used:
        value = getattr(importlib.import_module(module), name)
        known = any(value is one for one in listed) or module in ("coterie.datasets",)
        assert known, f"{page}: {module}.{name} is in no reference"


def test_what_packages_hold_is_in_the_reference():
    assert "::: coterie.distributed.anonymize\n" in REFERENCE


def test_every_dataset_is_in_the_reference():
    listed = re.search(r"::: coterie\.datasets\n.*?members: \[(.*?)\]", REFERENCE, re.DOTALL)
    assert sorted(listed[1].split(", ")) == sorted(coterie.datasets.__all__)


def test_commands_are_what_help_prints(generate, monkeypatch):
    monkeypatch.setenv("COLUMNS", "90")
    text = generate.commands()
    for command in ("anonymize", "evaluate", "verify", "compare", "tune", "init", "methods"):
        assert f"## coterie {command}" in text
        assert f"Usage: coterie {command} [OPTIONS]" in text
    assert "--quasi-identifier" in text


def test_methods_and_measures_are_those_of_the_registries(generate):
    methods, measures = generate.methods(), generate.measures()
    for method in coterie.methods():
        assert f"\n## {method.name}\n" in methods
        assert all(f"| `{option}` |" in methods for option in method.options)
    for measure in coterie.evaluation.measures():
        assert f"| `{measure.name}` |" in measures


def test_what_a_page_fetches_is_found(generate):
    finder = generate.Fetches()
    finder.feed(
        '<a href="https://a.example">read</a><img src="images/a.png">'
        '<script src="https://b.example/x.js"></script><link rel="stylesheet" href="//c.example/y">'
        '<link rel="canonical" href="https://d.example/">'
    )
    assert [url for url in finder.urls if generate.outside(url)] == [
        "https://b.example/x.js",
        "//c.example/y",
    ]


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # those of other packages; mkdocs counts its own
def test_the_site_builds_without_a_warning(tmp_path, monkeypatch):
    pytest.importorskip("mkdocs", reason="needs the extra 'docs'")
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    monkeypatch.chdir(ROOT)
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(tmp_path / "site"), strict=True)
    build(config)
    assert (tmp_path / "site/reference/commands.html").exists()
    index = (tmp_path / "site/search/search_index.js").read_text(encoding="utf-8")
    assert index.startswith("var __index = {")  # what the search reads without a server
    assert "how-to/households.html" in index
    assert 'src="assets/from-disk.js"' in (tmp_path / "site/index.html").read_text()
    assert "anonymize" in (tmp_path / "site/reference/tables.html").read_text()
