"""Records as groups share them: labels of trees, cells of intervals, coordinates of other keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.numbers.renumber import renumber
from coterie.space import Space
from coterie.table.encoding import Column

__all__ = ["SharedRecords"]

QUANTILES = (3, 9, 27, 81)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SharedRecords:
    """Records as the kernel sees them; a gap is shared by its whole group."""

    nodes: Ints
    starts: Ints
    weights: Floats
    lows: Floats
    highs: Floats
    points: Floats
    sortable: tuple[tuple[Ints, ...], ...]  # of each key, codes from coarse to fine

    @classmethod
    def of(cls, columns: Sequence[Column]) -> SharedRecords:
        """What is released of the records of these keys."""
        n = len(columns[0].values)
        nodes: list[Ints] = []
        starts, weights = [0], []
        lows: list[Floats] = []
        highs: list[Floats] = []
        sortable: list[tuple[Ints, ...]] = []
        plain = [c for c in columns if not c.attribute.generalized]
        for column in columns:
            attribute, there = column.attribute, ~column.missing
            if attribute.release == "ancestor":
                found = _nodes(column)
                nodes += found
                assert attribute.hierarchy is not None
                weights += [attribute.weight * level for level in attribute.hierarchy.levels]
                starts.append(len(nodes))
                sortable.append(tuple(reversed(found)))
            elif attribute.release == "interval":
                low, high = _cells(column)
                low, high = (np.where(there, end, 0.0) * attribute.weight for end in (low, high))
                lows.append(low)
                highs.append(high)
                sortable.append(_quantiles(low))
        points = np.zeros((n, 0))
        if plain:
            points = Space.of(plain).coordinates(plain)
            sortable += [_quantiles(points[:, a]) for a in range(points.shape[1])]
        return cls(
            np.ascontiguousarray(np.column_stack(nodes) if nodes else np.zeros((n, 0), np.int64)),
            np.array(starts, dtype=np.int64),
            np.array(weights, dtype=np.float64),
            np.ascontiguousarray(np.column_stack(lows) if lows else np.zeros((n, 0))),
            np.ascontiguousarray(np.column_stack(highs) if highs else np.zeros((n, 0))),
            np.ascontiguousarray(points),
            tuple(sortable),
        )


def _nodes(column: Column) -> list[Ints]:
    """The label of each record on each level, as numbers in the order of the tree."""
    tree = column.attribute.hierarchy
    assert tree is not None
    paths = [tree.path(category) for category in column.categories]
    ranked = sorted(range(len(paths)), key=lambda at: paths[at][::-1])
    nodes = []
    for level in range(len(tree.levels)):
        place: dict[str, int] = {}
        for at in ranked:
            place.setdefault(paths[at][level], len(place))
        codes = np.array([place[path[level]] for path in paths] or [0], dtype=np.int64)
        nodes.append(np.where(column.missing, 0, codes[column.values.astype(np.int64)]))
    return nodes


def _cells(column: Column) -> tuple[Floats, Floats]:
    """Where the step of each value begins and ends, in shares of the table's interval."""
    steps = column.attribute.steps
    assert steps is not None
    values = column.values
    if column.attribute.type == "datetime":
        values = np.floor((values + column.origin) / column.per_day)
    there = ~column.missing
    if not there.any():
        return np.zeros(len(values)), np.zeros(len(values))
    found, codes = np.unique(values[there], return_inverse=True)
    # Halves: the whole width may be no float64.
    ends = np.array([steps.bounds(steps.text(one, one)) for one in found.tolist()]) / 2
    start, stop = ends[:, 0].min(), ends[:, 1].max()
    low, high = np.zeros(len(values)), np.zeros(len(values))
    low[there] = (ends[codes, 0] - start) / (stop - start)
    high[there] = (ends[codes, 1] - start) / (stop - start)
    return low, high


def _quantiles(values: Floats) -> tuple[Ints, ...]:
    """Numbers in few classes, then in more, then by rank."""
    ranks = renumber(values)
    edges = np.sort(ranks)
    codes = [
        np.searchsorted(edges[(np.arange(1, q) * len(edges)) // q], ranks, "right")
        for q in QUANTILES
    ]
    return (*codes, ranks)
