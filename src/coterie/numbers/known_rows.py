"""Rows known by their values: of a row seen before, which one it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["KnownRows"]


class KnownRows:
    """Rows by value: sorted values column by column, so that a search finds a row again.

    A row's code after column j says which of the different rows of the first j + 1 columns it is.
    """

    def __init__(self, values: NDArray[np.float64]) -> None:
        codes = np.zeros(len(values), dtype=np.int64)
        self._steps: list[tuple[NDArray[np.float64], NDArray[np.int64]]] = []
        for column in values.T:
            seen, place = np.unique(column, return_inverse=True)
            pairs, codes = np.unique(codes * len(seen) + place, return_inverse=True)
            self._steps.append((seen, pairs))
        self._records = np.argsort(codes, kind="stable")  # rows of equal value, in their order
        self._counts = np.bincount(codes)
        self._starts = np.cumsum(self._counts) - self._counts

    def records(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        """The known row that each is, equal ones in turn; -1 for a row that is none of them."""
        codes = np.zeros(len(values), dtype=np.int64)
        known = np.ones(len(values), dtype=bool)
        for column, (seen, pairs) in zip(values.T, self._steps, strict=True):
            place = np.searchsorted(seen, column).clip(max=len(seen) - 1)
            known &= seen[place] == column
            wanted = codes * len(seen) + place
            codes = np.searchsorted(pairs, wanted).clip(max=len(pairs) - 1)
            known &= pairs[codes] == wanted
        records = np.full(len(values), -1, dtype=np.int64)
        found = codes[known]
        records[known] = self._records[self._starts[found] + _turns(found) % self._counts[found]]
        return records


def _turns(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many equal codes stand before each.

    >>> _turns(np.array([7, 3, 7, 7, 3])).tolist()
    [0, 0, 1, 2, 1]
    """
    order = np.argsort(codes, kind="stable")
    ranked = codes[order]
    begins = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]]) if len(codes) else order
    turns = np.empty(len(codes), dtype=np.int64)
    lengths = np.diff(np.r_[begins, len(codes)])
    turns[order] = np.arange(len(codes)) - np.repeat(begins, lengths)
    return turns
