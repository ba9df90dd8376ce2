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

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import Run
from coterie.partitioning.exact.columns import ColumnPool
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


def dive(relaxation: Relaxation, run: Run, few: int = FEW) -> NDArray[np.int64] | None:
    """Labels of a partition; None if the list holds none where the dive ends, or time is up.

    The relaxation must have been solved. Counts, not seconds, end every step.
    """
    pool = _listed(relaxation, run)
    if pool is None:
        return None
    cuts = fined_cuts(relaxation)
    costs = pool.costs / relaxation.unit
    model = solver()
    fill(model, relaxation.problem.n, pool, np.arange(len(pool)), costs, cuts, integer=False)
    taken = _descend(model, pool, run, few)
    if taken is None:
        return None
    free = np.ones(relaxation.problem.n + 1, dtype=bool)  # the last is where -1 points
    free[pool.members[taken]] = False
    free[-1] = True
    open_ = np.flatnonzero(free[pool.members].all(axis=1))
    chosen = np.union1d(taken, open_)
    model = solver()
    for name, value in {"mip_max_nodes": NODES, "mip_rel_gap": 0.0, "mip_abs_gap": 1e-7}.items():
        model.setOptionValue(name, value)
    fill(model, relaxation.problem.n, pool, chosen, costs[chosen], cuts)
    if not solve(model, run, "integer program"):
        return None
    weights = np.asarray(model.getSolution().col_value)
    if len(weights) != len(chosen):  # no partition was found
        return None
    return labels_of(pool, chosen[weights > 0.5], relaxation.problem.n)


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


def _descend(model: Any, pool: ColumnPool, run: Run, few: int) -> NDArray[np.int64] | None:
    """Places of the groups taken, disjoint, until at most `few` records are left."""
    sizes = (pool.members >= 0).sum(axis=1)
    fixed = np.zeros(len(pool), dtype=bool)
    before: NDArray[np.int64] | None = None
    while solve(model, run, "linear program"):
        if model.getModelStatus() != highs().HighsModelStatus.kOptimal:
            return before  # the last ones were too many
        weights = np.asarray(model.getSolution().col_value)
        taken = np.flatnonzero(weights > WHOLE)
        if len(pool.points) - sizes[taken].sum() <= few:
            return taken
        order = np.argsort(-np.where(weights > WHOLE, 0.0, weights), kind="stable")[:TOGETHER]
        heavy = order[weights[order] > HEAVY]
        following = np.append(taken, heavy if len(heavy) else order[:1])
        for place in following[~fixed[following]].tolist():
            model.changeColBounds(place, 1.0, 1.0)
        fixed[following] = True
        before = taken
    return None
