"""Frames for the numeric core: every column of numbers, each under a name of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.errors import DataError
from coterie.table.source import check_different, names_of

__all__ = ["refuse_mixed"]


def refuse_mixed(X: Any) -> None:
    """Say which columns of a frame are no numbers, and what protects such a table."""
    if not hasattr(X, "columns"):
        return
    import narwhals as nw

    check_different(names_of(X), "X")
    frame = nw.from_native(X, pass_through=True, eager_only=True)
    if not isinstance(frame, nw.DataFrame):
        return
    columns = zip(frame.columns, frame.iter_columns(), strict=True)  # a name may be a number
    others = [name for name, column in columns if not _holds_numbers(column)]
    if others:
        raise DataError(
            f"X of Microaggregation must hold numbers only. Got {frame.schema[others[0]]} in "
            f"column {others[0]!r}; leave it out or encode it, or use coterie.anonymize, which "
            "releases categories and dates as what they are."
        )


def _holds_numbers(column: Any) -> bool:
    """Whether a column is of numbers, or of objects that all are."""
    import narwhals as nw

    if column.dtype != nw.Object:
        return bool(column.dtype.is_numeric() or column.dtype == nw.Boolean)
    try:
        np.asarray(column.to_numpy(), dtype=np.float64)
    except (TypeError, ValueError):
        return False
    return True
