"""Columns that no file could keep: in words, with the reason why they may only be dropped."""

from __future__ import annotations

import decimal
from typing import TYPE_CHECKING, Any

from coterie.errors import shown

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["in_words", "reason_of", "refused", "worded"]

INT64 = 2**63
UINT64 = 2**64


def worded(column: pd.Series) -> pd.Series:
    """The values in words, gaps as gaps."""
    import pandas as pd

    gaps = column.isna()
    words = in_words([None if gap else v for gap, v in zip(gaps, column, strict=True)])
    return pd.Series(words.to_pandas(), name=column.name).set_axis(column.index)


def in_words(values: list[Any]) -> pa.Array:
    """Any objects as text that Arrow can hold."""
    import pyarrow as pa

    words = [
        None if value is None else str(value).encode("utf-8", "backslashreplace").decode()
        for value in values
    ]
    return pa.array(words, type=pa.string())


def reason_of(name: str, values: Any, error: Exception) -> str:
    """What is wrong with objects that Arrow cannot hold, by the first that it cannot."""
    present = [value for value in values if value is not None]
    if isinstance(error, UnicodeError):
        bad = next((v for v in present if isinstance(v, str) and _surrogate(v)), "")
        return (
            f"Column {name!r} must hold Unicode text. Got a lone surrogate in {shown(bad, 30)}: "
            f"read it again with its own encoding, or {_drop(name)}"
        )
    wide = [v for v in present if isinstance(v, int) and not -INT64 <= v < UINT64]
    endless = [v for v in present if isinstance(v, decimal.Decimal) and v.is_infinite()]
    if endless:
        return (
            f"Column {name!r} must hold finite decimals. Got {endless[0]} ({len(endless)} such "
            f"value(s)): replace it by a gap, or {_drop(name)}"
        )
    kinds = sorted({type(value).__name__ for value in present})
    if wide and kinds == ["int"]:
        return (
            f"Column {name!r} must hold integers of 64 bits. Got {shown(wide[0], 30)}: convert it "
            f"to text, divide it, or {_drop(name)}"
        )
    dtype = str(getattr(values, "dtype", "object"))
    what = " and ".join(kinds) if dtype == "object" and kinds else dtype
    return refused(name, f"values of type {what}")


def refused(name: str, got: str) -> str:
    """The message for a column of several types, or of one that no file has."""
    return (
        f"Column {name!r} must hold values of one type that a file can keep. Got {_cut(got)}"
        f": convert it, or {_drop(name)}"
    )


def _cut(text: str, limit: int = 60) -> str:
    """A type's name in a one-line message, cut short."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 3] + "..."


def _drop(name: str) -> str:
    return f"drop it with identifiers=[{name!r}] (--drop)"


def _surrogate(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
