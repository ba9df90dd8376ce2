"""Which columns of a released table can be measured: those without gaps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["Measurable", "measurable"]


@dataclass(frozen=True)
class Measurable:
    """Keys and confidential columns without gaps, and what was left out for them."""

    keys: list[str]
    confidential: list[str]
    left_out: list[str]


def measurable(
    original: nw.DataFrame[Any], keys: Iterable[str], confidential: Iterable[str]
) -> Measurable:
    """Sort the columns of a table by whether every record has a value.

    Examples
    --------
    >>> import narwhals as nw
    >>> import pandas as pd
    >>> table = nw.from_native(pd.DataFrame({"x": [1.0, None], "y": [1, 2]}), eager_only=True)
    >>> measurable(table, ["x", "y"], [])
    Measurable(keys=['y'], confidential=[], left_out=['x'])
    """
    asked = list(dict.fromkeys([*keys, *confidential]))
    whole = [name for name in asked if not _has_gaps(original[name])]
    kept = [name for name in keys if name in whole]
    return Measurable(
        kept,
        [name for name in confidential if name in whole and name not in kept],
        [name for name in asked if name not in whole],
    )


def _has_gaps(series: nw.Series[Any]) -> bool:
    gaps = series.is_null().any()
    return bool(gaps or (series.dtype.is_float() and series.is_nan().any()))
