"""Pooling: what becomes of strata of fewer than k units, as the table is cut into cells.

They are refused, left out, or go together and are released under a value that says so.

Strata of fewer than k units that share their gaps form a pool; a pool that is still too small takes
the smallest other stratum. What a pool releases in a column that its strata do not share is never
one of their codes: the prefix that all of them begin with (``26*``) if they are codes of one
length, else ``other``, or the value that the caller names. A column of numbers or dates then holds
text.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, about, shown
from coterie.guarantees.subtrees import along
from coterie.hierarchy.tree import Hierarchy
from coterie.numbers.renumber import renumber
from coterie.table.arrays import from_values
from coterie.table.categories import category_key, texts_of
from coterie.table.classes import Mark, meant

__all__ = ["OTHER", "Cell", "Settled", "cell_key", "form_pools", "pooled_values", "settle"]

Cell = tuple[tuple[Any, ...], int]  # values of the strata columns, and what stands in place of keys

OTHER = "other"
SHOWN = 8  # small strata that a message counts out
APART = (
    " Readers of the file can tell NaN (nan) from a missing value (None) and -0.0 from 0.0: they "
    "are strata of their own, in {}; make them one value to join them."
)


def cell_key(cell: Cell) -> tuple[Any, ...]:
    """What cells are sorted by, so that no order of records shows."""
    return (*(category_key(value) for value in cell[0]), cell[1])


def form_pools(
    present: Sequence[int],
    gaps: Sequence[int],
    counts: NDArray[np.int64],
    held: Callable[[Sequence[int]], int],
    k: int,
) -> list[list[int]]:
    """The strata of each pool.

    Parameters
    ----------
    present : sequence of int
        The strata that hold records, in an order of their own.
    gaps : sequence of int
        What stands in place of keys, of each stratum.
    counts : int array
        Units of each stratum.
    held : callable
        Units of several strata together.
    k : int
        Least units of a pool.
    """
    few = [c for c in present if counts[c] < k]
    pools = []
    for gap in dict.fromkeys(gaps[c] for c in few):
        pool = [c for c in few if gaps[c] == gap]
        large = [c for c in present if gaps[c] == gap and counts[c] >= k]
        others = sorted(large, key=lambda c: counts[c])
        while (size := held(pool)) < k:
            if not others:
                raise DataError(
                    f"Small strata must reach k = {k} units when pooled. Got {size} among the "
                    "records with the same missing keys; use missing='drop' or a smaller k."
                )
            pool.append(others.pop(0))
        pools.append(pool)
    return pools


def pooled_values(
    texts: Sequence[Any], pools: Sequence[Sequence[int]], name: str, label: str | None = None
) -> list[Any] | None:
    """What each stratum releases in a column; None if no pool mixes its values.

    Parameters
    ----------
    texts : sequence of str or None
        The value of each stratum, as text.
    pools : sequence of sequences of int
        Strata that are released as one.

    Raises
    ------
    DataError
        If `label` is a value of the column already.
    """
    values = list(texts)
    known = {text for text in texts if text is not None}
    mixed = False
    for pool in pools:
        inside = {texts[member] for member in pool}
        if len(inside) == 1:
            continue
        mixed = True
        shared = _prefix(inside) if label is None else ""
        text = shared if shared and shared not in known else _free(label, known, name)
        for member in pool:
            values[member] = text
    return values if mixed else None


def _prefix(inside: set[str | None]) -> str:
    """What codes of one length begin with, and a star; empty for words and other values."""
    codes = [text for text in inside if text is not None]
    alike = len(codes) == len(inside) and len(set(map(len, codes))) == 1
    if not alike or not all(any(map(str.isdigit, code)) for code in codes):
        return ""
    shared = os.path.commonprefix(codes)  # noqa: RUF071 (letters, not folders)
    return f"{shared}*" if shared else ""


def _free(label: str | None, known: set[str], name: str) -> str:
    """The value for a pool that no record has already."""
    if label is None:
        label = OTHER
        while label in known:
            label += " (pooled)"
    elif label in known:
        text = f"The value for pooled strata must not be one of {name!r} already. Got "
        raise about(name, DataError(f"{text}{shown(label)}; name another."))
    return label


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
