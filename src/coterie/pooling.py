"""Pooling: small strata together, released under a value that says so.

Strata of fewer than k units that share their gaps form a pool; a pool that is still too small takes
the smallest other stratum. What a pool releases in a column that its strata do not share is never
one of their codes: the prefix that all of them begin with (``26*``) if they are codes of one
length, else ``other``, or the value that the caller names. A column of numbers or dates then holds
text.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from coterie.classes import count_classes, marked, plain_array
from coterie.encoding import texts_of
from coterie.errors import DataError, shown
from coterie.table.source import Source

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["OTHER", "form_pools", "pooled_values"]

OTHER = "other"


def form_pools(
    codes: NDArray[np.int64],
    counts: NDArray[np.int64],
    few: NDArray[np.int64],
    pattern: NDArray[np.int64],
    k: int,
    units: NDArray[np.int64] | None,
) -> list[NDArray[np.int64]]:
    """The records of each pool; `few` are the strata, of `codes`, that are too small."""
    pools = []
    for gap in np.unique(pattern[np.isin(codes, few)]):
        here = pattern == gap
        present = np.unique(codes[here])
        pool = [c for c in present if c in few]
        others = sorted((c for c in present if c not in few), key=lambda c: (counts[c], c))
        while True:
            members = np.flatnonzero(here & np.isin(codes, pool))
            alone = np.zeros(len(members), dtype=np.int64)
            size = count_classes(alone, None if units is None else units[members])[0]
            if size >= k:
                break
            if not others:
                raise DataError(
                    f"Small strata must reach k = {k} units when pooled. Got {size} among the "
                    "records with the same missing keys; use missing='drop' or a smaller k."
                )
            pool.append(others.pop(0))
        pools.append(members)
    return pools


def pooled_values(
    source: Source,
    name: str,
    rows: NDArray[np.int64],
    pools: Sequence[NDArray[np.int64]],
    label: str | None = None,
) -> pa.Array | None:
    """What a stratum column releases for the records `rows`; None if no pool mixes its values.

    Raises
    ------
    DataError
        If `label` is a value of the column already.
    """
    import pyarrow as pa

    everything = texts_of(plain_array(source, name)).to_pylist()
    for row, mark in marked(source, name):
        everything[row] = mark  # a pool of NaN and missing values mixes two
    known = {text for text in everything if text is not None}
    values = [everything[row] for row in rows.tolist()]
    mixed = False
    for pool in pools:
        inside = {values[member] for member in pool.tolist()}
        if len(inside) == 1:
            continue
        mixed = True
        shared = _prefix(inside) if label is None else ""
        text = shared if shared and shared not in known else _free(label, known, name)
        for member in pool.tolist():
            values[member] = text
    return pa.array(values, type=pa.string()) if mixed else None


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
        raise DataError(
            f"The value for pooled strata must not be one of {name!r} already. Got "
            f"{shown(label)}; name another."
        )
    return label
