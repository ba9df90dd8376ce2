"""The pool of columns: groups of k..2k-1 records with their costs, each held once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.numbers.renumber import renumber
from coterie.partitioning.exact.cuts import Cuts

__all__ = ["ColumnPool", "group_costs", "groups_of"]


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
        cut, column, count = self.counted(cuts)
        np.add.at(value, column, count * cuts.fines[cut])  # in this order: replays to the last bit
        return value

    def counted(
        self, cuts: Cuts, places: NDArray[np.int64] | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """What the groups at `places` (None: all) count in the cuts, where it is not zero.

        Three arrays: cut, group by its position in `places`, count; by cut, then by group.
        """
        members = self.members if places is None else self.members[places]
        if len(cuts) == 0 or len(members) == 0:
            nothing = np.empty(0, dtype=np.int64)
            return nothing, nothing, nothing
        from scipy.sparse import csc_array, csr_array

        n = len(self.points)
        inside, used = members >= 0, cuts.records >= 0
        starts = np.append(0, np.cumsum(inside.sum(axis=1)))
        held = csr_array(
            (np.ones(starts[-1], dtype=np.int64), members[inside], starts),
            shape=(len(members), n),
        )
        starts = np.append(0, np.cumsum(used.sum(axis=1)))
        given = csc_array((cuts.weights[used], cuts.records[used], starts), shape=(n, len(cuts)))
        sums = (held @ given).tocsc()
        sums.sort_indices()
        cut = np.repeat(np.arange(len(cuts)), np.diff(sums.indptr))
        count = sums.data // cuts.divisors[cut]
        some = count > 0
        return cut[some], sums.indices[some].astype(np.int64), count[some]

    def spread(self, places: NDArray[np.int64], crowd: int) -> NDArray[np.int64]:
        """Columns in the order given, without those of which all records are in `crowd` others."""
        uses = np.zeros(len(self.points), dtype=np.int64)
        chosen = []
        for place in places.tolist():
            group = self.members[place]
            group = group[group >= 0]
            if uses[group].min() < crowd:
                uses[group] += 1
                chosen.append(place)
        return np.array(chosen, dtype=np.int64)


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
