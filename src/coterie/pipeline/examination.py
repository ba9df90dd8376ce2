"""Examination: what a table, or a sample of it, and a plan have to do with each other.

Every problem that can be seen without any work is found, and all are told at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.advice.guards import guard
from coterie.centroids.edits.plan import Edits
from coterie.centroids.edits.plan import plan as plan_edits
from coterie.errors import DataError, ParameterError, bad_parameter, unknown_name
from coterie.guarantees.beyond_k import OF_AMOUNTS, BeyondK
from coterie.guarantees.strata import form_strata
from coterie.numbers.checks import check_k
from coterie.pipeline.households import check_unit_columns
from coterie.plan import Plan
from coterie.plan.analysis import read_analysis
from coterie.table.classes import value_codes
from coterie.table.encoding import CATEGORICAL, Column, pattern_codes
from coterie.table.infer import examine
from coterie.table.problems import Problems
from coterie.table.schema import Schema
from coterie.table.source import Source

__all__ = ["Examined", "examined", "tell_gaps"]


AMOUNTS = ("continuous", "integer")  # types whose values add up


@dataclass(frozen=True, eq=False)
class Examined:
    """What a table, or a sample of it, and a plan have to do with each other.

    Attributes
    ----------
    columns : list of Column
        The keys of all records of the source, as far as they can be had.
    found : Problems
        What speaks against protecting the table.
    """

    schema: Schema
    sets: list[tuple[str, ...]]
    columns: list[Column]
    edits: Edits
    beyond_k: BeyondK
    found: Problems


def examined(
    source: Source,
    plan: Plan,
    *,
    problems: Sequence[str] = (),
    records: int | None = None,
    described: Mapping[str, Any] | None = None,
) -> Examined:
    """Everything that can be seen to be wrong with a plan and a table; nothing is raised.

    Parameters
    ----------
    problems : sequence of str
        What is known already.
    records : int, optional
        Of the whole table, if the source is a sample of it: what the sample's counts would say is
        left to whoever sees all records then.
    described : mapping, optional
        Roles and settings of the columns, by default the plan's.
    """
    all_records = records is None or records == len(source.frame)
    schema, found = examine(source, **(plan.described if described is None else described))
    if plan.k:  # else the plan's problems say so
        try:
            check_k(plan.k, len(source.frame) if records is None else records, "anonymize")
        except ParameterError as error:
            found.add(str(error))
    sets = _attribute_sets(plan.attribute_groups, schema, found)
    for name in plan.missing_codes or ():
        if name in schema.names and name not in schema.keys:
            found.add(
                f"missing_codes of {name!r} would have no effect: it is no key", columns=[name]
            )
    schema, objections = guard(source, schema, whole=all_records)
    columns = _key_columns(source, schema, found)
    if all_records:
        gaps = np.column_stack([c.gaps for c in columns]) if columns else np.empty((0, 0), np.int16)
        missing = np.count_nonzero(gaps, axis=0).tolist()
        counts = dict(zip((c.name for c in columns), missing, strict=True))
        tell_gaps(counts, np.bincount(pattern_codes(gaps)), plan, found)
    for objection in objections:
        found.add(str(objection), data=True, columns=objection.columns)
    if plan.unit_columns:
        check_unit_columns(plan.unit_columns, source, schema, found, all_records=all_records)
    edits = Edits()
    if plan.rules:
        edits = plan_edits(
            plan.rules,
            plan.broken_rules,
            source,
            schema,
            sets,
            found,
            all_records=all_records,
        )
    beyond_k = _beyond_k(plan, source, schema, found, all_records)
    _check_analyses(plan.analyses, schema, found)
    _check_match(plan.match, schema, found)
    known = bool(problems or found.texts)
    if all_records and known and plan.k and schema.strata and plan.small_strata == "error":
        _check_strata(source, schema, plan.k, found)
    return Examined(schema, sets, columns, edits, beyond_k, found)


def _check_strata(source: Source, schema: Schema, k: int, problems: Problems) -> None:
    """Small strata beside other problems: told now, not when those have been corrected."""
    rows = np.arange(len(source.frame))
    units = value_codes(source, [schema.unit]) if schema.unit is not None else None
    try:
        form_strata(source, schema, rows, np.zeros((len(rows), 1), np.int16), units, k, "error")
    except DataError as error:
        problems.add(str(error), data=True)


def _check_analyses(analyses: Sequence[str], schema: Schema, problems: Problems) -> None:
    """What speaks against an analysis of the release; how it reads the plan has checked."""
    for text in analyses:
        try:
            asked = read_analysis(text)
        except ValueError:
            continue
        for name in asked.columns:
            if name not in schema.names:
                problems.add(str(unknown_name(f"column in analysis {text!r}:", name, schema.names)))
            elif name in schema.identifiers:
                problems.add(
                    f"analysis {text!r} needs {name!r}, which is dropped: leave it out",
                    columns=[name],
                )
        if asked.outcome in schema.names and schema[asked.outcome].type in CATEGORICAL:
            problems.add(
                f"analysis {text!r} needs numbers of {asked.outcome!r}: it has categories",
                columns=[asked.outcome],
            )


def _check_match(match: str | None, schema: Schema, problems: Problems) -> None:
    """What speaks against the column by which records are found again in earlier releases."""
    if match is not None and match not in schema.names:
        problems.add(str(unknown_name("column in match:", match, schema.names)))
    elif match is not None and match in schema.keys:
        problems.add(
            f"The column to match records by must be no key. Got {match!r}: choose another",
            columns=[match],
        )


def _beyond_k(
    plan: Plan, source: Source, schema: Schema, problems: Problems, all_records: bool
) -> BeyondK:
    """What is asked of the values of a class; what is wrong with it is added to `problems`."""
    beyond_k = BeyondK.of(
        "anonymize",
        source,
        schema.keys,
        schema.confidential,
        amounts=[a.name for a in schema.key_attributes if a.type in AMOUNTS],
        keys_add_up=True,
        declared={a.name: (a.type, a.order) for a in schema.attributes},
        problems=problems,
        all_records=all_records,
        **plan.limits,
    )
    for rule in OF_AMOUNTS:
        if plan.sample_weight is not None and beyond_k.asked.get(rule):
            problems.add(f"{rule} must be asked without sample_weight: sums have no weights")
    return beyond_k


def _attribute_sets(
    given: Sequence[Sequence[str]] | None, schema: Schema, problems: Problems
) -> list[tuple[str, ...]]:
    """The sets of keys that are grouped together: all of them, unless the caller says otherwise."""
    if given is None:
        return [schema.keys]
    sets = [tuple(names) for names in given]
    flat = [name for names in sets for name in names]
    if sorted(flat) != sorted(schema.keys) or not all(sets):
        rule = "disjoint sets that hold every key once"
        problems.add(str(bad_parameter("attribute_groups", "anonymize", rule, given)))
    return sets


def _key_columns(source: Source, schema: Schema, problems: Problems) -> list[Column]:
    """The key columns; what cannot be read as its type is added to `problems`."""
    columns = []
    for key in schema.key_attributes:
        try:
            columns.append(Column.of(key, source.frame[key.name].to_arrow()))
        except DataError as error:
            if key.name not in problems.refused:  # found before, in words that know the key
                problems.add(str(error), data=True, columns=[key.name])
    return columns


def tell_gaps(
    counts: Mapping[str, int], patterns: NDArray[np.int64], plan: Plan, problems: Problems
) -> None:
    """Add that keys have gaps, unless the plan says what to do about them.

    Parameters
    ----------
    counts : mapping of key to int
        Records with a gap.
    patterns : int array
        Records of each pattern of gaps.
    """
    gaps = {name: count for name, count in counts.items() if count}
    if not gaps or plan.missing != "error":
        return
    counted = ", ".join(f"{name!r} ({count})" for name, count in gaps.items())
    text = (
        f"Keys must have no missing values. Got gaps in {counted}: use missing='pattern' "
        "(--missing pattern) to group records that miss the same, or 'drop'"
    )
    few = int(patterns[patterns < plan.k].sum())
    if few:
        text += (
            f", and small_strata='drop' (--small-strata drop) for the {few} records whose "
            "pattern of gaps too few share"
        )
    problems.add(text, data=True, columns=gaps)
