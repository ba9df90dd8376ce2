"""Pricing a problem's groups at given prices, and the bound that this proves.

The Lagrangian bound
--------------------
Let p be any prices of the records (of either sign), f >= 0 the fines of some cuts, l their limits,
and rc(G) = SSE(G) - sum of p over G + fines that G pays, each times what it counts in the cut. For
any partition into groups of k..2k-1 records, and no better one exists with larger groups,

    sum of SSE(G) = sum of p + sum of rc(G) - sum of fines paid
                 >= sum of p - sum of f l + sum of rc(G),

as each record is in one group and no partition counts more than l in a cut. Rank the
records in any order and call the first member of a group its seed: different groups have
different seeds, and there are at most floor(n/k) groups. With r(x) at most the least rc of the
groups with seed x, the sum of rc(G) is therefore at least the sum of the floor(n/k) least of
min(0, r(x)). This holds for any prices at any time; nothing need have converged.

Larger groups
-------------
Groups of more than k records need hardly be looked at. P, the sum of the squared distances of all
pairs, is |G| SSE(G). Let S have s > k records and T run over its choices of k. Each pair of S is in
as many T as any other, so P(S) is s (s-1) / (k (k-1)) times the mean of P(T), and each record is in
k/s of the T:

    SSE(S) = (s-1) / (k-1) * mean of SSE(T)        mean of p(T) = k/s p(S)

If SSE(T) - p(T) + fines(T) + c >= r(seed of T) for all T, with a charge c >= 0 on every group and
r <= 0, then, with f = k (s-1) / (s (k-1)), which is above 1,

    SSE(S) - p(S) + fines(S) + c >= (f-1) p(S) - (s-k) / (k-1) c - (q-1) w(S) + f a(S)

    q = k (3s - 2k - 2) / (s (s-2)):  of three records of S, T holds two or three in k/s of the
                                      cases, if S holds two, and if it holds all in (k-1) q / (s-1)
    w(S):                             the fines of the triples that S holds whole
    a(S) = s/k * mean of r(seed of T)

As f - 1 = (s-k) / (s (k-1)), the first three terms can be negative only if the mean price of S is
below c, or if S holds a triple whole. Such groups are searched: from seeds, among the cheap
records, and from the triples. For all others f a(S) remains; f is at most 2k / (2k-1), in a(S) each
record of S counts at most once, and they count s/k together, n/k in all groups of a partition.
Without charge and fines SSE(S) >= p(S) + a(S) itself holds: p(S) + a(S) is negative, as no SSE is,
or no more than f times as much. So the sum over the groups is at least that of the ceil(n/k) least
r(x), times 2k / (2k-1) if there are fines or a charge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.exact.cuts import Cuts
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
    cuts = cuts.chosen(cuts.fines > 0.0)
    lean = capacity is None and seeds is None and ceiling <= 0.0
    lean = lean and (len(cuts) == 0 or (k > 2 and cuts.only_triples))
    limits = kernel.PricingLimits(
        ceiling=ceiling,
        keep=effort.keep,
        nodes=effort.nodes,
        width=effort.width,
        capacity=capacity,
        stride=searches,
        seeds=seeds,
    )
    if lean:
        limits = limits._replace(cheap=-ceiling, most=k if ceiling == 0.0 else None)
    given = problem.points, prices, near, k, cuts, shares
    kinds = [limits]
    if lean and len(cuts):
        kinds.append(limits._replace(by_triples=True, most=None))
    states = [
        kernel.pricing(*given, kind._replace(first=first))
        for kind in kinds
        for first in range(searches)
    ]

    def ended(state: Any) -> bool:
        return run.out_of_time or bool(state.cursor[kernel.RANK] > state.last)

    def progress(state: Any) -> float:
        return float(min(state.cursor[kernel.RANK] / (state.last + 1), 1.0))

    streams = [KernelStream(kernel.step, state, ended, progress) for state in states]
    run.drive(streams, phase="pricing")
    done = all(state.cursor[kernel.RANK] > state.last for state in states)
    found = [int(state.cursor[kernel.FOUND]) for state in states]
    least = np.zeros(n)
    by_rank = np.minimum.reduce([state.least for state in states[:searches]])
    for state in states[searches:]:  # any record of a group can stand for it
        np.minimum.at(by_rank, state.rows[:, 0], state.least)
    least[states[0].order] = np.minimum(by_rank, 0.0)
    whole = all(bool(state.whole.all()) for state in states)
    if capacity is not None:
        whole = whole and sum(found) <= capacity
    bound = -np.inf
    done = done and (whole or capacity is None)  # a list that ran full left seeds out
    if done and seeds is None:
        if lean:
            factor = 2 * k / (2 * k - 1) if ceiling < 0.0 or len(cuts) else 1.0
            below = factor * float(np.sort(least - ceiling)[: -(-n // k)].sum())
            below += ceiling * (n // k)
        else:
            below = float(np.sort(least)[: n // k].sum())
        paid = float((cuts.fines * cuts.limits).sum())
        size = float(np.abs(prices).sum()) + paid - below
        bound = float(prices.sum()) - paid + below - ROUNDING * size
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
