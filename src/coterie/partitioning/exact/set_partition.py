"""Set partitioning: the best partition made of the groups of a pool, by integer programming.

Groups from many sources, priced columns or those that searches have seen, are recombined: the
result is at least as good as every partition the pool holds, and better than all where a part of
one and a part of another fit together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import Run
from coterie.partitioning.exact.columns import ColumnPool, groups_of
from coterie.partitioning.exact.cuts import Cuts
from coterie.partitioning.exact.solver import highs, solve, solver
from coterie.partitioning.problem import Problem

__all__ = ["Recombined", "fill", "labels_of", "set_partition"]


@dataclass(frozen=True, eq=False)
class Recombined:
    """The best partition of a pool.

    Attributes
    ----------
    labels : (n,) int array
    sse : float
        In the units of `problem.points`.
    optimal : bool
        Whether no partition made of the pool's groups is better.
    """

    labels: NDArray[np.int64]
    sse: float
    optimal: bool


def set_partition(
    problem: Problem,
    columns: ColumnPool,
    places: NDArray[np.int64],
    start: NDArray[np.int64],
    run: Run,
    *,
    nodes: int = 2000,
    cuts: Cuts | None = None,
) -> Recombined:
    """Recombine the groups at `places` of the pool, beginning with the partition `start`.

    The search ends after `nodes` nodes of branch and bound rather than after some seconds, so that
    it gives the same on every machine; a time limit of `run` ends it early, and for nothing. The
    result is never worse than `start`, whose groups (k..2k-1 records each) are added to the pool.
    Rows for `cuts` tighten the relaxation and exclude no partition.
    """
    first = _places_of(columns, start)
    chosen = np.union1d(places, first)
    costs = columns.costs[chosen]
    begin = float(columns.costs[first].sum())
    unit = max(begin / len(first), np.finfo(float).tiny)
    model = solver()
    for name, value in {
        "mip_max_nodes": nodes,
        "mip_rel_gap": 0.0,
        "mip_abs_gap": 1e-7,
    }.items():
        model.setOptionValue(name, value)
    fill(model, problem.n, columns, chosen, costs / unit, cuts)
    taken_first = np.zeros(len(chosen))
    taken_first[np.searchsorted(chosen, first)] = 1.0
    warm = highs().HighsSolution()
    warm.col_value = taken_first
    model.setSolution(warm)
    ended = solve(model, run, "integer program")
    if not ended:  # cut short by the clock: the same nodes would not be reached the next time
        return Recombined(start, begin, False)
    status = model.getModelStatus()
    optimal = status == highs().HighsModelStatus.kOptimal
    taken = chosen[np.asarray(model.getSolution().col_value) > 0.5]
    found = float(columns.costs[taken].sum())
    labels = labels_of(columns, taken, problem.n)
    if labels is None or found >= begin:
        return Recombined(start, begin, optimal)
    return Recombined(labels, found, optimal)


def fill(
    model: object,
    n: int,
    columns: ColumnPool,
    chosen: NDArray[np.int64],
    costs: NDArray[np.float64],
    cuts: Cuts | None,
    integer: bool = True,
) -> None:
    """Fill the model: a row for each record, one for each cut, a column for each group."""
    package = highs()
    members = columns.members[chosen]
    mask = members >= 0
    column = np.repeat(np.arange(len(chosen)), mask.sum(axis=1))
    row = members[mask].astype(np.int64)
    cuts = Cuts.none() if cuts is None else cuts
    cut, at, count = columns.counted(cuts, chosen)
    value = np.concatenate([np.ones(len(row)), count])
    column, row = np.concatenate([column, at]), np.concatenate([row, n + cut])
    order = np.lexsort((row, column))
    lp = package.HighsLp()
    lp.num_col_, lp.num_row_ = len(chosen), n + len(cuts)
    lp.col_cost_ = costs
    lp.col_lower_, lp.col_upper_ = np.zeros(len(chosen)), np.ones(len(chosen))
    lp.row_lower_ = np.append(np.ones(n), np.full(len(cuts), -package.kHighsInf))
    lp.row_upper_ = np.append(np.ones(n), cuts.limits)
    if integer:
        lp.integrality_ = [package.HighsVarType.kInteger] * len(chosen)
    lp.a_matrix_.format_ = package.MatrixFormat.kColwise
    starts = np.searchsorted(column[order], np.arange(len(chosen) + 1))
    lp.a_matrix_.start_ = starts.astype(np.int32)
    lp.a_matrix_.index_ = row[order].astype(np.int32)
    lp.a_matrix_.value_ = value[order]
    model.passModel(lp)  # type: ignore[attr-defined]


def _places_of(columns: ColumnPool, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places in the pool of the groups of a partition, added where they are missing."""
    columns.add_partition(labels)
    at = {key: place for place, key in enumerate(map(bytes, columns.members))}
    rows = np.ascontiguousarray(groups_of(labels, columns.members.shape[1]))
    return np.sort(np.array([at[bytes(row)] for row in rows], dtype=np.int64))


def labels_of(columns: ColumnPool, places: NDArray[np.int64], n: int) -> NDArray[np.int64] | None:
    """The partition whose groups are at `places`; None if they are none."""
    records = columns.members[places]
    records = records[records >= 0]
    if len(records) != n or len(np.unique(records)) != n:
        return None
    labels = np.empty(n, dtype=np.int64)
    for label, group in enumerate(columns.members[places]):
        labels[group[group >= 0]] = label
    return labels
