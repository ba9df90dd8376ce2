"""Links: the released records that are nearest to each original one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Links", "equal_rows", "link_among", "link_groups"]

CHUNK = 2000  # queries linked between two calls of the callback


@dataclass(frozen=True, eq=False)
class Links:
    """To which released records a distance-based intruder links each original record.

    A record is linked among those with the same gaps and missing codes, on the keys that it has;
    and within its stratum, if the schema names strata and the intruder knows all keys.

    Attributes
    ----------
    nearest : (n,) int array
        Lowest index of a released record at the least distance.
    ties : (n,) int array
        How many released records are at that distance.
    hit : (n,) bool array
        Whether the record's own released row is among them.
    """

    nearest: NDArray[np.int64]
    ties: NDArray[np.int64]
    hit: NDArray[np.bool_]


def link_among(
    before: NDArray,
    after: NDArray,
    queries: NDArray[np.int64] | None = None,
    tell: Callable[[int], object] | None = None,
) -> Links:
    """Link original records, all of them or the `queries`, among all released ones.

    Parameters
    ----------
    before, after : (n, d) arrays
        Coordinates of the original and the released records, row by row.
    queries : int array, optional
        Rows whose links are looked for.
    tell : callable, optional
        Hears how many have been linked.
    """
    own, sizes = np.arange(len(after)), np.ones(len(after), dtype=np.int64)
    if queries is not None:
        before, own = np.ascontiguousarray(before[queries]), own[queries]
    return link_groups(before, own, after, sizes, tell)


def link_groups(
    before: NDArray,
    own: NDArray[np.int64],
    after: NDArray,
    sizes: NDArray[np.int64],
    tell: Callable[[int], object] | None = None,
) -> Links:
    """Link original records among groups of released ones that are equal.

    Parameters
    ----------
    before : (m, d) array
        Coordinates of the originals.
    own : (m,) int array
        The group of each.
    after : (g, d) array
        Those of what is released of each group; several may be equal.
    sizes : (g,) int array
        Records of each group.
    """
    from coterie.kernels.risk import linkage

    labels = equal_rows(list(after.T))
    count = np.bincount(labels, sizes).astype(np.int64)
    first = np.full(len(count), len(after))
    np.minimum.at(first, labels, np.arange(len(after)))
    # Who asks little is answered sooner by a tree that takes little time to grow.
    leaf = linkage.LEAF if len(before) > len(count) // 8 else linkage.WIDE
    tree, place = linkage.tree(after[first], count, first, leaf)
    own = place[labels[own]]
    found = Links(
        np.empty(len(before), dtype=np.int64),
        np.empty(len(before), dtype=np.int64),
        np.empty(len(before), dtype=np.bool_),
    )
    for start in range(0, len(before), CHUNK):
        stop = min(start + CHUNK, len(before))
        linkage.link(tree, before, own, start, stop, found.nearest, found.ties, found.hit)
        if tell is not None:
            tell(stop)
    return found


def equal_rows(columns: list[NDArray]) -> NDArray[np.int64]:
    """A number for each record, the same for records that are equal in every column."""
    order = _alone(columns)
    if order is None:
        order = np.lexsort(columns[::-1])
    fresh = np.zeros(len(order), dtype=bool)
    for column in columns:
        ranked = column[order]
        fresh[1:] |= ranked[1:] != ranked[:-1]
    labels = np.empty(len(order), dtype=np.int64)
    labels[order] = np.cumsum(fresh)
    return labels


def _alone(columns: list[NDArray]) -> NDArray[np.int64] | None:
    """The order of the rows, if the first column that is not constant tells all of them apart."""
    for column in columns:
        if (column == column[:1]).all():
            continue
        order = np.argsort(column)
        ranked = column[order]
        return order if (ranked[1:] > ranked[:-1]).all() else None
    return None
