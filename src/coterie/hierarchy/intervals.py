"""Intervals as released text: from the least to the largest of a group, rounded outwards to a step.

Numbers show as ``[20, 35)``: 20 belongs to it, 35 does not. Dates show as what they lie in,
``1984-05`` or ``1984-05..1985-01``, last one included.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from coterie.hierarchy.rungs import MONTHS, STEPS, band_text, date_text, is_multiple, text_of

__all__ = ["TO", "IntervalSteps", "steps_of"]

TO = ".."
NUMBERS = re.compile(r"\[-?[0-9]+(?:\.[0-9]+)?, -?[0-9]+(?:\.[0-9]+)?\)")
SHAPES = {
    "day": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    "month": re.compile(r"[0-9]{4}-[0-9]{2}"),
    "quarter": re.compile(r"[0-9]{4}-Q[1-4]"),
    "year": re.compile(r"[0-9]{4}"),
    "decade": re.compile(r"[0-9]{3}0s"),
}
EPOCH = datetime.date(1970, 1, 1)


@dataclass(frozen=True)
class IntervalSteps:
    """What ends of intervals are rounded outwards to: a number, or a step of dates.

    Examples
    --------
    >>> IntervalSteps(5).text(23, 34.5), IntervalSteps(5).bounds("[20, 35)")
    ('[20, 35)', (20.0, 35.0))
    >>> days = IntervalSteps("month")
    >>> days.text(5, 40), days.bounds("1970-01..1970-02")
    ('1970-01..1970-02', (0.0, 59.0))
    """

    step: Any

    @property
    def dated(self) -> bool:
        """Whether it is a step of dates: values are then days since 1970."""
        return self.step in STEPS

    def text(self, low: float, high: float) -> str:
        """The interval of a group from `low` to `high`."""
        if not self.dated:
            ends = [Decimal(text_of(float(end))) for end in (low, high)]
            return band_text(ends[0], ends[1], Decimal(text_of(self.step)))
        first, last = (date_text(_date(end), self.step) for end in (low, high))
        return first if first == last else f"{first}{TO}{last}"

    def bounds(self, text: str) -> tuple[float, float]:
        """Where an interval begins and where it ends; the end no longer belongs to it.

        Raises
        ------
        ValueError
            If the text is no interval.
        """
        if not self.dated:
            if not (text.startswith("[") and text.endswith(")")):
                raise ValueError(text)
            low, high = text[1:-1].split(", ")
            return float(low), float(high)
        first, _, last = text.partition(TO)
        return _number(_start(first)), _end(last or first)

    def shows(self, values: Iterable[float]) -> bool:
        """Whether intervals would show values: every one of them is a multiple of the step."""
        if self.dated:
            return bool(self.step == "day")
        step = Decimal(text_of(self.step))
        return all(is_multiple(Decimal(text_of(float(value))), step) for value in values)

    @staticmethod
    def holds(value: Any) -> bool:
        """Whether a number is one of those that intervals are computed with: a float64."""
        if isinstance(value, float):
            return True
        return Decimal(text_of(float(value))) == Decimal(value)


def steps_of(texts: Iterable[str]) -> IntervalSteps | None:
    """The largest step that intervals have ends of; None if these are no intervals.

    Examples
    --------
    >>> steps_of(["[20, 35)", "[5, 15)"]), steps_of(["1984-05", "1984-Q1"]), steps_of(["a"])
    (IntervalSteps(step=5), None, None)
    >>> steps_of(["1984-Q1..1985-Q3", "1990-Q2"])
    IntervalSteps(step='quarter')
    """
    every = list(texts)
    if not every:
        return None
    if all(NUMBERS.fullmatch(text) for text in every):
        ends = [Decimal(end) for text in every for end in text[1:-1].split(", ")]
        scale = -min(0, *(int(end.as_tuple().exponent) for end in ends))
        step = Decimal(math.gcd(*(int(end.scaleb(scale)) for end in ends))).scaleb(-scale)
        return IntervalSteps(int(step) if step == int(step) else float(step)) if step else None
    found = {
        next((step for step, shape in SHAPES.items() if shape.fullmatch(end)), None)
        for text in every
        for end in text.split(TO)
    }
    known = found.pop() if len(found) == 1 else None
    return None if known is None else IntervalSteps(known)


def _date(days: float) -> datetime.date:
    return EPOCH + datetime.timedelta(days=math.floor(days))


def _number(day: datetime.date) -> float:
    return float((day - EPOCH).days)


def _start(text: str) -> datetime.date:
    """The first day of what a label of `date_text` names."""
    if text.endswith("0s"):
        return datetime.date(int(text[:-1]) or 1, 1, 1)
    year, _, rest = text.partition("-")
    if not rest:
        return datetime.date(int(year), 1, 1)
    if rest.startswith("Q"):
        return datetime.date(int(year), 3 * int(rest[1:]) - 2, 1)
    month, _, day = rest.partition("-")
    return datetime.date(int(year), int(month), int(day or 1))


def _end(text: str) -> float:
    """The first day after it, which may lie beyond the last date that there is."""
    start = _start(text)
    if text.endswith("0s"):
        step = "decade"
    elif "Q" in text:
        step = "quarter"
    else:
        step = ("year", "month", "day")[text.count("-")]
    if step == "day":
        return _number(start) + 1
    months = 12 * start.year + start.month - 1 + MONTHS[step]
    if months // 12 > datetime.MAXYEAR:
        return _number(datetime.date.max) + 1
    return _number(datetime.date(months // 12, months % 12 + 1, 1))
