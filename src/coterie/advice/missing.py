"""Values that look like missing codes: -9 among ages, 99 far above the rest, "NA", labels "DK"."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.advice.facts import ColumnFacts

__all__ = ["MissingLike", "missing_like"]

NEGATIVE = {-1, -2, -3, -4, -5, -6, -7, -8, -9, -77, -88, -98, -99, -999, -9999, -99999}
HIGH = {
    *(7, 8, 9, 77, 88, 96, 97, 98, 99, 777, 888, 996, 997, 998, 999, 7777, 8888, 9996, 9997),
    *(9998, 9999, 99999, 999999, 9999999),
}
WORDS = re.compile(
    r"n\.?/?a\.?|null|none|nan|missing|unknown|unk|\?+|-+|\.+|d\.?k\.?|don'?t know|refused|refusal"
    r"|no answer|not (?:applicable|stated|available|known|asked)|k\.? ?a\.?|keine angabe"
    r"|wei(?:ss|ß) nicht|ns/?nc|ns/?nr|sans objet|inap(?:plicable)?|#n/a",
    re.IGNORECASE,
)
FAR = 10  # records that a gap below a high code would have held, at least


class MissingLike(NamedTuple):
    """A value that looks like a missing code, the records that hold it, and why.

    `labeled` says that it does so by the label that its file gives it.
    """

    value: Any
    records: int
    reason: str
    labeled: bool = False


def missing_like(column: ColumnFacts) -> list[MissingLike]:
    """Values that look like missing codes."""
    labeled = [
        MissingLike(value, _count(column, value), f"labeled {label!r}", labeled=True)
        for value, label in column.labels.items()
        if WORDS.fullmatch(str(label).strip())
    ]
    found = [one for one in labeled if one.records]
    if column.kind == "text":
        for place, value in enumerate(column.values[:5000].to_pylist()):
            if isinstance(value, str) and WORDS.fullmatch(value.strip()):
                many = int(column.counts[place])
                found.append(MissingLike(value, many, "a word for no answer"))
    elif column.kind in ("integer", "float", "decimal") and column.numbers is not None:
        reported = {one.value for one in found}
        found += [one for one in _numbers(column) if one.value not in reported]
    return found


def _count(column: ColumnFacts, value: Any) -> int:
    if column.numbers is not None and isinstance(value, (int, float)):
        return int(column.counts[column.numbers == value].sum())
    matching = [i for i, v in enumerate(column.values[:5000].to_pylist()) if v == value]
    return int(column.counts[matching].sum())


def _numbers(column: ColumnFacts) -> list[MissingLike]:
    assert column.numbers is not None
    order = np.argsort(column.numbers)
    values, counts = column.numbers[order], column.counts[order]
    finite = np.isfinite(values)
    values, counts = values[finite], counts[finite]
    found: list[MissingLike] = []
    negative = values < 0
    codes = set(values[negative].tolist()) <= NEGATIVE and (~negative).sum() > 1
    if negative.any() and codes and (negative.sum() > 1 or values[~negative].min() > values[0] + 1):
        reason = "negative, where all others are not"
        found += _because(reason, values[negative], counts[negative])
    low = len(values)
    while low > 0 and values[low - 1] in HIGH:
        low -= 1
    rest, high = values[:low], values[low:]
    if len(high) and len(rest) > 1:
        step = float(np.min(np.diff(rest)))
        gap = (high[0] - rest[-1]) / max(step, 1.0) - 1
        nines = high[-1] >= 9 and (rest[-1] * 1.5 <= high[0] or gap * counts[low] >= FAR)
        if gap >= 1 and nines:
            reason = "far above all others"
            found += _because(reason, high, counts[low:])
    return found


def _because(reason: str, values: NDArray, counts: NDArray) -> list[MissingLike]:
    return [MissingLike(_plain(v), int(c), reason) for v, c in zip(values, counts, strict=True)]


def _plain(value: float) -> int | float:
    return int(value) if float(value).is_integer() else float(value)
