"""Every published figure that the documentation names is generated, or checked by a test."""

from __future__ import annotations

import pytest

from tests.docs import figures

pytestmark = pytest.mark.skipif(
    not figures.PAPERS.is_dir(), reason="benchmarks are not part of a source distribution"
)

# Figures that neither a printed table nor a kept result holds: the file that asserts or computes
# them. A test must have the figure in it; a benchmark prints it.
ELSEWHERE = {
    "docs/explanation/methods.md": {
        "tests/partitioning/constructive/test_mdav.py": "14.1559 0.4829 1.6667 3.8397",
        "tests/partitioning/constructive/test_tfrp.py": "17.228 22.110 33.186 5.931 9.357 14.442",
    },
    "docs/explanation/p3m.md": {"benchmarks/papers/p3m.py": "0.18 0.25 1.1"},
}


@pytest.mark.parametrize("path", figures.pages(), ids=lambda p: str(p.relative_to(figures.ROOT)))
def test_published_figures_are_generated_or_tested(path):
    values = figures.known()
    elsewhere = ELSEWHERE.get(str(path.relative_to(figures.ROOT)), {})
    listed = {figure for text in elsewhere.values() for figure in text.split()}
    unknown = [
        f"{figure} in: {place}"
        for figure, place in figures.named(path.read_text(encoding="utf-8"))
        if figure not in listed and not figures.is_known(figure, values, place)
    ]
    assert not unknown, (
        f"{len(unknown)} figures are neither in benchmarks/papers nor in a test; the first, "
        f"{unknown[0]!r}: let `make bench-papers` make it, or name its test in {__file__}"
    )


@pytest.mark.parametrize("page", ELSEWHERE)
def test_what_is_listed_is_there(page):
    """No entry without its figure on the page; a figure that a test asserts stands in that test."""
    text = (figures.ROOT / page).read_text(encoding="utf-8")
    for place, listed in ELSEWHERE[page].items():
        source = (figures.ROOT / place).read_text(encoding="utf-8")
        for figure in listed.split():
            assert figure in text, figure
            assert not place.startswith("tests/") or figure.rstrip("0") in source, figure


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


def test_a_difference_is_known_where_one_is_told():
    values = [(28.37, "Census"), (1.41, "Census, difference")]
    assert figures.is_known("1.4", values, "On Census ours is 1.4 lower than printed")
    assert not figures.is_known("1.4", values, "On Census 1.4 is printed")
