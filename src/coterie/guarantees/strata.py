"""Strata: records that may share a group. The user's columns, and the pattern of gaps.

Groups never cross strata. A stratum with fewer than k units cannot be protected by itself: it is
refused with its size, pooled with others, or dropped, and the evidence tells which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.guarantees.pooling import Cell, settle
from coterie.numbers.renumber import renumber
from coterie.table.arrays import from_numpy, from_values
from coterie.table.classes import class_codes, count_classes, hashable
from coterie.table.encoding import pattern_codes
from coterie.table.schema import Schema
from coterie.table.source import Source

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "Strata",
    "cells_of",
    "form_strata",
    "stand_ins",
]

KINDS = 16  # bits of a digit: more kinds of gaps than a key can have


@dataclass(frozen=True, eq=False)
class Strata:
    """Which records are kept and which of them may share a group.

    Attributes
    ----------
    rows : (m,) int array
        Records kept, as rows of the source.
    parts : list of int arrays
        Each stratum, as positions in `rows`.
    pooled : (m,) bool array or None
        Which of them are of strata that were pooled; None if none were.
    released : dict of column to pyarrow.Array
        What stands in the strata columns of the records kept, where strata were pooled.
    """

    rows: NDArray[np.int64]
    parts: list[NDArray[np.int64]]
    names: tuple[str, ...]
    pooled: NDArray[np.bool_] | None = None
    released: Mapping[str, pa.Array] = field(default_factory=dict)

    @property
    def merged(self) -> int:
        """Records of strata that were pooled."""
        return 0 if self.pooled is None else int(self.pooled.sum())

    def some(self, kept: NDArray[np.bool_]) -> Strata:
        """The strata of some of the records."""
        place = np.cumsum(kept) - 1
        parts = [place[part[kept[part]]] for part in self.parts]
        where = from_numpy(np.flatnonzero(kept))
        return replace(
            self,
            rows=self.rows[kept],
            parts=[part for part in parts if len(part)],
            pooled=None if self.pooled is None else self.pooled[kept],
            released={name: array.take(where) for name, array in self.released.items()},
        )

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The stratum of each record."""
        found = np.empty(len(self.rows), dtype=np.int64)
        for number, part in enumerate(self.parts):
            found[part] = number
        return found


def stand_ins(released: Mapping[str, Sequence[Any]], codes: NDArray[np.int64]) -> dict[str, Any]:
    """What stands in the strata columns of records whose cells are `codes`, by cell."""
    import pyarrow as pa

    places = from_numpy(codes)
    return {n: from_values(texts, pa.string()).take(places) for n, texts in released.items()}


def cells_of(
    source: Source, names: Sequence[str], gaps: NDArray[np.integer]
) -> tuple[NDArray[np.int64], list[Cell]]:
    """The cell of each record as a number, and what those cells are."""
    codes, first = _cell_codes(source, names, gaps)
    return codes, _cells_at(source, names, gaps, first)


def _cell_codes(
    source: Source, names: Sequence[str], gaps: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The cell of each record, 0..c-1, and the first record of each cell."""
    given = class_codes(source, names) if names else np.zeros(len(gaps), dtype=np.int64)
    pattern = pattern_codes(gaps)
    both = given * (int(pattern.max(initial=0)) + 1) + pattern
    _, first, codes = np.unique(both, return_index=True, return_inverse=True)
    return codes.astype(np.int64), first


def _cells_at(
    source: Source, names: Sequence[str], gaps: NDArray[np.integer], rows: NDArray[np.int64]
) -> list[Cell]:
    """The cells of some records: their values, and which keys miss.

    What stands in place of each key is a digit of a number: 0 where there is a value.
    """
    values = [source.frame[name].to_arrow().take(from_numpy(rows)).to_pylist() for name in names]
    digits = [
        sum(int(gaps[row, key]) << (KINDS * int(key)) for key in np.flatnonzero(gaps[row]))
        for row in rows
    ]
    return [(tuple(hashable(column[i]) for column in values), n) for i, n in enumerate(digits)]


def form_strata(
    source: Source,
    schema: Schema,
    rows: NDArray[np.int64],
    gaps: NDArray[np.integer],
    units: NDArray[np.int64] | None,
    k: int,
    small: str,
    pooled: str | None = None,
) -> Strata:
    """Strata of the records `rows`: combinations of the strata columns and of gaps in keys."""
    names = tuple(schema.strata)
    every, first = _cell_codes(source, names, gaps)
    codes = every[rows]
    named = None if units is None else units[rows]
    counts = np.zeros(len(first), dtype=np.int64)
    counted = count_classes(codes, named)
    counts[: len(counted)] = counted
    if not ((counts > 0) & (counts < k)).any():
        return Strata(rows, _parts(codes), names)
    cells = _cells_at(source, names, gaps, first)

    def held(some: Sequence[int]) -> int:
        inside = np.isin(codes, some)
        if named is None:
            return int(inside.sum())
        return len(np.unique(named[inside]))

    kinds = [source.frame[name].to_arrow().type for name in names]
    trees = {name: schema[name].hierarchy for name in names}
    settled = settle(names, kinds, cells, counts, held, k, small, pooled, trees)
    strata = settled.strata(counts)[codes]
    kept = strata >= 0
    return Strata(
        rows[kept],
        _parts(strata[kept]),
        names,
        pooled=np.isin(codes, settled.pooled)[kept],
        released=stand_ins(settled.released, codes[kept]),
    )


def _parts(codes: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    codes = renumber(codes)
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.cumsum(np.bincount(codes))[:-1])
