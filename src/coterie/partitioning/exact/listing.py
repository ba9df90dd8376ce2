"""Listing: every group of a small reduced cost, and an integer program over them.

With prices that prove a bound b, a partition that holds a group of reduced cost r (charge included,
see `groups_within`) costs at least b + r. So list all groups of a reduced cost below some limit
r. A partition holds another one and costs at least b + r, or it is made of the list, and an integer
program says what that costs at least. Its solver may cut and branch as it likes: the columns are
all there, and none is priced any more. Limits rise until the list is too long or the time is up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import Run
from coterie.partitioning.exact.columns import ColumnPool
from coterie.partitioning.exact.cuts import Cuts
from coterie.partitioning.exact.relaxation import CLOSED, NEGATIVE, Relaxation
from coterie.partitioning.exact.set_partition import fill
from coterie.partitioning.exact.solver import highs, solve, solver

__all__ = ["fined_cuts", "groups_within", "raise_by_lists"]

LIMITS = tuple(1.25e-4 * 2.0**i for i in range(7))  # of the bound
LISTED = 60_000  # groups
NODES = 500  # of branch and bound
SAFE = 1e-6  # relative: the solver's tolerances, 1e-7 of a mean group for each group, and more


def groups_within(
    relaxation: Relaxation, upper: float, run: Run, capacity: int = 100_000
) -> NDArray[np.int64] | None:
    """Places of all groups that a partition of SSE below `upper` can hold; None if too many.

    With the best prices, rc the reduced cost including the charge and b their bound, a partition
    costs at least b + rc(G) for each of its groups G: the other groups' share in the bound is what
    they can be below zero at most. So rc(G) < upper - b, or it is worse.
    """
    slack = (upper - relaxation.proved) * (1 + CLOSED) + NEGATIVE * relaxation.unit
    listed = relaxation.listed(slack, run, capacity)
    if not listed.whole:
        return None
    relaxation.columns.add(listed.members)
    return np.flatnonzero(relaxation.reduced(relaxation.best) < slack)


def fined_cuts(relaxation: Relaxation) -> Cuts:
    """The cuts that bear on the best prices; the others would be slack."""
    fined = np.zeros(len(relaxation.cuts), dtype=bool)
    fined[: len(relaxation.best.fines)] = relaxation.best.fines > 0.0
    return relaxation.cuts.chosen(fined)


def raise_by_lists(relaxation: Relaxation, run: Run) -> None:
    """Raise the relaxation's bound as far as lists allow.

    An integer program that the clock ends has proved something, too.
    """
    for limit in LIMITS:
        if run.out_of_time or relaxation.closed:
            return
        base = relaxation.proved
        if base * (1 + limit) <= relaxation.bound:
            continue
        listed = relaxation.listed(limit * base, run, LISTED)
        if not listed.whole:
            return
        pool = ColumnPool(relaxation.problem.points, relaxation.problem.k)
        pool.add(listed.members)
        proved = _least(relaxation, pool, base * (1 + limit), run)
        relaxation.raise_bound(min(proved, base * (1 + limit)) * (1 - SAFE))
        if proved < base * (1 + limit):
            return


def _least(relaxation: Relaxation, pool: ColumnPool, limit: float, run: Run) -> float:
    """What partitions made of the pool's groups cost at least; infinite: `limit` and more."""
    unit = relaxation.unit
    cuts = fined_cuts(relaxation)
    model = solver()
    for name, value in {
        "mip_max_nodes": NODES,
        "mip_rel_gap": 0.0,
        "mip_abs_gap": 1e-7,
        "mip_heuristic_effort": 0.0,  # it is the bound that is asked for
        "objective_bound": limit / unit,
    }.items():
        model.setOptionValue(name, value)
    fill(model, relaxation.problem.n, pool, np.arange(len(pool)), pool.costs / unit, cuts)
    if solve(model, run, "integer program") is None:
        return -np.inf
    status = model.getModelStatus()
    kinds = highs().HighsModelStatus
    if status in (kinds.kInfeasible, kinds.kObjectiveBound):
        return np.inf
    least = float(model.getInfo().mip_dual_bound) * unit
    return least if np.isfinite(least) else -np.inf
