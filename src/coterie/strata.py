"""Strata: records that may share a group. The user's columns, and the pattern of gaps.

Groups never cross strata. A stratum with fewer than k units cannot be protected by itself: it is
refused with its size, pooled with others, or dropped, and the evidence tells which.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.classes import class_codes, count_classes, spelled_apart
from coterie.encoding import pattern_codes
from coterie.errors import DataError, shown
from coterie.pooling import form_pools, pooled_values
from coterie.table.schema import Schema
from coterie.table.source import Source

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["APART", "Strata", "form_strata"]

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
    released : dict of column to pyarrow.Array
        What stands in the strata columns of the records kept, where strata were pooled.
    """

    rows: NDArray[np.int64]
    parts: list[NDArray[np.int64]]
    names: tuple[str, ...]
    dropped: int = 0
    merged: int = 0
    released: Mapping[str, pa.Array] = field(default_factory=dict)


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
    """Strata of the records `rows`: combinations of the strata columns and of gaps in keys.

    `pooled` is the value that pooled strata release, see `coterie.pooling`.
    """
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
    pools = form_pools(codes, counts, few, pattern, k, None if units is None else units[rows])
    released = {name: pooled_values(source, name, rows, pools, pooled) for name in names}
    for pool in pools:
        codes[pool] = codes[pool[0]]
    return Strata(
        rows,
        _parts(np.unique(codes, return_inverse=True)[1]),
        names,
        merged=sum(map(len, pools)),
        released={name: values for name, values in released.items() if values is not None},
    )


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
    patterns: NDArray[np.integer],
) -> str:
    told = []
    for code in few[:SHOWN]:
        at = int(np.flatnonzero(codes == code)[0])
        values: dict[str, Any] = {n: source.frame[n][int(rows[at])] for n in names}
        text = ", ".join(f"{n}={shown(v)}" for n, v in values.items())
        if patterns[at].any():
            text += " with missing keys" if names else "the same missing keys"
        text = text or "all records"
        told.append(f"{text} ({counts[code]})")
    apart = spelled_apart(source, names)
    more = f" and {len(few) - SHOWN} more" if len(few) > SHOWN else ""
    return (
        f"Every stratum must have at least k = {k} units. Got {len(few)} with fewer: "
        f"{'; '.join(told)}{more}. Use small_strata='merge' or 'drop' (--small-strata), or fewer "
        "strata." + (APART.format(", ".join(map(repr, apart))) if apart else "")
    )
