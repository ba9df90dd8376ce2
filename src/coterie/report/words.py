"""Numbers in words: one wording for every renderer."""

from __future__ import annotations

import datetime as dt
import math

__all__ = ["count", "figure", "listing", "percent", "value"]


def percent(share: float | None) -> str:
    """A share with two digits that matter.

    >>> [percent(x) for x in (6.23, 9.0, 12.6, 99.7, 0.0312, 0.0, None)]
    ['6.2 %', '9 %', '13 %', '99.7 %', '0.031 %', '0 %', 'not measured']
    """
    if share is None:
        return "not measured"
    if share >= 99:
        return f"{share:.1f}".removesuffix(".0") + " %"
    return f"{share:.2g} %"


def count(number: float) -> str:
    """A whole number with separators.

    >>> count(1234567)
    '1,234,567'
    """
    return f"{int(number):,}"


def figure(number: float | None) -> str:
    """A number to four digits.

    >>> [figure(x) for x in (1234567.0, 0.12345, 17.0, 12345.6, None)]
    ['1,235,000', '0.1235', '17', '12,350', '–']
    """
    if number is None or not math.isfinite(number):
        return "–"
    if number == 0 or 1e-4 <= abs(number) < 1e12:
        rounded = float(f"{number:.4g}")
        return f"{rounded:,.0f}" if abs(rounded) >= 1000 else f"{rounded:g}"
    return f"{number:.3e}"


def value(number: float | None, scale: str) -> str:
    """A value of an attribute: a date where the scale is one of dates.

    >>> value(0.0, "date"), value(42.5, "linear")
    ('1970-01-01', '42.5')
    """
    if scale == "date" and number is not None:
        try:
            return (dt.date(1970, 1, 1) + dt.timedelta(days=round(number))).isoformat()
        except OverflowError:
            return "–"
    return figure(number)


def listing(names: list[str]) -> str:
    """Names as a sentence has them.

    >>> listing(["age"]), listing(["age", "sex", "bmi"])
    ('age', 'age, sex and bmi')
    """
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
