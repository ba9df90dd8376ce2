"""A path through the groups of a constructive method, for MHM to cut anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from coterie.errors import bad_parameter
from coterie.numbers.renumber import renumber
from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import Run
from coterie.partitioning.path.mhm import GroupPathOptions
from coterie.partitioning.path.npn import head, npn_path
from coterie.partitioning.problem import Problem

__all__ = ["group_path", "order_groups"]

TEXTBOOK = GroupPathOptions()


def group_path(
    problem: Problem,
    run: Run,
    base: Callable[[Problem, Run], Outcome],
    options: GroupPathOptions = TEXTBOOK,
) -> NDArray[np.int64]:
    """Partition by `base`, at `path_k` where that is given, then order the records by group."""
    if options.path_k is not None:
        if options.path_k > problem.n:
            rule = f"at most the number of records, {problem.n}"
            raise bad_parameter("path_k", "a method through groups", rule, options.path_k)
        problem = replace(problem, k=options.path_k)
    return order_groups(problem.points, base(problem, run), run, options)


def order_groups(
    points: NDArray[np.float64], outcome: Outcome, run: Run, options: GroupPathOptions = TEXTBOOK
) -> NDArray[np.int64]:
    """An order of the records in which every group stands together.

    Groups follow each other by nearest point next over their centroids, from the group of the
    outcome's first record (else of the record farthest from the centroid of all). A group begins
    with the record nearest to the centroid of the group before it, the rest follow by distance
    from that one; `options` has the other readings.

    References
    ----------
    Domingo-Ferrer et al. (2006), VLDB Journal 15:355-369, section 4.2.3, steps 6 and 7; the start
    without a first record: Mortazavi, Jalili (2015), ISeCure 7(1), section 4.2.
    """
    begin = head(points, outcome.first, options.start)
    labels = renumber(outcome.labels)
    sizes = np.bincount(labels)
    members = np.argsort(labels, kind="stable")
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    centroids = np.add.reduceat(points[members], starts) / sizes[:, None]

    groups = npn_path(centroids, int(labels[begin]), run)
    if options.entry == "record" or options.within == "chain":
        parts = (members[starts[g] : starts[g] + sizes[g]] for g in groups)
        return _one_by_one(points, parts, centroids[groups], begin, options)
    place = np.empty_like(groups)
    place[groups] = np.arange(len(groups))
    before = np.empty_like(centroids)
    before[groups[1:]] = centroids[groups[:-1]]
    before[groups[0]] = points[begin]

    rank = place[labels]
    by_entry = np.lexsort((_squared(points, before[labels]), rank))
    entries = by_entry[np.concatenate(([0], np.cumsum(sizes[groups])[:-1]))]
    entries[0] = begin
    entry = np.empty_like(groups)
    entry[groups] = entries
    distance = _squared(points, points[entry[labels]])
    distance[entries] = -1.0  # before its own duplicates
    return np.lexsort((distance, rank))


def _one_by_one(
    points: NDArray[np.float64],
    parts: Iterable[NDArray[np.int64]],
    centroids: NDArray[np.float64],
    begin: int,
    options: GroupPathOptions,
) -> NDArray[np.int64]:
    """The records of `parts` in their order: where one ends matters to the next."""
    sequence: list[int] = []
    for number, rows in enumerate(parts):
        entry = begin
        if number:
            last = points[sequence[-1]] if options.entry == "record" else centroids[number - 1]
            entry = int(rows[_squared(points[rows], last).argmin()])
        rest = rows[rows != entry]
        sequence.append(entry)
        if options.within == "distance":
            away = _squared(points[rest], points[entry])
            sequence.extend(rest[np.argsort(away, kind="stable")].tolist())
            continue
        while len(rest):
            nearest = int(_squared(points[rest], points[sequence[-1]]).argmin())
            sequence.append(int(rest[nearest]))
            rest = np.delete(rest, nearest)
    return np.array(sequence, dtype=np.int64)


def _squared(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    difference = a - b
    return np.einsum("ij,ij->i", difference, difference)
