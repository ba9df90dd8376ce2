"""Which records break a rule: counted on any table, the file that was read back included.

A rule applies to the records that have a value in all its columns. Sums of floating-point numbers
are compared to within `SLACK` of the sizes of the terms; a bound of zero on one column has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.edits.rule import Condition, Rule
from coterie.errors import CoterieError, DataError, listed
from coterie.numbers.magnitude import magnitude
from coterie.table.arrays import to_numpy

if TYPE_CHECKING:
    import pyarrow as pa

    from coterie.table.source import Source

__all__ = ["Check", "Figures", "RuleBroken", "broken", "check", "figures"]

SLACK = 1e-9  # of the sum of the terms' sizes; single precision has fewer digits
SINGLE = 1e-6
DIGIT = 1e-15  # of the largest values of the columns that a rule compares: lost in a last digit
DAY = 86_400


@dataclass(frozen=True)
class Check:
    """How many records a rule applies to, and how many of them break it."""

    rule: str
    records: int
    broken: int

    def __str__(self) -> str:
        return f"{self.rule}: {self.broken:,} of {self.records:,} records break it"


class RuleBroken(CoterieError):
    """Some record breaks a rule.

    Attributes
    ----------
    checks : tuple of Check
        What was counted, rule by rule.
    """

    is_answer = True

    def __init__(self, checks: Iterable[Check], remedy: str = "Correct those records."):
        self.checks = tuple(checks)
        reported = [f"{c.rule!r} ({c.broken:,} of {c.records:,})" for c in self.checks if c.broken]
        super().__init__(
            f"Every record must keep every rule. Got records that break {listed(reported)}. "
            f"{remedy}"
        )


@dataclass(frozen=True, eq=False)
class Figures:
    """A column as float64 numbers (days for dates), where it has gaps, and how exact it is."""

    values: NDArray[np.float64]
    missing: NDArray[np.bool_]
    slack: float = SLACK
    is_date: bool = False
    largest: float = 0.0  # of a table that these records are a part of, if it is known


def check(
    source: Source, rules: Sequence[Rule], codes: Mapping[str, Sequence[Any]] | None = None
) -> tuple[Check, ...]:
    """Count, rule by rule, the records of a table that break it.

    Parameters
    ----------
    source : Source
        The table.
    rules : sequence of Rule
        As `read_rules` gives them.
    codes : mapping of column to values, optional
        Values that mean missing.
    """
    known = figures(source, rules, codes)
    found = []
    for rule in rules:
        applies = whole(rule, known)
        bad = broken(rule, known)
        found.append(Check(rule.text, int(applies.sum()), int(bad.sum())))
    return tuple(found)


def figures(
    source: Source, rules: Sequence[Rule], codes: Mapping[str, Sequence[Any]] | None = None
) -> dict[str, Figures]:
    """The columns that rules name; one that holds no numbers is refused."""
    known = {}
    for rule in rules:
        for name in rule.columns:
            if name not in known:
                array = source.frame[name].to_arrow()
                known[name] = _figures(rule.text, name, array, (codes or {}).get(name, ()))
        _refuse_dates(rule, known)
    return known


def whole(rule: Rule, known: Mapping[str, Figures]) -> NDArray[np.bool_]:
    """Records that have a value in every column of the rule."""
    gaps = [known[name].missing for name in rule.columns]
    return ~np.logical_or.reduce(gaps)


def broken(rule: Rule, known: Mapping[str, Figures]) -> NDArray[np.bool_]:
    """Records that break the rule."""
    bad = np.zeros(len(known[rule.columns[0]].values), dtype=bool)
    for part in rule.parts:
        bad |= excess(part, known) > 0
    return bad & whole(rule, known)


def excess(part: Condition, known: Mapping[str, Figures]) -> NDArray[np.float64]:
    """By how much a condition is broken beyond rounding, in some unit; 0 or less where it holds.

    Infinite numbers are beyond every bound, and equal to none.
    """
    columns = [known[name].values for name in part.coefficients]
    finite = [np.where(np.isfinite(values), values, 0.0) for values in columns]
    power = max(magnitude(values) for values in [*finite, np.array([part.bound])])
    weights = list(part.coefficients.values())
    bound = np.ldexp(part.bound, -power)
    usual = [c * np.ldexp(values, -power) for c, values in zip(weights, finite, strict=True)]
    total = np.sum(usual, axis=0) - bound
    size = np.sum(np.abs(usual), axis=0) + abs(bound)
    slack = max(known[name].slack for name in part.coefficients)
    nothing = 0.0
    if len(usual) > 1:
        largest = [abs(c) * known[name].largest for name, c in part.coefficients.items()]
        widest = np.maximum(np.abs(usual).max(axis=1, initial=0.0), np.ldexp(largest, -power))
        nothing = DIGIT * widest.sum()
    beyond = (np.abs(total) if part.equal else total) - slack * size - nothing
    for c, values in zip(weights, columns, strict=True):
        endless = ~np.isfinite(values)
        signs = np.sign(c * values[endless])
        # Two infinities of different signs have no sum: the rule is not kept there.
        kept = (signs < 0) & (beyond[endless] < np.inf) & (not part.equal)
        beyond[endless] = np.where(kept, -np.inf, np.inf)
    return beyond


def _figures(rule: str, name: str, array: Any, codes: Sequence[Any]) -> Figures:
    import pyarrow as pa

    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    kind = array.type
    is_date = pa.types.is_date(kind) or _is_days(array)
    if not (is_date or pa.types.is_integer(kind) or _is_fraction(kind)):
        raise DataError(
            f"Column {name!r} in rule {rule!r} must hold numbers or dates. Got {kind}; convert it, "
            "or leave the rule out."
        )
    if pa.types.is_date(kind):
        array = array.cast(pa.date32()).cast(pa.int32())
    elif is_date:
        array = array.cast(pa.timestamp("s"), safe=False).cast(pa.int64())
    numbers = to_numpy(array.cast(pa.float64(), safe=False))
    values = np.where(np.isnan(numbers), 0.0, numbers) / (DAY if pa.types.is_timestamp(kind) else 1)
    missing = np.isnan(numbers)
    for code in codes:
        if isinstance(code, (int, float)) and not isinstance(code, bool):
            missing = missing | (numbers == code)
    slack = SINGLE if pa.types.is_floating(kind) and kind.bit_width < 64 else SLACK
    return Figures(np.where(missing, 0.0, values), missing, slack, is_date)


def _is_fraction(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return pa.types.is_floating(kind) or pa.types.is_decimal(kind)


def _is_days(array: Any) -> bool:
    """Timestamps without a time of day are dates."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_timestamp(array.type) or array.type.tz is not None:
        return False
    return bool(pc.all(pc.equal(pc.floor_temporal(array, unit="day"), array)).as_py() is not False)


def _refuse_dates(rule: Rule, known: Mapping[str, Figures]) -> None:
    """Dates may be compared with dates, and their difference with days; nothing else."""
    for part in rule.parts:
        dates = [c for name, c in part.coefficients.items() if known[name].is_date]
        if dates and abs(sum(dates)) > 1e-12:
            raise DataError(
                f"Rule {rule.text!r} must compare dates with dates. Got a date beside numbers; "
                "write for example 'end - start <= 30' (days)."
            )
