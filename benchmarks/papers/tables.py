"""Published figures, and how to print them beside ours."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Figure:
    """One cell of a table: where it stands, what was printed (None if nothing was), what we got."""

    row: str
    column: str
    published: float | None
    ours: float

    @property
    def difference(self) -> float | None:
        """Ours minus theirs."""
        return None if self.published is None else self.ours - self.published

    @property
    def percent(self) -> float | None:
        """Ours minus theirs in percent of theirs."""
        if self.published is None or self.published == 0:
            return None
        return 100.0 * (self.ours / self.published - 1.0)


def published(name: str) -> list[dict[str, str]]:
    """The rows of the committed table `name`, a CSV file beside this one."""
    with open(HERE / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def side_by_side(
    title: str, figures: Iterable[Figure], *, digits: int = 4, relative: bool = True
) -> None:
    """Print theirs, ours and the difference (in percent, or plain), a line a row."""
    cells: dict[str, dict[str, Figure]] = {}
    columns: dict[str, None] = {}
    for figure in figures:
        cells.setdefault(figure.row, {})[figure.column] = figure
        columns[figure.column] = None
    width = max(map(len, cells), default=0)
    print(f"\n{title}")
    heads = "".join(f" | {column:^28}" for column in columns)
    names = "".join(f" | {'theirs':>9} {'ours':>9} {'differ':>8}" for _ in columns)
    print(f"{'':{width}}{heads}\n{'':{width}}{names}")
    for row, found in cells.items():
        line = f"{row:{width}}"
        for column in columns:
            line += " | " + _cell(found.get(column), digits, relative)
        print(line, flush=True)


def _cell(figure: Figure | None, digits: int, relative: bool) -> str:
    if figure is None:
        return " " * 28
    theirs = "-" if figure.published is None else f"{figure.published:.{digits}f}"
    change = figure.percent if relative else figure.difference
    differ = "-" if change is None else f"{change:+.2f}{'%' if relative else ''}"
    return f"{theirs:>9} {figure.ours:>9.{digits}f} {differ:>8}"
