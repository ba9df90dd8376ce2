"""Survey: what must be known of the whole table before a record can be placed, part by part.

Exact sums, counts and sets: what the parts find adds up to the same in any order and layout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.edits.check import Check, figures
from coterie.centroids.edits.plan import largest
from coterie.centroids.edits.rule import read_rules
from coterie.errors import CoterieError, DataError
from coterie.guarantees.pooling import Cell
from coterie.guarantees.strata import cells_of
from coterie.pipeline.engines.row_hash import sampled
from coterie.pipeline.engines.spill import put
from coterie.pipeline.preparation import kept_records, weights_of
from coterie.pipeline.work import Work, load
from coterie.recoding.apply import Looked, looked
from coterie.space import NOMINAL, Summary, transformed
from coterie.space.exact_sums import Moments
from coterie.table.classes import plain_array
from coterie.table.encoding import Column
from coterie.table.parts import Part
from coterie.table.rules import check_part
from coterie.table.source import Source, from_frame

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["CELL", "Sample", "Survey", "add", "draw", "placed", "survey", "units_in"]

CELL = "coterie: cell"


@dataclass(frozen=True, eq=False)
class Sample:
    """Records of a part, or of all, chosen by a hash of their numbers.

    And what must be known of those that were not: the largest number of each column in rules, and
    what recodings look at.
    """

    table: pa.Table
    largest: Mapping[str, float]
    looked: Mapping[str, Looked]


@dataclass(eq=False)
class Survey:
    """What was found in some records.

    Attributes
    ----------
    rows : int
        How many records.
    summaries : dict
        What the space must know of each key, over the records that are kept.
    plain : dict
        Moments of keys that have a transform or are recoded, before that.
    before : dict
        Of keys that are recoded to text: how often each value occurred.
    changed : Counter
        Records whose value was recoded, by column.
    gaps : dict
        Records with a gap, of each key.
    cells, kept : Counter
        Records of each stratum, gaps included; and those of them that are kept.
    units : dict
        Of each stratum the units in it: all of them, or k where there are more.
    checks : tuple of Check
        What the records say to each rule.
    watched : list of pairs
        Files that hold the columns that must be known at once, and the cells that they name.
    weight : str
        What is wrong with the first sampling weight that is none.
    problems : list of str
        What speaks against releasing the table.
    """

    rows: int = 0
    summaries: dict[str, Summary] = field(default_factory=dict)
    plain: dict[str, Moments] = field(default_factory=dict)
    before: dict[str, Counter[Any]] = field(default_factory=dict)
    changed: Counter[str] = field(default_factory=Counter)
    gaps: Counter[str] = field(default_factory=Counter)
    cells: Counter[Cell] = field(default_factory=Counter)
    kept: Counter[Cell] = field(default_factory=Counter)
    units: dict[Cell, set[Any]] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    watched: list[tuple[str, list[Cell]]] = field(default_factory=list)
    weight: str = ""
    problems: list[str] = field(default_factory=list)


def draw(work: str, job: tuple[Part, float]) -> Sample:
    """The records of a part that are in the sample: chosen by a hash of their numbers."""
    import pyarrow as pa

    known = load(work)
    part, share = job
    table = part.read(known.given)
    source = from_frame(table, "parquet", part.path)
    most: dict[str, float] = {}
    for text in known.plan.rules:
        try:
            found = figures(source, read_rules([text], known.given.names))
        except CoterieError:
            continue  # told when the sample is looked at
        most.update({name: largest(one) for name, one in found.items()})
    rows = pa.array(sampled(part.first, part.rows, share))
    return Sample(table.take(rows), most, looked(source, known.plan))


def placed(
    work: Work, source: Source, columns: list[Column]
) -> tuple[NDArray[np.int64], list[Cell], NDArray[np.bool_]]:
    """The cell of each record, what those cells are, and which records are kept."""
    gaps = np.column_stack([column.gaps for column in columns])
    codes, met = cells_of(source, work.schema.strata, gaps)
    breakers = None
    if work.edits.rules and work.plan.broken_rules == "drop":
        breakers = work.edits.seen(source, work.schema.keys).breakers
    kept = kept_records(work.plan, gaps, breakers)
    gone = [code for code, cell in enumerate(met) if cell in work.left_out]
    if gone:
        kept &= ~np.isin(codes, gone)
    return codes, met, kept


def survey(work: str, job: tuple[int, Part]) -> Survey:
    """What a part adds to the survey."""
    known = load(work)
    number, part = job
    schema, weight = known.schema, known.schema.sample_weight
    named = [name for name in (weight, schema.unit) if name is not None]
    wanted = [*schema.keys, *schema.strata, *named, *known.edits.columns, *known.watched]
    table, changed = known.read(part, [*wanted, *known.recodings])
    source = from_frame(table, "parquet", part.path)
    weighed = schema[weight] if weight is not None else None
    problems = check_part(source, schema.key_attributes, weighed)
    found = Survey(rows=part.rows, changed=changed, problems=problems.texts)
    if problems.texts:
        return found
    try:
        columns = known.columns(table)
        found.checks = known.edits.seen(source, schema.keys).found if known.edits.rules else ()
    except DataError as error:
        problems.add(str(error))
    if problems.texts:
        return found
    codes, met, kept = placed(known, source, columns)
    try:
        weights_of(source, schema, np.flatnonzero(kept))
    except DataError as error:
        found.weight = str(error)
    found = look(known, columns, table, kept, found)
    sizes, left = (np.bincount(c, minlength=len(met)) for c in (codes, codes[kept]))
    found.cells.update(dict(zip(met, sizes.tolist(), strict=True)))
    found.kept.update(dict(zip(met, left.tolist(), strict=True)))
    if schema.unit is not None:
        # How many there are decides which stratum a pool takes in.
        least = known.k if known.plan.small_strata != "merge" else table.num_rows
        rows = np.flatnonzero(kept)
        listed = units_in(codes[rows], len(met), source, schema.unit, least, rows)
        found.units = dict(zip(met, listed, strict=True))
    if known.watched and not known.left_out:
        found.watched = [(_watch(known, table, codes, kept, number), met)]
    return found


def units_in(
    codes: NDArray[np.int64],
    bins: int,
    source: Source,
    unit: str,
    least: int,
    rows: NDArray[np.int64],
) -> list[set[Any]]:
    """The units in each of the bins 0..bins-1: all of them, or `least` where there are more.

    `codes` are the bins of the records `rows`.
    """
    named = plain_array(source, unit).dictionary_encode(null_encoding="encode")
    place, values = named.indices.to_numpy(False)[rows], named.dictionary.to_pylist()
    pairs = np.unique(np.column_stack([codes, place]), axis=0)
    listed: list[set[Any]] = [set() for _ in range(bins)]
    for code, number in pairs.tolist():
        if len(listed[code]) < least:
            listed[code].add(values[number])
    return listed


def _watch(
    work: Work, table: pa.Table, codes: NDArray[np.int64], kept: NDArray[np.bool_], number: int
) -> str:
    """Write the columns that must be known at once, of all records; cell -1: left out."""
    import pyarrow as pa

    place = np.where(kept, codes, -1).astype(np.int32)
    chosen = table.select(list(work.watched)).append_column(work.own(CELL), pa.array(place))
    path = Path(work.folder) / f"watched-{number:06d}.arrow"
    return put(chosen, path)


def _counted(column: Column, kept: NDArray[np.bool_]) -> Counter[Any]:
    """How often each category occurs in the records that are kept."""
    present = column.values[~column.missing & kept]
    counts = np.bincount(present.astype(np.int64), minlength=len(column.categories))
    return Counter(dict(zip(column.categories, counts.tolist(), strict=True)))


def look(
    work: Work,
    columns: Sequence[Column],
    table: pa.Table,
    kept: NDArray[np.bool_],
    found: Survey | None = None,
) -> Survey:
    """What is found of the keys of records that are kept."""
    found = found or Survey()
    for column in columns:
        _look(found, column, kept, work, table)
    return found


def _look(
    found: Survey, column: Column, kept: NDArray[np.bool_], work: Work, table: pa.Table
) -> None:
    """Statistics of one key over the records that are kept."""
    name, attribute = column.name, column.attribute
    present = column.values[~column.missing & kept]
    plain = present
    if name in work.recodings:
        was = work.column_before(column, table)
        plain = was.values[~was.missing & kept]
        if was.categories:
            found.before[name] = _counted(was, kept)
    found.gaps[name] = int(column.missing.sum())
    if attribute.type in NOMINAL or name not in work.centers:
        found.summaries[name] = Summary(counts=_counted(column, kept))
        return
    if attribute.transform != "none" or name in work.recodings:
        found.plain[name] = Moments.of(plain)
    if attribute.transform == "rank":
        found.summaries[name] = Summary()  # ranks need all values at once: they are watched
        return
    values = transformed(attribute.transform, present)
    origin = work.centers[name]
    found.summaries[name] = Summary(origin, Moments.of(values, origin))


def add(found: Iterable[Survey]) -> Survey:
    """All of them together; every problem once."""
    total = Survey()
    problems: dict[str, None] = {}
    for one in found:
        total.rows += one.rows
        for name, summary in one.summaries.items():
            before = total.summaries.get(name)
            total.summaries[name] = summary if before is None else before + summary
        for name, moments in one.plain.items():
            total.plain[name] = total.plain.get(name, Moments()) + moments
        for name, counts in one.before.items():
            total.before.setdefault(name, Counter()).update(counts)
        total.changed.update(one.changed)
        total.gaps.update(one.gaps)
        total.cells.update(one.cells)
        total.kept.update(one.kept)
        for cell, units in one.units.items():
            total.units[cell] = total.units.get(cell, set()) | units
        total.checks = _added(total.checks, one.checks)
        total.watched += one.watched
        total.weight = total.weight or one.weight
        problems.update(dict.fromkeys(one.problems))
    return replace(total, problems=list(problems))


def _added(one: tuple[Check, ...], other: tuple[Check, ...]) -> tuple[Check, ...]:
    if not one or not other:
        return one or other
    return tuple(
        Check(a.rule, a.records + b.records, a.broken + b.broken)
        for a, b in zip(one, other, strict=True)
    )
