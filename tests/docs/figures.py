"""Published figures that the documentation names: sentences, and columns of tables.

A sentence counts if it has a figure with decimals and says that somebody printed, published or
quoted it, or names who; a column of a table if its heading does. A figure beside a table's name
must be one of that table's. Examples that are run are left out: their output is checked elsewhere.

Figures with a unit (`units`) are looked for as well, whoever measured them: an example of the page
prints them, or a result file holds them. ``python -m tests.docs.figures`` counts.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAPERS = ROOT / "benchmarks" / "papers"
SAYS_SO = re.compile(
    r"\b(printed|prints?|literature|quoted|quotes|theirs|published|reported|claims?|claimed|"
    r"publications?|domingo-ferrer|mortazavi|bierman|laszlo|kabir)\b"
)
TABLES = ("Tarragona", "Census", "EIA", "Synthetic", "SimU", "SimC", "Sim-1", "Sim-2", "Sim-3")
FIGURE = re.compile(r"(?<![\w.\-/])\d+\.\d+(?![\w.]*\d)")


def pages() -> list[Path]:
    """Pages that are written by hand."""
    made = ROOT / "docs" / "measured"
    found = [path for path in sorted((ROOT / "docs").rglob("*.md")) if made not in path.parents]
    return [ROOT / "README.md", *found]


def written() -> list[Path]:
    """Those, the notes and what stands beside README: wherever a published figure may be named."""
    beside = [ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]
    return [*pages(), *sorted((ROOT / "notes").rglob("*.md")), *beside]


def prose(text: str) -> str:
    """The page without its code and comments."""
    text = re.sub(r"\b([Ss]ections?) \d+(\.\d+)+", r"\1", text)
    text = re.sub(r"^(```+).*?^\1\s*$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)


def sentences(text: str) -> Iterator[str]:
    """Sentences outside of tables."""
    lines = ["" if line.lstrip().startswith("|") else line for line in prose(text).splitlines()]
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-*] |#)", "\n".join(lines)):
        plain = " ".join(paragraph.split())
        yield from re.split(r"(?<=[.;!?])\s+(?=[A-Z*`\[(])", plain)


def columns(text: str) -> Iterator[str]:
    """Cells of the columns whose heading says that they are somebody's."""
    headings: list[str] = []
    for line in prose(text).splitlines():
        if not line.lstrip().startswith("|"):
            headings = []
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not headings:
            headings = cells
            continue
        for heading, cell in zip(headings, cells, strict=False):
            if SAYS_SO.search(heading.lower()):
                yield f"{heading}: {cells[0]}: {cell}"


def named(text: str) -> Iterator[tuple[str, str]]:
    """Figures of a page that are somebody's, each with where it stands."""
    for place in sentences(text):
        if SAYS_SO.search(place.lower()):
            for figure in FIGURE.findall(place):
                yield figure, place
    for place in columns(text):
        for figure in FIGURE.findall(place):
            yield figure, place


def known() -> list[tuple[float, str]]:
    """All that the publications print and the kept results hold, with the table it is about.

    Our seconds are left out: they differ from run to run, and are somebody's figure by chance.
    """
    found = []
    for path in PAPERS.glob("*.csv"):
        lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        for row in csv.DictReader(lines):
            for name, value in row.items():
                if re.fullmatch(r"-?\d+(\.\d+)?", value or ""):
                    found.append((float(value), row.get("dataset", name)))
    for path in (PAPERS / "results").glob("*.json"):
        for cell in json.loads(path.read_text())["cells"]:
            about = f"{path.stem} {cell['row']} {cell['column']}"
            sides = ("theirs",) if cell["kind"] == "seconds" else ("theirs", "ours")
            found += [(cell[side], about) for side in sides]
            if cell["kind"] == "figure":
                found.append((cell["ours"] - cell["theirs"], f"{about}, difference"))
    return found


def is_known(figure: str, values: list[tuple[float, str]], place: str = "") -> bool:
    """Whether a figure is one of the values, to its digits, of a table that the place names."""
    digits = len(figure.partition(".")[2])
    half = 0.5000001 * 10.0**-digits
    named = [name for name in TABLES if re.search(rf"\b{name}\b", place)]
    differ = re.search(r"\b(below|above|lower|higher|differs?|away)\b", place)
    return any(
        abs(abs(value) - float(figure)) <= half
        and (not named or any(name in about for name in named))
        and (differ or not about.endswith("difference"))
        for value, about in values
    )


# Figures with a unit of loss, share, time or memory, whoever measured them.
UNIT = re.compile(
    r"(?<![\w.\-/^])(\d[\d,]*(?:\.\d+)?)\s?"
    r"(%|percent\b|ms\b|milliseconds?\b|s\b|seconds?\b|minutes?\b|hours?\b|[kKMG]i?B\b"
    r"|times (?:as|faster|slower)\b)"
)
HEADING = re.compile(r"\b(il|loss|lost|seconds|minutes|memory|linked|gap|ratio)\b|%")
RESULTS = ROOT / "benchmarks"
FOLDERS = {"records": "optimum"}  # measured pages whose results lie in a folder of another name


def units(text: str) -> Iterator[tuple[str, str]]:
    """Figures of a page that look measured: each with its unit, and where it stands."""
    plain = re.sub(r"`[^`]*`", "", prose(text))
    for place in sentences(plain):
        for figure, unit in UNIT.findall(place):
            yield f"{figure} {unit}", place
    headings: list[str] = []
    for line in plain.splitlines():
        if not line.lstrip().startswith("|"):
            headings = []
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        headings = headings or cells
        for heading, cell in zip(headings, cells, strict=False):
            found = [f"{figure} {unit}" for figure, unit in UNIT.findall(cell)]
            if not found and HEADING.search(heading.lower()):
                found = re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w)", cell)
            for figure in found:
                yield figure, f"{heading}: {cell}"


def printed(text: str) -> set[float]:
    """Numbers that the examples of a page print: they are run, and what they print compared."""
    inside = " ".join(re.findall(r"^```(?:text|console).*?^```", text, flags=re.M | re.DOTALL))
    return {_number(one) for one in re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?", inside)}


def kept(text: str) -> set[float]:
    """Every number of the result files behind the measured pages that a text links to."""
    found: set[float] = set()

    def walk(value: object) -> None:
        if isinstance(value, dict):
            for one in value.values():
                walk(one)
        elif isinstance(value, list):
            for one in value:
                walk(one)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found.add(float(value))

    for name in set(re.findall(r"measured/([\w-]+)\.md", text)):
        for path in result_files(name):
            walk(json.loads(path.read_text(encoding="utf-8")))
    return found


def result_files(page: str = "") -> list[Path]:
    """What benchmarks have kept: all of it, or what one measured page is made from."""
    every = [p for p in RESULTS.rglob("*.json") if "result" in f"{p.parent.name} {p.stem}"]
    own = RESULTS / "results" / f"{page}.json"
    folder = FOLDERS.get(page, page)
    return sorted(p for p in every if not page or p == own or p.is_relative_to(RESULTS / folder))


def is_kept(figure: str, values: set[float]) -> bool:
    """Whether a figure is one of the values, to its digits."""
    number = figure.split()[0]
    half = 0.5000001 * 10.0 ** -len(number.partition(".")[2])
    return any(abs(value - _number(number)) <= half for value in values)


def _number(text: str) -> float:
    return float(text.rstrip(",").replace(",", ""))


def main() -> None:
    """Count the figures of the site, and those that a result file stands behind."""
    made = sorted((ROOT / "docs" / "measured").glob("*.md"))
    number = re.compile(r"(?<![\w.])[-+]?\d[\d,]*(?:\.\d+)?(?!\w)")
    total = 0
    for path in made:
        rows = [line for line in path.read_text(encoding="utf-8").splitlines() if line[:1] == "|"]
        count = sum(len(number.findall(row)) for row in rows)
        total += count
        print(f"{count:6,} in {len(result_files(path.stem)):3} result files: {path.name}")
    print(f"{total:6,} figures in tables of {len(made)} measured pages, all from result files")
    examples = kept_here = other = 0
    for path in pages():
        text = path.read_text(encoding="utf-8")
        shown, found = printed(text), kept(text)
        for figure, _ in units(text):
            if is_kept(figure, shown):
                examples += 1
            elif is_kept(figure, found):
                kept_here += 1
            else:
                other += 1
    print(
        f"{examples + kept_here + other:6,} with a unit in prose: {examples} printed by an "
        f"example, {kept_here} kept, {other} defined"
    )


if __name__ == "__main__":
    main()
