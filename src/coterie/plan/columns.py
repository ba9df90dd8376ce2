"""Columns: what is said of single columns, gathered by setting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coterie.hierarchy.rule import RULE, check_rule
from coterie.hierarchy.rungs import STEPS
from coterie.numbers.finite import is_number
from coterie.partitioning.options import field
from coterie.plan.option import Flag, by_column, option

__all__ = ["EVERYWHERE", "RELEASED", "Columns"]

RELEASED = ("ancestor", "interval", "mode", "mean", "median")
EVERYWHERE = "*"  # among the columns of missing_codes: every column that holds the code


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _several(value: Any) -> tuple[Any, ...]:
    if isinstance(value, Mapping):
        raise TypeError
    if isinstance(value, (list, tuple, set, frozenset)) or hasattr(value, "tolist"):
        return _single(value)
    return (value,)


def _levels(value: Any) -> tuple[Any, ...]:
    if isinstance(value, (str, Mapping)):
        raise TypeError
    return _single(value)


def _single(values: Iterable[Any]) -> tuple[Any, ...]:
    """Values of a column: none of them holds several."""
    found = tuple(values)
    if any(isinstance(value, (list, tuple, set, frozenset, Mapping)) for value in found):
        raise TypeError
    return found


def _number(value: Any) -> float:
    if not is_number(value):
        raise TypeError
    return value


def _released(value: Any) -> str:
    if value not in RELEASED:
        raise ValueError
    return str(value)


def _step(value: Any) -> Any:
    if isinstance(value, str):
        if value not in STEPS:
            raise ValueError
        return value
    if not is_number(value) or value <= 0:
        raise ValueError
    return value


def _codes(value: Any) -> dict[str, tuple[Any, ...]]:
    if value is None:
        return {}
    given = value if isinstance(value, Mapping) else {EVERYWHERE: value}
    if not all(isinstance(name, str) for name in given):
        raise TypeError
    return {name: _several(codes) for name, codes in given.items()}


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Type, order, missing codes, transform, weight, hierarchy and what is released, by column."""

    types: Mapping[str, str] | None = option(
        by_column("the name of a type", _text),
        "mapping, optional",
        """By column: "continuous", "integer", "ordinal", "nominal", "boolean", "date" or
        "datetime", instead of what would be inferred.""",
        Flag(("--type",), "COLUMN=TYPE.", "COLUMN=TYPE", "pairs"),
        adds=True,
        of_column="type",
        anywhere=True,
    )
    orders: Mapping[str, Sequence[Any]] | None = option(
        by_column("a list of values, lowest first", _levels),
        "mapping, optional",
        "By column: the values of an ordinal, lowest first.",
        Flag(("--order",), "Categories of an ordinal, lowest first.", "COLUMN=A,B,C", "lists"),
        adds=True,
        of_column="order",
        anywhere=True,
    )
    missing_codes: Mapping[str, Sequence[Any]] | Sequence[Any] | None = option(
        field(None, "values, or a mapping from column to values", _codes),
        "mapping or sequence, optional",
        """By column: values that mean missing; without a column, in every column that holds
        them. Each stays where it stood and is never a number.""",
        Flag(
            ("--missing-code",),
            "CODE, or COLUMN=CODE: a value that means missing.",
            "[COLUMN=]CODE",
            "codes",
        ),
        adds=True,
        of_column="missing_codes",
        anywhere=True,
    )
    transforms: Mapping[str, str] | None = option(
        by_column("'log1p', 'asinh' or 'rank'", _text),
        "mapping, optional",
        'By key: ``"log1p"``, ``"asinh"`` or ``"rank"`` before standardizing, for the search.',
        Flag(("--transform",), "COLUMN=log1p|asinh|rank.", "COLUMN=NAME", "pairs"),
        adds=True,
        of_column="transform",
        anywhere=True,
    )
    attribute_weights: Mapping[str, float] | None = option(
        by_column("a number above 0", _number),
        "mapping, optional",
        "By key: its weight in distances and in the loss; 1 by default.",
        Flag(("--attribute-weight",), "COLUMN=NUMBER.", "COLUMN=NUMBER", "numbers"),
        adds=True,
        of_column="weight",
        anywhere=True,
    )
    hierarchies: Mapping[str, Any] | None = option(
        by_column(RULE, check_rule),
        "mapping, optional",
        """By key or stratum: the tree behind its codes (`coterie.hierarchy`). Distance and loss
        count its levels, and the deepest label that a group shares is released. By prefix,
        bands, dates, a file in ARX's layout, or a nested mapping.""",
        Flag(
            ("--hierarchy",),
            "COLUMN=FILE, or COLUMN=prefix:1,2,4, bands:5,10, dates:month,year.",
            "COLUMN=RULE",
            "rules",
        ),
        adds=True,
        of_column="hierarchy",
        anywhere=True,
    )
    releases: Mapping[str, str] | None = option(
        by_column(", ".join(map(repr, RELEASED[:-1])) + f" or {RELEASED[-1]!r}", _released),
        "mapping, optional",
        """By key: what is released of a group. ``"ancestor"`` (of a hierarchy, its default: true
        of everybody), ``"interval"`` (of numbers and dates: true of everybody), ``"mode"`` (of
        categories), ``"mean"`` or ``"median"``; by default as `aggregation` says.""",
        Flag(
            ("--release",),
            "COLUMN=ancestor|interval|mode|mean|median.",
            "COLUMN=WORD",
            "pairs",
        ),
        adds=True,
        of_column="release",
        anywhere=True,
    )
    steps: Mapping[str, Any] | None = option(
        by_column("a number above 0, or one of " + ", ".join(map(repr, STEPS)), _step),
        "mapping, optional",
        """By key released as an interval: what its ends are rounded outwards to, so that no
        value is shown. By default the narrowest band or shortest step of its hierarchy.""",
        Flag(
            ("--step",),
            "COLUMN=NUMBER, or day, month, quarter, year, decade.",
            "COLUMN=STEP",
            "numbers",
        ),
        adds=True,
        of_column="step",
        anywhere=True,
    )
