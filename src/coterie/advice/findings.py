"""What `look` finds out about a table, and how it is shown."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from coterie.advice.keys import AtK, KeyRank, Uniques
from coterie.advice.relations import Relation
from coterie.advice.units import Unit, Weight
from coterie.report.plain import to_json
from coterie.table.source import Source

__all__ = ["ColumnLook", "Look", "Stratum"]


@dataclass(frozen=True)
class ColumnLook:
    """What is found out about one column.

    Attributes
    ----------
    name : str
    kind : str
        As read: integer, float, decimal, text, boolean, date, datetime.
    meant : str
        As meant: number, money, percentage, code, category, flag, date, datetime, free text, text,
        identifier, empty.
    type : str
        The type that a plan would take it for.
    why : str
        Why it is taken so.
    notation : str or None
        How its file writes it, where that is not plain.
    distinct, gaps, alone : int
        Different values, records without one, and records whose value nobody else has.
    missing_like : tuple of (value, records, reason)
        Values that look like missing codes; the value is None where too few records hold it.
    frequent : tuple of (value, records)
        Values that at least k units share, the most frequent first.
    skew : float or None
        None of codes, as are the next two.
    low, high : float, str or None
        The mean of the k lowest and of the k highest values; extremes where values may be shown.
    role, reason, sure : str
        The role proposed, why, and how sure that is: "sure", "likely" or "doubtful".
    levels : tuple of int
        Of codes: the lengths of prefixes that are coarser levels, as a hierarchy names them.
    labeled : bool
        Whether the file's own labels say that the values shown in `missing_like` are no answers.
    """

    name: str
    kind: str
    meant: str
    type: str
    why: str
    notation: str | None
    distinct: int
    gaps: int
    alone: int
    missing_like: tuple[tuple[Any, int, str], ...]
    frequent: tuple[tuple[Any, int], ...]
    skew: float | None
    low: Any
    high: Any
    role: str
    reason: str
    sure: str
    levels: tuple[int, ...] = ()
    labeled: bool = field(default=False, repr=False)


@dataclass(frozen=True)
class Stratum:
    """A column whose values groups might not mix."""

    column: str
    values: int
    smallest: int
    reason: str


@dataclass(frozen=True)
class Look:
    """What a table is, and what it would give away.

    Attributes
    ----------
    origin : str
        The file, or "the table".
    records : int
    k : int
        Values that fewer units share are not shown, unless `internal`.
    columns : tuple of ColumnLook
    units : tuple of Unit
        Columns that may tell respondents apart, the surest first.
    weights : tuple of Weight
    strata : tuple of Stratum
    relations : tuple of Relation
        Columns that give each other back.
    hierarchies : tuple of str
        Columns that are levels of each other, or codes with levels in their digits, in words.
    keys : tuple of KeyRank
        The columns proposed as keys, the one that tells most records apart first.
    uniques : Uniques or None
        Records that are unique on one, two, three keys.
    at_k : tuple of AtK
        What k would leave, for several k.
    """

    origin: str
    records: int
    k: int
    internal: bool
    columns: tuple[ColumnLook, ...]
    units: tuple[Unit, ...] = ()
    weights: tuple[Weight, ...] = ()
    strata: tuple[Stratum, ...] = ()
    relations: tuple[Relation, ...] = ()
    hierarchies: tuple[str, ...] = ()
    keys: tuple[KeyRank, ...] = ()
    uniques: Uniques | None = None
    at_k: tuple[AtK, ...] = ()
    source: Source | None = field(default=None, repr=False, compare=False)

    def __getitem__(self, name: str) -> ColumnLook:
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def roles(self, role: str) -> tuple[str, ...]:
        """The columns proposed for a role."""
        return tuple(c.name for c in self.columns if c.role == role)

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        plain = {
            f.name: _plain(getattr(self, f.name))
            for f in dataclasses.fields(self)
            if f.name not in ("source", "uniques")
        }
        if self.uniques is not None:
            plain["uniques"] = {
                "on_one": self.uniques.on[0],
                "on_two": self.uniques.on[1],
                "on_three": self.uniques.on[2],
                "keys_looked_at": list(self.uniques.keys),
            }
        return plain

    def html(self) -> str:
        """A page about it, to be opened in any browser."""
        from coterie.advice.rendering import html

        return html(self)

    def _repr_html_(self) -> str:
        from html import escape

        return f'<iframe srcdoc="{escape(self.html())}" width="100%" height="640"></iframe>'

    def __str__(self) -> str:
        from coterie.advice.rendering import verdict

        return verdict(self)

    def json(self) -> str:
        """All of it as JSON."""
        return to_json(self.as_dict())


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        shown = [f.name for f in dataclasses.fields(value) if f.repr]
        return {name: _plain(getattr(value, name)) for name in shown}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, np.generic):
        value = value.item()
    return value if value is None or isinstance(value, (str, bool, int, float)) else str(value)
