"""A summary on the terminal: the verdict, the figures, the risk that remains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from coterie.report.pictures import risk_of
from coterie.report.verdict import share
from coterie.report.words import count, percent

if TYPE_CHECKING:
    from rich.console import Group

__all__ = ["terminal"]

BAR = 24  # letters of the longest bar


def terminal(summary: Mapping[str, Any]) -> Group:
    """What `rich` prints of a summary.

    Examples
    --------
    >>> import coterie
    >>> from coterie.report import summary, terminal
    >>> r = coterie.anonymize(coterie.datasets.diabetes(), 5, ["age", "bmi"], method="mdav")
    >>> str(terminal(summary(r)).renderables[0])
    'Every record shares its 2 key attributes with at least 4 others; ...'
    """
    from rich.console import Group
    from rich.text import Text

    figures = summary["figures"]
    parts: list[Any] = [Text(summary["verdict"], style="bold"), Text("")]
    if summary["about"] == "comparison":
        return Group(*parts, *(_grid(grid, summary["by"]) for grid in summary["grids"]))
    parts += [_sizes(summary, "units" if figures["unit"] else "records"), Text("")]
    if "questions" in summary:
        parts[2:2] = [_questions(summary), Text("")]
    parts += [_columns(summary), Text(""), _remaining(summary)]
    return Group(*parts)


def _table(*columns: str, left: int = 1, title: str = "") -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title=title or None, title_justify="left")
    for place, name in enumerate(columns):
        table.add_column(name, justify="left" if place < left else "right", header_style="dim")
    return table


def _sizes(summary: Mapping[str, Any], what: str) -> Any:
    table = _table(f"{what} in a class", "classes", "")
    table.columns[2].justify = "left"
    largest = max(number for _, number in summary["sizes"])
    for name, number in summary["sizes"]:
        table.add_row(
            name, count(number), "█" * max(1, round(BAR * number / largest)) * bool(number)
        )
    return table


def _columns(summary: Mapping[str, Any]) -> Any:
    table = _table("key", "type", "lost", "nearly disclosed", left=2)
    for column in summary["columns"]:
        lost = column["measures"].get("il")
        table.add_row(
            column["name"],
            column["type"],
            "–" if lost is None else share(lost),
            share(risk_of(column)),
        )
    return table


def _questions(summary: Mapping[str, Any]) -> Any:
    table = _table("question", "risk", "95 % interval", "")
    table.columns[3].justify = "left"
    for one in summary["questions"]:
        table.add_row(one["title"], one["found"], one["interval"] or "–", one["sentence"])
    return table


def _remaining(summary: Mapping[str, Any]) -> Any:
    table = _table("the risk that remains", "found", "")
    table.columns[2].justify = "left"
    for row in summary["remaining"]:
        table.add_row(row["attack"], row["found"], row["reads"])
    return table


def _grid(grid: Mapping[str, Any], by: str) -> Any:
    table = _table(by, *(f"k = {size}" for size in grid["sizes"]), title=grid["title"])
    for kind, row in zip(grid["kinds"], grid["rows"], strict=True):
        table.add_row(str(kind), *("–" if v is None else percent(v) for v in row))
    return table
