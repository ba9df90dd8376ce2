"""Tails: who lies beyond a top or bottom code, so that at least k units do."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import shown
from coterie.recoding.cells import Cells
from coterie.recoding.rule import AUTO
from coterie.table.problems import Problems

__all__ = ["SIGNS", "Tail", "end_of", "joined", "tail_of"]

SIGNS = {"top": 1.0, "bottom": -1.0}

Tail = dict[float, "int | set[Any]"]  # records, or units, of values near an end


def tail_of(
    cells: Cells, rows: NDArray[np.int64], values: NDArray[np.float64], end: Any, k: int
) -> Tail:
    """The records or units beyond an end; for "auto" those beyond one that k lie beyond.

    `values` are those of `rows` times the sign of the end: they end at the largest.
    """
    if end != AUTO:
        return {math.inf: _held(cells, rows[values > end], k)}
    order = np.argsort(-values, kind="stable")
    ranked = values[order]
    borders = np.flatnonzero(ranked[1:] != ranked[:-1]) + 1
    tail: Tail = {}
    beyond: int | set[Any] = 0 if cells.units is None else set()
    for start, stop in pairwise([0, *borders.tolist(), len(order)] if len(order) else []):
        mine = _held(cells, rows[order[start:stop]], k)
        tail[float(ranked[start])] = mine
        if _many(beyond) >= k and math.isfinite(ranked[start]):
            break
        beyond = _both(beyond, mine)
    return tail


def _held(cells: Cells, rows: NDArray[np.int64], k: int) -> int | set[Any]:
    """How many records, or which units: no more than k of them matter."""
    if cells.units is None:
        return len(rows)
    _, first = np.unique(cells.units[rows], return_index=True)
    return cells.owners_of(rows[first[:k]])


def _many(held: int | set[Any]) -> int:
    return len(held) if isinstance(held, set) else held


def _both(one: int | set[Any], other: int | set[Any]) -> int | set[Any]:
    if isinstance(one, set) and isinstance(other, set):
        return one | other
    assert isinstance(one, int)
    assert isinstance(other, int)
    return one + other


def joined(one: Tail, other: Tail) -> Tail:
    """The tail of two parts."""
    both = dict(one)
    for value, held in other.items():
        both[value] = _both(both[value], held) if value in both else held
    return both


def end_of(
    name: str, what: str, end: Any, tail: Tail, top: float, k: int, problems: Problems
) -> float | None:
    """Where values end; None, and a problem, if that is not safe.

    No value is above `top`: for a bottom code, what was top coded before.
    """
    sign = SIGNS[what]
    if end == AUTO:
        held: Tail = {}
        for value, some in tail.items():
            held = joined(held, {sign * min(sign * value, top): some})
        beyond: int | set[Any] | None = None
        for value in sorted(held, reverse=True):
            if beyond is not None and _many(beyond) >= k and math.isfinite(value):
                return sign * value
            beyond = held[value] if beyond is None else _both(beyond, held[value])
        problems.add(
            f"The {what} code of column {name!r} must leave at least k = {k} units "
            "beyond it. Got too few different values: leave it out",
            data=True,
        )
        return None
    many = _many(tail[math.inf])
    # What is top coded below the bottom code lies beyond that as a whole.
    if many < k and not top < end:
        problems.add(
            f"The {what} code of column {name!r} must have at least k = {k} units "
            f"beyond it, or it shows how few there are. Got {shown(end)}, with "
            f"{many or 'none'}: use 'auto', or another one",
            data=True,
        )
        return None
    return float(end)
