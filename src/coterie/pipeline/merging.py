"""Merging: the survey of all parts gives strata, guarantees, spaces and cuts.

A value that does not fit what the sample says refuses the table, it is never converted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.edits.plan import tell_wide
from coterie.errors import DataError
from coterie.guarantees.diversity import Spread
from coterie.guarantees.pooling import Cell, Settled, cell_key, settle
from coterie.hierarchy import found_in
from coterie.numbers.renumber import renumber
from coterie.pipeline.engines import cuts
from coterie.pipeline.engines.engine import Run
from coterie.pipeline.engines.spill import EVERY, gather
from coterie.pipeline.examination import tell_gaps
from coterie.pipeline.guarantees import refuse_impossible
from coterie.pipeline.households import check_unit_columns, refuse_scattered
from coterie.pipeline.preparation import refuse_few
from coterie.pipeline.survey import CELL, Sample, Survey, add, placed, survey
from coterie.pipeline.work import Work
from coterie.recoding.apply import judged_schema
from coterie.space import Line, Space, Summary
from coterie.space.exact_sums import Moments
from coterie.table.arrays import take_rows
from coterie.table.categories import category_key
from coterie.table.classes import value_codes
from coterie.table.encoding import Column
from coterie.table.parts import Input
from coterie.table.problems import Problems
from coterie.table.schema import Attribute, Schema
from coterie.table.source import Source, from_frame

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["judged_by", "measure"]


def measure(run: Run, work: Work, table: Input, drawn: Sample, tile: int) -> tuple[Work, Survey]:
    """The work with strata, guarantees, scales and cuts; what was found in all records.

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
        work = replace(work, spreads=_constrained(work, values))
        _refuse_torn(work, values)
    schema = Schema(tuple(_closed(a, work, found, values) for a in work.schema.attributes))
    judged = judged_schema(schema, work.recodings)
    lines = {}
    for key in schema.key_attributes:
        if key.transform == "rank":
            assert values is not None
            lines[key.name] = _ranked(work, key, values)
    space = _fitted(schema, found, lines)
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
        pools=frozenset(cells[code] for code in settled.pooled),
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
    for attribute in work.schema.attributes:
        met = found.summaries.get(attribute.name, Summary()).counts
        if attribute.hierarchy is not None and attribute.name in work.schema.keys:
            for text in found_in(attribute.name, attribute.hierarchy, met):
                problems.add(
                    f"{text}: correct it, or declare missing_codes",
                    data=True,
                    columns=[attribute.name],
                )
        if attribute.type == "boolean" and len(met) > 2:
            problems.add(
                f"Column {attribute.name!r} is declared boolean but holds {len(met)} values: "
                "declare it nominal",
                columns=[attribute.name],
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
        table = gather([(path, EVERY)])
        numbers = np.array([*(stratum.get(cell, -1) for cell in met), -1], dtype=np.int64)
        strata.append(numbers[table.column(work.own(CELL)).to_numpy()])
        tables.append(table.drop_columns([work.own(CELL)]))
    whole = pa.concat_tables(tables)
    return _Watched(from_frame(whole, "parquet", "the table"), np.concatenate(strata))


def _constrained(work: Work, watched: _Watched) -> dict[str, Spread]:
    """How confidential values are spread over the table; refused if a stratum cannot keep it."""
    if not work.constrained:
        return {}
    problems = Problems()
    work.beyond_k.tell_gaps(watched.source, problems)
    problems.refuse()
    rows, unit = watched.rows, work.schema.unit
    units = None if unit is None else value_codes(watched.source, [unit])[rows]
    constraints = work.guarantees.arrays(watched.source, units, rows)
    refuse_impossible(constraints, watched.strata[rows], work.k, watched.source, rows, work.schema)
    return work.beyond_k.spreads(watched.source, rows)


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


def _ranked(work: Work, key: Attribute, watched: _Watched) -> Line:
    """The axis of a key by the ranks of its values."""
    array = watched.source.frame[key.name].to_arrow()
    column = Column.of(key, array, work.origins.get(key.name)).some(watched.rows)
    return Line.of(column.values[~column.missing], "rank")


def _fitted(schema: Schema, found: Survey, lines: Mapping[str, Any]) -> Space:
    """The space of the search, by what was found of the keys."""
    summaries = dict(found.summaries)
    for key in schema.key_attributes:
        levels, counts = key.order, found.summaries[key.name].counts
        if key.type == "ordinal" and levels is not None and counts:  # its order was open
            summaries[key.name] = Summary(0.0, Moments.of_counts(counts[v] for v in levels))
    return Space.fit(list(schema.key_attributes), summaries, lines)


def judged_by(work: Work, found: Survey) -> Work:
    """The work with a judge who knows of some of the records alone: those that are released."""
    axes = zip(work.schema.keys, work.space.axes, strict=True)
    lines = {name: axis for name, axis in axes if work.schema[name].transform == "rank"}
    space = _fitted(work.schema, found, lines)
    return replace(work, judged=_judged_in(space, work.judged_schema, found))


def _judged_in(space: Space, schema: Schema, found: Survey) -> Space:
    """The space of the judge: keys as they were, all of the same weight."""
    plain = [
        replace(key, transform="none", weight=1.0, missing_codes=searched.missing_codes)
        for key, searched in zip(schema.key_attributes, space.attributes, strict=True)
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


def _closed(attribute: Any, work: Work, found: Survey, watched: _Watched | None) -> Any:
    """An ordinal in the order of all its values; a hierarchy with the levels they have."""
    if attribute.name in work.unordered:
        assert watched is not None
        met = take_rows(watched.source.frame, watched.rows)[attribute.name].to_arrow().unique()
        levels = sorted(met.drop_null().to_pylist(), key=category_key)
        return replace(attribute, order=tuple(levels))
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
