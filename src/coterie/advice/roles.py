"""A role for every column, with the reason and how sure it is: rather too careful than too free."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from coterie.advice.facts import ColumnFacts
from coterie.advice.levels import levels_of
from coterie.advice.meaning import DISEASES, Meaning
from coterie.advice.units import Unit, Weight, nearly_unique
from coterie.numbers.magnitude import lifted
from coterie.table.naming import (
    AMOUNT,
    BIRTH,
    CONFIDENTIAL,
    NUMBERED,
    PLACE,
    WEAK,
    direct_word,
)

__all__ = ["Proposal", "propose"]

MOST_CATEGORIES = 100  # of a key that is proposed without a hierarchy

SHORT = 100  # records below which numbers may all differ by chance
LONG_NUMBER = 7  # digits of numbers that are given out
MEASURED = ("number", "money", "percentage")


@dataclass(frozen=True)
class Proposal:
    """A role, why, and how sure it is: "sure", "likely" or "doubtful"."""

    role: str
    reason: str
    sure: str


def propose(
    columns: Mapping[str, ColumnFacts],
    meanings: Mapping[str, Meaning],
    units: Sequence[Unit],
    weights: Sequence[Weight],
) -> dict[str, Proposal]:
    """A role for every column."""
    proposals = {name: _of(column, meanings[name]) for name, column in columns.items()}
    for unit in units:
        if unit.sure != "doubtful" and proposals[unit.column].role != "confidential":
            proposals[unit.column] = Proposal("identifier", unit.reason, unit.sure)
    best = next((u for u in units if u.sure != "doubtful"), None)
    if best is not None:
        proposals[best.column] = Proposal("unit", best.reason, best.sure)
    weight = next((w for w in weights if w.sure != "doubtful"), None)
    if weight is not None and proposals[weight.column].role != "unit":
        proposals[weight.column] = Proposal("weight", weight.reason, weight.sure)
    return proposals


def _of(column: ColumnFacts, meant: Meaning) -> Proposal:
    """A role by what the column is by itself."""
    if not column.distinct:
        return Proposal("other", "no value at all", "sure")
    if column.distinct == 1 and not column.gaps:
        return Proposal("other", "the same in every record", "sure")
    named = _named(column, meant)
    if named is not None:
        return named
    if column.kind in ("date", "datetime") or meant.meant in ("date", "datetime"):
        return _moment(column, meant)
    if meant.meant in MEASURED:
        return _numeric(column, meant)
    return _categorical(column, meant)


def _named(column: ColumnFacts, meant: Meaning) -> Proposal | None:
    """Identifiers that a name or the look of the values tells."""
    if meant.meant == "identifier":
        return Proposal("identifier", meant.reason, "sure")
    said = column.said
    direct = direct_word(column.name)
    if direct is not None:
        return Proposal("identifier", f"named like an identifier ({direct!r})", "sure")
    if meant.meant == "free text":
        return Proposal("identifier", meant.reason, "sure")
    weak = sorted(said & WEAK)
    if weak and 10 * column.distinct > column.present and column.distinct > 1:
        reason = f"named like an identifier ({weak[0]!r}), and its values hardly repeat"
        return Proposal("identifier", reason, "sure")
    return None


def _moment(column: ColumnFacts, meant: Meaning) -> Proposal:
    said = column.said
    unique = nearly_unique(column.alone, column.present)
    if said & BIRTH:
        return Proposal("key", "a date of birth: others know it", "sure")
    if unique and meant.meant == "datetime":
        reason = "moments that hardly repeat: whoever knows one finds its record; or make it a key"
        return Proposal("identifier", reason, "likely")
    return Proposal("key", "others may know a date", "likely")


def _numeric(column: ColumnFacts, meant: Meaning) -> Proposal:
    said = column.said
    if column.whole and meant.meant == "number" and not said & (AMOUNT - {"number", "num", "n"}):
        given = _given_out(column, said)
        if given is not None:
            return given
    sensitive = sorted(said & CONFIDENTIAL)
    if sensitive:
        return Proposal("confidential", f"named {sensitive[0]!r}: worth protecting", "likely")
    return Proposal("key", "a number that others may know", "likely")


def _given_out(column: ColumnFacts, said: set[str]) -> Proposal | None:
    """Whole numbers that are given out one by one."""
    assert column.numbers is not None
    all_differ = column.distinct == column.present
    low, high = column.numbers.min(), column.numbers.max()
    numbered = sorted(said & NUMBERED)
    if numbered and 2 * column.distinct >= column.present:
        return Proposal(
            "identifier", f"named {numbered[0]!r}, and its values hardly repeat", "sure"
        )
    if not (math.isfinite(low) and math.isfinite(high)):
        return None  # nobody gives out infinity
    if all_differ and column.present >= 10 and high / 2 - low / 2 < 0.75 * column.present:
        return Proposal("identifier", "numbers that count the records", "sure")
    digits = len(str(int(low))) if low > 0 else 0
    long = digits >= LONG_NUMBER and digits == len(str(int(high)))
    if long and nearly_unique(column.alone, column.present):
        reason = f"numbers of {digits} digits that hardly repeat"
        return Proposal("identifier", reason, "likely")
    # Amounts are skewed, numbers that are given out are not.
    if all_differ and column.present >= SHORT and abs(skewness(column) or 0) < 1:
        reason = "whole numbers, no two equal; if it is an amount, make it a key"
        return Proposal("identifier", reason, "doubtful")
    return None


def _categorical(column: ColumnFacts, meant: Meaning) -> Proposal:
    said = column.said
    sensitive = sorted(said & CONFIDENTIAL)
    if sensitive or (meant.shape == DISEASES and not said & PLACE):
        named = f"named {sensitive[0]!r}" if sensitive else meant.reason
        return Proposal("confidential", f"{named}: worth protecting", "likely")
    if levels_of(column, meant):
        return Proposal("key", "codes that others may know, with levels above them", "likely")
    if column.kind == "text" and _hardly_repeats(column):
        reason = f"{column.distinct:,} different texts in {column.present:,} records"
        return Proposal("identifier", reason, "likely")
    if column.distinct > MOST_CATEGORIES:
        reason = (
            f"{column.distinct:,} {'codes' if meant.meant == 'code' else 'categories'}, and no "
            "levels above them: most that a group releases would be false. Give it a hierarchy, "
            "or keep a coarser level, and make that a key"
        )
        return Proposal("identifier", reason, "doubtful")
    what = {"code": "a code", "flag": "a yes or no"}.get(meant.meant, "a category")
    return Proposal("key", f"{what} that others may know", "likely")


def _hardly_repeats(column: ColumnFacts) -> bool:
    if column.present < 2:
        return False
    return 10 * column.distinct >= 9 * column.present or nearly_unique(column.alone, column.present)


def skewness(column: ColumnFacts) -> float | None:
    """The third standardized moment of a column of numbers."""
    if column.numbers is None or column.kind in ("date", "datetime") or column.distinct < 3:
        return None
    if not np.isfinite(column.numbers).all():
        return None
    weights = column.counts / column.present
    numbers = lifted(column.numbers)[0]
    centered = numbers - weights @ numbers
    squares = centered * centered
    spread = float(weights @ squares)
    power = spread**1.5
    return float(weights @ (squares * centered)) / power if power > 0 else None
