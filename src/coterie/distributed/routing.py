"""Routing: each record of a part to its leaf, spilled there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.distributed import cuts
from coterie.distributed.parts import Part
from coterie.distributed.plan import Cell, Plan, load
from coterie.distributed.spill import Spilled, scatter
from coterie.distributed.survey import cells, units_in
from coterie.table.source import from_frame

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["NUMBER", "place", "spill"]

NUMBER = "coterie: number of the record"


def place(plan: Plan, table: pa.Table) -> tuple[NDArray[np.float64], NDArray[np.int64], list[Cell]]:
    """Coordinates of some records, the stratum of each as 0..c-1, and what those strata are."""
    columns = plan.columns(table)
    gaps = np.column_stack([column.gaps for column in columns])
    codes, met = cells(from_frame(table), plan.schema.strata, gaps)
    return plan.space.coordinates(columns), codes, met


def spill(plan: str, job: tuple[int, Part]) -> Spilled:
    """Write the records of a part by leaf, identifiers left out."""
    import pyarrow as pa

    known = load(plan)
    number, part = job
    names = [name for name in known.table.names if name not in known.schema.identifiers]
    table = part.read(known.table, names)
    points, codes, met = place(known, table)
    leaf = np.full(len(points), -1, dtype=np.int64)
    for code, cell in enumerate(met):
        tree = known.trees.get(cell)
        if tree is not None:
            rows = np.flatnonzero(codes == code)
            leaf[rows] = cuts.route(tree, points[rows])
    units: dict[int, set[Any]] = {}
    if known.schema.unit is not None:
        kept = np.flatnonzero(leaf >= 0)
        found, which = np.unique(leaf[kept], return_inverse=True)
        if len(kept):
            source = from_frame(table.select([known.schema.unit]).take(pa.array(kept)))
            listed = units_in(which, len(found), source, known.schema.unit, known.k)
            units = dict(zip(found.tolist(), listed, strict=True))
    rows = np.arange(part.first, part.first + part.rows)
    table = table.append_column(known.own(NUMBER), pa.array(rows))
    written = scatter(table, leaf, Path(known.folder) / f"spill-{number:06d}.parquet")
    return replace(written, units=units)
