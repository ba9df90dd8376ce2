"""Outliers: the groups of the dearest records, as an integer program of their own.

With prices that prove a bound b, a partition costs at least b plus the reduced costs of its groups
where they are positive (charge included, see `listing`). The records of the highest
prices are the seeds of the groups that hold them. So choose a set of *dear* records, list all
groups with such seeds below a reduced cost, and let an integer program cover each dear record once
and any other at most once, at the least sum of reduced costs v. Every other record is worth its
price, so nothing else need be known about them: some ten rows instead of a thousand.

- The bound rises by v, or by the limit of the list if that is less: a partition holds a group
  beyond the list, which costs as much alone, or none.
- The groups chosen are the best for the outliers at these prices, not in a partition of all: a
  search that kept them came out worse than one that annealed the outliers anew.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import Run
from coterie.partitioning.exact.relaxation import Relaxation
from coterie.partitioning.exact.solver import highs, solve, solver

__all__ = ["Outliers", "dear_records", "settle_outliers"]

DEAR = 0.005  # share of all prices that makes a record dear,
ABOVE = 5  # and so many times the mean price
MOSTLY = 0.6  # share of all prices that dear records must bear: else there is no border below them
MOST = 60  # dear records
FEWEST = 4
LIMITS = (2.5e-4, 5e-4, 1e-3, 2e-3, 4e-3, 8e-3)  # of the bound: reduced costs up to which to list
LISTED = 20_000  # groups
NODES = 500  # of branch and bound
SAFE = 1e-5  # of the mean cost of a group: more than the solver's tolerances can make up


@dataclass(frozen=True, eq=False)
class Outliers:
    """What the integer programs came to.

    Attributes
    ----------
    groups : list of int arrays
        The groups chosen, without the -1 behind their last record; empty if none were found.
    least : float
        The bound holds this much above the relaxation's.
    """

    groups: list[NDArray[np.int64]]
    least: float


def dear_records(relaxation: Relaxation) -> int:
    """How many records bear most of all prices, each a great share; 0 where none stand out."""
    prices = relaxation.best.records
    dear = prices >= max(DEAR, ABOVE / len(prices)) * prices.sum()
    count = int(dear.sum())
    if not FEWEST <= count <= MOST or prices[dear].sum() < MOSTLY * prices.sum():
        return 0
    return count


def settle_outliers(relaxation: Relaxation, run: Run, count: int) -> Outliers:
    """The best groups of the `count` dearest records; raises the relaxation's bound.

    Limits of reduced cost are tried one after the other until the integer program's optimum lies
    within. What the clock cuts short is left out.
    """
    groups: list[NDArray[np.int64]] = []
    least = 0.0
    base = relaxation.proved
    for limit in LIMITS:
        ceiling = limit * base
        listed = relaxation.listed(ceiling, run, LISTED, seeds=count)
        if not listed.whole or run.out_of_time:
            break
        members, reduced = listed.members, listed.reduced + relaxation.best.charge
        chosen = _cover(members, np.maximum(reduced, 0.0), relaxation, count, run)
        if chosen is None:
            break
        value, bound, places = chosen
        if places is not None:
            groups = [row[row >= 0] for row in members[places]]
        least = max(least, min(bound, ceiling))
        if value <= ceiling:
            break
    relaxation.raise_bound(base + least)
    return Outliers(groups, least)


def _cover(
    members: NDArray[np.int64],
    costs: NDArray[np.float64],
    relaxation: Relaxation,
    count: int,
    run: Run,
) -> tuple[float, float, NDArray[np.int64] | None] | None:
    """Cover the dear records: value, bound and places of the groups (None if there is no cover).

    None if the clock ended it.
    """
    package = highs()
    dear = relaxation.ranked[:count]
    rows, inverse = np.unique(members, return_inverse=True)
    inverse = inverse.reshape(members.shape)
    if not np.isin(dear, rows).all():
        return np.inf, np.inf, None
    mask = members >= 0
    unit = relaxation.unit
    lp = package.HighsLp()
    lp.num_col_, lp.num_row_ = len(members), len(rows)
    lp.col_cost_ = costs / unit
    lp.col_lower_, lp.col_upper_ = np.zeros(len(members)), np.ones(len(members))
    lp.row_lower_ = np.where(np.isin(rows, dear), 1.0, 0.0)
    lp.row_upper_ = np.ones(len(rows))
    lp.integrality_ = [package.HighsVarType.kInteger] * len(members)
    lp.a_matrix_.format_ = package.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.append(0, np.cumsum(mask.sum(axis=1))).astype(np.int32)
    lp.a_matrix_.index_ = inverse[mask].astype(np.int32)
    lp.a_matrix_.value_ = np.ones(int(mask.sum()))
    model = solver()
    for name, value in {"mip_max_nodes": NODES, "mip_rel_gap": 0.0, "mip_abs_gap": 1e-6}.items():
        model.setOptionValue(name, value)
    model.passModel(lp)
    if not solve(model, run, "integer program"):
        return None
    status, info = model.getModelStatus(), model.getInfo()
    if status == package.HighsModelStatus.kInfeasible:
        return np.inf, np.inf, None
    bound = (max(info.mip_dual_bound, 0.0) - SAFE) * unit
    if info.primal_solution_status != package.SolutionStatus.kSolutionStatusFeasible:
        return np.inf, max(bound, 0.0), None
    taken = np.flatnonzero(np.asarray(model.getSolution().col_value) > 0.5)
    return float(costs[taken].sum()), max(bound, 0.0), taken
