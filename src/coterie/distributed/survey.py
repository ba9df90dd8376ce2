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

from coterie.classes import class_codes, hashable
from coterie.distributed.exact_sums import Moments
from coterie.distributed.parts import Part
from coterie.distributed.plan import Cell, Plan, load
from coterie.distributed.row_hash import sampled
from coterie.encoding import Column
from coterie.errors import DataError
from coterie.space import MOST_CATEGORIES, NOMINAL, transformed
from coterie.strata import pattern_codes
from coterie.table import columns as facts
from coterie.table.infer import Problems
from coterie.table.rules import check_column
from coterie.table.source import Source, from_frame

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Survey", "add", "cells", "draw", "survey"]

LARGEST = 1e150  # squares of differences of larger numbers are no float64


@dataclass(eq=False)
class Survey:
    """What was found in some records.

    Attributes
    ----------
    rows : int
        How many records.
    moments : dict
        Of each key that is a number, less its centre.
    categories : dict
        Of each categorical key: how often each value occurs.
    gaps : dict
        Records with a gap, of each key.
    nulls : set
        Keys that have gaps which are no declared code.
    cells : Counter
        Records of each stratum, gaps included.
    problems : list of str
        What speaks against releasing the table.
    """

    rows: int = 0
    moments: dict[str, Moments] = field(default_factory=dict)
    categories: dict[str, Counter[Any]] = field(default_factory=dict)
    gaps: Counter[str] = field(default_factory=Counter)
    nulls: set[str] = field(default_factory=set)
    cells: Counter[Cell] = field(default_factory=Counter)
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
    wanted = dict.fromkeys([*schema.keys, *schema.strata, *([weight] if weight else [])])
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
    gaps = np.column_stack([column.missing for column in columns])
    kept = np.ones(len(gaps), dtype=np.bool_)
    if known.missing == "drop":
        kept &= ~gaps.any(axis=1)
    for column in columns:
        _look(found, column, kept, known)
    codes, met = cells(source, schema.strata, gaps)
    for cell, size in zip(met, np.bincount(codes).tolist(), strict=True):
        found.cells[cell] += size
    return found


def _look(found: Survey, column: Column, kept: NDArray[np.bool_], plan: Plan) -> None:
    """Statistics of one key over the records that are kept."""
    name, attribute = column.name, column.attribute
    present = column.values[~column.missing & kept]
    found.gaps[name] = int(column.missing.sum())
    if column.missing.any() and column.gap is None:
        found.nulls.add(name)
    if attribute.type in NOMINAL or name not in plan.centres:
        counts = np.bincount(present.astype(np.int64), minlength=len(column.categories))
        if attribute.type in NOMINAL and len(column.categories) > 100 * MOST_CATEGORIES:
            found.problems.append(
                f"Key {name!r} must have at most {MOST_CATEGORIES} categories to be nominal. Got "
                f"{len(column.categories)} in one part alone; recode it, give it an order, use it "
                "as a stratum, or drop it"
            )
            return
        found.categories[name] = Counter(dict(zip(column.categories, counts.tolist(), strict=True)))
        return
    values = transformed(attribute.transform, present)
    if np.abs(values).max(initial=0.0) > LARGEST:
        found.problems.append(
            f"Key {name!r} must lie within -{LARGEST:g} and {LARGEST:g}. Got "
            f"{values[np.abs(values).argmax()]:g}; rescale it"
        )
        return
    found.moments[name] = Moments.of(values, plan.centres[name])


def add(found: Iterable[Survey]) -> Survey:
    """All of them together; every problem once."""
    whole = Survey()
    problems: dict[str, None] = {}
    for one in found:
        whole.rows += one.rows
        for name, moments in one.moments.items():
            whole.moments[name] = whole.moments.get(name, Moments()) + moments
        for name, counts in one.categories.items():
            whole.categories.setdefault(name, Counter()).update(counts)
        whole.gaps.update(one.gaps)
        whole.nulls |= one.nulls
        whole.cells.update(one.cells)
        problems.update(dict.fromkeys(one.problems))
    return replace(whole, problems=list(problems))


def cells(
    source: Source, names: Sequence[str], gaps: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], list[Cell]]:
    """The stratum of each record, 0..c-1, and what each of them is: values, and which keys miss."""
    import pyarrow as pa

    given = class_codes(source, names) if names else np.zeros(len(gaps), dtype=np.int64)
    pattern = pattern_codes(gaps)
    both = given * (int(pattern.max(initial=0)) + 1) + pattern
    _, first, codes = np.unique(both, return_index=True, return_inverse=True)
    table = source.frame.to_arrow().select(list(names)).take(pa.array(first))
    values = [column.to_pylist() for column in table.columns]
    missing = [sum(1 << int(key) for key in np.flatnonzero(gaps[row])) for row in first]
    met = [
        (tuple(hashable(column[i]) for column in values), bits) for i, bits in enumerate(missing)
    ]
    return codes, met
