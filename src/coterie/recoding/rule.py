"""How a plan says that a column is recoded.

| rule | what becomes of a value |
| --- | --- |
| ``{"merge": {"north": ["a", "b"]}}`` | the label of the list that names it; others stay |
| ``{"prefix": 2}`` | its first letters and digits |
| ``{"bands": 10}`` | the band it lies in, as text |
| ``{"round": 100}`` | the nearest multiple, halves to the even one |
| ``{"top": 90}``, ``{"bottom": 18}`` | at most, at least so much; "auto" takes the safe end |

`round`, `top` and `bottom` may stand together; rounding comes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coterie.numbers.finite import is_number

__all__ = ["AUTO", "NUMERIC", "RULE", "check_recoding", "words"]

AUTO = "auto"
NUMERIC = ("round", "top", "bottom")
ALONE = ("merge", "prefix", "bands")
RULE = (
    "one of {merge = {label = [values]}}, {prefix = 2}, {bands = 10}, or {round = 100}, "
    "{top = 90 or 'auto'}, {bottom = 18 or 'auto'}, which may stand together"
)


def check_recoding(value: Any) -> dict[str, Any]:
    """A rule in its own form. Raises TypeError, ValueError."""
    if not isinstance(value, Mapping) or not value or not set(value) <= {*NUMERIC, *ALONE}:
        raise TypeError
    if len(value) > 1 and set(value) & set(ALONE):
        raise ValueError
    return {name: CHECKS[name](value[name]) for name in (*ALONE, *NUMERIC) if name in value}


def words(rule: Mapping[str, Any]) -> str:
    """A rule in words, without any value of the table that it does not name."""
    said = {
        "merge": lambda merged: f"{len(merged)} merged categories",
        "prefix": lambda length: f"cut to {length} signs",
        "bands": lambda width: f"bands of {width}",
        "round": lambda step: f"rounded to {step}",
        "top": lambda end: f"top coded {_where(end)}",
        "bottom": lambda end: f"bottom coded {_where(end)}",
    }
    return ", ".join(said[name](one) for name, one in rule.items())


def _where(end: Any) -> str:
    return "where at least k units lie beyond" if end == AUTO else f"at {end}"


def _merge(value: Any) -> dict[str, list[Any]]:
    if not isinstance(value, Mapping) or not value:
        raise TypeError
    merged = {}
    for label, values in value.items():
        some = [values] if isinstance(values, str) or is_number(values) else list(values)
        if not isinstance(label, str) or not label or not some:
            raise ValueError
        merged[label] = some
    named = [str(one) for values in merged.values() for one in values]
    elsewhere = {str(one): label for label, values in merged.items() for one in values}
    if len(set(named)) < len(named) or any(
        elsewhere.get(label, label) != label for label in merged
    ):
        raise ValueError
    return merged


def _length(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError
    return value


def _width(value: Any) -> Any:
    if not is_number(value) or value <= 0:
        raise ValueError
    return value


def _end(value: Any) -> Any:
    if value != AUTO and not is_number(value):
        raise ValueError
    return value


CHECKS = {
    "merge": _merge,
    "prefix": _length,
    "bands": _width,
    "round": _width,
    "top": _end,
    "bottom": _end,
}
