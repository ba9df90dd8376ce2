"""What the values of a column mean: the tree behind them, and what is released of a group.

A hierarchy makes a column nominal, whatever its codes are stored as: distance and loss count the
levels of its tree. Only intervals, means and medians leave a number a number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from coterie.errors import DataError, shown
from coterie.hierarchy import Hierarchy, build, found_in
from coterie.hierarchy.intervals import IntervalSteps
from coterie.hierarchy.rungs import Flat
from coterie.table import columns
from coterie.table.schema import Attribute

if TYPE_CHECKING:
    from coterie.table.problems import Problems

__all__ = ["DeclaredMeaning", "with_meaning"]

LINE = ("continuous", "integer", "date", "datetime")
NOMINAL = ("nominal", "boolean")


@dataclass(frozen=True)
class DeclaredMeaning:
    """What the caller says about a column; None where nothing."""

    hierarchy: Any = None
    release: str | None = None
    step: Any = None

    def __bool__(self) -> bool:
        return any(one is not None for one in (self.hierarchy, self.release, self.step))


def with_meaning(
    attribute: Attribute,
    series: Any,
    asked: DeclaredMeaning,
    before: Attribute | None,
    problems: Problems,
) -> Attribute:
    """The attribute with its hierarchy and what is released of it; what does not fit is noted."""
    if not asked:
        if before is None or not (before.hierarchy or before.release):
            return attribute
        return replace(
            attribute,
            type=before.type,
            hierarchy=before.hierarchy,
            release=before.release,
            steps=before.steps,
        )
    name = attribute.name
    if "key" not in attribute.roles:
        return _of_stratum(attribute, series, asked, problems)
    tree = _tree(name, asked.hierarchy, problems)
    release = asked.release or ("ancestor" if tree is not None else "")
    if release == "interval":
        return _interval(attribute, series, asked, problems)
    if asked.step is not None:
        problems.add(
            f"The step of column {name!r} is for intervals. Got releases of {release or 'its own'}:"
            " ask for release 'interval', or leave the step out"
        )
        if not release:
            return attribute
    if release in ("mean", "median"):
        if asked.hierarchy is not None or attribute.type in NOMINAL:
            rule = "a number, a date or an ordinal without a hierarchy"
            problems.add(f"Column {name!r} must be {rule} to be released as {release!r}")
        return replace(attribute, release=release)
    if tree is None:
        if asked.hierarchy is not None:
            return attribute  # its problems are known
        if attribute.type not in NOMINAL:
            problems.add(
                f"Column {name!r} is {attribute.type} and has no hierarchy: give it one to release "
                f"its {release}, or use 'interval'"
            )
            return attribute
        if release == "mode":
            return replace(attribute, release=release)
        tree = Hierarchy(Flat())
    return _with_tree(attribute, series, tree, release, problems)


def _with_tree(
    attribute: Attribute, series: Any, tree: Hierarchy, release: str, problems: Problems
) -> Attribute:
    name = attribute.name
    if attribute.type == "ordinal":
        problems.add(
            f"Column {name!r} has an order and a hierarchy: leave one of them out, or say what it "
            "is with types"
        )
        return attribute
    if attribute.transform != "none":
        problems.add(
            f"The transform {attribute.transform!r} of column {name!r} is for numbers. Got a "
            "column with a hierarchy: leave it out"
        )
    values = columns.values_of(series, attribute.missing_codes)
    for text in found_in(name, tree, values):
        problems.add(f"{text}: correct it, or declare missing_codes", data=True)
    return replace(
        attribute,
        type="nominal",
        type_reason="it has a hierarchy",
        taken_for_code=False,
        order=None,
        transform="none",
        hierarchy=tree.closed(values),
        release=release,
    )


def _interval(
    attribute: Attribute, series: Any, asked: DeclaredMeaning, problems: Problems
) -> Attribute:
    name, step = attribute.name, asked.step
    if step is None and isinstance(asked.hierarchy, dict):
        step = next(iter(asked.hierarchy.get("bands") or asked.hierarchy.get("dates") or ()), None)
    if attribute.type not in LINE:
        problems.add(
            f"Column {name!r} is {attribute.type}: an interval is for numbers and dates; release "
            "its ancestor or its mode"
        )
        return attribute
    if step is None:
        problems.add(
            f"Column {name!r} needs a step to be released as an interval: steps={{{name!r}: 10}} "
            f"(--step {name}=10), or 'month' for dates"
        )
        return attribute
    if asked.step is not None and asked.hierarchy is not None:
        problems.add(
            f"The hierarchy of column {name!r} has no effect: it is released as an interval with a "
            "step of its own. Leave one of them out"
        )
        return attribute
    steps = IntervalSteps(step)
    dated = attribute.type in ("date", "datetime")
    if dated != steps.dated:
        rule = "'month', 'quarter', 'year' or 'decade'" if dated else "a number"
        problems.add(f"The step of column {name!r} must be {rule}. Got {shown(step)}: correct it")
        return attribute
    if attribute.type == "datetime" and getattr(series.dtype, "time_zone", None) is not None:
        problems.add(
            f"Column {name!r} must have no time zone to be released as an interval: convert it"
        )
        return attribute
    shown_step = attribute.type == "date" and step == "day"
    if not dated:
        values = columns.values_of(series, attribute.missing_codes)
        # Text and what is not finite are refused as such.
        values = [v for v in values if not isinstance(v, str) and math.isfinite(v)]
        fine = [value for value in values if not steps.holds(value)]
        if fine:
            problems.add(
                f"Column {name!r} must hold numbers of at most 15 digits to be released as an "
                f"interval. Got {shown(fine[0])}: round it, or convert it to floating point",
                data=True,
            )
            return attribute
        shown_step = bool(values) and steps.shows(values)
    if shown_step:
        problems.add(
            f"The step of column {name!r} must be larger than what its values are rounded to: "
            f"intervals would show original values. Got {shown(step)}; use a larger one"
        )
    return replace(attribute, release="interval", steps=steps)


def _of_stratum(
    attribute: Attribute, series: Any, asked: DeclaredMeaning, problems: Problems
) -> Attribute:
    """A stratum may have a tree, along which small ones are pooled; other columns may not."""
    name = attribute.name
    if asked.release is not None or asked.step is not None or "stratum" not in attribute.roles:
        problems.add(
            f"Column {name!r} has a hierarchy, a release or a step of its own but is no "
            "quasi-identifier: name it in quasi_identifiers or leave that out"
        )
        return attribute
    tree = _tree(name, asked.hierarchy, problems)
    if tree is None:
        return attribute
    values = columns.values_of(series, attribute.missing_codes)
    for text in found_in(name, tree, values):
        problems.add(f"{text}: correct it", data=True)
    return replace(attribute, hierarchy=tree.closed(values))


def _tree(name: str, rule: Any, problems: Problems) -> Hierarchy | None:
    """The hierarchy of a rule; what is wrong with it is noted."""
    if rule is None:
        return None
    try:
        return rule if isinstance(rule, Hierarchy) else build(rule)
    except DataError as error:
        problems.add(f"Column {name!r}: {error}", data=True)
    except (TypeError, ValueError):
        problems.add(f"The hierarchy of column {name!r} must be a rule. Got {shown(rule)}")
    return None
