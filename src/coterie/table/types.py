"""The type of a column that nothing is said about, with the reason.

Whole numbers may be codes: a mean of them means nothing, and may be no code at all. Sex {1, 2, 9}
would release a 6, and most means of occupation codes are none. Whether numbers are codes is a
judgment: by the gaps between values that occur often, by known shapes, by the name.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.table import columns
from coterie.table.naming import AMOUNT, CLASSIFIED, CODE, STEMS, words
from coterie.table.source import Source

__all__ = ["CALENDAR", "classified", "code_reason", "found_code", "found_type"]

FEW = 30  # values of a code without a known shape
NAMED = 1000  # values of a code that only its name tells
OFTEN = 0.01  # of the records: values on both sides of a gap that tells
MANY = 12  # values of which neighbors are compared
FILLED = 0.6  # of the numbers between the least and the largest
ALIKE = 0.5  # correlation of how frequent neighbors are, from which they are numbers
SOLID = 10  # records that would be expected in a gap, were these numbers of one distribution
DIGITS = (3, 6)  # of occupations, industries, areas
ENDS = re.compile(r"(fips|isco|nace|naics|icd|nuts|zip)\d*$")  # of statefips
YEARS = (1800, 2100)
CALENDAR = "dates written as numbers, YYYYMMDD"


def found_type(
    source: Source, series: Any, kind: str, missing: tuple[Any, ...]
) -> tuple[str, str, tuple[Any, ...] | None]:
    """The type of a column that nothing is said about, why, and its own order."""
    name = series.name
    measure = source.details.get("measures", {}).get(name)
    labels = source.details.get("labels", {}).get(name)
    if measure in ("nominal", "ordinal") and kind in ("integer", "float", "text"):
        order = None
        if measure == "ordinal":
            order = tuple(columns.values_of(series, missing))
        return measure, f"the {source.format} file calls it {measure}", order
    if labels and measure != "scale" and kind in ("integer", "float"):
        codes = set(columns.values_of(series, missing))
        if codes <= {float(code) for code in labels}:
            return "nominal", "every code has a value label", None
    own = columns.order_of(series)
    if own is not None:
        return "ordinal", "an ordered categorical column", own
    if kind == "boolean":
        return "boolean", "true and false", None
    if kind == "integer":
        return "integer", "whole numbers", None
    if kind in ("float", "decimal"):
        values = columns.present(series, missing)
        gaps = len(values) < len(series)
        scale = getattr(series.dtype, "scale", None)
        if scale == 0:
            return "integer", "whole numbers, stored as decimals", None
        if gaps and len(values) and columns.whole(values):
            return "integer", "whole numbers beside gaps, stored as floats", None
        return "continuous", "numbers", None
    if kind == "date":
        return "date", "dates", None
    if kind == "datetime":
        values = columns.present(series, missing)
        zoned = getattr(series.dtype, "time_zone", None) is not None
        if len(values) and not zoned and columns.at_midnight(values):
            return "date", "datetimes that are all at midnight", None
        return "datetime", "datetimes", None
    if kind == "text":
        return "nominal", "text without a declared order", None
    return "nominal", f"values of type {kind}", None


def found_code(
    source: Source, series: Any, kind: str, found: str, missing: tuple[Any, ...]
) -> str | None:
    """Why a column of numbers is taken for a code; None if it is none.

    They are whole but for classifications: 62.01 is an industry, 250.01 a disease.
    """
    if found not in ("integer", "continuous") or kind not in ("integer", "float"):
        return None
    if source.details.get("measures", {}).get(series.name) == "scale":
        return None
    values = columns.present(series, missing)
    if not len(values) or columns.infinite(values):
        return None
    if not classified(series.name) and not columns.exact_and_whole(values):
        return None
    return code_reason(series.name, *columns.counted(values))


def classified(name: str) -> str | None:
    """The classification that a column is named after, if it is.

    >>> classified("nace_r2"), classified("isco_mean")
    ('nace', None)
    """
    said = words(name)
    found = sorted(said & CLASSIFIED) or ENDS.findall(name.lower())
    return found[0] if found and not said & AMOUNT else None


def code_reason(name: str, values: NDArray[np.float64], counts: NDArray[np.int64]) -> str | None:
    """Why numbers, whole but for those of a classification, look like codes; None if they do not.

    Parameters
    ----------
    name : str
        The column.
    values, counts : (d,) arrays
        Its distinct values, in any order, and the records that hold each.

    Examples
    --------
    >>> import numpy as np
    >>> code_reason("x", np.array([1.0, 2.0, 9.0]), np.array([50, 48, 2]))
    'few values with gaps between them'
    >>> code_reason("x", np.arange(30.0), np.full(30, 9)) is None
    True
    """
    if len(values) < 2 or (len(values) == 2 and abs(values[1] - values[0]) == 1):
        return None  # of two neighbors the rounded mean is one
    order = np.argsort(values)
    values, counts = values[order], counts[order]
    said = words(name)
    if classified(name):
        return f"named like a code ({classified(name)!r})"
    if _calendar(values):
        return CALENDAR
    amount = (said & AMOUNT or STEMS.search(name.lower())) and not said & CODE
    if said & CODE and len(values) <= NAMED and counts.sum() >= 2 * len(values):
        return f"named like a code ({sorted(said & CODE)[0]!r})"
    if amount or (counts.sum() < 5 * len(values) and len(values) <= FEW):
        return None
    if len(values) >= MANY and _smooth(values, counts):
        return None
    solid = _solid_gaps(values, counts)
    if len(values) <= FEW:
        return "few values with gaps between them" if solid else None
    digits = np.floor(np.log10(np.maximum(values, 1))).astype(int) + 1
    low, high = DIGITS
    fixed = values[0] >= 10 ** (low - 1) and digits[0] == digits[-1] and digits[0] <= high
    if not fixed or (values[0] >= YEARS[0] and values[-1] <= YEARS[1]):
        return None
    sparse = 2 * len(values) <= values[-1] - values[0] + 1
    if sparse and solid >= max(3, len(values) // 20):
        return f"numbers of {digits[0]} digits with gaps between them, like a classification"
    return None


def _solid_gaps(values: NDArray[np.float64], counts: NDArray[np.int64]) -> int:
    """Gaps between frequent values: where a distribution of numbers would have had records.

    What is between neighbors is expected to be as frequent as the rarer of them.
    """
    with np.errstate(over="ignore"):  # from one end of the floats to the other
        steps = np.diff(values)
    unit = float(np.gcd.reduce(np.minimum(steps, 2.0**53).astype(np.int64))) or 1.0  # of -0 and 0
    width = steps / unit - 1
    rarer = np.minimum(counts[1:], counts[:-1])
    return int(((width * rarer >= SOLID) & (rarer >= OFTEN * counts.sum())).sum())


def _smooth(values: NDArray[np.float64], counts: NDArray[np.int64]) -> bool:
    """Whether these are numbers of one distribution: hardly a gap, or squares, or neighbors alike.

    Of codes, one says nothing about how frequent the next is.
    """
    with np.errstate(over="ignore"):  # from one end of the floats to the other
        step = float(np.gcd.reduce(np.minimum(np.diff(values), 2.0**53).astype(np.int64)))
        filled = len(values) >= FILLED * ((values[-1] - values[0]) / step + 1)
    if filled:
        return True
    if values[0] >= 0 and (np.rint(np.sqrt(values)) ** 2 == values).all():
        return True
    ranks = np.argsort(np.argsort(counts, kind="stable"), kind="stable").astype(np.float64)
    return bool(np.corrcoef(ranks[1:], ranks[:-1])[0, 1] >= ALIKE)


def _calendar(values: NDArray[np.float64]) -> bool:
    """Whether all are days as 19991231; more than a few, so that it is no chance."""
    if len(values) < MANY or values[0] < 1e4 * YEARS[0] or values[-1] > 1e4 * YEARS[1]:
        return False
    month, day = values // 100 % 100, values % 100
    return bool(((month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)).all())
