"""Records that a judge looks at: drawn from every tile by a hash, and linked there.

Each is linked among all released records of its tile. Records of other tiles would only be further
rivals: with them an intruder finds no more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.generalized import shown_as
from coterie.evaluation.column import ColumnPair
from coterie.evaluation.declared import DeclaredPair, declared_columns
from coterie.evaluation.links import link_groups
from coterie.evaluation.pair import Pair
from coterie.numbers.renumber import first_rows
from coterie.pipeline.protection import ReleasedPart
from coterie.pipeline.work import Work
from coterie.public.published import LINKED
from coterie.table.arrays import take_rows
from coterie.table.encoding import Column

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Linked", "drawn", "filed", "judged", "linked", "sides", "unfiled"]

BEFORE, AFTER = "original ", "released "  # what columns of drawn records begin with


@dataclass(frozen=True)
class Linked:
    """How an intruder who knows all keys links some originals to the released records of a tile.

    Attributes
    ----------
    records : int
        Originals that were looked at.
    chance, squares : float
        Sums over them of the chance to be linked to oneself, and of its square.
    hits : int
        Those whose own released values are among the nearest.
    """

    records: int = 0
    chance: float = 0.0
    squares: float = 0.0
    hits: int = 0


def drawn(known: Work, table: pa.Table, frame: Any, rows: NDArray[np.int64]) -> pa.Table:
    """Records of the sample: the original's declared columns, then the released ones."""
    import pyarrow as pa

    names = declared_columns(known.schema)
    before, after = (t.take(pa.array(rows)) for t in (table.select(names), frame.to_arrow()))
    both = {f"{BEFORE}{name}": before.column(name) for name in names}
    return pa.table({**both, **{f"{AFTER}{name}": after.column(name) for name in frame.columns}})


def filed(sides: DeclaredPair, units: NDArray[np.int64] | None) -> pa.Table:
    """What the loss of each record is told by: its keys on both sides, its weight and its unit."""
    import pyarrow as pa

    columns: dict[str, Any] = {}
    for place, key in enumerate(sides.pair.keys):
        columns[f"original {place}"], columns[f"released {place}"] = key.original, key.released
        for which, gaps in enumerate(key.gaps):
            if gaps.any():
                columns[f"gaps {which} {place}"] = gaps
    own = {"weight": sides.weights, "unit": units}
    columns.update({name: one for name, one in own.items() if one is not None})
    return pa.table({name: pa.array(one) for name, one in columns.items()})


def unfiled(table: pa.Table, names: Sequence[str]) -> tuple[DeclaredPair, NDArray[np.int64] | None]:
    """What stands in such a table; `names` are those of the keys."""

    def column(name: str) -> Any:
        return table.column(name).to_numpy() if name in table.column_names else None

    none = np.zeros(table.num_rows, dtype=np.int16)
    keys = []
    for place, name in enumerate(names):
        first, second = (column(f"gaps {which} {place}") for which in (0, 1))
        gaps = (none if first is None else first, none if second is None else second)
        values = column(f"original {place}"), column(f"released {place}")
        keys.append(ColumnPair(name, "number", *values, gaps))
    pair = Pair(tuple(keys), (), True, table.num_rows)
    return DeclaredPair(pair, column("weight")), column("unit")


def sides(drawn: Sequence[pa.Table]) -> tuple[pa.Table, pa.Table]:
    """All records that were drawn: what they were, and what is released of them."""
    import pyarrow as pa

    table = pa.concat_tables(drawn)

    def side(prefix: str) -> pa.Table:
        names = [name for name in table.column_names if name.startswith(prefix)]
        return table.select(names).rename_columns([name.removeprefix(prefix) for name in names])

    return side(BEFORE), side(AFTER)


def linked(
    known: Work, columns: list[Column], part: ReleasedPart, rows: NDArray[np.int64]
) -> Linked:
    """Links of the records that are in the sample, among all released records of the tile.

    All records of a tile have the same gaps.
    """
    if not len(rows):
        return Linked()
    frame, own = part.assembled.frame, part.partitions[0].labels
    if len(part.partitions) > 1:  # what is equal in one set of keys is not in another
        own = np.arange(len(frame))
    first, sizes = first_rows(own), np.bincount(own)
    released = take_rows(frame, first)
    before, after = [np.zeros((len(rows), 1))], [np.zeros((len(first), 1))]
    for place, column in enumerate(columns):
        if not column.missing.all():
            now = shown_as(column.some(first), released[column.name].to_arrow())
            before.append(known.judged.block(place, column.some(rows)))
            after.append(known.judged.block(place, now))
    links = link_groups(np.hstack(before), own[rows], np.hstack(after), sizes)
    chance = links.hit / links.ties
    return Linked(len(rows), math.fsum(chance), math.fsum(np.square(chance)), int(links.hit.sum()))


def judged(parts: Sequence[Linked], released: int) -> dict[str, Any]:
    """How many records are linked: of those looked at, and within what that of all lies."""
    records = sum(one.records for one in parts)
    if not records:
        return {"not_measured": "no record of the sample is released"}
    mean = math.fsum(one.chance for one in parts) / records
    spread = max(math.fsum(one.squares for one in parts) / records - mean * mean, 0.0)
    # Of a table that was not looked at as a whole: two standard errors to either side.
    half = 2.0 * math.sqrt(spread / records * (1.0 - records / released))
    return {
        "dld_expected": 100.0 * mean,
        "own_group": 100.0 * sum(one.hits for one in parts) / records,
        LINKED: {
            "records": records,
            "among": "the released records of the same tile",
            "dld_expected_between": [
                round(100.0 * max(mean - half, 0.0), 4),
                round(100.0 * min(mean + half, 1.0), 4),
            ],
        },
    }
