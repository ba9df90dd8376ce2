"""Rungs: how a value gets its labels, level by level: by listing, by prefix, by bands, by dates.

Each kind is a function of one value alone, so that parts of a table agree; numbers are exact.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal, InvalidOperation
from typing import Any, Protocol

__all__ = [
    "Bands",
    "Dates",
    "Flat",
    "Listed",
    "Prefix",
    "Rungs",
    "band_text",
    "date_text",
    "is_multiple",
    "text_of",
]

STEPS = ("day", "month", "quarter", "year", "decade")
EXACT = Context(prec=1000)  # every float64 in units of every other one
MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}


class Rungs(Protocol):
    """What gives a value its labels."""

    @property
    def depth(self) -> int:
        """Number of levels below the root."""

    def labels(self, value: Any) -> tuple[str, ...]:
        """The labels of a value, itself first, the root left out; KeyError if it has none."""

    def knows_label(self, label: str) -> bool:
        """Whether a label is a value of its own."""

    def listed(self) -> Iterable[str]:
        """The values that are known beforehand."""


def text_of(value: Any) -> str:
    """A value as hierarchies spell it: whole numbers without a point, dates as 2024-02-29."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and abs(value) < 2**63 and value == int(value):
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return str(value)


@dataclass(frozen=True)
class Listed:
    """Paths that a file or a mapping lists, by the text of the value."""

    paths: Mapping[str, tuple[str, ...]]
    depth: int

    def labels(self, value: Any) -> tuple[str, ...]:
        """The labels of a value."""
        return self.paths[text_of(value)]

    def knows_label(self, label: str) -> bool:
        """Whether a label is a value."""
        return label in self.paths

    def listed(self) -> Iterable[str]:
        """All values."""
        return self.paths


@dataclass(frozen=True)
class Flat:
    """No tree at all: a value, and everything."""

    depth: int = 1

    def labels(self, value: Any) -> tuple[str, ...]:
        """The value itself."""
        return (text_of(value),)

    def knows_label(self, label: str) -> bool:
        """Every label may be a value."""
        return True

    def listed(self) -> Iterable[str]:
        """None."""
        return ()


@dataclass(frozen=True)
class Prefix:
    """The first so many letters and digits of a code; separators between them do not count."""

    lengths: tuple[int, ...]  # from the longest

    @property
    def depth(self) -> int:
        """The code itself, and one level for each length."""
        return len(self.lengths) + 1

    def labels(self, value: Any) -> tuple[str, ...]:
        """The code and its prefixes; a code that is shorter stands for its own."""
        text = text_of(value)
        ends = [place for place, sign in enumerate(text, 1) if sign.isalnum()]
        if not ends:
            raise KeyError(text)
        return (text, *(text[: ends[n - 1]] if n < len(ends) else text for n in self.lengths))

    def knows_label(self, label: str) -> bool:
        """Every label may be a code."""
        return any(map(str.isalnum, label))

    def listed(self) -> Iterable[str]:
        """None."""
        return ()


@dataclass(frozen=True)
class Bands:
    """Bands of numbers, each as wide as it says, from 0."""

    widths: tuple[Decimal, ...]  # from the narrowest

    @property
    def depth(self) -> int:
        """The number itself, and one level for each width."""
        return len(self.widths) + 1

    def labels(self, value: Any) -> tuple[str, ...]:
        """The number and its bands."""
        number = _decimal(value)
        return (text_of(value), *(band_text(number, number, width) for width in self.widths))

    def knows_label(self, label: str) -> bool:
        """Whether a label is a number."""
        try:
            _decimal(label)
        except KeyError:
            return False
        return True

    def listed(self) -> Iterable[str]:
        """None."""
        return ()


@dataclass(frozen=True)
class Dates:
    """Months, quarters, years and decades of dates."""

    steps: tuple[str, ...]  # from the shortest

    @property
    def depth(self) -> int:
        """The date itself, and one level for each step."""
        return len(self.steps) + 1

    def labels(self, value: Any) -> tuple[str, ...]:
        """The date and what it lies in."""
        day = _day(value)
        return (text_of(value), *(date_text(day, step) for step in self.steps))

    def knows_label(self, label: str) -> bool:
        """Whether a label is a date."""
        try:
            _day(label)
        except KeyError:
            return False
        return True

    def listed(self) -> Iterable[str]:
        """None."""
        return ()


def band_text(low: Decimal, high: Decimal, width: Decimal) -> str:
    """The band, or the run of bands, from that of `low` to that of `high`: ``[20, 25)``."""
    start = EXACT.multiply(_bands_below(low, width), width)
    stop = EXACT.multiply(EXACT.add(_bands_below(high, width), Decimal(1)), width)
    return f"[{_short(start)}, {_short(stop)})"


def _bands_below(number: Decimal, width: Decimal) -> Decimal:
    """How many whole bands lie between 0 and a number, rounded down."""
    whole = EXACT.divide_int(number, width)  # toward 0
    return EXACT.subtract(whole, Decimal(EXACT.multiply(whole, width) > number))


def is_multiple(number: Decimal, width: Decimal) -> bool:
    """Whether a number lies where a band begins."""
    return EXACT.remainder(number, width) == 0


def date_text(day: datetime.date, step: str) -> str:
    """The day, month, quarter, year or decade of a date."""
    if step == "day":
        return day.isoformat()
    if step == "month":
        return f"{day.year:04d}-{day.month:02d}"
    if step == "quarter":
        return f"{day.year:04d}-Q{(day.month + 2) // 3}"
    return f"{day.year:04d}" if step == "year" else f"{day.year // 10:03d}0s"


def _short(number: Decimal) -> str:
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def _decimal(value: Any) -> Decimal:
    if isinstance(value, bool):
        raise KeyError(value)
    try:
        number = value if isinstance(value, Decimal) else Decimal(text_of(value))
    except InvalidOperation:
        raise KeyError(value) from None
    if not number.is_finite():
        raise KeyError(value)
    return number


def _day(value: Any) -> datetime.date:
    if isinstance(value, datetime.datetime):
        return value.date()
    if isinstance(value, datetime.date):
        return value
    try:
        return datetime.datetime.fromisoformat(value).date()
    except (TypeError, ValueError):
        raise KeyError(value) from None
