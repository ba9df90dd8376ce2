"""The type of a column that nothing is said about, with the reason."""

from __future__ import annotations

from typing import Any

from coterie.table import columns
from coterie.table.codes import classified, code_reason
from coterie.table.source import Source

__all__ = ["found_code", "found_type"]


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
