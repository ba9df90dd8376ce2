"""Proof: the k-anonymity of written parts, as a group-by over all of them.

Each part counts the combinations of released values in it, as read back from the disk, and sends
every combination to one bucket by a hash of its values; a bucket adds up what the parts counted. No
value is rounded or hashed away: combinations are compared by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from coterie.classes import as_meant, as_seen
from coterie.distributed.ordering import UNIT
from coterie.distributed.parts import Part
from coterie.distributed.plan import load
from coterie.distributed.row_hash import buckets
from coterie.distributed.spill import Spilled, gather, scatter
from coterie.errors import DataError
from coterie.verification import NotKAnonymous, Verification

__all__ = ["Tally", "count", "prove", "tally"]

COUNT = "coterie: records"
BUCKET = 1 << 19  # records of a bucket, at most: its combinations are fewer


@dataclass(frozen=True)
class Tally:
    """Classes of one bucket: how many, the units of the smallest, and of all below k."""

    classes: int
    smallest: int
    small: tuple[int, ...]
    records: int


def count(plan: str, job: tuple[int, Part, str | None, int]) -> Spilled:
    """Count the classes of a written part; with units, list the units of each."""
    known = load(plan)
    number, part, units, many = job
    names = [*known.schema.keys, *known.schema.strata]
    table = part.read(known.table, names)
    for name in names:
        table = table.set_column(table.column_names.index(name), name, as_seen(table.column(name)))
    by = list(names)
    if units is not None:
        unit = known.own(UNIT)
        table = table.append_column(unit, as_meant(gather([(units, (0,))]).column(0)))
        by.append(unit)
    found = table.group_by(by, use_threads=False).aggregate([([], "count_all")])
    found = found.rename_columns([*by, known.own(COUNT)])
    path = Path(known.folder) / f"classes-{number:06d}.parquet"
    return scatter(found, buckets(found, names, many), path)


def tally(plan: str, pieces: tuple[tuple[str, tuple[int, ...]], ...]) -> Tally:
    """Add up the classes of one bucket."""
    known = load(plan)
    names = [*known.schema.keys, *known.schema.strata]
    found = gather(pieces)
    records = int(found.column(known.own(COUNT)).to_numpy().sum())
    if known.schema.unit is not None:
        found = found.group_by([*names, known.own(UNIT)], use_threads=False).aggregate([])
        found = found.group_by(names, use_threads=False).aggregate([([], "count_all")])
    else:
        found = found.group_by(names, use_threads=False).aggregate([(known.own(COUNT), "sum")])
    sizes = found.columns[-1].to_numpy()  # by place: a key may have the name that Arrow gives it
    small = np.sort(sizes[sizes < known.k])
    return Tally(len(sizes), int(sizes.min()), tuple(small.tolist()), records)


def prove(
    run: Callable[[Any, str, Sequence[Any]], list[Any]],
    plan: str,
    parts: Sequence[Part],
    units: Sequence[str | None],
    records: int,
) -> Verification:
    """Count all classes by `run`, which maps a task over jobs; raises `NotKAnonymous`."""
    known = load(plan)
    many = max(1, -(-records // BUCKET))
    jobs = [(n, part, unit, many) for n, (part, unit) in enumerate(zip(parts, units, strict=True))]
    counted = run(count, plan, jobs)
    pieces = []
    for bucket in range(many):
        found = [(spilled.path, spilled.group(bucket)) for spilled in counted]
        pieces.append(tuple((path, (group,)) for path, group in found if group is not None))
    tallies = run(tally, plan, [piece for piece in pieces if piece])
    total = sum(t.records for t in tallies)
    if total != records:
        raise DataError(
            f"The written parts must hold the {records} records released. Got {total}; nothing "
            "was kept."
        )
    names = (*known.schema.keys, *known.schema.strata)
    smallest = min(t.smallest for t in tallies)
    if smallest < known.k:
        small = [size for t in tallies for size in t.small]
        raise NotKAnonymous(known.k, smallest, names, [{"units": size} for size in small])
    classes = sum(t.classes for t in tallies)
    return Verification(known.k, smallest, records, classes, names, known.schema.unit)
