"""Every example in README and docs runs as printed, and every page can be reached."""

from __future__ import annotations

import re

import pytest

from tests.docs.examples import ROOT, Page, blocks, commands, difference, pages

NAV = re.findall(r"^\s*- [^:]+: (\S+\.md)", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
GENERATED = set(
    re.findall(r'^        "(\S+\.md)": ', (ROOT / "docs/generate.py").read_text(), re.M)
)


WITH_EXAMPLES = [page for page in pages() if blocks(page.read_text())]
# What a newcomer reads first; the others take half a minute.
FIRST = ("README.md", "index.md", "start", "tutorials")


def asked(path):
    first = path.name in FIRST or path.parent.name in FIRST
    name = path.relative_to(ROOT).as_posix()
    return pytest.param(path, id=name, marks=() if first else pytest.mark.long)


@pytest.mark.parametrize("path", [asked(page) for page in WITH_EXAMPLES])
def test_examples_run_as_printed(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "90")
    monkeypatch.setenv("MPLBACKEND", "agg")
    Page(path).run()


def test_every_page_is_in_the_navigation():
    written = {p.relative_to(ROOT / "docs").as_posix() for p in pages()[1:]}
    assert written | GENERATED == set(NAV)
    assert len(NAV) == len(set(NAV))


def test_every_local_link_leads_somewhere():
    for path in pages():
        for target in re.findall(r"\]\(([^)#\s]+)", path.read_text()):
            if re.match(r"[a-z]+:", target):
                continue
            place = (path.parent / target).resolve()
            inside = place.is_relative_to(ROOT / "docs")
            name = place.relative_to(ROOT / "docs").as_posix() if inside else ""
            assert place.exists() or name in GENERATED, f"{path.name}: {target}"


def test_few_examples_are_not_run():
    left_out = [b.reason for p in pages() for b in blocks(p.read_text()) if b.reason]
    assert len(left_out) <= 3, left_out


TEXT = """
```console
$ coterie verify a.csv \\
    -k 5   # a comment
Not 5-anonymous...
$ head -1 a.csv
```
<!-- not run: takes an hour -->
```bash
make bench
```
<!-- setup
x = 1
-->
```python
print(x)
```
```text
2
```
"""


def test_how_examples_are_read(tmp_path, monkeypatch):
    found = blocks(TEXT)
    assert [b.language for b in found] == ["console", "bash", "setup", "python", "text"]
    assert [b.reason for b in found] == ["", "takes an hour", "", "", ""]
    assert commands(found[0]) == [
        ("coterie verify a.csv -k 5", "Not 5-anonymous...\n"),
        ("head -1 a.csv", None),
    ]
    page = Page(ROOT / "README.md")
    page.blocks = found[1:]
    with pytest.raises(AssertionError, match="shown is 2, printed was 1"):
        page.run()
    page.blocks = blocks("```text\n$ coterie demo\n```\n")
    with pytest.raises(AssertionError, match="not run"):
        page.run()
    page.blocks = blocks("```console\n$ coterie verify no.csv -k 2 -q a\n```\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssertionError, match="exit code 2"):
        page.run()


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("lost 4.71 %", "lost  4.60 %", True),
        ("lost 4.71 %", "lost 5.90 %", False),
        ("87 classes of 5", "88 classes of 5", True),
        ("87 classes of 5", "87 classes of 4", False),
        ("took 0.3 s, 5 of 5", "took 12.5 s, 5 of 5", True),
        ("a ... z", "a b c z", True),
        ("a ... z", "a b c", False),
        ("x1 = 2", "x2 = 2", False),
        ("│ mdav │ 3.0 │", "│ mdav    │   3.1 │", True),
        ("1,000 records", "1,020 records", True),
    ],
)
def test_how_outputs_are_compared(shown, printed, same):
    assert (difference(shown, printed) == "") == same
