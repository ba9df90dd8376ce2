"""The page docs/measured/papers.md, made from the kept results alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from benchmarks.measured import american
from benchmarks.papers import causes
from benchmarks.papers.silent import NEEDS, SILENT
from benchmarks.papers.store import RESULTS, Cell, Part, Result, Silent

PAGE = Path(__file__).parents[2] / "docs" / "measured" / "papers.md"
COUNTS = ("printed", "compared", "every digit", "within 1 %", "within 5 %", "beyond 5 %",
          "seconds, spreads, claims", "stand-ins", "not run", "not answerable")  # fmt: skip
ALONE = {"seconds": COUNTS[6], "spread": COUNTS[6], "claim": COUNTS[6], "stand-in": COUNTS[7]}

HEAD = """# Published figures, theirs beside ours

Made by `make bench-papers` from `benchmarks/papers/results`; not written by hand. What the
publications leave open, and how we read it: [published figures](../explanation/papers.md). Figures
are information loss in percent unless a heading says otherwise; seconds are processor seconds,
theirs on another machine, and like spreads (standard deviations over other simulated tables) and
claims not compared digit by digit. A *stand-in* is a table of ours in place of one that was not
published. What a table derives from its other figures (gains, ratios, seconds of an iteration) or
repeats from another table is not counted. Where fewer runs, starts or tables were made than by the
authors, both numbers stand above the table.
"""
# The counts of the first page of this kind, 2026-11-17: before most of the tables of 2015 and 2020,
# before the reading of npn-mhm, before causes were looked for.
BEFORE = (890, 466, 128, 151, 63, 124, 154, 45, 207, 18)


def counts(parts: Sequence[Part], silent: Sequence[Silent], folder: Path) -> dict[str, int]:
    """How many printed figures were answered, and how near."""
    found = dict.fromkeys(COUNTS, 0)
    for part in parts:
        found["printed"] += part.answers
        result = Result.kept(part.name, folder)
        if result is None:
            found["not run"] += part.answers
            continue
        for cell in result.cells:
            if cell.kind == "reading":
                continue
            found[column(cell)] += 1
            if cell.kind == "figure":
                found["compared"] += 1
    for one in silent:
        found["printed"] += one.cells
        found["not answerable"] += one.cells
    return found


def column(cell: Cell) -> str:
    """Where a cell is counted."""
    if cell.kind in ALONE:
        return ALONE[cell.kind]
    if cell.same:
        return "every digit"
    near = abs(cell.percent)
    return "within 1 %" if near <= 1 else "within 5 %" if near <= 5 else "beyond 5 %"


def text(parts: Sequence[Part], silent: Sequence[Silent] = SILENT, folder: Path = RESULTS) -> str:
    """The whole page."""
    papers = list(dict.fromkeys(_paper(part.table) for part in parts))
    lines = [HEAD, "## In all", ""]
    lines += _row(["", *COUNTS]) + _row(["---"] * (len(COUNTS) + 1))
    for paper in papers:
        own = [part for part in parts if _paper(part.table) == paper]
        gone = [one for one in silent if one.paper == paper]
        found = counts(own, gone, folder)
        lines += _row([paper, *map(str, found.values())])
    found = counts(parts, silent, folder)
    lines += _row(["all", *map(str, found.values())])
    lines += _row(["all, on the first page of this kind", *map(str, BEFORE)])
    lines += ["", "*Compared* figures are those of the next four columns.", ""]
    lines += _beyond(parts, folder)
    lines += ["## Not answerable", ""]
    lines += _row(["publication", "where", "figures", "why"]) + _row(["---"] * 4)
    for one in silent:
        lines += _row([one.paper, one.table, str(one.cells or "-"), one.why])
    shown: dict[str, list[Part]] = {}
    for part in parts:
        shown.setdefault(part.table, []).append(part)
    waiting = [_waiting(title, own, folder) for title, own in shown.items()]
    if any(waiting):
        lines += ["", "## Not run yet", "", "; ".join(filter(None, waiting)) + "."]
    less = dict.fromkeys(
        _needs(part.name)
        for part in parts
        for kept in [Result.kept(part.name, folder)]
        if kept is not None and kept.effort != _whole().get(part.name, kept.effort)
    )
    if any(less):
        lines += ["", "## With fewer runs than theirs", "", "All of theirs would take:", ""]
        lines += [f"- {text}" for text in filter(None, less)]
    for title, own in shown.items():
        found = [Result.kept(part.name, folder) for part in own]
        results = [result for result in found if result is not None]
        if results:
            efforts = list(dict.fromkeys(_effort(result) for result in results if result.effort))
            seconds = sum(result.seconds for result in results)
            lines += ["", f"## {title}", ""]
            cells = [cell for result in results for cell in result.cells]
            told = "." if cells[0].kind == "reading" else ". Theirs, ours, difference."
            dated = dict.fromkeys(_dated(result) for result in results if result.date)
            lines += [", ".join([*efforts, f"{seconds:.1f} s", *dated]) + told, ""]
            lines += grid(cells)
    return american("\n".join(lines).rstrip("\n") + "\n")


def _beyond(parts: Sequence[Part], folder: Path) -> list[str]:
    """Why figures are more than five percent away, cause by cause."""
    far = causes.beyond(parts, folder)
    if not far:
        return []
    grouped: dict[str, list[tuple[str, int]]] = {}
    known = unknown = 0
    for why, title, count in causes.found(parts, far):
        text = "not looked into" if why is None else why.why
        grouped.setdefault(text, []).append((title, count))
        known += count if why is not None and why.known else 0
        unknown += count if why is None or not why.known else 0
    lines = ["## Beyond 5 %", ""]
    lines += [f"Why, for each: {known} explained, {unknown} not.", ""]
    lines += _row(["figures", "where", "why"]) + _row(["---"] * 3)
    for text, places in grouped.items():
        where = "; ".join(f"{title}: {count}" for title, count in places)
        lines += _row([str(sum(count for _, count in places)), where, text])
    return [*lines, ""]


def _effort(result: Result) -> str:
    """How many runs were made; beside it theirs, where those are more."""
    whole = _whole().get(result.name, result.effort)
    if "iterations" in result.effort:
        whole = f"{whole} of 5,000"
    return result.effort if whole == result.effort else f"{result.effort} (theirs: {whole})"


@cache
def _whole() -> dict[str, str]:
    from benchmarks.papers.parts import parts

    return {part.name: part.effort for part in parts()}


def _dated(result: Result) -> str:
    return f"version {result.version}, {result.date}, {result.machine}"


def _waiting(title: str, parts: Sequence[Part], folder: Path) -> str:
    """How many figures of a table were not run and what they would take, or nothing."""
    open_ = [part for part in parts if Result.kept(part.name, folder) is None]
    if not open_:
        return ""
    needed = dict.fromkeys(filter(None, (_needs(part.name) for part in open_)))
    told = f" ({'; '.join(needed)})" if needed else ""
    return f"{title}: {sum(part.answers for part in open_)}{told}"


def _needs(name: str) -> str:
    """What a part would take, in words; the longest beginning of its name that says so."""
    known = [beginning for beginning in NEEDS if name.startswith(beginning)]
    return NEEDS[max(known, key=len)] if known else ""


def grid(cells: Iterable[Cell]) -> list[str]:
    """One table: theirs, ours and the difference in each cell, 0 for every digit alike."""
    rows: dict[str, dict[str, Cell]] = {}
    columns: dict[str, None] = {}
    for cell in cells:
        rows.setdefault(cell.row, {})[cell.column] = cell
        columns[cell.column] = None
    lines = _row(["", *columns]) + _row(["---"] * (len(columns) + 1))
    for name, found in rows.items():
        lines += _row([name, *(_shown(found.get(column)) for column in columns)])
    return lines


def _shown(cell: Cell | None) -> str:
    if cell is None:
        return ""
    if cell.kind == "reading":
        return f"{cell.ours:.{cell.digits}f}"
    theirs, ours = (f"{value:.{cell.digits}f}" for value in (cell.theirs, cell.ours))
    if cell.kind in ALONE and cell.kind != "stand-in":
        return f"{theirs}, {ours}"
    return f"{theirs}, {ours} ({'0' if cell.same else f'{cell.percent:+.2f} %'})"


def _paper(table: str) -> str:
    """The publication that a table's title begins with: names and year."""
    return table[: table.index(")") + 1]


def _row(cells: Iterable[str]) -> list[str]:
    return ["| " + " | ".join(cells) + " |"]


def write(parts: Sequence[Part]) -> None:
    """Make the page anew."""
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(text(parts), encoding="utf-8")
