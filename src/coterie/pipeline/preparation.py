"""Preparation: a table becomes columns and strata, or one message with every problem it has.

Nothing costly happens here: whatever can be seen to be impossible from the table and the plan is
told before any work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.checks import check_k
from coterie.classes import value_codes
from coterie.edits.plan import Edits
from coterie.edits.plan import plan as plan_edits
from coterie.encoding import CATEGORICAL, Column, pattern_codes
from coterie.errors import DataError, ParameterError, bad_parameter, unknown_name
from coterie.pipeline.stages import Stages
from coterie.plan import Plan
from coterie.previous import Divided, Earlier, divide, read_previous
from coterie.promises import OF_AMOUNTS, Promises
from coterie.strata import Strata, form_strata
from coterie.table.arrays import to_numpy
from coterie.table.infer import Problems, examine
from coterie.table.read import read
from coterie.table.schema import Schema
from coterie.table.source import Source
from coterie.table.suspects import suspects

__all__ = ["Prepared", "prepare"]

AMOUNTS = ("continuous", "integer")  # types whose values add up


@dataclass(frozen=True, eq=False)
class Prepared:
    """A table that nothing speaks against protecting.

    Attributes
    ----------
    plan : Plan
        What was asked.
    promises : Promises
        What it asks of the values of a class.
    k : int
        Least units in a group.
    sets : list of tuples of str
        The keys that are grouped together.
    columns : list of Column
        Keys of the records kept.
    layers : Strata
        Which records are kept, and which of them may share a group.
    units : (n,) int array or None
        The unit of every record of the source.
    weights : (m,) float array or None
        Sampling weights of the records kept.
    edits : Edits
        Rules that every record of the release must keep.
    earlier : Earlier or None
        Where the records stood in earlier releases.
    beside : Divided or None
        What was left out to keep them safe beside those.
    """

    plan: Plan
    promises: Promises
    source: Source
    schema: Schema
    k: int
    sets: list[tuple[str, ...]]
    columns: list[Column]
    layers: Strata
    units: NDArray[np.int64] | None
    weights: NDArray[np.float64] | None
    edits: Edits
    earlier: Earlier | None = None
    beside: Divided | None = None


def prepare(
    table: Any,
    plan: Plan,
    stages: Stages,
    *,
    problems: Sequence[str] = (),
) -> Prepared:
    """Read and check a table for what a plan asks; problems known already are told with the rest.

    Raises
    ------
    ParameterError, DataError
        One message with every problem found.
    """
    source = table if isinstance(table, Source) else read(table)
    schema, found = examine(source, **plan.described)
    found.put_first(problems)
    if plan.k:  # else the plan's problems say so
        try:
            check_k(plan.k, len(source.frame), "anonymize")
        except ParameterError as error:
            found.add(str(error))
    stages.done("read")
    sets = _attribute_sets(plan.attribute_groups, schema, found)
    for name in plan.missing_codes or ():
        if name in schema.names and name not in schema.keys:
            found.add(f"missing_codes of {name!r} would have no effect: it is no key")
    columns = _key_columns(source, schema, plan.missing, plan.k, found)
    edits = Edits()
    if plan.rules:
        edits = plan_edits(plan.rules, plan.broken_rules, source, schema, sets, found)
    promises = _promises(plan, source, schema, found)
    _check_match(plan.match, schema, found)
    found.refuse()
    size = plan.k
    gaps = np.column_stack([column.gaps for column in columns])
    stages.done("schema")
    left_out = gaps.any(axis=1) if plan.missing == "drop" else np.zeros(len(gaps), dtype=bool)
    if edits.breakers is not None:
        left_out = left_out | edits.breakers
    rows = np.flatnonzero(~left_out)
    if len(rows) < size:
        raise DataError(
            f"anonymize must keep at least k = {size} records. Got {len(rows)} after dropping "
            f"{len(gaps) - len(rows)} with missing keys or broken rules; use missing='pattern', "
            "broken_rules='repair' or another key."
        )
    units = value_codes(source, [schema.unit]) if schema.unit is not None else None
    layers = form_strata(source, schema, rows, gaps, units, size, plan.small_strata, plan.pooled)
    earlier, beside = None, None
    if plan.previous:
        earlier = read_previous(plan.previous, plan.match, source, units, size)
        beside = divide(layers, earlier, units, plan.small_strata, plan.leavers or "error")
        layers = beside.layers
    return Prepared(
        plan,
        promises,
        source,
        schema,
        size,
        sets,
        [column.some(layers.rows) for column in columns],
        layers,
        units,
        _weights(source, schema, layers.rows),
        edits,
        earlier,
        beside,
    )


def _check_match(match: str | None, schema: Schema, problems: Problems) -> None:
    """What speaks against the column by which records are found again in earlier releases."""
    if match is not None and match not in schema.names:
        problems.add(str(unknown_name("column in match:", match, schema.names)))
    elif match is not None and match in schema.keys:
        problems.add(
            f"The column to match records by must be no key. Got {match!r}: choose another"
        )


def _promises(plan: Plan, source: Source, schema: Schema, problems: Problems) -> Promises:
    """What is asked of the values of a class; what is wrong with it is added to `problems`."""
    promises = Promises.of(
        "anonymize",
        source,
        schema.keys,
        schema.confidential,
        amounts=[a.name for a in schema if "key" in a.roles and a.type in AMOUNTS],
        keys_add_up=True,
        orders={a.name: _order(a.type, a.order) for a in schema},
        problems=problems,
        **plan.limits,
    )
    for rule in OF_AMOUNTS:
        if plan.sample_weight is not None and promises.asked.get(rule):
            problems.add(f"{rule} must be asked without sample_weight: sums have no weights")
    return promises


def _order(kind: str, order: tuple[Any, ...] | None) -> bool | tuple[Any, ...]:
    """How t-closeness sees a column of a type."""
    if kind == "ordinal":
        return True if order is None else tuple(order)
    return kind not in CATEGORICAL


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


def _key_columns(
    source: Source, schema: Schema, missing: str, k: int, problems: Problems
) -> list[Column]:
    """The key columns; what speaks against releasing the table is added to `problems`."""
    columns = []
    for name in schema.keys:
        try:
            columns.append(Column.of(schema[name], source.frame[name].to_arrow()))
        except DataError as error:
            problems.add(str(error), data=True)
    gaps = {c.name: int(c.missing.sum()) for c in columns if c.missing.any()}
    if gaps and missing == "error":
        counts = ", ".join(f"{name!r} ({count})" for name, count in gaps.items())
        text = (
            f"Keys must have no missing values. Got gaps in {counts}: use missing='pattern' "
            "(--missing pattern) to group records that miss the same, or 'drop'"
        )
        sizes = np.bincount(pattern_codes(np.column_stack([c.gaps for c in columns])))
        few = int(sizes[sizes < k].sum())
        if few:
            text += (
                f", and small_strata='drop' (--small-strata drop) for the {few} records whose "
                "pattern of gaps too few share"
            )
        problems.add(text, data=True)
    for suspect in suspects(source, schema):
        problems.add(str(suspect), data=True)
    return columns


def _weights(source: Source, schema: Schema, rows: NDArray[np.int64]) -> NDArray[np.float64] | None:
    import pyarrow as pa

    name = schema.sample_weight
    if name is None:
        return None
    given = source.frame[name].to_arrow()
    weights = to_numpy(given.cast(pa.float64(), safe=False))[rows]
    if not (np.isfinite(weights).all() and (weights > 0).all()):
        bad = weights[~(np.isfinite(weights) & (weights > 0))][0]
        raise DataError(
            f"Column {name!r} must hold finite weights above 0. Got {bad}; drop such records."
        )
    return np.asarray(weights, dtype=np.float64)
