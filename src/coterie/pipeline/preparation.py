"""Preparation: a table becomes columns and strata, or one message with every problem it has.

Nothing costly happens here. Whatever else a release promises and can be seen to be impossible from
the table and the arguments is checked here too, by the functions given as `checks`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.checks import check_k
from coterie.classes import value_codes
from coterie.edits.plan import Plan, plan
from coterie.encoding import Column
from coterie.errors import DataError, ParameterError, bad_parameter, unknown_name
from coterie.pipeline.stages import Stages
from coterie.previous import Divided, Earlier, divide, read_previous
from coterie.strata import Strata, form_strata, pattern_codes
from coterie.table.infer import Problems, examine
from coterie.table.read import read
from coterie.table.schema import Schema
from coterie.table.source import Source
from coterie.table.suspects import suspects
from coterie.table.write import to_arrow

__all__ = ["Check", "Prepared", "prepare"]

Check = Callable[[Source, Schema, Problems], None]  # adds what it finds to the problems


@dataclass(frozen=True, eq=False)
class Prepared:
    """A table that nothing speaks against protecting.

    Attributes
    ----------
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
    edits : Plan
        Rules that every record of the release must keep.
    earlier : Earlier or None
        Where the records stood in earlier releases.
    beside : Divided or None
        What was left out to keep them safe beside those.
    """

    source: Source
    schema: Schema
    k: int
    sets: list[tuple[str, ...]]
    columns: list[Column]
    layers: Strata
    units: NDArray[np.int64] | None
    weights: NDArray[np.float64] | None
    edits: Plan
    earlier: Earlier | None = None
    beside: Divided | None = None


def prepare(
    table: Any,
    k: object,
    described: Mapping[str, Any],
    stages: Stages,
    *,
    attribute_groups: Sequence[Sequence[str]] | None,
    missing: str,
    small_strata: str,
    rules: Sequence[str] = (),
    broken_rules: str = "error",
    previous: Any = None,
    match: str | None = None,
    leavers: str = "error",
    checks: Sequence[Check] = (),
) -> Prepared:
    """Read and check a table; `described` says what its columns are, as `infer` takes it.

    Raises
    ------
    ParameterError, DataError
        One message with every problem found.
    """
    source = table if isinstance(table, Source) else read(table)
    schema, problems = examine(source, **described)
    keys = described["quasi_identifiers"]
    if keys is None or not len(keys):
        rule = "a sequence of at least one column name"
        problems.add(str(bad_parameter("quasi_identifiers", "anonymize", rule, keys)))
    try:
        size = check_k(k, len(source.frame), "anonymize")
    except ParameterError as error:
        problems.add(str(error))
    to_arrow(source, source.frame)  # refuses columns of several types, by name, before any work
    stages.done("read")
    sets = _attribute_sets(attribute_groups, schema, problems)
    codes = described.get("missing_codes")
    for name in codes if isinstance(codes, Mapping) else ():
        if name in schema.names and name not in schema.keys:
            problems.add(f"missing_codes of {name!r} would have no effect: it is no key")
    columns = _key_columns(source, schema, missing, k, problems)
    edits = plan(rules, broken_rules, source, schema, sets, problems) if len(rules) else Plan()
    for check in checks:
        check(source, schema, problems)
    _check_previous(previous, match, attribute_groups, schema, problems)
    problems.refuse()
    gaps = np.column_stack([column.missing for column in columns])
    stages.done("schema")
    left_out = gaps.any(axis=1) if missing == "drop" else np.zeros(len(gaps), dtype=bool)
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
    layers = form_strata(source, schema, rows, gaps, units, size, small_strata)
    earlier, beside = None, None
    if previous is not None:
        earlier = read_previous(previous, match, source, units, size)
        beside = divide(layers, earlier, units, small_strata, leavers)
        layers = beside.layers
    return Prepared(
        source,
        schema,
        size,
        sets,
        [_some(column, layers.rows) for column in columns],
        layers,
        units,
        _weights(source, schema, layers.rows),
        edits,
        earlier,
        beside,
    )


def _check_previous(
    previous: Any, match: str | None, apart: Any, schema: Schema, problems: Problems
) -> None:
    """What speaks against a release beside earlier ones."""
    if match is not None and match not in schema.names:
        problems.add(str(unknown_name("column in match:", match, schema.names)))
    elif match is not None and match in schema.keys:
        problems.add(
            f"The column to match records by must be no key. Got {match!r}: choose another"
        )
    if previous is not None and apart is not None:
        problems.add(
            "attribute_groups must not be used with previous. Got both: sets of keys that are "
            "grouped apart make cells of any size; leave one out"
        )


def _attribute_sets(
    given: Sequence[Sequence[str]] | None, schema: Schema, problems: Problems
) -> list[tuple[str, ...]]:
    """The sets of keys that are grouped together: all of them, unless the caller says otherwise."""
    if given is None:
        return [schema.keys]
    sets = [(names,) if isinstance(names, str) else tuple(names) for names in given]
    flat = [name for names in sets for name in names]
    if sorted(flat) != sorted(schema.keys) or not all(sets):
        rule = "disjoint sets that hold every key once"
        problems.add(str(bad_parameter("attribute_groups", "anonymize", rule, given)))
    return sets


def _key_columns(
    source: Source, schema: Schema, missing: str, k: object, problems: Problems
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
        sizes = np.bincount(pattern_codes(np.column_stack([c.missing for c in columns])))
        few = int(sizes[sizes < k].sum()) if isinstance(k, int) else 0
        if few:
            text += (
                f", and small_strata='drop' (--small-strata drop) for the {few} records whose "
                "pattern of gaps too few share"
            )
        problems.add(text, data=True)
    for suspect in suspects(source, schema):
        problems.add(str(suspect), data=True)
    return columns


def _some(column: Column, rows: NDArray[np.int64]) -> Column:
    if len(rows) == len(column.values):
        return column
    return Column(
        column.attribute,
        column.values[rows],
        column.missing[rows],
        column.categories,
        column.arrow_type,
        column.origin,
        column.gap,
    )


def _weights(source: Source, schema: Schema, rows: NDArray[np.int64]) -> NDArray[np.float64] | None:
    name = schema.sample_weight
    if name is None:
        return None
    weights = source.frame[name].cast(_float()).to_numpy()[rows]
    if not (np.isfinite(weights).all() and (weights > 0).all()):
        bad = weights[~(np.isfinite(weights) & (weights > 0))][0]
        raise DataError(
            f"Column {name!r} must hold finite weights above 0. Got {bad}; drop such records."
        )
    return np.asarray(weights, dtype=np.float64)


def _float() -> Any:
    import narwhals as nw

    return nw.Float64
