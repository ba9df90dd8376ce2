"""Description: roles, types, rules and guarantees, by what was asked for and by a sample.

The same functions as for a table in memory say what is wrong. A small table is its own sample, and
all its problems are told at once; of a large one those of the arguments first, then those that only
all records can tell (`coterie.pipeline.merging`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from coterie.pipeline.engines.engine import Run
from coterie.pipeline.examination import examined
from coterie.pipeline.survey import Sample, draw
from coterie.pipeline.work import Work
from coterie.plan import Plan
from coterie.plan.columns import EVERYWHERE
from coterie.recoding.apply import applied, settled
from coterie.space import NOMINAL, transformed
from coterie.space.axis import HUGE
from coterie.table import columns as facts
from coterie.table.parts import Input
from coterie.table.schema import Schema
from coterie.table.source import Source, from_frame

__all__ = ["describe", "sample"]

SAMPLE = 20_000  # records, at least
PER_TILE = 256  # records of the sample that stand for a tile


def sample(run: Run, work: Work, table: Input, tile: int) -> Sample:
    """A sample of the table: all of a small one."""
    import pyarrow as pa

    wanted = max(SAMPLE, PER_TILE * -(-work.records // tile))
    share = wanted / work.records
    drawn = run(draw, work.save("sample"), [(part, share) for part in table.parts])
    most: dict[str, float] = {}
    found: dict[str, Any] = {}
    for one in drawn:
        most.update({n: max(size, most.get(n, 0.0)) for n, size in one.largest.items()})
        found.update({n: found[n] + seen if n in found else seen for n, seen in one.looked.items()})
    return Sample(pa.concat_tables([one.table for one in drawn]), most, found)


def describe(work: Work, drawn: Sample, problems: Sequence[str]) -> tuple[Work, Sample]:
    """The work with roles, types, rules and guarantees, by what was asked for and by the sample.

    And the sample, recoded.

    Raises
    ------
    ParameterError, DataError
        One message with every problem found.
    """
    plan = work.plan
    source = from_frame(drawn.table, "parquet", "the sample", dict(work.details))
    source = replace(source, odd={**source.odd, **work.details.get("unclear", {})})
    recodings, early = settled(drawn.looked, plan, work.given.names)
    source, _ = applied(source, recodings, plan)
    drawn = replace(drawn, table=source.frame.to_arrow())
    described = dict(plan.described)
    if len(source.frame) < work.records:
        described["missing_codes"] = _codes(plan, source)
    seen = examined(source, plan, problems=problems, records=work.records, described=described)
    seen.found.refuse(early, first=problems)
    open_orders, schema = _open_orders(seen.schema, source, plan.orders or {})
    origins, centers = {}, {}
    for column in seen.columns:
        name, kind = column.name, column.attribute.type
        if column.origin:
            origins[name] = column.origin
        if kind not in NOMINAL and name not in open_orders:
            values = transformed(column.attribute.transform, column.values[~column.missing])
            # An order statistic: one outlier must not carry it away from the bulk of the records.
            middle = float(np.sort(values)[len(values) // 2]) if len(values) else 0.0
            # From far out the other end of float64 would be out of reach.
            centers[name] = middle if abs(middle) < HUGE else 0.0
    work_described = replace(
        work,
        recodings=recodings,
        schema=schema,
        open_orders=open_orders,
        sets=tuple(seen.sets),
        edits=replace(seen.edits, largest=drawn.largest),
        beyond_k=seen.beyond_k,
        origins=origins,
        centers=centers,
    )
    return work_described, drawn


def _open_orders(
    schema: Schema, source: Source, given: Mapping[str, Any]
) -> tuple[frozenset[str], Schema]:
    """Ordinals whose order nobody declared count as nominal until all their values are known."""
    found = frozenset(
        key.name
        for key in schema.key_attributes
        if key.type == "ordinal"
        and key.name not in given
        and facts.order_of(source.frame[key.name]) is None
    )
    changed = (
        replace(a, type="nominal", order=None) if a.name in found else a for a in schema.attributes
    )
    return found, Schema(tuple(changed))


def _codes(plan: Plan, source: Source) -> dict[str, tuple[Any, ...]]:
    """Missing codes by key: those for every column count for each key whose type can hold them.

    Whether a column does hold one, a sample cannot tell.
    """
    given: dict[str, Any] = dict(plan.missing_codes or {})
    everywhere = given.pop(EVERYWHERE, ())
    names = [name for name in plan.quasi_identifiers if name in source.frame.columns]
    for name in names if everywhere else ():
        kind = facts.kind_of_codes(source.frame[name])
        for code in everywhere:
            with contextlib.suppress(ValueError):
                given[name] = (*given.get(name, ()), facts.code_for(code, kind))
    return given
