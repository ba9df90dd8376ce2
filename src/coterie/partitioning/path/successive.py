"""FDM: one tour through all records, cut as well as can be for one k or for several."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import ArrayLike

from coterie.partitioning.core import Partition
from coterie.partitioning.path.mhm import cut_for_each
from coterie.partitioning.path.tsp import tsp

__all__ = ["fdm"]


def fdm(X: ArrayLike, k: int | Sequence[int], *, tour: bool = True) -> Partition | list[Partition]:
    """Groups for one k or for several in a single run: the tour is made once and cut for each.

    For one k it is the method ``"fdm"`` of `coterie.partition`.

    Parameters
    ----------
    X : (n, d) array of numbers
        Records in the space in which distance is measured.
    k : int or sequence of int
        Least group size; with several, one partition for each.
    tour : bool
        If True, the cuts go all the way round the tour; else it is opened at its longest edge.

    References
    ----------
    Mortazavi, Jalili (2014), "Fast data-oriented microaggregation algorithm for large numerical
    datasets", Knowledge-Based Systems 67:195-205, as told by the same authors (2017), Transactions
    on Data Privacy 10:117-144, section 2: an extension of MHM on a short tour through the records,
    for several successive k in one run. How its authors shorten the tour is not told; ours is a
    local optimum of 2-opt and Or-opt moves.

    Examples
    --------
    >>> from coterie.partitioning import fdm
    >>> X = [[1.0], [2.0], [10.0], [11.0], [0.0], [12.0]]
    >>> [p.labels.tolist() for p in fdm(X, k=[2, 3])]
    [[0, 0, 1, 1, 0, 1], [0, 0, 1, 1, 0, 1]]
    """
    return cut_for_each(X, k, tsp, tour, "fdm")
