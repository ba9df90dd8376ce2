"""`look`: one page about a table before anything is protected."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.advice.facts import ColumnFacts, facts
from coterie.advice.findings import ColumnLook, Look, Stratum
from coterie.advice.keys import KeyRank, Uniques, leaves, minimal_uniques, rank_keys
from coterie.advice.levels import levels_of
from coterie.advice.meaning import Meaning, meaning
from coterie.advice.missing import missing_like
from coterie.advice.relations import Relation, find_relations
from coterie.advice.roles import Proposal, propose, skewness
from coterie.advice.units import find_units, find_weights
from coterie.errors import bad_parameter
from coterie.numbers.checks import check_k
from coterie.numbers.magnitude import lifted
from coterie.table.naming import PLACE, words
from coterie.table.read import read
from coterie.table.source import Source

__all__ = ["look"]

MOST_K = 10**9  # a look may ask about any k
MOMENTS = ("date", "datetime")
MOST_SHOWN = 8  # values of a column


def look(table: Any, *, k: int = 5, internal: bool = False) -> Look:
    """Look at a table before anything is protected: what it is, what it would give away.

    Parameters
    ----------
    table : path, or pandas, polars or pyarrow table
        As `coterie.anonymize` takes it.
    k : int
        Values that fewer than k units share are not shown.
    internal : bool
        Show them all the same, extremes included.

    Returns
    -------
    Look
        With columns, units, weights, strata, relations, keys; ``json()`` and a page in a notebook.

    Examples
    --------
    >>> import coterie
    >>> found = coterie.look(coterie.datasets.diabetes())
    >>> found["sex"].meant, found["age"].role
    ('flag', 'key')
    """
    if not isinstance(internal, bool):
        raise bad_parameter("internal", "look", "True or False", internal)
    source = table if isinstance(table, Source) else read(table)
    check_k(k, MOST_K, "look")
    columns = facts(source)
    written = {name: n.example for name, n in source.details.get("notations", {}).items()}
    meanings = {name: meaning(column, written.get(name)) for name, column in columns.items()}
    units = find_units(columns)
    weights = find_weights(columns, units)
    roles = propose(columns, meanings, units, weights)
    unit = next((name for name, role in roles.items() if role.role == "unit"), None)
    whose = None if unit is None else columns[unit].codes
    shown = _Shown(k, internal, 1 if unit is None else int(columns[unit].counts.max()))
    described = tuple(
        _column(column, meanings[name], roles[name], written.get(name), shown)
        for name, column in columns.items()
    )
    released = {name: c for name, c in columns.items() if c.distinct > 1}
    relations = find_relations(released) if released else []
    names = [name for name, role in roles.items() if role.role == "key"]
    ranked = rank_keys(columns, names)
    uniques = minimal_uniques(columns, [one.name for one in ranked]) if ranked else None
    if uniques is not None:
        ranked = [_needed(one, uniques) for one in ranked]
    return Look(
        source.origin,
        len(source.frame),
        k,
        internal,
        described,
        tuple(units),
        tuple(weights),
        tuple(_strata(columns, meanings, roles, k)),
        tuple(relations),
        tuple(_hierarchies(columns, meanings, relations, described)),
        tuple(ranked),
        uniques,
        tuple(leaves(columns, names, (k,), whose)),
        source,
    )


@dataclass(frozen=True)
class _Shown:
    """Which values may be shown: those that so many records share, whatever units they are of."""

    k: int
    internal: bool
    records_of_a_unit: int

    @property
    def least(self) -> int:
        return 1 if self.internal else self.k * self.records_of_a_unit


def _column(
    column: ColumnFacts, meant: Meaning, role: Proposal, notation: str | None, shown: _Shown
) -> ColumnLook:
    like = missing_like(column)
    common = [one for one in like if one.records >= shown.least]
    codes = tuple(
        (one.value if one.records >= shown.least else None, one.records, one.reason) for one in like
    )
    hidden = role.role in ("identifier", "unit") and not shown.internal
    frequent = [] if hidden else column.most(shown.least)[:MOST_SHOWN]
    numbered = meant.meant not in ("code", "identifier")
    low, high = (None, None) if hidden or not numbered else _extremes(column, meant, shown)
    return ColumnLook(
        column.name,
        column.kind,
        meant.meant,
        meant.type,
        meant.reason,
        notation,
        column.distinct,
        column.gaps,
        column.alone,
        codes,
        tuple(frequent),
        skewness(column) if numbered else None,
        low,
        high,
        role.role,
        role.reason,
        role.sure,
        levels_of(column, meant),
        bool(common) and all(one.labeled for one in common),
    )


def _extremes(column: ColumnFacts, meant: Meaning, shown: _Shown) -> tuple[Any, Any]:
    """Mean of the lowest and of the highest values, of as many records as may be shown."""
    if column.numbers is None or column.present < shown.least:
        return None, None
    if not np.isfinite(column.numbers).all():  # no mean
        return None, None
    numbers, lift = lifted(column.numbers)
    order = np.argsort(numbers)
    ends = []
    for places in (order, order[::-1]):
        within = np.searchsorted(np.cumsum(column.counts[places]), shown.least) + 1
        chosen = places[:within]
        many = column.counts[chosen].copy()
        many[-1] -= many.sum() - shown.least
        mean = float(np.ldexp(numbers[chosen] @ many / shown.least, lift))
        ends.append(_moment(mean, column, meant) if column.kind in MOMENTS else mean)
    return ends[0], ends[1]


def _moment(value: float, column: ColumnFacts, meant: Meaning) -> str:
    if column.kind == "date":
        return str(np.datetime64(round(value), "D"))
    moment = np.datetime64(round(value), "s")
    return str(moment.astype("datetime64[D]") if meant.meant == "date" else moment)


def _needed(rank: KeyRank, uniques: Uniques) -> KeyRank:
    if rank.name not in uniques.keys:
        return rank
    many = sum(n for names, n in uniques.sets.items() if rank.name in names)
    return dataclasses.replace(rank, in_uniques=many)


def _strata(
    columns: Mapping[str, ColumnFacts],
    meanings: Mapping[str, Meaning],
    roles: Mapping[str, Proposal],
    k: int,
) -> list[Stratum]:
    found = []
    for name, column in columns.items():
        few = 2 <= column.distinct <= 50 and not column.gaps
        area = sorted(words(name) & PLACE)
        if few and area and roles[name].role == "key" and meanings[name].meant != "number":
            smallest = int(column.counts.min())
            if smallest >= 2 * k:
                reason = (
                    f"named {area[0]!r}; tables by it stay exact if groups never mix its values"
                )
                found.append(Stratum(name, column.distinct, smallest, reason))
    return found


def _hierarchies(
    columns: Mapping[str, ColumnFacts],
    meanings: Mapping[str, Meaning],
    relations: list[Relation],
    described: Sequence[ColumnLook],
) -> list[str]:
    found = []
    for one in relations:
        coarser = columns[one.column].distinct < columns[one.of[0]].distinct
        coded = meanings[one.of[0]].meant in ("code", "category", "text")
        named = columns[one.column].kind in ("text", "integer")
        if one.kind in ("prefix", "function") and len(one.of) == 1 and coarser and coded and named:
            found.append(f"{one.of[0]} within {one.column}: {one.text}")
    for column in described:
        if column.levels:
            lengths = ",".join(map(str, column.levels))
            found.append(
                f"{column.name}: what its codes begin with ({column.why}), "
                f"--hierarchy {column.name}=prefix:{lengths}"
            )
    return list(dict.fromkeys(found))
