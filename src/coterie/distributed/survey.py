"""Survey: what must be known of the whole table before a record can be placed, part by part.

Exact sums, counts and sets: what the parts find adds up to the same in any order and layout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.classes import class_codes, hashable, plain_array
from coterie.distributed.parts import Part
from coterie.distributed.plan import Cell, Plan, load
from coterie.distributed.row_hash import sampled
from coterie.encoding import Column, pattern_codes
from coterie.errors import DataError
from coterie.space import MOST_CATEGORIES, NOMINAL, Summary, transformed
from coterie.space.exact_sums import Moments
from coterie.table import columns as facts
from coterie.table.infer import Problems
from coterie.table.rules import check_column
from coterie.table.source import Source, from_frame

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Survey", "add", "cells", "draw", "survey", "units_in"]

KINDS = 16  # bits of a digit: more kinds of gaps than a key can have
LARGEST = 1e150  # squares of differences of larger numbers are no float64


@dataclass(eq=False)
class Survey:
    """What was found in some records.

    Attributes
    ----------
    rows : int
        How many records.
    summaries : dict
        What the space must know of each key.
    gaps : dict
        Records with a gap, of each key.
    cells : Counter
        Records of each stratum, gaps included.
    units : dict
        Of each stratum the units in it: all of them, or k where there are more.
    problems : list of str
        What speaks against releasing the table.
    """

    rows: int = 0
    summaries: dict[str, Summary] = field(default_factory=dict)
    gaps: Counter[str] = field(default_factory=Counter)
    cells: Counter[Cell] = field(default_factory=Counter)
    units: dict[Cell, set[Any]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def draw(plan: str, job: tuple[Part, float]) -> pa.Table:
    """The records of a part that are in the sample: chosen by a hash of their numbers."""
    import pyarrow as pa

    part, share = job
    rows = sampled(part.first, part.rows, share)
    return part.read(load(plan).table).take(pa.array(rows))


def survey(plan: str, part: Part) -> Survey:
    """What a part adds to the survey."""
    known = load(plan)
    schema = known.schema
    weight = schema.sample_weight
    named = [name for name in (weight, schema.unit) if name]
    wanted = dict.fromkeys([*schema.keys, *schema.strata, *named])
    table = part.read(known.table, list(wanted))
    source = from_frame(table, "parquet", part.path)
    problems = Problems()
    for name in [*schema.keys, *([weight] if weight else [])]:
        series = source.frame[name]
        if name == weight or len(facts.present(series, schema[name].missing_codes)):
            check_column(series, facts.kind_of(series), schema[name], problems, explicit=True)
    found = Survey(rows=part.rows, problems=problems.texts)
    try:
        columns = known.columns(table)
    except DataError as error:
        problems.add(str(error))
    if problems.texts:
        return found
    gaps = np.column_stack([column.gaps for column in columns])
    kept = np.ones(len(gaps), dtype=np.bool_)
    if known.missing == "drop":
        kept &= ~gaps.any(axis=1)
    for column in columns:
        _look(found, column, kept, known)
    codes, met = cells(source, schema.strata, gaps)
    for cell, size in zip(met, np.bincount(codes).tolist(), strict=True):
        found.cells[cell] += size
    if schema.unit is not None:
        listed = units_in(codes, len(met), source, schema.unit, known.k)
        found.units = dict(zip(met, listed, strict=True))
    return found


def units_in(
    codes: NDArray[np.int64], bins: int, source: Source, unit: str, least: int
) -> list[set[Any]]:
    """The units in each of the bins 0..bins-1: all of them, or `least` where there are more."""
    named = plain_array(source, unit).dictionary_encode(null_encoding="encode")
    place, values = named.indices.to_numpy(False), named.dictionary.to_pylist()
    pairs = np.unique(np.column_stack([codes, place]), axis=0)
    listed: list[set[Any]] = [set() for _ in range(bins)]
    for code, number in pairs.tolist():
        if len(listed[code]) < least:
            listed[code].add(values[number])
    return listed


def _look(found: Survey, column: Column, kept: NDArray[np.bool_], plan: Plan) -> None:
    """Statistics of one key over the records that are kept."""
    name, attribute = column.name, column.attribute
    present = column.values[~column.missing & kept]
    found.gaps[name] = int(column.missing.sum())
    if attribute.type in NOMINAL or name not in plan.centres:
        counts = np.bincount(present.astype(np.int64), minlength=len(column.categories))
        if attribute.type in NOMINAL and len(column.categories) > 100 * MOST_CATEGORIES:
            found.problems.append(
                f"Key {name!r} must have at most {MOST_CATEGORIES} categories to be nominal. Got "
                f"{len(column.categories)} in one part alone; recode it, give it an order, use it "
                "as a stratum, or drop it"
            )
            return
        met = Counter(dict(zip(column.categories, counts.tolist(), strict=True)))
        found.summaries[name] = Summary(counts=met)
        return
    values = transformed(attribute.transform, present)
    if np.abs(values).max(initial=0.0) > LARGEST:
        found.problems.append(
            f"Key {name!r} must lie within -{LARGEST:g} and {LARGEST:g}. Got "
            f"{values[np.abs(values).argmax()]:g}; rescale it"
        )
        return
    origin = plan.centres[name]
    found.summaries[name] = Summary(origin, Moments.of(values, origin))


def add(found: Iterable[Survey]) -> Survey:
    """All of them together; every problem once."""
    whole = Survey()
    problems: dict[str, None] = {}
    for one in found:
        whole.rows += one.rows
        for name, summary in one.summaries.items():
            before = whole.summaries.get(name)
            whole.summaries[name] = summary if before is None else before + summary
        whole.gaps.update(one.gaps)
        whole.cells.update(one.cells)
        for cell, units in one.units.items():
            whole.units[cell] = whole.units.get(cell, set()) | units
        problems.update(dict.fromkeys(one.problems))
    return replace(whole, problems=list(problems))


def cells(
    source: Source, names: Sequence[str], gaps: NDArray[np.integer]
) -> tuple[NDArray[np.int64], list[Cell]]:
    """The stratum of each record, 0..c-1, and what each of them is: values, and which keys miss.

    What stands in place of each key is a digit of a number: 0 where there is a value.
    """
    import pyarrow as pa

    given = class_codes(source, names) if names else np.zeros(len(gaps), dtype=np.int64)
    pattern = pattern_codes(gaps)
    both = given * (int(pattern.max(initial=0)) + 1) + pattern
    _, first, codes = np.unique(both, return_index=True, return_inverse=True)
    table = source.frame.to_arrow().select(list(names)).take(pa.array(first))
    values = [column.to_pylist() for column in table.columns]
    digits = [
        sum(int(gaps[row, key]) << (KINDS * int(key)) for key in np.flatnonzero(gaps[row]))
        for row in first
    ]
    met = [(tuple(hashable(column[i]) for column in values), n) for i, n in enumerate(digits)]
    return codes, met
