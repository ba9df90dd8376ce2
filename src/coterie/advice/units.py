"""Units and weights: which column tells respondents apart, and which one weighs them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from coterie.advice.dependencies import SortedColumn, determined, groups_of
from coterie.advice.facts import ColumnFacts
from coterie.table.naming import (
    AMOUNT,
    BODY,
    CODE,
    NAMES,
    NUMBERED,
    PLACE,
    TIME,
    UNIT,
    WEIGHT,
    direct_word,
    words,
)

__all__ = ["Unit", "Weight", "find_units", "find_weights", "nearly_unique"]

LEAST = 10  # units of a table that has some
MOST_RECORDS = 200  # of a unit, on average
PRICED = {"price", "cost", "costs"}  # of what is weighed
FULL = 0.8  # of all pairs of a unit and a time that a panel holds
CONSTANT = 3  # columns constant within it that make a unit of a column without a telling name


@dataclass(frozen=True)
class Unit:
    """A column that may tell respondents apart, where one has several records.

    Attributes
    ----------
    column : str
    units : int
        Its different values.
    records : float
        Records of a unit, on average.
    constant : tuple of str
        Columns that are the same in all records of a unit, by more than chance.
    sure : {"sure", "likely", "doubtful"}
    reason : str
    """

    column: str
    units: int
    records: float
    constant: tuple[str, ...]
    sure: str
    reason: str


@dataclass(frozen=True)
class Weight:
    """A column that may hold sampling weights."""

    column: str
    sure: str
    reason: str


def nearly_unique(alone: int, present: int) -> bool:
    """Whether at least half of the records have a value of their own."""
    return present >= 2 and 2 * alone >= present


def find_units(
    columns: Mapping[str, ColumnFacts], candidates: Mapping[str, ColumnFacts] | None = None
) -> list[Unit]:
    """Columns that may tell respondents apart, the surest first; by default, any of them may."""
    found = []
    times = [c for c in columns.values() if c.said & TIME and c.distinct >= 2 and not c.gaps]
    for column in (columns if candidates is None else candidates).values():
        over = next((t.name for t in times if _panel(column, t)), None)
        if over is not None or _may_be_unit(column):
            groups = groups_of(column)
            constant = determined(column, columns.values(), groups)
            one = _unit(column, groups, constant, over)
            if one is not None:
                found.append(one)
    rank = {"sure": 0, "likely": 1, "doubtful": 2}
    # Of two that are as sure, the one with fewer units: k households are k persons as well.
    return sorted(found, key=lambda one: (rank[one.sure], one.units))


def _may_be_unit(column: ColumnFacts) -> bool:
    numbers = column.kind == "text" or column.whole
    if not numbers or column.distinct < LEAST or column.gaps:
        return False
    average = column.present / column.distinct
    alone = nearly_unique(column.alone, column.present)
    if alone and direct_word(column.name) is None:
        return False
    return 1.05 <= average <= MOST_RECORDS


def _panel(column: ColumnFacts, time: ColumnFacts) -> bool:
    """Whether a column and a time tell all records apart, and nearly every pair of them occurs."""
    if column is time or column.said & TIME or column.distinct < LEAST:
        return False
    if column.gaps or not (column.kind == "text" or column.whole):
        return False
    if column.rows < FULL * column.distinct * time.distinct or column.rows < 2 * column.distinct:
        return False
    pairs = column.codes * np.int64(time.distinct) + time.codes
    return len(np.unique(pairs)) == column.rows


def _unit(
    column: ColumnFacts, groups: SortedColumn, constant: list[str], over: str | None
) -> Unit | None:
    said = column.said
    average = column.present / column.distinct
    reported = f"{column.distinct:,} values, {average:.3g} records each"
    even = bool((groups.sizes == groups.sizes[0]).all()) and average >= 2
    direct = None if said & NAMES else direct_word(column.name)
    by_name = direct or next(iter(sorted(said & (UNIT | NUMBERED))), None)
    about = f", within which {_listed(constant)} never changes" if constant else ""
    if by_name is not None:
        sure = "sure" if constant or even else "likely"
        if sure == "likely" and by_name != direct and average > 20:
            return None  # "number" of something, not a number given out
        reason = f"named like a respondent's number ({by_name!r}), {reported}{about}"
    elif over is not None:
        sure, reason = "likely", f"{reported}, one for each {over}{about}"
    elif said & (PLACE | CODE | AMOUNT) or (column.kind == "text" and not even):
        return None
    elif even and groups.adjacent:
        sure, reason = "likely", f"{average:g} records of each value, one after the other{about}"
    elif even and constant:
        sure, reason = "likely", f"as many records of each value ({average:g}){about}"
    elif len(constant) >= CONSTANT and average <= 50:
        sure, reason = "doubtful", f"{reported}{about}"
    else:
        return None
    return Unit(column.name, column.distinct, average, tuple(constant), sure, reason)


def find_weights(columns: Mapping[str, ColumnFacts], units: list[Unit]) -> list[Weight]:
    """Columns that may hold sampling weights, the surest first."""
    body = any(words(name) & BODY for name in columns)
    found = []
    for column in columns.values():
        said = column.said & WEIGHT
        if column.said & PRICED:
            continue
        numeric = column.kind in ("integer", "float", "decimal") and column.numbers is not None
        if not said or not numeric or column.gaps or column.distinct < 2:
            continue
        assert column.numbers is not None
        if not np.isfinite(column.numbers).all() or column.numbers.min() <= 0:
            continue
        plain = said <= {"weight", "weights", "gewicht", "peso", "factor"}
        reported = f"named {sorted(said)[0]!r}, above 0 without gaps"
        within = [u.column for u in units if column.name in u.constant]
        if within and not (plain and body):
            found.append(
                Weight(column.name, "sure", f"{reported}, the same in all records of a {within[0]}")
            )
        elif not plain:
            found.append(Weight(column.name, "sure", reported))
        elif body:
            found.append(Weight(column.name, "doubtful", f"{reported}, but perhaps of bodies"))
        else:
            sure = "likely" if column.present >= 5 * column.distinct else "doubtful"
            found.append(Weight(column.name, sure, reported))
    return sorted(found, key=lambda one: ("sure", "likely", "doubtful").index(one.sure))


def _listed(names: list[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
