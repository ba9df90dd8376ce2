"""Strata: records that may share a group. The user's columns, and the pattern of gaps.

Groups never cross strata. A stratum with fewer than k units cannot be protected by itself: it is
refused with its size, pooled with others, or dropped, and the evidence tells which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.classes import class_codes, count_classes, spelled_apart
from coterie.errors import DataError, shown
from coterie.table.schema import Schema
from coterie.table.source import Source

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["APART", "Strata", "form_strata", "pattern_codes"]

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
    dropped, merged : int
        Records of small strata that were dropped or pooled.
    takes_from : (m,) int array or None
        Row of the source whose strata values a record releases, where strata were pooled.
    """

    rows: NDArray[np.int64]
    parts: list[NDArray[np.int64]]
    names: tuple[str, ...]
    dropped: int = 0
    merged: int = 0
    takes_from: NDArray[np.int64] | None = None

    def replaced(self, source: Source) -> dict[str, pa.Array]:
        """The strata columns to release where strata were pooled; else nothing to replace."""
        if self.takes_from is None:
            return {}
        rows = self.takes_from.tolist()
        return {name: source.frame[name][rows].to_arrow() for name in self.names}


def form_strata(
    source: Source,
    schema: Schema,
    rows: NDArray[np.int64],
    gaps: NDArray[np.bool_],
    units: NDArray[np.int64] | None,
    k: int,
    small: str,
) -> Strata:
    """Strata of the records `rows`: combinations of the strata columns and of gaps in keys."""
    names = tuple(schema.strata)
    given = class_codes(source, names)[rows] if names else np.zeros(len(rows), dtype=np.int64)
    patterns = gaps[rows]
    pattern = pattern_codes(patterns)
    codes = np.unique(given * (int(pattern.max()) + 1) + pattern, return_inverse=True)[1]
    counts = count_classes(codes, None if units is None else units[rows])
    few = np.flatnonzero(counts < k)
    if not len(few):
        return Strata(rows, _parts(codes), names)
    if small == "error":
        raise DataError(_message(source, names, rows, codes, counts, few, k, patterns))
    weak = np.isin(codes, few)
    if small == "drop":
        kept = ~weak
        if not kept.any():
            raise DataError(
                f"At least one stratum must have k = {k} units. Got none of {len(counts)}; use "
                "fewer strata or a smaller k."
            )
        codes = np.unique(codes[kept], return_inverse=True)[1]
        return Strata(rows[kept], _parts(codes), names, dropped=int(weak.sum()))
    return _pool(rows, codes, counts, few, pattern, k, names, units)


def pattern_codes(gaps: NDArray[np.bool_]) -> NDArray[np.int64]:
    """A number 0..p-1 for each record; equal numbers mean gaps in the same keys."""
    codes = np.zeros(len(gaps), dtype=np.int64)
    for column in np.flatnonzero(gaps.any(axis=0)):  # most keys have none
        codes = np.unique(codes * 2 + gaps[:, column], return_inverse=True)[1]
    return codes


def _pool(
    rows: NDArray[np.int64],
    codes: NDArray[np.int64],
    counts: NDArray[np.int64],
    few: NDArray[np.int64],
    pattern: NDArray[np.int64],
    k: int,
    names: tuple[str, ...],
    units: NDArray[np.int64] | None,
) -> Strata:
    """Pool small strata that share their gaps; a pool still too small takes the smallest other."""
    merged = np.zeros(len(codes), dtype=bool)
    codes = codes.copy()
    takes_from = rows.copy()
    for gap in np.unique(pattern[np.isin(codes, few)]):
        here = pattern == gap
        present = np.unique(codes[here])
        pool = [c for c in present if c in few]
        others = sorted((c for c in present if c not in few), key=lambda c: (counts[c], c))
        while True:
            members = here & np.isin(codes, pool)
            size = count_classes(
                np.zeros(int(members.sum()), dtype=np.int64),
                None if units is None else units[rows[members]],
            )[0]
            if size >= k:
                break
            if not others:
                raise DataError(
                    f"Small strata must reach k = {k} units when pooled. Got {size} among the "
                    "records with the same missing keys; use missing='drop' or a smaller k."
                )
            pool.append(others.pop(0))
        # All release the strata values of the pool's largest part.
        largest = max(pool, key=lambda c: (counts[c], -c))
        takes_from[members] = rows[np.flatnonzero(codes == largest)[0]]
        merged |= members
        codes[members] = pool[0]
    codes = np.unique(codes, return_inverse=True)[1]
    return Strata(rows, _parts(codes), names, merged=int(merged.sum()), takes_from=takes_from)


def _parts(codes: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.cumsum(np.bincount(codes))[:-1])


def _message(
    source: Source,
    names: tuple[str, ...],
    rows: NDArray[np.int64],
    codes: NDArray[np.int64],
    counts: NDArray[np.int64],
    few: NDArray[np.int64],
    k: int,
    patterns: NDArray[np.bool_],
) -> str:
    told = []
    for code in few[:SHOWN]:
        at = int(np.flatnonzero(codes == code)[0])
        values: dict[str, Any] = {n: source.frame[n][int(rows[at])] for n in names}
        text = ", ".join(f"{n}={shown(v)}" for n, v in values.items()) or "the same missing keys"
        if names and patterns[at].any():
            text += " with missing keys"
        told.append(f"{text} ({counts[code]})")
    apart = spelled_apart(source, names)
    more = f" and {len(few) - SHOWN} more" if len(few) > SHOWN else ""
    return (
        f"Every stratum must have at least k = {k} units. Got {len(few)} with fewer: "
        f"{'; '.join(told)}{more}. Use small_strata='merge' or 'drop' (--small-strata), or fewer "
        "strata." + (APART.format(", ".join(map(repr, apart))) if apart else "")
    )
