"""Preparation: the schema from a sample, the survey of all records, strata, promises and cuts.

The same functions as for a table in memory say what is wrong. A small table is its own sample, and
all its problems are told at once; of a large one those of the arguments first, by the sample, then
those that only all records can tell. A value that does not fit what the sample says refuses the
table, it is never converted.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.edits.plan import tell_wide
from coterie.errors import DataError
from coterie.guarantees.beyond_k import Spread
from coterie.guarantees.strata import Cell, Settled, cell_key, settle
from coterie.hierarchy import found_in
from coterie.numbers.renumber import renumber
from coterie.pipeline.assurance import refuse_impossible
from coterie.pipeline.engines import cuts
from coterie.pipeline.engines.spill import gather
from coterie.pipeline.households import check_unit_columns, refuse_scattered
from coterie.pipeline.preparation import examined, refuse_few, tell_gaps
from coterie.pipeline.survey import CELL, Sample, Survey, add, draw, placed, survey
from coterie.pipeline.work import Work
from coterie.plan import Plan
from coterie.plan.columns import EVERYWHERE
from coterie.recoding.apply import applied, judged_schema, settled
from coterie.space import NOMINAL, Line, Space, Summary, transformed
from coterie.space.axis import HUGE
from coterie.space.exact_sums import Moments
from coterie.table import columns as facts
from coterie.table.classes import value_codes
from coterie.table.encoding import Column, category_key
from coterie.table.infer import Problems
from coterie.table.parts import Input
from coterie.table.schema import Schema
from coterie.table.source import Source, from_frame

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Run", "describe", "measure", "sample"]

Run = Callable[[Any, str, Sequence[Any]], list[Any]]

SAMPLE = 20_000  # records, at least
PER_TILE = 256  # records of the sample that stand for a tile


def sample(run: Run, work: Work, table: Input, tile: int) -> Sample:
    """A sample of the table: all of a small one."""
    import pyarrow as pa

    wanted = max(SAMPLE, PER_TILE * -(-table.rows // tile))
    share = wanted / table.rows
    drawn = run(draw, work.save("sample"), [(part, share) for part in table.parts])
    most: dict[str, float] = {}
    found: dict[str, Any] = {}
    for one in drawn:
        most.update({n: max(size, most.get(n, 0.0)) for n, size in one.largest.items()})
        found.update({n: found[n] + seen if n in found else seen for n, seen in one.looked.items()})
    return Sample(pa.concat_tables([one.table for one in drawn]), most, found)


def describe(work: Work, drawn: Sample, problems: Sequence[str]) -> tuple[Work, Sample]:
    """The work with roles, types, rules and promises, by what was asked for and by the sample.

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
    seen.found.join(early)
    seen.found.refuse()
    open_orders, schema = _open_orders(seen.schema, source, plan.orders or {})
    origins, centres = {}, {}
    for name in schema.keys:
        column = Column.of(schema[name], drawn.table.column(name))
        if column.origin:
            origins[name] = column.origin
        if schema[name].type not in NOMINAL:
            values = transformed(schema[name].transform, column.values[~column.missing])
            # An order statistic: one outlier must not carry it away from the bulk of the records.
            middle = float(np.sort(values)[len(values) // 2]) if len(values) else 0.0
            # From far out the other end of float64 would be out of reach.
            centres[name] = middle if abs(middle) < HUGE else 0.0
    made = replace(
        work,
        recodings=recodings,
        schema=schema,
        open_orders=open_orders,
        sets=tuple(seen.sets),
        edits=replace(seen.edits, largest=drawn.largest),
        promises=seen.promises,
        origins=origins,
        centres=centres,
    )
    return made, drawn


def _open_orders(
    schema: Schema, source: Source, given: Mapping[str, Any]
) -> tuple[frozenset[str], Schema]:
    """Ordinals whose order nobody declared count as nominal until all their values are known."""
    found = frozenset(
        name
        for name in schema.keys
        if schema[name].type == "ordinal"
        and name not in given
        and facts.order_of(source.frame[name]) is None
    )
    changed = (replace(a, type="nominal", order=None) if a.name in found else a for a in schema)
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


def measure(run: Run, work: Work, table: Input, drawn: Sample, tile: int) -> tuple[Work, Survey]:
    """The work with strata, promises, scales and cuts; what was found in all records.

    In the order of a table in memory, so that of several problems the same one is told.
    """
    jobs = list(enumerate(table.parts))
    found = add(run(survey, work.save("survey"), jobs))
    work = replace(work, edits=replace(work.edits, found=found.checks))
    _refuse(work, found)
    refuse_few(sum(found.kept.values()), found.rows, work.k)
    cells = sorted(found.cells, key=cell_key)
    settled = _settled(work, found, cells)
    if found.weight:
        raise DataError(found.weight)
    if settled.dropped:
        # What is left out has no part in scales and shares.
        gone = frozenset(cells[code] for code in settled.dropped)
        work = replace(work, left_out=gone)
        again = add(run(survey, work.save("survey-kept"), jobs))
        found = replace(again, watched=found.watched)
    kept = np.array([found.kept[cell] for cell in cells], dtype=np.int64)
    numbers = zip(cells, settled.strata(kept).tolist(), strict=True)
    stratum = {cell: number for cell, number in numbers if number >= 0}
    values = None
    if work.watched:
        values = _read_watched(work, found, stratum)
        work = replace(work, spreads=_promised(work, values))
        _refuse_torn(work, values)
    schema = Schema(tuple(_closed(a, work, found) for a in work.schema))
    judged = judged_schema(schema, work.recodings)
    lines, summaries = {}, dict(found.summaries)
    for name in schema.keys:
        if name in work.open_orders:
            levels, counts = schema[name].order, found.summaries[name].counts
            assert levels is not None
            summaries[name] = Summary(0.0, Moments.of_counts(counts[value] for value in levels))
        if schema[name].transform == "rank":
            assert values is not None
            lines[name] = _ranked(work, schema, name, values)
    space = Space.fit([schema[name] for name in schema.keys], summaries, lines)
    pooled = {
        name: dict(zip(cells, texts, strict=True)) for name, texts in settled.released.items()
    }
    work = replace(
        work,
        schema=schema,
        judged_schema=judged,
        open_orders=frozenset(),
        space=space,
        judged=_judged_in(space, judged, found),
        cells=stratum,
        pooled=pooled,
    )
    return replace(work, trees=_trees(work, drawn.table, found, tile)), found


def _refuse(work: Work, found: Survey) -> None:
    """What all records speak against, where the sample could not tell."""
    problems = Problems()
    for text in found.problems:
        problems.add(text, data=True)
    patterns: dict[int, int] = {}
    for (_, digits), size in found.cells.items():
        patterns[digits] = patterns.get(digits, 0) + size
    tell_gaps(found.gaps, np.array(list(patterns.values()), dtype=np.int64), work.plan, problems)
    for attribute in work.schema:
        met = found.summaries.get(attribute.name, Summary()).counts
        if attribute.hierarchy is not None and attribute.name in work.schema.keys:
            for text in found_in(attribute.name, attribute.hierarchy, met):
                problems.add(f"{text}: correct it, or declare missing_codes", data=True)
        if attribute.type == "boolean" and len(met) > 2:
            problems.add(
                f"Column {attribute.name!r} is declared boolean but holds {len(met)} values: "
                "declare it nominal"
            )
    for rule in work.edits.rules:
        tell_wide(rule, work.edits.largest, work.schema.keys, problems)
    if found.checks:
        work.edits.settled(work.plan.broken_rules, work.schema, problems)
    problems.refuse()


def _settled(work: Work, found: Survey, cells: Sequence[Cell]) -> Settled:
    """What becomes of small strata; cells are counted in units."""
    unit = work.schema.unit
    kept = [found.kept[cell] for cell in cells]
    counts = kept if unit is None else [len(found.units.get(cell, ())) for cell in cells]

    def held(some: Sequence[int]) -> int:
        if unit is None:
            return sum(kept[code] for code in some)
        return len(set().union(*(found.units[cells[code]] for code in some)))

    kinds = [work.table.field(name).type for name in work.schema.strata]
    sizes = np.array(counts, dtype=np.int64)
    small, pooled = work.plan.small_strata, work.plan.pooled
    trees = {name: work.schema[name].hierarchy for name in work.schema.strata}
    return settle(work.schema.strata, kinds, cells, sizes, held, work.k, small, pooled, trees)


@dataclass(frozen=True, eq=False)
class _Watched:
    """Columns of all records that were watched, and the stratum of each; -1: left out."""

    source: Source
    strata: NDArray[np.int64]

    @property
    def rows(self) -> NDArray[np.int64]:
        """The records that are kept."""
        return np.flatnonzero(self.strata >= 0)


def _read_watched(work: Work, found: Survey, stratum: Mapping[Cell, int]) -> _Watched:
    import pyarrow as pa

    tables, strata = [], []
    for path, met in found.watched:
        table = gather([(path, (0,))])
        numbers = np.array([*(stratum.get(cell, -1) for cell in met), -1], dtype=np.int64)
        strata.append(numbers[table.column(work.own(CELL)).to_numpy()])
        tables.append(table.drop_columns([work.own(CELL)]))
    whole = pa.concat_tables(tables)
    return _Watched(from_frame(whole, "parquet", "the table"), np.concatenate(strata))


def _promised(work: Work, watched: _Watched) -> dict[str, Spread]:
    """How confidential values are spread over the table; refused if a stratum cannot keep it."""
    if not (work.promises or work.together):
        return {}
    problems = Problems()
    work.promises.tell_gaps(watched.source, problems)
    problems.refuse()
    rows, unit = watched.rows, work.schema.unit
    units = None if unit is None else value_codes(watched.source, [unit])[rows]
    made = work.assurance.arrays(watched.source, units, rows)
    refuse_impossible(made, watched.strata[rows], work.k, watched.source, rows, work.schema)
    return work.promises.spreads(watched.source, rows)


def _refuse_torn(work: Work, watched: _Watched) -> None:
    """Refuse units whose columns differ, or whose records are in several strata."""
    names, unit = work.plan.unit_columns, work.schema.unit
    if not names or unit is None:
        return
    problems = Problems()
    check_unit_columns(names, watched.source, work.schema, problems)
    problems.refuse()
    rows = watched.rows
    if not work.together and set(names) & set(work.schema.keys):
        units = value_codes(watched.source, [unit])[rows]
        refuse_scattered(renumber(units), watched.strata[rows])


def _ranked(work: Work, schema: Schema, name: str, watched: _Watched) -> Line:
    """The axis of a key by the ranks of its values."""
    array = watched.source.frame[name].to_arrow()
    column = Column.of(schema[name], array, work.origins.get(name)).some(watched.rows)
    return Line.of(column.values[~column.missing], "rank")


def _judged_in(space: Space, schema: Schema, found: Survey) -> Space:
    """The space of the judge: keys as they were, all of the same weight."""
    plain = [
        replace(schema[a.name], transform="none", weight=1.0, missing_codes=a.missing_codes)
        for a in space.attributes
    ]
    axes, categories = list(space.axes), list(space.categories)
    for place, attribute in enumerate(plain):
        name = attribute.name
        if name in found.plain:
            axes[place] = Line.of_moments(found.plain[name], 0.0)
        if name in found.before:
            plain[place] = attribute = replace(attribute, type="nominal", order=None)
            own = Space.fit([attribute], {name: Summary(counts=found.before[name])})
            axes[place], categories[place] = own.axes[0], own.categories[0]
    return Space(tuple(plain), tuple(axes), tuple(categories))


def _closed(attribute: Any, work: Work, found: Survey) -> Any:
    """An ordinal in the order of all its values; a hierarchy with the levels they have."""
    if attribute.hierarchy is not None and attribute.name in found.summaries:
        tree = attribute.hierarchy.closed(found.summaries[attribute.name].counts)
        return replace(attribute, hierarchy=tree)
    if attribute.name not in work.open_orders:
        return attribute
    order = tuple(sorted(found.summaries[attribute.name].counts, key=category_key))
    return replace(attribute, type="ordinal", order=order)


def _trees(work: Work, drawn: pa.Table, found: Survey, tile: int) -> tuple[cuts.Tree, ...]:
    """The cuts of each stratum, by those of its records that are in the sample."""
    columns = work.columns(drawn)
    codes, met, kept = placed(work, from_frame(drawn), columns)
    rows = np.flatnonzero(kept)  # the space may be too narrow for others
    points = work.space.coordinates([column.some(rows) for column in columns])
    number = np.array([work.cells.get(cell, -1) for cell in met], dtype=np.int64)
    strata = number[codes[rows]]
    sizes: dict[int, int] = {}
    for cell, place in work.cells.items():
        sizes[place] = sizes.get(place, 0) + found.kept[cell]
    numbers = count()
    most = max(tile, 4 * work.k)
    return tuple(
        cuts.grow(points[strata == place], sizes[place], most, numbers) for place in sorted(sizes)
    )
