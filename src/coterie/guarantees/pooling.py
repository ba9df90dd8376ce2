"""Pooling: small strata together, released under a value that says so.

Strata of fewer than k units that share their gaps form a pool; a pool that is still too small takes
the smallest other stratum. What a pool releases in a column that its strata do not share is never
one of their codes: the prefix that all of them begin with (``26*``) if they are codes of one
length, else ``other``, or the value that the caller names. A column of numbers or dates then holds
text.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, shown

__all__ = ["OTHER", "form_pools", "pooled_values"]

OTHER = "other"


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
        raise DataError(
            f"The value for pooled strata must not be one of {name!r} already. Got "
            f"{shown(label)}; name another."
        )
    return label
