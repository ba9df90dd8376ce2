"""Groups beside earlier releases: parts of an old class, an old class, or a union of several.

Within a stratum, old classes (and the records that are new, as one more) are the atoms. An atom of
at least k units is partitioned by itself, with any method: every new group lies within it. Atoms of
fewer units are merged, whole, into groups of at least k: by the method over their centroids, and by
merging what costs the least SSE, whichever loses less. So every cell that old and new classes have
in common is a new group within an atom, or an atom.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.guarantees.constraints import Constraints
from coterie.guarantees.strata import Strata
from coterie.numbers.renumber import renumber
from coterie.partitioning.core import Outcome, Partition
from coterie.partitioning.dispatch import partition
from coterie.partitioning.problem import Problem
from coterie.pipeline.grouping import group

__all__ = ["regroup"]

MOST_MERGED = 2000  # atoms up to which every pair is looked at


def regroup(
    points: NDArray[np.float64],
    k: int,
    layers: Strata,
    constraints: Constraints,
    old: NDArray[np.int64],
    **search: Any,
) -> Partition:
    """Partition every stratum into parts and unions of old classes.

    Parameters
    ----------
    points : (m, d) array
        The records kept, in their space.
    k : int
        Least units in a group.
    layers : Strata
        Which of them may share a group.
    constraints : Constraints
        What a group must satisfy beyond its size.
    old : (m,) int array
        Their class in earlier releases.
    search
        As `group` takes it.
    """

    def enough(rows: NDArray[np.int64]) -> bool:
        one = np.zeros(len(rows), dtype=np.int64)
        if constraints.units is None and len(rows) < k:
            return False
        return not any(f.failing for f in constraints.part(rows).findings(one, k))

    labels = np.full(len(points), -1, dtype=np.int64)
    number = 0
    divisible = []
    for part in layers.parts:
        codes = renumber(old[part])
        atoms = [part[codes == code] for code in range(int(codes.max()) + 1)]
        few = []
        for atom in atoms:
            if not enough(atom):
                few.append(atom)
            elif len(atom) < 2 * k:
                labels[atom] = number
                number += 1
            else:
                divisible.append(atom)
        others = [atom for atom in atoms if not any(atom is one for one in few)]
        for union in _unions(points, k, few, others, enough, search):
            taken = np.concatenate(union)
            labels[taken] = number
            number += 1
            divisible = [a for a in divisible if not any(a is one for one in union)]
    method, options, runtime, interrupted = search["method"], search["options"], 0.0, False
    if divisible:
        rows = np.concatenate(divisible)
        ends = np.cumsum([len(atom) for atom in divisible])
        inner = Strata(layers.rows[rows], np.split(np.arange(len(rows)), ends[:-1]), layers.names)
        grouped = group(points[rows], k, inner, constraints.part(rows), **search)
        labels[rows] = grouped.labels + number
        method, options, runtime = grouped.method, dict(grouped.options), grouped.runtime or 0.0
        interrupted = grouped.interrupted
    whole = renumber(labels).astype(np.int64)
    return Partition.of(
        Problem.of(points, k, "anonymize"),
        Outcome(whole, interrupted=interrupted),
        method=method,
        options=options,
        runtime=runtime,
    )


def _unions(
    points: NDArray[np.float64],
    k: int,
    few: list[NDArray[np.int64]],
    others: list[NDArray[np.int64]],
    enough: Callable[[NDArray[np.int64]], bool],
    search: dict[str, Any],
) -> list[list[NDArray[np.int64]]]:
    """Atoms that are not enough by themselves in unions that are, at the least SSE found.

    Another atom is taken in only where these are not enough all together.
    """
    if not few:
        return []
    ways = []
    if len(few) <= MOST_MERGED:
        ways.append(_merged(points, [[atom] for atom in few], others, enough))
    size = max(2, -(-k // min(map(len, few))))
    if len(few) >= 2 * size:
        centers = np.array([points[atom].mean(axis=0) for atom in few])
        limits = {
            name: value for name, value in search.items() if name not in ("method", "options")
        }
        limits = {name: value for name, value in limits.items() if value is not None}
        unions = partition(centers, size, search["method"], **limits, **search["options"])
        start = [
            [few[i] for i in np.flatnonzero(unions.labels == g)] for g in range(len(unions.sizes))
        ]
        ways.append(_merged(points, start, others, enough))
    elif not ways:
        ways.append(_merged(points, [few], others, enough))
    return min(ways, key=lambda way: sum(_sse(points[np.concatenate(union)]) for union in way))


def _sse(points: NDArray[np.float64]) -> float:
    return float(np.square(points - points.mean(axis=0)).sum())


def _merged(
    points: NDArray[np.float64],
    unions: list[list[NDArray[np.int64]]],
    others: list[NDArray[np.int64]],
    enough: Callable[[NDArray[np.int64]], bool],
) -> list[list[NDArray[np.int64]]]:
    """Merge unions that are not enough, each time the pair that costs the least SSE."""
    groups = [list(union) for union in unions]
    size = np.array([sum(map(len, union)) for union in groups], dtype=np.float64)
    center = np.array([points[np.concatenate(union)].mean(axis=0) for union in groups])
    alive = np.ones(len(groups), dtype=bool)
    short = np.array([not enough(np.concatenate(union)) for union in groups])
    # The cheapest partner of each short union: merging others never makes it cheaper (Ward).
    cost = np.full(len(groups), np.inf)
    partner = np.zeros(len(groups), dtype=np.int64)

    def look(i: int) -> None:
        price = size[i] * size / (size[i] + size) * np.square(center - center[i]).sum(axis=1)
        price[~alive] = np.inf
        price[i] = np.inf
        partner[i] = price.argmin()
        cost[i] = price[partner[i]]

    for each in np.flatnonzero(short):
        look(int(each))
    while short.any() and alive.sum() > 1:
        i = int(np.where(short, cost, np.inf).argmin())
        j = int(partner[i])
        center[i] = (size[i] * center[i] + size[j] * center[j]) / (size[i] + size[j])
        size[i] += size[j]
        groups[i] += groups[j]
        alive[j] = short[j] = False
        short[i] = not enough(np.concatenate(groups[i]))
        for other in np.flatnonzero(short & ((partner == i) | (partner == j))):
            look(int(other))
        if short[i]:
            look(i)
    if short.any():
        _join(points, groups[int(np.argmax(alive))], others, enough)
    return [union for union, lives in zip(groups, alive, strict=True) if lives]


def _join(
    points: NDArray[np.float64],
    union: list[NDArray[np.int64]],
    others: list[NDArray[np.int64]],
    enough: Callable[[NDArray[np.int64]], bool],
) -> None:
    """Let others join a union until it is enough: each time the cheapest that ends it, or at all.

    What a group must satisfy holds for the stratum as a whole, so it comes to an end.
    """
    left = list(others)
    while left and not enough(np.concatenate(union)):
        price = [_sse(points[np.concatenate([*union, atom])]) - _sse(points[atom]) for atom in left]
        cheapest = np.argsort(price, kind="stable").tolist()
        ends = [i for i in cheapest if enough(np.concatenate([*union, left[i]]))]
        union.append(left.pop((ends or cheapest)[0]))
