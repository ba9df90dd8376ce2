"""Every figure that the documentation names is generated, printed by an example, or defined."""

from __future__ import annotations

import json

import pytest

from tests.docs import figures

pytestmark = pytest.mark.skipif(
    not figures.PAPERS.is_dir(), reason="benchmarks are not part of a source distribution"
)

# Figures with a unit that nobody measured: what they are instead.
DEFINED = {
    "docs/explanation/loss.md": {"0 %": "end of the scale", "100 %": "end of the scale"},
    "docs/how-to/attacks.md": {"95 %": "level of the intervals", "5 %": "the tolerance"},
    "docs/how-to/from-arx.md": {"2 %": "ARX's example"},
    "docs/reference/definitions.md": {"95 %": "level, or quantile", "5 %": "quantile"},
    "docs/tutorials/steward.md": {"0 %": "end of the scale", "100 %": "end of the scale"},
}
# Published figures of tables that `make bench-papers` does not make: the test that holds them.
TFRP = "tests/partitioning/constructive/test_tfrp.py"
TESTED = {
    "notes/papers.md": {
        **dict.fromkeys(["17.228", "22.110", "33.186", "5.931", "9.357", "14.442"], TFRP),
        "1.05": "tests/test_benchmarks.py",
    }
}


@pytest.fixture(scope="module")
def values():
    return figures.known()


def untested(path, text, values):
    """Published figures of a page that are neither generated nor tested, and where they stand."""
    tested = TESTED.get(str(path.relative_to(figures.ROOT)), {})
    return [
        f"{figure} in: {place}"
        for figure, place in figures.named(text)
        if figure not in tested and not figures.is_known(figure, values, place)
    ]


@pytest.mark.parametrize("path", figures.written(), ids=lambda p: str(p.relative_to(figures.ROOT)))
def test_published_figures_are_generated_or_tested(path, values):
    unknown = untested(path, path.read_text(encoding="utf-8"), values)
    assert not unknown, (
        f"{len(unknown)} figures are not in benchmarks/papers; the first, {unknown[0]!r}: let "
        "`make bench-papers` make it, or link to its page instead"
    )


@pytest.mark.parametrize("path", figures.written(), ids=lambda p: str(p.relative_to(figures.ROOT)))
def test_a_sentence_with_a_published_figure_of_nobody_is_found(path, values):
    """Put at the end of a page, into a list, into a table: found there, whatever the page has."""
    text = path.read_text(encoding="utf-8")
    for added in (
        "\n\nMDAV loses 98.7654 % on Census at k = 3, as Bierman (2020) prints.\n",
        "\n- **LS.** The publication has\n  98.7654 for it.\n",
        "\n| k | printed | ours |\n| --- | --- | --- |\n| 3 | 98.7654 | 5.0 |\n",
    ):
        found = untested(path, text + added, values)
        assert [one for one in found if one.startswith("98.7654 in: ")], added


def test_pages_of_every_kind_are_read():
    read = {path.relative_to(figures.ROOT).parts[0] for path in figures.written()}
    assert read >= {"README.md", "docs", "notes", "CHANGELOG.md"}
    made = (figures.ROOT / "docs" / "measured").glob("*.md")
    every = {*(figures.ROOT / "docs").rglob("*.md"), *(figures.ROOT / "notes").rglob("*.md")}
    assert every - set(made) <= set(figures.written())


@pytest.mark.parametrize(("page", "figure"), [(p, f) for p, own in TESTED.items() for f in own])
def test_what_is_said_to_be_tested_stands_in_a_test(page, figure):
    assert figure in (figures.ROOT / TESTED[page][figure]).read_text(encoding="utf-8")
    assert figure in (figures.ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", figures.pages(), ids=lambda p: str(p.relative_to(figures.ROOT)))
def test_figures_with_a_unit_come_from_a_result_file_or_an_example(path):
    """A loss, a share, a time: an example of the page prints it, or it is kept and linked to."""
    text = path.read_text(encoding="utf-8")
    shown, kept = figures.printed(text), figures.kept(text)
    defined = DEFINED.get(str(path.relative_to(figures.ROOT)), {})
    unknown = [
        f"{figure} in: {place}"
        for figure, place in figures.units(text)
        if figure not in defined
        and not figures.is_kept(figure, shown)
        and not figures.is_kept(figure, kept)
    ]
    assert not unknown, (
        f"{len(unknown)} figures come from no result file; the first, {unknown[0]!r}: let a "
        f"benchmark keep it (benchmarks/measured.py) and link to its page, or move it to notes/"
    )


@pytest.mark.parametrize("page", DEFINED)
def test_what_is_defined_is_there(page):
    found = {f for f, _ in figures.units((figures.ROOT / page).read_text(encoding="utf-8"))}
    assert set(DEFINED[page]) <= found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It loses 12.5 % in 3 seconds.", ["12.5 %", "3 seconds"]),
        ("About 300 MB, 48 times faster than before.", ["300 MB", "48 times faster"]),
        ("Set `--time-limit 60 s`; k = 5, section 3 says so.", []),
        ("```text\nlost 5 %\n```\n", []),
        ("| k | loss |\n| --- | --- |\n| 3 | 4.5 |", ["4.5"]),
        ("| k | what |\n| --- | --- |\n| 3 | 4.5 |", []),
        ("| k | run |\n| --- | --- |\n| 3 | one, 7 s |", ["7 s"]),
    ],
)
def test_figures_with_a_unit_are_found(text, found):
    assert [figure for figure, _ in figures.units(text)] == found


def test_what_an_example_prints_or_a_file_keeps_is_known():
    shown = figures.printed("```text\n4.70 % lost\n```\n```python\nx = 99.5\n```\n")
    assert figures.is_kept("4.7 %", shown)
    assert not figures.is_kept("4.71 %", shown)
    assert not figures.is_kept("99.5 %", shown)
    rules = figures.kept("see [measured](../measured/edit-rules.md)")
    assert figures.is_kept("0.592 %", rules)
    assert not figures.is_kept("22.4619 %", rules)
    assert figures.kept("no link") == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("MDAV loses 99.8877 %, as printed.", ["99.8877"]),
        ("It loses 99.8877 %. Nothing is printed.", []),
        ("- a\n- the literature\n  quotes 12.345 and 1.5", ["12.345", "1.5"]),
        ("| k | theirs | ours |\n| --- | --- | --- |\n| 3 | 77.123 | 1.5 |", ["77.123"]),
        ("```python\nprint(1.5)  # printed 77.123\n```\n", []),
        ("<!-- printed 77.123 -->", []),
        ("Section 4.2.1 is quoted for version 1.2.3.", []),
        ("Section 5.1 prints 90.48.", ["90.48"]),
        ("Bierman (2020) has 14.58.", ["14.58"]),
    ],
)
def test_figures_are_found(text, found):
    assert [figure for figure, _ in figures.named(text)] == found


def test_a_figure_is_known_to_its_digits():
    values = [(16.9326, "Tarragona"), (0.37, "icsm2015-2-EIA k = 3")]
    assert figures.is_known("16.93", values)
    assert figures.is_known("16.9326", values)
    assert not figures.is_known("16.9327", values)
    assert not figures.is_known("0.371", values)
    assert figures.is_known("16.93", values, "as printed for Tarragona and Census")
    assert not figures.is_known("16.93", values, "as printed for Census")
    assert figures.is_known("0.37", values, "EIA: theirs")


def test_our_seconds_make_no_figure_known():
    """They differ from run to run: a sentence would be right by chance."""
    seconds = [
        cell
        for path in (figures.PAPERS / "results").glob("*.json")
        for cell in json.loads(path.read_text())["cells"]
        if cell["kind"] == "seconds"
    ]
    assert seconds
    values = [value for value, _ in figures.known()]
    assert not [cell for cell in seconds if values.count(cell["ours"])]
    assert all(cell["theirs"] in values for cell in seconds)


def test_a_difference_is_known_where_one_is_told():
    values = [(28.37, "Census"), (1.41, "Census, difference")]
    assert figures.is_known("1.4", values, "On Census ours is 1.4 lower than printed")
    assert not figures.is_known("1.4", values, "On Census 1.4 is printed")
