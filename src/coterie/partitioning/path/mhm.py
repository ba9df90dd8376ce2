"""MHM: given an order of the records, the best groups of neighbors in that order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.errors import bad_parameter
from coterie.numbers.checks import check_k
from coterie.partitioning.core import Outcome, Partition
from coterie.partitioning.driver import Run
from coterie.partitioning.options import flag, integer, one_of
from coterie.partitioning.problem import Problem
from coterie.partitioning.streams import counted

__all__ = [
    "GroupPathOptions",
    "MdPathOptions",
    "MhmOptions",
    "NpnOptions",
    "TourOptions",
    "cut_for_each",
    "cut_path",
    "cut_tour",
    "cut_tours",
    "mhm",
    "ordered",
]


@dataclass(frozen=True)
class MhmOptions:
    """Cut the order as an open path, as published, or as a closed tour, never worse."""

    tour: bool = flag(False)


@dataclass(frozen=True)
class TourOptions(MhmOptions):
    """Cut a tour all the way round; with ``tour=False`` open it at its longest edge first."""

    tour: bool = flag(True)


@dataclass(frozen=True)
class NpnOptions(MhmOptions):
    """Where the path begins.

    start
        ``"first"``: at the record farthest from the centroid of all, as in the text;
        ``"opposite"``: at the record farthest from that one;
        ``"pair"``: at one of the two most distant records, that which comes first in the table. The
        printed figures are nearest to it, but it depends on the order of the rows.
    """

    start: str = one_of("first", "opposite", "pair")


@dataclass(frozen=True)
class GroupPathOptions(MhmOptions):
    """How the path goes through the groups of another method.

    start
        ``"first"``: at the record round which the first group was formed (r in the publication);
        ``"opposite"``: at the record farthest from that one (s).
    entry
        A group is entered at the record nearest to the ``"centroid"`` of the group before it, as
        published, or to the last ``"record"`` of it.
    within
        The other records of a group follow by their ``"distance"`` from the one where it was
        entered, as published for MD, or in a ``"chain"``, each nearest to the one before it.
    path_k
        Least group size of the method that gives the groups; by default that of the cut.

    References
    ----------
    Domingo-Ferrer et al. (2006), VLDB Journal 15:355-369, sections 4.2.2 (steps 5 and 6; `path_k`:
    the note after them) and 4.2.3 (steps 6 and 7).
    """

    start: str = one_of("first", "opposite")
    entry: str = one_of("centroid", "record")
    within: str = one_of("distance", "chain")
    path_k: int | None = integer(None, at_least=2)


@dataclass(frozen=True)
class MdPathOptions(GroupPathOptions):
    """As for other groups, with the reading of MD's path that gives the printed figures.

    The text calls the two most distant records r and s and does not say which is which. Of the
    eight readings of `start`, `entry` and `within`, this one is the nearest to the nine printed
    figures on average, and within 1 % of each; from r, one of them is 20 % away in every reading.
    """

    start: str = one_of("opposite", "first")
    entry: str = one_of("record", "centroid")
    within: str = one_of("chain", "distance")


def mhm(
    X: ArrayLike, k: int | Sequence[int], order: ArrayLike | None = None, *, tour: bool = False
) -> Partition | list[Partition]:
    """The partition of least SSE among those whose groups are neighbors in `order`.

    Parameters
    ----------
    X : (n, d) array of numbers
        Records in the space in which distance is measured.
    k : int or sequence of int
        Least group size; with several, one partition for each. All of them share the pass over the
        records, and with `tour` the two passes.
    order : (n,) permutation, optional
        The order of the records; the order of the rows by default.
    tour : bool
        If True, the last record is followed by the first: all rotations are considered.

    References
    ----------
    Hansen, Mukherjee (2003), IEEE TKDE 15(4):1043-1044; Domingo-Ferrer et al. (2006), VLDB Journal
    15:355-369, section 4.1; the tour: Mortazavi, Jalili (2015), ISeCure 7(1), section 4.2.

    Examples
    --------
    >>> from coterie.partitioning import mhm
    >>> X = [[1.0], [2.0], [10.0], [11.0], [0.0]]
    >>> mhm(X, k=2).labels.tolist()
    [0, 0, 1, 1, 1]
    >>> mhm(X, k=2, tour=True).labels.tolist()
    [0, 0, 1, 1, 0]
    >>> [len(p.sizes) for p in mhm(X, k=[2, 3])]
    [2, 1]
    """

    def sequence(problem: Problem, run: Run) -> NDArray[np.int64]:
        return _check_order(order, problem.n)

    return cut_for_each(X, k, sequence, tour, "mhm")


def cut_for_each(
    X: ArrayLike,
    k: int | Sequence[int],
    order: Callable[[Problem, Run], NDArray[np.int64]],
    tour: bool,
    name: str,
) -> Partition | list[Partition]:
    """One order of the records, made once, and its best cuts for `k`, or for each of several."""
    several = isinstance(k, (Sequence, np.ndarray))
    sizes = list(k) if several else [k]  # type: ignore[arg-type]
    if not sizes:
        raise bad_parameter("k", name, "an integer or a sequence of integers", k)
    if not isinstance(tour, bool):
        raise bad_parameter("tour", name, "True or False", tour)
    problem = Problem.of(X, sizes[0], name)
    ks = [check_k(size, problem.n, name) for size in sizes]
    run = Run()
    sequence = order(problem, run)
    points = problem.points[sequence]
    cuts = cut_tours(points, ks, run) if tour else cut_path(points, ks, run)
    results = []
    for size, cut in zip(ks, cuts, strict=True):
        labels = np.empty(problem.n, dtype=np.int64)
        labels[sequence] = cut
        one = Problem(problem.values, problem.points, problem.scale, size)
        results.append(
            Partition.of(
                one, Outcome(labels), method=name, options={"tour": tour}, runtime=run.seconds
            )
        )
    return results if several else results[0]


def ordered(
    problem: Problem,
    run: Run,
    options: MhmOptions,
    order: Callable[[Problem, Run], NDArray[np.int64]],
) -> Outcome:
    """Order the records by `order`, then cut that order as well as can be."""
    sequence = order(problem, run)
    points = problem.points[sequence]
    labels = np.empty(problem.n, dtype=np.int64)
    if options.tour:
        labels[sequence] = cut_tour(points, problem.k, run)
    else:
        labels[sequence] = cut_path(points, [problem.k], run)[0]
    return Outcome(labels)


def cut_path(
    points: NDArray[np.float64],
    ks: Sequence[int],
    run: Run,
    starts: NDArray[np.int64] | None = None,
    length: int | None = None,
) -> list[NDArray[np.int64]]:
    """For each k, the group of each point in the best cut of `points` as they stand.

    With `starts`, the path of each k is the `length` points from its start on.
    """
    from coterie.kernels.path import mhm as kernel

    n = len(points)
    state = kernel.path(points, ks, starts)
    stream = counted(kernel.step_path, state, n)
    run.drive([stream], phase="mhm")
    count = n if length is None else length
    return [
        _groups(sizes[start : start + count + 1])
        for sizes, start in zip(state.size, state.starts, strict=True)
    ]


def cut_tour(points: NDArray[np.float64], k: int, run: Run) -> NDArray[np.int64]:
    """The group of each point in the best cut of the closed tour `points`."""
    return cut_tours(points, [k], run)[0]


def cut_tours(points: NDArray[np.float64], ks: Sequence[int], run: Run) -> list[NDArray[np.int64]]:
    """For each k, the group of each point in the best cut of the closed tour `points`."""
    from coterie.kernels.path import mhm as kernel

    n = len(points)
    several = [k for k in ks if n >= 2 * k]  # with fewer records there is one group
    if not several:
        return [np.zeros(n, dtype=np.int64) for _ in ks]
    state = kernel.tour(points, several)
    length = state.windows.columns.shape[1]
    stream = counted(kernel.step_tour, state, length)
    run.drive([stream], phase="mhm")
    shifts = state.total.argmin(axis=1)
    again = np.concatenate([points, points[: int(shifts.max())]])
    cuts = cut_path(again, several, run, shifts, n)
    found = (np.roll(cut, shift) for cut, shift in zip(cuts, shifts, strict=True))
    return [next(found) if n >= 2 * k else np.zeros(n, dtype=np.int64) for k in ks]


def _groups(sizes: NDArray[np.int32]) -> NDArray[np.int64]:
    """Labels along the order, read backwards from the size of the last group at each end."""
    labels = np.empty(len(sizes) - 1, dtype=np.int64)
    end, group = len(labels), 0
    while end > 0:
        begin = end - int(sizes[end])
        labels[begin:end] = group
        end, group = begin, group + 1
    return labels


def _check_order(order: ArrayLike | None, n: int) -> NDArray[np.int64]:
    if order is None:
        return np.arange(n)
    sequence = np.asarray(order)
    valid = (
        sequence.shape == (n,)
        and sequence.dtype.kind in "iu"
        and np.array_equal(np.sort(sequence), np.arange(n))
    )
    if not valid:
        rule = f"a permutation of the {n} record indices 0..{n - 1}"
        raise bad_parameter("order", "mhm", rule, order)
    return sequence.astype(np.int64)
