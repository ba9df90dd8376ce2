"""How much the keys set records apart: alone, in twos and threes, and all together.

A record that is unique on some keys, and on no fewer of them, is a minimal sample unique: what an
intruder needs to know. Complexity O(n) for each set of keys that is looked at; how many are is
bounded, and told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from coterie.advice.facts import ColumnFacts
from coterie.numbers.renumber import renumber

__all__ = ["AtK", "KeyRank", "Uniques", "leaves", "minimal_uniques", "rank_keys"]

CELLS = 60_000_000  # records times sets of keys that are looked at
SIZES = (2, 3, 5, 10)
LARGEST = 1 << 62
MIXED = np.uint64(0x9E3779B97F4A7C15)  # spreads codes over slots


@dataclass(frozen=True)
class KeyRank:
    """How much one key sets apart.

    Attributes
    ----------
    name : str
    distinct_ratio : float
        Different values for each record.
    separation_ratio : float
        Share of the pairs of records that it tells apart.
    alone : int
        Records that are unique on it.
    in_uniques : int
        Minimal sample uniques on up to three keys that need it; None where it was not looked at.
    """

    name: str
    distinct_ratio: float
    separation_ratio: float
    alone: int
    in_uniques: int | None = None


@dataclass(frozen=True)
class Uniques:
    """Records unique on one, two, three keys, and on no fewer; and the keys looked at."""

    on: tuple[int, int, int]
    keys: tuple[str, ...]
    sets: dict[tuple[str, ...], int]


@dataclass(frozen=True)
class AtK:
    """What k asks of the table: records in classes smaller than k now, groups there can be."""

    k: int
    below: int
    groups: int


def rank_keys(columns: Mapping[str, ColumnFacts], names: Sequence[str]) -> list[KeyRank]:
    """The keys, the one that tells most records apart first."""
    ranked = []
    for name in names:
        column = columns[name]
        counts = np.append(column.counts, column.gaps).astype(np.float64)
        rows = column.rows
        same = float((counts * (counts - 1)).sum())
        apart = 1 - same / (rows * (rows - 1)) if rows > 1 else 0.0
        ranked.append(KeyRank(name, column.distinct / rows, apart, column.alone))
    return sorted(ranked, key=lambda one: (-one.separation_ratio, -one.alone))


def minimal_uniques(columns: Mapping[str, ColumnFacts], ranked: Sequence[str]) -> Uniques:
    """Records unique on one, two, three of the keys, the strongest if there are too many."""
    names = list(ranked[: _most(columns, len(ranked))])
    codes = {name: _codes(columns[name]) for name in names}
    rows = len(next(iter(codes.values()))[0]) if codes else 0
    smallest = np.zeros(rows, dtype=np.int8)  # keys that the smallest set has; 0: none yet
    unique_on: dict[tuple[str, ...], NDArray[np.bool_]] = {}
    sets: dict[tuple[str, ...], int] = {}
    for size in (1, 2, 3):
        for chosen in combinations(names, size):
            alone = _alone([codes[name] for name in chosen])
            for fewer in range(1, size):
                for inner in combinations(chosen, fewer):
                    alone = alone & ~unique_on[inner]
            if size < 3:
                unique_on[chosen] = alone
            sets[chosen] = int(alone.sum())
            smallest[alone & (smallest == 0)] = size
    on = tuple(int((smallest == size).sum()) for size in (1, 2, 3))
    return Uniques((on[0], on[1], on[2]), tuple(names), sets)


def leaves(
    columns: Mapping[str, ColumnFacts],
    names: Sequence[str],
    sizes: Sequence[int],
    units: NDArray[np.int64] | None = None,
) -> list[AtK]:
    """What k asks for on all keys together, for several k; of units, where there are some."""
    if not names:
        return []
    rows = columns[names[0]].rows
    whole = np.zeros(rows, dtype=np.int64)
    for name in names:
        codes, bins = _codes(columns[name])
        whole = renumber(whole * bins + codes)
    many = np.bincount(whole)
    total = rows
    if units is not None:
        pairs = np.unique(whole * (int(units.max()) + 2) + units + 1)
        many = np.bincount(pairs // (int(units.max()) + 2))
        total = len(np.unique(units))
    own = many[whole]
    return [AtK(k, int((own < k).sum()), total // k) for k in sorted({*SIZES, *sizes})]


def _codes(column: ColumnFacts) -> tuple[NDArray[np.int64], int]:
    return column.codes + 1, column.distinct + 1


def _most(columns: Mapping[str, ColumnFacts], count: int) -> int:
    """How many keys can be looked at in twos and threes."""
    rows = max(1, next(iter(columns.values())).rows)
    while count > 3 and rows * (count + count * (count - 1) // 2 + _threes(count)) > CELLS:
        count -= 1
    return min(count, 25)


def _threes(count: int) -> int:
    return count * (count - 1) * (count - 2) // 6


def _alone(parts: Sequence[tuple[NDArray[np.int64], int]]) -> NDArray[np.bool_]:
    """Which records are the only ones with their values.

    Where there are too many combinations to count each, they share slots by hash: who is alone in
    a slot is unique, and only the others are sorted.
    """
    codes, bins = parts[0]
    for more, size in parts[1:]:
        if bins > LARGEST // size:
            codes = renumber(codes)
            bins = int(codes.max()) + 1
        codes, bins = codes * size + more, bins * size
    if bins <= max(8 * len(codes), 1 << 22):
        return np.asarray(np.bincount(codes)[codes] == 1)
    bits = max(16, (4 * len(codes)).bit_length())
    slots = (codes.astype(np.uint64) * MIXED >> np.uint64(64 - bits)).astype(np.int64)
    alone = np.bincount(slots)[slots] == 1
    some = np.flatnonzero(~alone)
    _, place, many = np.unique(codes[some], return_inverse=True, return_counts=True)
    alone[some] = many[place] == 1
    return np.asarray(alone)
