"""MHM: given an order of the records, the best groups of neighbours in that order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.checks import check_k
from coterie.errors import bad_parameter
from coterie.partitioning.core import Outcome, Partition
from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.options import flag
from coterie.partitioning.problem import Problem

__all__ = ["MhmOptions", "TourOptions", "cut_path", "cut_tour", "mhm", "ordered"]


@dataclass(frozen=True)
class MhmOptions:
    """Cut the order as an open path, as published, or as a closed tour, never worse."""

    tour: bool = flag(False)


@dataclass(frozen=True)
class TourOptions(MhmOptions):
    """Cut a tour all the way round; with ``tour=False`` open it at its longest edge first."""

    tour: bool = flag(True)


def mhm(
    X: ArrayLike, k: int | Sequence[int], order: ArrayLike | None = None, *, tour: bool = False
) -> Partition | list[Partition]:
    """The partition of least SSE among those whose groups are neighbours in `order`.

    Parameters
    ----------
    X : (n, d) array of numbers
        Records in the space in which distance is measured.
    k : int or sequence of int
        Least group size; with several, one partition for each, all from one pass.
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
    several = isinstance(k, (Sequence, np.ndarray))
    sizes = list(k) if several else [k]  # type: ignore[arg-type]
    if not sizes:
        raise bad_parameter("k", "mhm", "an integer or a sequence of integers", k)
    problem = Problem.of(X, sizes[0], "mhm")
    ks = [check_k(size, problem.n, "mhm") for size in sizes]
    sequence = _check_order(order, problem.n)
    if not isinstance(tour, bool):
        raise bad_parameter("tour", "mhm", "True or False", tour)
    run = Run()
    points = problem.points[sequence]
    cuts = [cut_tour(points, one, run) for one in ks] if tour else cut_path(points, ks, run)
    results = []
    for size, cut in zip(ks, cuts, strict=True):
        labels = np.empty(problem.n, dtype=np.int64)
        labels[sequence] = cut
        one = Problem(problem.values, problem.points, problem.scale, size)
        results.append(
            Partition.of(
                one, Outcome(labels), method="mhm", options={"tour": tour}, runtime=run.seconds
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


def cut_path(points: NDArray[np.float64], ks: Sequence[int], run: Run) -> list[NDArray[np.int64]]:
    """For each k, the group of each point in the best cut of `points` as they stand."""
    from coterie.kernels import mhm as kernel

    n = len(points)
    state = kernel.path(points, ks)
    stream = KernelStream(
        kernel.step_path,
        state,
        finished=lambda s: s.cursor[0] == n,
        share=lambda s: s.cursor[0] / n,
    )
    run.drive([stream], phase="mhm")
    return [_groups(sizes) for sizes in state.size]


def cut_tour(points: NDArray[np.float64], k: int, run: Run) -> NDArray[np.int64]:
    """The group of each point in the best cut of the closed tour `points`."""
    from coterie.kernels import mhm as kernel

    n = len(points)
    if n < 2 * k:
        return np.zeros(n, dtype=np.int64)
    state = kernel.tour(points, k)
    length = state.windows.columns.shape[1]
    stream = KernelStream(
        kernel.step_tour,
        state,
        finished=lambda s: s.cursor[0] == length,
        share=lambda s: s.cursor[0] / length,
    )
    run.drive([stream], phase="mhm")
    shift = int(state.total.argmin())
    return np.roll(cut_path(np.roll(points, -shift, axis=0), [k], run)[0], shift)


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
