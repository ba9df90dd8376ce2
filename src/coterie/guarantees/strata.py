"""Strata: records that may share a group. The user's columns, and the pattern of gaps.

Groups never cross strata. A stratum with fewer than k units cannot be protected by itself: it is
refused with its size, pooled with others, or dropped, and the evidence tells which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, shown
from coterie.guarantees.pooling import form_pools, pooled_values
from coterie.guarantees.subtrees import along
from coterie.hierarchy.tree import Hierarchy
from coterie.numbers.renumber import renumber
from coterie.table.arrays import from_numpy, from_values
from coterie.table.classes import Mark, class_codes, count_classes, hashable, meant
from coterie.table.encoding import category_key, pattern_codes, texts_of
from coterie.table.schema import Schema
from coterie.table.source import Source

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "Cell",
    "Settled",
    "Strata",
    "cell_key",
    "cells_of",
    "form_strata",
    "settle",
    "stand_ins",
]

Cell = tuple[tuple[Any, ...], int]  # values of the strata columns, and what stands in place of keys

KINDS = 16  # bits of a digit: more kinds of gaps than a key can have
SHOWN = 8  # small strata that a message counts out
APART = (
    " Readers of the file can tell NaN (nan) from a missing value (None) and -0.0 from 0.0: they "
    "are strata of their own, in {}; make them one value to join them."
)


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


@dataclass(frozen=True)
class Settled:
    """What becomes of small strata, by the numbers of the cells.

    Attributes
    ----------
    dropped : list of int
        Cells that are left out.
    pools : list of lists of int
        Cells that are one stratum.
    released : dict of column to list
        What each cell releases in a column, where pools mix its values.
    """

    dropped: list[int] = field(default_factory=list)
    pools: list[list[int]] = field(default_factory=list)
    released: dict[str, list[Any]] = field(default_factory=dict)

    @property
    def pooled(self) -> list[int]:
        """Cells that are in a pool."""
        return [code for pool in self.pools for code in pool]

    def strata(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The stratum of each cell, 0..s-1, by the records it keeps; -1 where none is kept."""
        first = np.arange(len(counts))
        for pool in self.pools:
            first[pool] = min(pool)
        kept = counts > 0
        kept[self.dropped] = False
        found = np.full(len(counts), -1, dtype=np.int64)
        found[kept] = renumber(first[kept])
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


def cell_key(cell: Cell) -> tuple[Any, ...]:
    """What cells are sorted by, so that no order of records shows."""
    return (*(category_key(value) for value in cell[0]), cell[1])


def settle(
    names: Sequence[str],
    kinds: Sequence[Any],
    cells: Sequence[Cell],
    counts: NDArray[np.int64],
    held: Callable[[Sequence[int]], int],
    k: int,
    small: str,
    pooled: str | None = None,
    trees: Mapping[str, Hierarchy | None] | None = None,
) -> Settled:
    """What becomes of cells with fewer than k units.

    Parameters
    ----------
    names, kinds : sequences
        The strata columns, and their Arrow types.
    cells : sequence of Cell
        All cells of the table.
    counts : int array
        Units of each, over the records that are kept.
    held : callable
        Units of several of them together.
    small : {"error", "merge", "drop"}
    pooled : str, optional
        The value that pooled strata release, see `coterie.guarantees.pooling`.
    trees : mapping, optional
        Hierarchies of columns, along which small strata are pooled first.
    """
    present = sorted(np.flatnonzero(counts).tolist(), key=lambda c: cell_key(cells[c]))
    few = [c for c in present if counts[c] < k]
    if not few:
        return Settled()
    if small == "error":
        raise DataError(_message(names, cells, counts, few, k))
    if small == "drop":
        if len(few) == len(present):
            raise DataError(
                f"At least one stratum must have k = {k} units. Got none of {len(present)}; use "
                "fewer strata or a smaller k."
            )
        return Settled(dropped=few)
    branches = along(names, trees or {}, cells, present, few, held, k)
    taken = {c for branch in branches for c in branch.cells}
    rest = [c for c in present if c not in taken]
    pools = []
    if any(counts[c] < k for c in rest):
        pools = form_pools(rest, [gaps for _, gaps in cells], counts, held, k)
    released = {}
    for place, name in enumerate(names):
        texts = _texts(cells, place, kinds[place])
        values = pooled_values(texts, pools, name, pooled)
        for branch in branches:
            if branch.place == place:
                values = list(texts) if values is None else values
                for c in branch.cells:
                    values[c] = branch.label
        if values is not None:
            released[name] = values
    return Settled(pools=[*pools, *(list(branch.cells) for branch in branches)], released=released)


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


def _texts(cells: Sequence[Cell], place: int, kind: Any) -> list[Any]:
    """The value of each cell in a column as text; a pool of NaN and missing values mixes two."""
    import pyarrow as pa

    values = [values[place] for values, _ in cells]
    plain = kind.value_type if pa.types.is_dictionary(kind) else kind
    array = from_values([None if isinstance(v, Mark) else v for v in values], plain)
    texts = texts_of(array).to_pylist()
    return [v if isinstance(v, Mark) else text for v, text in zip(values, texts, strict=True)]


def _message(
    names: Sequence[str],
    cells: Sequence[Cell],
    counts: NDArray[np.int64],
    few: Sequence[int],
    k: int,
) -> str:
    reported = []
    for code in few[:SHOWN]:
        values, gaps = cells[code]
        text = ", ".join(f"{n}={shown(v)}" for n, v in zip(names, values, strict=True))
        if gaps:
            text += " with missing keys" if names else "the same missing keys"
        text = text or "all records"
        reported.append(f"{text} ({counts[code]})")
    apart = []
    for place, name in enumerate(names):
        found = {values[place] for values, _ in cells}
        if len({meant(value) for value in found}) < len(found):
            apart.append(name)
    more = f" and {len(few) - SHOWN} more" if len(few) > SHOWN else ""
    return (
        f"Every stratum must have at least k = {k} units. Got {len(few)} with fewer: "
        f"{'; '.join(reported)}{more}. Use small_strata='merge' or 'drop' (--small-strata), or "
        "fewer strata." + (APART.format(", ".join(map(repr, apart))) if apart else "")
    )
