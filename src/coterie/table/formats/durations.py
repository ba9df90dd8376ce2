"""Durations in text: ISO 8601 (P1DT2H30M), which says its unit; a bare count would not."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.table.arrays import constant, from_numpy, to_numpy

__all__ = ["spelled"]

DIGITS = {"s": 0, "ms": 3, "us": 6, "ns": 9}  # of a second's fraction, by Arrow's unit


def spelled(column: Any) -> Any:
    """The text of each duration, null where there is none; one spelling for one length."""
    import pyarrow as pa
    import pyarrow.compute as pc

    digits = DIGITS[column.type.unit]
    ticks = to_numpy(pc.fill_null(column.cast(pa.int64()), constant(0)))
    # Unsigned: the lowest of 64 bits has no positive counterpart among the signed.
    length = np.where(ticks < 0, np.uint64(0) - ticks.view(np.uint64), ticks.view(np.uint64))
    seconds, fraction = np.divmod(length, np.uint64(10**digits))
    minutes, second = np.divmod(seconds, np.uint64(60))
    hours, minute = np.divmod(minutes, np.uint64(60))
    days, hour = np.divmod(hours, np.uint64(24))
    within = (hour > 0) | (minute > 0) | (second > 0) | (fraction > 0)
    pieces = [
        _where(ticks < 0, "-"),
        constant("P"),
        _counted(days, "D"),
        _where(within | (days == 0), "T"),
        _counted(hour, "H"),
        _counted(minute, "M"),
        _seconds(second, fraction, digits, length == 0),
    ]
    text = pc.binary_join_element_wise(*pieces, constant(""))
    return pc.if_else(column.is_valid(), text, pa.scalar(None, pa.string()))


def _where(holds: Any, letter: str) -> Any:
    import pyarrow.compute as pc

    return pc.if_else(from_numpy(holds), constant(letter), constant(""))


def _counted(numbers: Any, letter: str) -> Any:
    """A number and its letter; nothing for 0."""
    import pyarrow as pa
    import pyarrow.compute as pc

    text = pc.binary_join_element_wise(
        from_numpy(numbers).cast(pa.string()), constant(letter), constant("")
    )
    return pc.if_else(from_numpy(numbers > 0), text, constant(""))


def _seconds(seconds: Any, fraction: Any, digits: int, zero: Any) -> Any:
    """Seconds with what is behind the point; 0S where that is all of the duration."""
    import pyarrow as pa
    import pyarrow.compute as pc

    text = from_numpy(seconds).cast(pa.string())
    if digits:
        behind = pc.utf8_lpad(from_numpy(fraction).cast(pa.string()), digits, "0")
        point = pc.binary_join_element_wise(
            text, constant("."), pc.utf8_rtrim(behind, "0"), constant("")
        )
        text = pc.if_else(from_numpy(fraction > 0), point, text)
    text = pc.binary_join_element_wise(text, constant("S"), constant(""))
    return pc.if_else(from_numpy((seconds > 0) | (fraction > 0) | zero), text, constant(""))
