"""Hashes of record numbers and of values: the same on every machine and in every layout."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["buckets", "chosen", "mixed", "sampled"]


def mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A permutation of 64-bit numbers that looks random.

    The finalizer of SplitMix64: Steele, Lea, Flood (2014), Fast splittable pseudorandom number
    generators, OOPSLA.
    """
    with np.errstate(over="ignore"):
        z = values + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def sampled(first: int, rows: int, share: float) -> NDArray[np.int64]:
    """Positions, among `rows` records from number `first` on, of those that are in the sample."""
    if share >= 1.0:
        return np.arange(rows)
    return chosen(np.arange(first, first + rows), share)


def chosen(numbers: NDArray[np.int64], share: float) -> NDArray[np.int64]:
    """Positions, among records of these numbers, of those that are in the sample."""
    if share >= 1.0:
        return np.arange(len(numbers))
    return np.flatnonzero(mixed(numbers.astype(np.uint64)) < np.uint64(int(share * 2.0**64)))


def buckets(table: pa.Table, names: Sequence[str], count: int) -> NDArray[np.int64]:
    """A number 0..count-1 for each record; records with equal values have equal numbers."""
    state = np.zeros(table.num_rows, dtype=np.uint64)
    for name in names:
        state = mixed(state ^ _words(table.column(name)))
    return (state % np.uint64(count)).astype(np.int64)


def _words(column: pa.ChunkedArray) -> NDArray[np.uint64]:
    """Each value as a 64-bit word; a number by its bits, anything else by a digest of its text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_floating(column.type):
        numbers = pc.fill_null(column.cast(pa.float64()), 0.0).to_numpy()
        return (numbers + 0.0).view(np.uint64)  # -0.0 becomes 0.0
    if pa.types.is_integer(column.type) and not pa.types.is_uint64(column.type):
        return pc.fill_null(column.cast(pa.int64()), 0).to_numpy().view(np.uint64)
    encoded = column.combine_chunks().dictionary_encode(null_encoding="encode")
    words = [_digest(repr(value)) for value in encoded.dictionary.to_pylist()]
    return np.array(words, dtype=np.uint64)[encoded.indices.to_numpy(False)]


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
