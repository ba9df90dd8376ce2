"""Pricing a problem's groups at given prices, and the bound that this proves.

The Lagrangian bound
--------------------
Let p be any prices of the records (of either sign), f >= 0 the fines of some triples, and
rc(G) = SSE(G) - sum of p over G + fines that G pays. For any partition into groups of k..2k-1
records, and no better one exists with larger groups,

    sum of SSE(G) = sum of p + sum of rc(G) - sum of fines paid
                 >= sum of p - sum of f + sum of rc(G),

as each record is in one group and at most one group holds two records of a triple. Rank the
records in any order and call the first member of a group its seed: different groups have
different seeds, and there are at most floor(n/k) groups. With r(x) at most the least rc of the
groups with seed x, the sum of rc(G) is therefore at least the sum of the floor(n/k) least of
min(0, r(x)). This holds for any prices at any time; nothing need have converged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.exact.columns import Cuts
from coterie.partitioning.exact.nearest import ROUNDING
from coterie.partitioning.problem import Problem

__all__ = ["EFFORTS", "Effort", "Priced", "price"]

SEARCHES = 4  # searches that share the seeds, whatever the number of workers
MANY = 300  # records from which on they do


@dataclass(frozen=True)
class Effort:
    """How hard to search: candidates of a seed, nodes opened for it (0: all), groups kept."""

    width: int
    nodes: int
    keep: int = 5


# From a quick look to the whole: the last is exact wherever `width` candidates suffice, and they
# do up to that many records.
EFFORTS = (Effort(40, 100), Effort(120, 1000), Effort(4096, 0))


@dataclass(frozen=True, eq=False)
class Priced:
    """What pricing found.

    Attributes
    ----------
    members : (g, 2k - 1) int array
        Groups below the ceiling, the best of each seed; -1 behind the last record.
    reduced : (g,) float array
        Their reduced costs.
    least : (n,) float array
        By record: no group of which it is the seed has a lower reduced cost; at most zero. Means
        nothing where the bound is minus infinity.
    bound : float
        The Lagrangian bound; minus infinity if the time was up before all seeds were looked at.
    exact : bool
        Whether no group below the ceiling can have been missed but behind better ones of its seed.
    whole : bool
        Whether `members` holds every group below the ceiling.
    """

    members: NDArray[np.int64]
    reduced: NDArray[np.float64]
    least: NDArray[np.float64]
    bound: float
    exact: bool
    whole: bool


def price(
    problem: Problem,
    run: Run,
    prices: NDArray[np.float64],
    near: NDArray[np.float64],
    cuts: Cuts,
    effort: Effort,
    *,
    shares: NDArray[np.float64] | None = None,
    ceiling: float = 0.0,
    capacity: int | None = None,
    seeds: int | None = None,
) -> Priced:
    """Look for groups with a reduced cost below `ceiling`; see `coterie.kernels.exact.pricing`.

    With `seeds` only at those of which one of so many dearest records is the seed, and without a
    bound.
    """
    from coterie.kernels.exact import pricing as kernel

    n, k = problem.n, problem.k
    searches = SEARCHES if n >= MANY else 1
    limits = kernel.PricingLimits(
        ceiling=ceiling,
        keep=effort.keep,
        nodes=effort.nodes,
        width=effort.width,
        capacity=capacity,
        stride=searches,
        seeds=seeds,
    )
    given = problem.points, prices, near, k, cuts.triples, cuts.fines, shares
    states = [kernel.pricing(*given, limits._replace(first=first)) for first in range(searches)]

    def ended(state: Any) -> bool:
        return run.out_of_time or bool(state.cursor[kernel.RANK] > state.last)

    def progress(state: Any) -> float:
        return float(min(state.cursor[kernel.RANK] / n, 1.0))

    streams = [KernelStream(kernel.step, state, ended, progress) for state in states]
    run.drive(streams, phase="pricing")
    done = all(state.cursor[kernel.RANK] > state.last for state in states)
    found = [int(state.cursor[kernel.FOUND]) for state in states]
    least = np.zeros(n)
    least[states[0].order] = np.minimum(np.minimum.reduce([s.least for s in states]), 0.0)
    whole = all(bool(state.whole.all()) for state in states)
    if capacity is not None:
        whole = whole and sum(found) <= capacity
    bound = -np.inf
    done = done and (whole or capacity is None)  # a list that ran full left seeds out
    if done and seeds is None:
        below = float(np.sort(least)[: n // k].sum())
        size = float(np.abs(prices).sum() + cuts.fines.sum()) - below
        bound = float(prices.sum() - cuts.fines.sum()) + below - ROUNDING * size
    return Priced(
        members=np.concatenate([state.members[:g] for state, g in zip(states, found, strict=True)]),
        reduced=np.concatenate([state.reduced[:g] for state, g in zip(states, found, strict=True)]),
        least=least,
        bound=bound,
        exact=done
        and (whole or capacity is None)
        and all(bool(state.proved.all()) for state in states),
        whole=done and whole,
    )
