"""The pool of columns: groups of k..2k-1 records with their costs, each held once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.numbers.renumber import renumber

__all__ = ["ColumnPool", "Cuts", "group_costs", "groups_of"]


@dataclass(frozen=True, eq=False)
class Cuts:
    """Triples of records of which at most one group holds two or more, and the fine on doing so.

    Attributes
    ----------
    triples : (q, 3) int array
        Records, rising in each row.
    fines : (q,) float array
        Not negative: minus the duals of the rows "at most one group".
    """

    triples: NDArray[np.int64]
    fines: NDArray[np.float64]

    @classmethod
    def none(cls) -> Cuts:
        """No triples."""
        return cls(np.empty((0, 3), dtype=np.int64), np.empty(0))

    def __len__(self) -> int:
        return len(self.triples)


class ColumnPool:
    """Groups in rows of 2k-1 records, rising, -1 behind the last; equal groups are held once."""

    def __init__(self, points: NDArray[np.float64], k: int) -> None:
        self.points = points
        self.k = k
        self.members = np.empty((0, 2 * k - 1), dtype=np.int32)
        self.costs = np.empty(0)
        self._known: set[bytes] = set()

    def __len__(self) -> int:
        return len(self.costs)

    def add(self, members: NDArray[np.integer]) -> NDArray[np.int64]:
        """Take groups in; return the places of those that are new."""
        rows = _rising(np.asarray(members, dtype=np.int32))
        fresh = []
        for row, key in enumerate(map(bytes, rows)):
            if key not in self._known:
                self._known.add(key)
                fresh.append(row)
        rows = rows[fresh]
        begin = len(self)
        self.members = np.concatenate([self.members, rows])
        self.costs = np.concatenate([self.costs, group_costs(self.points, rows)])
        return np.arange(begin, len(self))

    def add_partition(self, labels: NDArray[np.int64]) -> NDArray[np.int64]:
        """Take in the groups of a partition, as far as they have at most 2k-1 records."""
        return self.add(groups_of(labels, 2 * self.k - 1))

    def reduced(self, prices: NDArray[np.float64], cuts: Cuts) -> NDArray[np.float64]:
        """Cost of each group less its members' prices, plus the fines it pays."""
        padded = np.append(prices, 0.0)
        value = self.costs - padded[self.members].sum(axis=1)
        for place, columns in enumerate(self.fined(cuts)):
            value[columns] += cuts.fines[place]
        return value

    def fined(self, cuts: Cuts, since: int = 0) -> list[NDArray[np.int64]]:
        """For each triple, the columns from `since` on that hold two or three of its records."""
        if len(cuts) == 0:
            return []
        n = len(self.points)
        members = self.members[since:]
        column = np.repeat(np.arange(since, len(self)), members.shape[1])
        record = members.ravel().astype(np.int64)
        involved = np.zeros(n + 1, dtype=bool)
        involved[cuts.triples.ravel()] = True
        of_interest = involved[record]  # -1 reads the last entry, which is False
        column, record = column[of_interest], record[of_interest]
        order = np.argsort(record, kind="stable")
        column, record = column[order], record[order]
        bounds = np.searchsorted(record, np.arange(n + 1))
        held = [column[bounds[i] : bounds[i + 1]] for i in range(n)]
        result = []
        for triple in cuts.triples:
            at, count = np.unique(np.concatenate([held[i] for i in triple]), return_counts=True)
            result.append(at[count >= 2])
        return result


def group_costs(points: NDArray[np.float64], members: NDArray[np.integer]) -> NDArray[np.float64]:
    """SSE of groups given as rows of records, -1 behind the last."""
    sizes = (members >= 0).sum(axis=1)
    costs = np.empty(len(members))
    for size in np.unique(sizes):
        rows = np.flatnonzero(sizes == size)
        for some in np.array_split(rows, len(rows) // 20_000 + 1):
            groups = points[members[some, :size]]
            groups = groups - groups[:, :1]  # the first member as origin: nothing cancels
            groups -= groups.mean(axis=1, keepdims=True)
            costs[some] = np.einsum("ijk,ijk->i", groups, groups)
    return costs


def groups_of(labels: NDArray[np.int64], width: int) -> NDArray[np.int32]:
    """The groups of a partition as rows of at most `width` records; larger ones are left out."""
    codes = renumber(labels)
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes)
    starts = np.cumsum(sizes) - sizes
    rows = np.full((len(sizes), max(width, int(sizes.max()))), -1, dtype=np.int32)
    rows[codes[order], np.arange(len(codes)) - starts[codes[order]]] = order
    return rows[sizes <= width, :width]


def _rising(rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Each row's records in rising order, -1 behind them."""
    last = np.iinfo(np.int32).max
    ordered = np.sort(np.where(rows < 0, last, rows), axis=1)
    ordered[ordered == last] = -1
    return np.ascontiguousarray(ordered)
