"""Whether a column fits what is said about it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from coterie.errors import listed, shown
from coterie.table import columns
from coterie.table.problems import Problems
from coterie.table.schema import Attribute
from coterie.table.source import Source

NUMBERS = ("integer", "float", "decimal")
MOMENTS = ("date", "datetime")


def check_column(
    series: Any, kind: str, attribute: Attribute, problems: Problems, *, explicit: bool
) -> Attribute:
    """Note what does not fit; gives the attribute with its order completed."""
    name, roles = attribute.name, attribute.roles
    values = columns.present(series, attribute.missing_codes)
    if explicit:
        _check_type(name, attribute.type, kind, values, problems)
    if attribute.type == "ordinal":
        attribute = replace(attribute, order=_order(attribute, kind, series, problems))
    elif attribute.order is not None:
        problems.add(
            f"Column {name!r} has an order but is {attribute.type}: declare it ordinal or leave "
            "the order out"
        )
    if "key" in roles:
        _check_key(name, kind, attribute, values, problems)
    else:
        for what, given in (
            ("a transform", attribute.transform != "none"),
            ("an attribute weight", attribute.weight != 1.0),
        ):
            if given:
                problems.add(
                    f"Column {name!r} has {what} but is no quasi-identifier: name it in "
                    "quasi_identifiers or leave that out"
                )
    if "weight" in roles:
        _check_sample_weight(name, kind, series, values, problems)
    return attribute


def check_part(source: Source, keys: Sequence[Attribute], weight: Attribute | None) -> Problems:
    """What in a part of a table does not fit what the whole is said to be: keys and weight."""
    problems = Problems()
    for attribute in (*keys, *([] if weight is None else [weight])):
        series = source.frame[attribute.name]
        if attribute is weight or len(columns.present(series, attribute.missing_codes)):
            kind = columns.kind_of(series)
            with problems.about(attribute.name):
                check_column(series, kind, attribute, problems, explicit=True)
    return problems


def check_weight(name: str, value: Any, problems: Problems) -> float:
    """An attribute weight as a float, 1 where it is none."""
    try:
        weight = float(value)
        if math.isfinite(weight) and weight > 0 and not isinstance(value, (bool, str)):
            return weight
    except (TypeError, ValueError):
        pass
    problems.add(
        f"The attribute weight of column {name!r} must be a finite number above 0. "
        f"Got {shown(value)}"
    )
    return 1.0


def _check_type(name: str, wanted: str, kind: str, values: Any, problems: Problems) -> None:
    """Whether values stored as `kind` can be of the type that is declared."""
    if not len(values):
        return
    example = columns.reported(values[0], 30)
    if wanted in ("continuous", "integer") and kind not in NUMBERS:
        problems.add(
            f"Column {name!r} is declared {wanted} but holds {kind} such as {example}: convert it "
            "or declare it nominal",
            columns=[name],
            refuses=True,
        )
    elif wanted == "integer" and kind == "float" and not columns.infinite(values):
        fractions = values.filter(values.round(0) != values)
        if len(fractions):
            problems.add(
                f"Column {name!r} is declared integer but holds {columns.reported(fractions[0])}: "
                "declare it continuous"
            )
    elif wanted == "boolean" and kind != "boolean":
        found = columns.values_of(values)
        if len(found) > 2:
            problems.add(
                f"Column {name!r} is declared boolean but holds {len(found)} values "
                f"({listed(map(columns.reported, found), 3)}): declare it nominal"
            )
    elif wanted in MOMENTS and kind not in MOMENTS:
        problems.add(
            f"Column {name!r} is declared {wanted} but holds {kind} such as {example}: convert it "
            "to dates (YYYY-MM-DD) first"
        )
    elif wanted == "date" and kind == "datetime" and not columns.at_midnight(values):
        problems.add(
            f"Column {name!r} is declared date but holds times of day: declare it datetime"
        )


def _order(
    attribute: Attribute, kind: str, series: Any, problems: Problems
) -> tuple[Any, ...] | None:
    """The order of an ordinal, in the column's own type and holding every value."""
    name = attribute.name
    found = columns.values_of(series, attribute.missing_codes)
    if attribute.order is None:
        own = columns.order_of(series)
        if own is not None:
            return own
        if kind in NUMBERS or kind in MOMENTS or kind == "boolean":
            return tuple(found)
        problems.add(
            f"Column {name!r} is ordinal but its order is not known: give it lowest first, "
            f"orders={{{name!r}: [{listed(map(columns.reported, found), 4)}]}}"
        )
        return None
    try:
        coded = columns.kind_of_codes(series)
        order = tuple(columns.code_for(value, coded) for value in attribute.order)
    except ValueError:
        problems.add(
            f"The order of column {name!r} must hold values of type {kind}. "
            f"Got {shown(list(attribute.order))}: correct it"
        )
        return attribute.order
    twice = sorted({str(v) for v in order if order.count(v) > 1})
    if twice:
        problems.add(f"The order of column {name!r} names a value twice: {listed(twice)}")
    absent = [value for value in found if value not in order]
    if absent:
        problems.add(
            f"The order of column {name!r} must hold every value of the column. Missing: "
            f"{listed(map(columns.reported, absent), 5)}; add them or declare them missing_codes"
        )
    return order


def _check_key(name: str, kind: str, attribute: Attribute, values: Any, problems: Problems) -> None:
    """What can be grouped: finite numbers, exact integers, and values of one kind."""
    if kind not in (*NUMBERS, *MOMENTS, "text", "boolean"):
        problems.add(
            f"Quasi-identifier {name!r} must hold numbers, text, booleans or dates. Got values of "
            f"type {kind}: convert or drop the column",
            data=True,
            columns=[name],
            refuses=True,
        )
        return
    if not len(values):
        problems.add(
            f"Quasi-identifier {name!r} has no value at all: take it out of quasi_identifiers",
            data=True,
            columns=[name],
            refuses=True,
        )
        return
    endless = columns.infinite(values)
    if endless:
        problems.add(
            f"Quasi-identifier {name!r} must be finite. Got {endless} infinite value(s): drop "
            "those records, or declare them with missing_codes",
            data=True,
            columns=[name],
            refuses=True,
        )
    numeric = kind in NUMBERS and attribute.type in ("continuous", "integer")
    if numeric and kind in ("integer", "decimal") and not columns.exact(values):
        low, high = int(values.min()), int(values.max())
        problems.add(
            f"Quasi-identifier {name!r} must hold integers within 2**53, which float64 holds "
            f"exactly. Got {low if -low > high else high}: subtract an offset, divide the "
            "column, or name it in identifiers",
            data=True,
            columns=[name],
            refuses=True,
        )
    if attribute.transform == "none":
        return
    if not numeric:
        problems.add(
            f"The transform {attribute.transform!r} of column {name!r} is for numbers. Got a "
            f"column of type {attribute.type}: leave it out"
        )
    elif attribute.transform == "log1p" and values.min() < 0:
        problems.add(
            f"The transform 'log1p' of column {name!r} must have no negative value. "
            f"Got {columns.reported(values.min())}: use 'asinh'"
        )


def _check_sample_weight(
    name: str, kind: str, series: Any, values: Any, problems: Problems
) -> None:
    if kind not in NUMBERS:
        problems.add(f"Sample weight {name!r} must hold numbers. Got values of type {kind}")
        return
    gaps = len(series) - len(values)
    if gaps or columns.infinite(values):
        problems.add(
            f"Sample weight {name!r} must be finite. Got {gaps} missing and "
            f"{columns.infinite(values)} infinite value(s): fill them or drop those records",
            data=True,
        )
    elif values.min() <= 0:
        problems.add(
            f"Sample weight {name!r} must be above 0. Got {columns.reported(values.min())}: drop "
            "those records",
            data=True,
        )
