"""Diving: a partition read off the last relaxation, within a list of all groups that cost little.

Behind wide cuts the linear program is close to partitions, and the groups of small reduced cost,
which good partitions are made of, are few enough to be listed one and all. So nothing is priced any
more: the heaviest groups are taken, a few at a time, the linear program over the list with its cuts
is solved again, and what is left when few records are is settled by an integer program.
`fixing.relax_and_fix` takes more at a time and relaxes what is left anew, without wide cuts; it
needs no list.

References
----------
Sadykov, Vanderbeck, Pessoa, Tahiri, Uchoa (2019), INFORMS Journal on Computing 31(2):251-267.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import Run
from coterie.partitioning.exact.beginning import cost_of
from coterie.partitioning.exact.columns import ColumnPool
from coterie.partitioning.exact.cuts import Cuts
from coterie.partitioning.exact.listing import fined_cuts
from coterie.partitioning.exact.relaxation import Relaxation
from coterie.partitioning.exact.set_partition import fill, labels_of
from coterie.partitioning.exact.solver import highs, solve, solver

__all__ = ["dive"]

LIMITS = tuple(2e-4 * 1.5**i for i in range(12))  # of the bound: reduced costs that are listed
LISTED = 150_000  # groups
WHOLE = 0.999  # weight that counts as one
HEAVY = 0.8  # weight of groups that are taken together,
TOGETHER = 8  # and how many
FEW = 200  # records that an integer program settles
NODES = 2000  # of branch and bound
STAGES = 4  # of a dive that an integer program is begun from: the best partition counts


def dive(relaxation: Relaxation, run: Run, few: int = FEW) -> NDArray[np.int64] | None:
    """Labels of a partition; None if the list holds none where the dive ends, or time is up.

    The relaxation must have been solved. Counts, not seconds, end every step. The last stages of
    the dive are all settled, since what the last one has taken may be wrong.
    """
    pool = _listed(relaxation, run)
    if pool is None:
        return None
    cuts = fined_cuts(relaxation)
    costs = pool.costs / relaxation.unit
    best, least = None, np.inf
    for taken in reversed(_stages(pool, costs, cuts, run, few)):
        labels = _settled(pool, costs, cuts, taken, run)
        if labels is not None and cost_of(relaxation.problem, labels) < least:
            best, least = labels, cost_of(relaxation.problem, labels)
        if run.out_of_time:
            break
    return best


def _listed(relaxation: Relaxation, run: Run) -> ColumnPool | None:
    """The longest list that is not too long."""
    members = None
    for limit in LIMITS:
        listed = relaxation.listed(limit * relaxation.proved, run, LISTED)
        if not listed.whole:
            break
        members = listed.members
    if members is None or run.out_of_time:
        return None
    pool = ColumnPool(relaxation.problem.points, relaxation.problem.k)
    pool.add(members)
    return pool


def _stages(
    pool: ColumnPool, costs: NDArray[np.float64], cuts: Cuts, run: Run, few: int
) -> list[NDArray[np.int64]]:
    """Places of groups taken, disjoint: where the dive ended, last, and the stages shortly before.

    The last leaves at most `few` records, unless the list held no more groups for the rest. None
    is taken where there are no more records in all: what has weight one may be wrong.
    """
    n = len(pool.points)
    nothing = np.empty(0, dtype=np.int64)
    if n <= few:
        return [nothing]
    model = solver()
    fill(model, n, pool, np.arange(len(pool)), costs, cuts, integer=False)
    sizes = (pool.members >= 0).sum(axis=1)
    fixed = np.zeros(len(pool), dtype=bool)
    stages: list[NDArray[np.int64]] = []
    while solve(model, run, "linear program"):
        if model.getModelStatus() != highs().HighsModelStatus.kOptimal:
            return stages[-STAGES:]  # the last ones taken were too many
        weights = np.asarray(model.getSolution().col_value)
        taken = np.flatnonzero(weights > WHOLE)
        stages.append(taken)
        if n - sizes[taken].sum() <= few:
            return stages[-STAGES:]
        order = np.argsort(-np.where(weights > WHOLE, 0.0, weights), kind="stable")[:TOGETHER]
        heavy = order[weights[order] > HEAVY]
        following = np.append(taken, heavy if len(heavy) else order[:1])
        for place in following[~fixed[following]].tolist():
            model.changeColBounds(place, 1.0, 1.0)
        fixed[following] = True
    return []


def _settled(
    pool: ColumnPool,
    costs: NDArray[np.float64],
    cuts: Cuts,
    taken: NDArray[np.int64],
    run: Run,
) -> NDArray[np.int64] | None:
    """The partition of the groups taken and the best ones for the records left, if there is one."""
    n = len(pool.points)
    free = np.ones(n + 1, dtype=bool)
    free[pool.members[taken]] = False
    free[n] = True  # where -1 points
    chosen = np.union1d(taken, np.flatnonzero(free[pool.members].all(axis=1)))
    model = solver()
    for name, value in {"mip_max_nodes": NODES, "mip_rel_gap": 0.0, "mip_abs_gap": 1e-7}.items():
        model.setOptionValue(name, value)
    fill(model, n, pool, chosen, costs[chosen], cuts)
    if not solve(model, run, "integer program"):
        return None
    weights = np.asarray(model.getSolution().col_value)
    if len(weights) != len(chosen):  # none was found
        return None
    return labels_of(pool, chosen[weights > 0.5], n)
