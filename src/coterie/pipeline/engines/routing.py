"""Routing: each record of a part to its leaf, spilled there.

Where the records of a unit stay together, they all go to the leaf that holds most of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.pipeline.engines import cuts
from coterie.pipeline.engines.spill import EVERY, Spilled, gather, put, scatter
from coterie.pipeline.ordering import NUMBER
from coterie.pipeline.survey import placed, units_in
from coterie.pipeline.work import Work, load
from coterie.table.classes import plain_array
from coterie.table.parts import Part
from coterie.table.source import Source, from_frame

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["home", "homes", "spill"]

COORDINATES = 1 << 22  # at a time


def spill(work: str, job: tuple[int, Part]) -> Spilled:
    """Write the records of a part by leaf, identifiers left out that nothing is counted by."""
    import pyarrow as pa

    known = load(work)
    number, part = job
    names = [name for name in known.table.names if name not in known.schema.unused]
    table, _ = known.read(part, names)
    source = from_frame(table, "parquet", part.path)
    leaf = _leaves(known, table, source)
    unit = known.schema.unit
    if known.homes is not None:
        assert unit is not None
        leaf = np.where(leaf >= 0, _at_home(known.homes, source, unit), -1)
    units: dict[int, set[Any]] = {}
    kept = np.flatnonzero(leaf >= 0)
    if unit is not None and len(kept):
        found, which = np.unique(leaf[kept], return_inverse=True)
        listed = units_in(which, len(found), source, unit, known.k, kept)
        units = dict(zip(found.tolist(), listed, strict=True))
    rows = np.arange(part.first, part.first + part.rows)
    table = table.append_column(known.own(NUMBER), pa.array(rows))
    written = scatter(table, leaf, Path(known.folder) / f"spill-{number:06d}.arrow")
    return replace(written, units=units)


def home(work: str, job: tuple[int, Part]) -> str:
    """Count, for each unit of a part, its records in each leaf; gives the file."""
    import pyarrow as pa

    known = load(work)
    number, part = job
    schema = known.schema
    assert schema.unit is not None
    wanted = [*schema.keys, *schema.strata, schema.unit, *known.edits.columns]
    table, _ = known.read(part, wanted)
    source = from_frame(table, "parquet", part.path)
    leaf = _leaves(known, table, source)
    named = pa.table({"unit": plain_array(source, schema.unit), "leaf": pa.array(leaf)})
    named = named.filter(pa.array(leaf >= 0))
    counted = named.group_by(["unit", "leaf"], use_threads=False).aggregate([([], "count_all")])
    path = Path(known.folder) / f"home-{number:06d}.arrow"
    return put(counted.rename_columns(["unit", "leaf", "records"]), path)


def homes(work: Work, counted: Sequence[str]) -> str:
    """The file that names the leaf of each unit: where most of its records are."""
    table = gather([(path, EVERY) for path in counted])
    table = table.group_by(["unit", "leaf"], use_threads=False).aggregate([("records", "sum")])
    table = table.sort_by([("records_sum", "descending"), ("leaf", "ascending")])
    table = table.group_by(["unit"], use_threads=False).aggregate([("leaf", "first")])
    return put(table.select(["unit", "leaf_first"]), Path(work.folder) / "homes.arrow")


def _leaves(work: Work, table: pa.Table, source: Source) -> NDArray[np.int64]:
    """The leaf of each record; -1 for those that are left out."""
    columns = work.columns(table)
    codes, met, kept = placed(work, source, columns)
    kept_rows = np.flatnonzero(kept)  # the space may be too narrow for others
    leaf = np.full(len(kept), -1, dtype=np.int64)
    # A part may be a row group of a million records, and trees of codes have many coordinates.
    width = sum(axis.width for axis in work.space.axes)
    step = max(COORDINATES // max(width, 1), 1)
    for start in range(0, len(kept_rows), step):
        rows = kept_rows[start : start + step]
        points = work.space.coordinates([column.some(rows) for column in columns])
        for code, cell in enumerate(met):
            if cell in work.cells:
                here = np.flatnonzero(codes[rows] == code)
                leaf[rows[here]] = cuts.route(work.trees[work.cells[cell]], points[here])
    return leaf


def _at_home(path: str, source: Source, unit: str) -> NDArray[np.int64]:
    """The leaf of each record's unit; -1 where no record of the unit is kept."""
    import pyarrow.compute as pc

    known = gather([(path, EVERY)])
    units = known.column("unit").combine_chunks()
    place = pc.index_in(plain_array(source, unit), value_set=units, skip_nulls=False)
    leaves = np.append(known.column("leaf_first").to_numpy(), -1)
    found: NDArray[np.int64] = leaves[pc.fill_null(place, -1).to_numpy(zero_copy_only=False)]
    return found
