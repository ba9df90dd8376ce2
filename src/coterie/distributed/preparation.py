"""Preparation: the schema from a sample, the survey of all records, strata and cuts.

Types are inferred from a sample that is chosen by a hash of the record numbers, and checked against
every record afterwards: a value that does not fit refuses the table, it is never converted.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie import plan as asked_for
from coterie.checks import check_k
from coterie.classes import Mark
from coterie.distributed import cuts
from coterie.distributed.parts import Input
from coterie.distributed.plan import Cell, Plan
from coterie.distributed.routing import place
from coterie.distributed.survey import Survey, add, draw, survey
from coterie.encoding import Column, category_key
from coterie.errors import DataError, ParameterError, listed, shown
from coterie.plan.columns import EVERYWHERE
from coterie.space import NOMINAL, Space, Summary, transformed
from coterie.space.exact_sums import Moments
from coterie.strata import APART
from coterie.table import columns as facts
from coterie.table.infer import Problems, examine
from coterie.table.schema import Schema
from coterie.table.source import Source, from_frame
from coterie.table.suspects import suspects

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Run", "describe", "measure", "sample"]

Run = Callable[[Any, str, Sequence[Any]], list[Any]]

SAMPLE = 20_000  # records, at least
PER_TILE = 256  # records of the sample that stand for a tile


def sample(run: Run, plan: Plan, table: Input, tile: int) -> pa.Table:
    """Records chosen by a hash of their numbers: all of a small table."""
    import pyarrow as pa

    wanted = max(SAMPLE, PER_TILE * -(-table.rows // tile))
    share = wanted / table.rows
    return pa.concat_tables(run(draw, plan.save("sample"), [(part, share) for part in table.parts]))


def describe(plan: Plan, drawn: pa.Table, rows: int, asked: asked_for.Plan) -> Plan:
    """The plan with roles and types, by what was asked for and by the sample.

    Raises
    ------
    ParameterError, DataError
        One message with every problem found.
    """
    source = from_frame(drawn, "parquet", "the sample", dict(plan.details))
    described = {**asked.described, "missing_codes": _codes(asked, source)}
    schema, problems = examine(source, **described)
    try:
        plan = replace(plan, k=check_k(asked.k, rows, "anonymize"))
    except ParameterError as error:
        problems.add(str(error))
    for name in asked.missing_codes or ():
        if name in schema.names and name not in schema.keys:
            problems.add(f"missing_codes of {name!r} would have no effect: it is no key")
    for name in schema.keys:
        if schema[name].transform == "rank":
            problems.add(
                f"The transform 'rank' of {name!r} needs all records at once: use 'asinh', or "
                "leave it out with this engine"
            )
    for suspect in suspects(source, schema):
        problems.add(str(suspect), data=True)
    problems.refuse()
    schema = _open_orders(schema, source, asked.orders or {})
    origins, centres = {}, {}
    for name in schema.keys:
        column = Column.of(schema[name], drawn.column(name))
        if column.origin:
            origins[name] = column.origin
        if schema[name].type not in NOMINAL:
            values = transformed(schema[name].transform, column.values[~column.missing])
            # An order statistic: one outlier must not carry it away from the bulk of the records.
            centres[name] = float(np.sort(values)[len(values) // 2]) if len(values) else 0.0
    return replace(plan, schema=schema, origins=origins, centres=centres)


def _open_orders(schema: Schema, source: Any, given: Mapping[str, Any]) -> Schema:
    """Ordinals whose order nobody declared count as nominal until all their values are known."""
    changed = []
    for attribute in schema:
        own = facts.order_of(source.frame[attribute.name])
        if attribute.type == "ordinal" and attribute.name not in given and own is None:
            attribute = replace(attribute, type="nominal", order=None, reason=OPEN)
        changed.append(attribute)
    return Schema(tuple(changed))


OPEN = "ordinal: in the order of its values"


def _codes(asked: asked_for.Plan, source: Source) -> dict[str, tuple[Any, ...]]:
    """Missing codes by key: those for every column count for each key whose type can hold them.

    Whether a column does hold one, a sample cannot tell.
    """
    given: dict[str, Any] = dict(asked.missing_codes or {})
    everywhere = given.pop(EVERYWHERE, ())
    names = [name for name in asked.quasi_identifiers if name in source.frame.columns]
    for name in names if everywhere else ():
        kind = facts.kind_of_codes(source.frame[name])
        for code in everywhere:
            with contextlib.suppress(ValueError):
                given[name] = (*given.get(name, ()), facts.code_for(code, kind))
    return given


def measure(
    run: Run, plan: Plan, table: Input, drawn: pa.Table, tile: int, small_strata: str
) -> tuple[Plan, Survey]:
    """The plan with scales, strata and cuts; what was found in the survey of all records."""
    found = add(run(survey, plan.save("survey"), table.parts))
    _refuse(plan, found)
    schema = Schema(tuple(_closed(a, found) for a in plan.schema))
    summaries = dict(found.summaries)
    for name in schema.keys:
        if schema[name].reason == OPEN:
            levels, counts = schema[name].order, found.summaries[name].counts
            assert levels is not None
            summaries[name] = Summary(0.0, Moments.of_counts(counts[value] for value in levels))
    space = Space.fit([schema[name] for name in schema.keys], summaries)
    plan = replace(plan, schema=schema, space=space)
    kept = _strata(plan, found, small_strata)
    return replace(plan, trees=_trees(plan, drawn, kept, tile)), found


def _refuse(plan: Plan, found: Survey) -> None:
    problems = Problems()
    for text in found.problems:
        problems.add(text, data=True)
    gaps = {name: size for name, size in found.gaps.items() if size}
    if gaps and plan.missing == "error":
        counts = ", ".join(f"{name!r} ({size})" for name, size in gaps.items())
        problems.add(
            f"Keys must have no missing values. Got gaps in {counts}: use missing='pattern' "
            "(--missing pattern) to group records that miss the same, or 'drop'",
            data=True,
        )
    for attribute in plan.schema:
        met = found.summaries.get(attribute.name, Summary()).counts
        if attribute.type == "boolean" and len(met) > 2:
            problems.add(
                f"Column {attribute.name!r} is declared boolean but holds {len(met)} values: "
                "declare it nominal"
            )
    problems.refuse()


def _closed(attribute: Any, found: Survey) -> Any:
    """An ordinal in the order of all its values."""
    if attribute.reason != OPEN:
        return attribute
    order = tuple(sorted(found.summaries[attribute.name].counts, key=category_key))
    return replace(attribute, type="ordinal", order=order)


def _strata(plan: Plan, found: Survey, small: str) -> dict[Cell, int]:
    """Strata that are kept, in an order of their own, with their sizes."""
    sizes = dict(sorted(found.cells.items(), key=lambda item: _cell_key(item[0])))
    if plan.missing == "drop":
        sizes = {cell: size for cell, size in sizes.items() if not cell[1]}
    many = sizes if plan.schema.unit is None else {c: len(found.units[c]) for c in sizes}
    few = {cell: size for cell, size in many.items() if size < plan.k}
    if few and small == "error":
        apart = [
            name
            for place, name in enumerate(plan.schema.strata)
            if any(isinstance(values[place], Mark) for values, _ in sizes)
        ]
        told = listed((f"{_told(plan, cell)} ({size})" for cell, size in few.items()), 8)
        raise DataError(
            f"Every stratum must have at least k = {plan.k} units. Got {len(few)} with fewer: "
            f"{told}. Use small_strata='drop' (--small-strata), or fewer strata."
            + (APART.format(", ".join(map(repr, apart))) if apart else "")
        )
    kept = {cell: size for cell, size in sizes.items() if cell not in few}
    if not kept:
        raise DataError(
            f"anonymize must keep at least k = {plan.k} records. Got none after dropping those "
            "with missing keys and small strata; use missing='pattern', or fewer strata."
        )
    return kept


def _cell_key(cell: Cell) -> tuple[Any, ...]:
    return (*(category_key(value) for value in cell[0]), cell[1])


def _told(plan: Plan, cell: Cell) -> str:
    pairs = zip(plan.schema.strata, cell[0], strict=True)
    text = ", ".join(f"{name}={shown(value)}" for name, value in pairs)
    if not text:
        return "the same missing keys" if cell[1] else "all records"
    return f"{text} with missing keys" if cell[1] else text


def _trees(
    plan: Plan, drawn: pa.Table, kept: Mapping[Cell, int], tile: int
) -> dict[Cell, cuts.Tree]:
    points, codes, met = place(plan, drawn)
    rows = {cell: np.flatnonzero(codes == code) for code, cell in enumerate(met)}
    numbers = count()
    nothing = np.empty(0, dtype=np.int64)
    return {
        cell: cuts.grow(points[rows.get(cell, nothing)], size, max(tile, 4 * plan.k), numbers)
        for cell, size in kept.items()
    }
