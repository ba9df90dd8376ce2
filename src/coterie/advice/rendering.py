"""A look as a page and on the terminal."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from coterie import __version__
from coterie.report.plain import legible, printable
from coterie.report.words import count, percent

if TYPE_CHECKING:
    from rich.console import Group

    from coterie.advice.findings import Look

__all__ = ["html", "lines", "terminal", "verdict"]

MOST_REPORTED = 12  # relations on the terminal


def verdict(found: Look) -> str:
    """The one sentence above everything else."""
    if not found.keys:
        return f"{count(found.records)} records, and no column that others may know."
    alone = next(one.below for one in found.at_k if one.k == 2)
    units = found.roles("unit")
    nobody = "no other unit" if units else "nobody"
    text = (
        f"{count(alone)} of {count(found.records)} records share the values of all "
        f"{len(found.keys)} columns that others may know with {nobody}"
    )
    if found.uniques is not None and found.uniques.on[0]:
        text += f"; {count(found.uniques.on[0])} are unique on a single one"
    return text + "."


def html(found: Look) -> str:
    """The page: self-contained, no scripts."""
    from coterie.report.page import page

    unit = next((u for u in found.units if u.column in found.roles("unit")), None)
    summary: dict[str, Any] = {
        **found.as_dict(),
        "figures": {},
        "version": __version__,
        "created": dt.date.today().isoformat(),
        "standing": "judged",
        "verdict": verdict(found),
        "unit": None if unit is None else {"column": unit.column, "units": unit.units},
    }
    return page("look.html", legible(summary), {})


def terminal(found: Look) -> Group:
    """What `rich` prints of a look."""
    from rich.console import Group
    from rich.text import Text

    parts: list[Any] = [Text(verdict(found), style="bold"), Text("")]
    parts += [_columns(found), Text("")]
    parts += [Text(printable(line)) for line in lines(found)]
    if found.keys:
        parts += [Text(""), _keys(found), Text(""), _at_k(found)]
    return Group(*parts)


def _table(*names: str, left: int) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for place, name in enumerate(names):
        table.add_column(
            name,
            justify="left" if place < left or place == len(names) - 1 else "right",
            header_style="dim",
            overflow="fold",
        )
    return table


def _columns(found: Look) -> Any:
    table = _table("column", "read as", "meant as", "distinct", "gaps", "role, and why", left=3)
    for c in found.columns:
        role = printable(f"{c.role}, {c.sure}: {c.reason}")
        table.add_row(printable(c.name), c.kind, c.meant, count(c.distinct), count(c.gaps), role)
    return table


def lines(found: Look) -> list[str]:
    """What is to be told beside the columns, a line each."""
    texts = [f"unit: {u.column}, {u.sure}: {u.reason}" for u in found.units]
    texts += [f"weight: {w.column}, {w.sure}: {w.reason}" for w in found.weights]
    texts += [f"stratum: {s.column}, {s.values} values: {s.reason}" for s in found.strata]
    texts += [f"levels: {text}" for text in found.hierarchies]
    for c in found.columns:
        for value, many, why in c.missing_like:
            shown = "a value" if value is None else repr(value)
            texts.append(f"missing? {c.name}: {shown} in {count(many)} records, {why}")
    reported = [r for r in found.relations if r.of[0] not in found.roles("unit")]
    texts += [f"gives back: {r.text}" for r in reported[:MOST_REPORTED]]
    if len(reported) > MOST_REPORTED:
        texts.append(f"gives back: {len(reported) - MOST_REPORTED} more, in --json and --html")
    return texts or ["no unit, weight, stratum or relation found"]


def _keys(found: Look) -> Any:
    table = _table("key", "pairs told apart", "distinct", "unique on it", "", left=1)
    for one in found.keys:
        table.add_row(
            printable(one.name),
            percent(100 * one.separation_ratio),
            percent(100 * one.distinct_ratio),
            count(one.alone),
            "",
        )
    if found.uniques is not None:
        first, second, third = map(count, found.uniques.on)
        looked = found.uniques.keys
        of = "" if len(looked) == len(found.keys) else f" of the first {len(looked)}"
        table.caption = f"unique on one {first}, on two {second}, on three {third}{of}"
        table.caption_justify = "left"
    return table


def _at_k(found: Look) -> Any:
    table = _table("k", "records that share their keys with fewer", "groups at most", "", left=1)
    for one in found.at_k:
        table.add_row(str(one.k), count(one.below), count(one.groups), "")
    return table
