"""Column generation: the linear relaxation of set partitioning over all groups of k..2k-1 records.

Four stages, each of which can be left at any time with the best bound proved so far:

1. *ascent*: prices from the quick bound are improved over a growing pool (`ascent`), the pool by
   pricing. Needs no solver, and ends close to the relaxation's value.
2. *linear program*: the master over the columns of small reduced cost, solved by HiGHS; new
   columns are priced between its prices and the best ones known (Wentges smoothing), at its own
   prices when that finds none. It has converged when the search is exact and finds none.
3. *triples* that the solution violates become rows (`cuts`), and the second stage goes on.
4. *wide cuts*, over more records, do the same where no triple is left (`separation`). Pricing them
   takes longer, for groups of all sizes must be searched.

References
----------
Wentges (1997), International Transactions in Operational Research 4(2):151-162 (smoothing);
du Merle, Villeneuve, Desrosiers, Hansen (1999), Discrete Mathematics 194:229-237 (stabilization).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import Run
from coterie.partitioning.exact.ascent import ascend
from coterie.partitioning.exact.beginning import cost_of, first_outcome
from coterie.partitioning.exact.columns import ColumnPool
from coterie.partitioning.exact.cuts import Cuts, violated_triples
from coterie.partitioning.exact.dual import Prices, Steps
from coterie.partitioning.exact.master import Master, Relaxed
from coterie.partitioning.exact.nearest import ROUNDING, Nearest, nearest
from coterie.partitioning.exact.pricing import EFFORTS, Effort, Priced, price
from coterie.partitioning.exact.separation import violated_cuts
from coterie.partitioning.exact.shares import FEWEST, extended
from coterie.partitioning.exact.solver import have_highs
from coterie.partitioning.problem import Problem

__all__ = ["CLOSED", "NEGATIVE", "Relaxation", "shares_for"]

CLOSED = 1e-7  # relative distance of bound and value at which the relaxation counts as solved
NEGATIVE = 1e-9  # reduced cost, against the mean cost of a group, that counts as negative
CROWD = 4  # columns of one round that may all hold a record
SMOOTHING = 0.8  # weight of the best prices known, at first
FAR, CLOSE = 1.3, 1.1  # where ascents begin: times prices from neighbors, or from smaller groups
LITTLE = 2e-4  # of the target: what an ascent need not go on for
PATIENCE = 8  # rounds of wide cuts
IDLE = 2  # rounds of an ascent that gain no more, after which it looks closer, or ends
SLIGHT = 0.1  # of the tolerance and the mean cost of a group: charges below are left out
LESS = 0.6  # of the smoothing, after a round that found few columns


class Relaxation:
    """The relaxation of one problem, as far as it has been solved.

    Parameters
    ----------
    problem : Problem
    labels : (n,) int array
        A partition into groups of k..2k-1: the first columns, its SSE the target.
    steps : Steps, optional
        Shared with other relaxations, or limited.
    tolerance : float
        Relative distance of bound and value at which the linear program counts as solved. The last
        thousandths of it take about as long as all before.

    Attributes
    ----------
    bound : float
        No partition has a lower SSE, in the units of `problem.points`.
    value : float or None
        Of the linear program at its last solution.
    exact : bool
        Whether the linear program was solved over all groups, not only those looked at, to the
        tolerance.
    rounds : int
        Rounds of pricing.
    best : Prices
        Those that prove the most.
    least : (n,) float array
        By record: no group of which it is the seed beats these prices by more (not positive).
    shares : (n, 2k - 1) float array or None
        See `coterie.partitioning.exact.shares`.
    """

    def __init__(
        self,
        problem: Problem,
        labels: NDArray[np.int64],
        steps: Steps | None = None,
        tolerance: float = CLOSED,
    ) -> None:
        self.problem = problem
        self.tolerance = tolerance
        self.steps = steps or Steps()
        self.columns = ColumnPool(problem.points, problem.k)
        self._first = self.columns.add_partition(labels)
        self.target = cost_of(problem, labels)
        self.bound = 0.0
        self._dual = self._quick = 0.0
        self.value: float | None = None
        self.exact = False
        self.rounds = 0
        self.cuts = Cuts.none()
        self.best = Prices(np.zeros(problem.n), 0.0, np.empty(0))
        self.solution: Relaxed | None = None
        self._near: Nearest | None = None
        self.shares: NDArray[np.float64] | None = None
        self.least = np.zeros(problem.n)
        self.unit = max(self.target / max(problem.n // problem.k, 1), np.finfo(float).tiny)
        self._master: Master | None = None

    @property
    def proved(self) -> float:
        """What the best prices prove by themselves: the bound may have been raised since."""
        return self._dual

    @property
    def ranked(self) -> NDArray[np.int64]:
        """The records by falling price, as pricing ranks them."""
        return np.lexsort((np.arange(self.problem.n), -self.best.records))

    def raise_bound(self, value: float) -> None:
        """Note a bound that was proved in another way."""
        self.bound = max(self.bound, min(value, self.target))

    @property
    def closed(self) -> bool:
        """Whether the bound has reached the target: the partition known is optimal."""
        return self.bound >= self.target * (1 - CLOSED)

    def solve(self, run: Run, *, linear: bool = True, cuts: int = 1000, gain: float = 0.0) -> None:
        """All stages, until `run` is out of time or nothing is left to gain.

        `linear` asks for the second stage, `cuts` is the most rounds of the third, which ends when
        one raises the bound by less than `gain` of it.
        """
        if self._near is None:
            self.start(run)
        self.ascend(run)
        if linear and have_highs():
            self.generate(run)
            self.tighten(run, cuts, gain)

    def start(self, run: Run, shares: NDArray[np.float64] | None = None) -> None:
        """The quick bound, groups of near neighbors as columns; shares unless they are given."""
        k = self.problem.k
        self._near = nearest(self.problem, run, 2 * k - 2)
        prices = self._near.prices(k)
        self.bound = self._dual = self._quick = max(self.bound, float(prices.sum()))
        self.best = Prices(prices, 0.0, np.empty(0))
        if self._near.complete:
            groups = np.full((self.problem.n, 2 * k - 1), -1)
            groups[:, :k] = self._near.neighbors
            self.columns.add(groups)
        self.shares = shares_for(self.problem, run, self.steps) if shares is None else shares
        if self.shares is not None:
            # Shares of k records are prices that none, and so no larger, group beats.
            prices = self.shares[:, k] / k
            bound = float(prices.sum()) - ROUNDING * float(np.abs(prices).sum())
            if bound > self._dual:
                self.bound, self._dual = max(self.bound, bound), bound
                self.best = Prices(prices, 0.0, np.empty(0))

    @property
    def safe_prices(self) -> NDArray[np.float64]:
        """Prices that no group beats: seeds of groups that beat the best ones are made cheaper."""
        return self.best.records + self.least

    def ascend(self, run: Run) -> None:
        """First stage: ascents over the pool and pricing in turn."""
        # A little above what is safe: more groups come in sight.
        prices = self.best.records * (CLOSE if self._dual > self._quick else FAR)
        level = idle = 0
        before, highest = self.bound, -np.inf
        while self.steps.left(run) and not self.closed:
            prices = ascend(self.columns, prices, self.target, run)
            priced = self._price(Prices(prices, 0.0, np.empty(0)), level, run)
            if priced is None:
                return
            fresh = self.columns.add(priced.members)
            # Where records lie close together, fresh groups never end, long after they have ceased
            # to matter.
            idle = idle + 1 if priced.bound - highest <= LITTLE * self.target else 0
            highest = max(highest, priced.bound)
            few = self.problem.n // (200 if level else 40) + 1
            # Behind the first look, exact pricing costs less than more rounds.
            if level == 1 or len(fresh) <= few or idle == IDLE:
                level, idle = level + 1, 0
                if level == len(EFFORTS) + 3 or (priced.exact and self._little_since(before)):
                    return
                if priced.exact:
                    before = self.bound

    def generate(self, run: Run) -> None:
        """Second stage: column generation with the linear program."""
        if self._master is None:
            self._master = Master(self.columns, self.unit)
            self._master.add(self._first)  # a partition: feasible from the beginning
            self._master.add(self.promising(6 * self.problem.n))
        share = SMOOTHING
        while self.steps.left(run) and not self.closed:
            solution = self._master.solve(run)
            if solution is None or not self.steps.ended(run):
                return
            self.solution, self.value = solution, solution.value
            if self.bound >= solution.value * (1 - self.tolerance):
                self.exact = True
                return
            own = Prices(solution.prices, solution.charge, solution.fines)
            waiting = self._negative(own)
            if len(waiting) > self.problem.n // 20:
                self._master.add(waiting)
                continue
            found, exact = self._search(own, share, run)
            added = self._master.add(np.union1d(waiting, found))
            if added == 0:
                self.exact = self.exact or exact
                return
            if added < self.problem.n // 50:
                share *= LESS

    def tighten(self, run: Run, cuts: int = 1000, gain: float = 0.0) -> None:
        """Third stage: up to `cuts` rounds, while each raises the bound by `gain` of it."""
        before = -np.inf
        while cuts > 0 and self.exact and self.bound >= before * (1 + gain):
            before = self.bound
            if not self.cut(run):
                return
            cuts -= 1

    def widen(self, run: Run, cuts: int = 1000, gain: float = 0.0) -> None:
        """Fourth stage: up to `cuts` rounds, while a few raise the value by `gain` of it."""
        highest, idle = 0.0, 0
        while cuts > 0 and self.exact and idle < PATIENCE and self.cut(run, wide=True):
            cuts -= 1
            idle += 1
            if self.value is not None and self.value > highest * (1 + gain):
                highest, idle = self.value, 0

    def cut(self, run: Run, wide: bool = False) -> bool:
        """Cut the solution off and solve again, by triples or `wide` cuts; False if nothing is."""
        if self.solution is None or self._master is None or self.closed:
            return False
        if not self.steps.left(run):
            return False
        used = self.solution.weights > 1e-6
        members, weights = self.columns.members[self.solution.places], self.solution.weights
        worth = np.maximum(self.solution.prices, 0.0) / self.unit
        if wide:
            cuts = violated_cuts(members[used], weights[used], self.problem.n // 4 + 10, worth, run)
        else:
            most = self.problem.n // 8 + 10
            cuts = Cuts.of_triples(violated_triples(members[used], weights[used], most, worth))
        if len(cuts) == 0:
            return False
        self._master.cut(cuts)
        self.cuts = self._master.cuts
        self.generate(run)
        return True

    def _search(self, own: Prices, share: float, run: Run) -> tuple[NDArray[np.int64], bool]:
        """Columns negative at the master's `own` prices, sought between them and the best ones.

        Returns their places, and whether the last search was exact and at the master's own prices.
        """
        nothing = np.empty(0, dtype=np.int64)
        priced = None
        for prices in (self.best.toward(own, share), own):
            if not self.steps.left(run):
                return nothing, False
            priced = self._price(prices, len(EFFORTS) - 1, run)
            if priced is None:
                return nothing, False
            self.columns.add(priced.members)
            places = self._negative(own)
            if len(places):
                return places, False
        assert priced is not None
        return nothing, priced.exact

    def _price(self, prices: Prices, level: int, run: Run) -> Priced | None:
        """Price all groups; the bound that this proves is kept with its prices if it is best.

        None if the clock cut it short.
        """
        assert self._near is not None
        # Prices hold with any charge. Without a slight one each of some n/k groups beats them by
        # as much more, together a part of the tolerance; in return hardly any group of more than k
        # records need be searched, which is several times quicker.
        if prices.charge <= SLIGHT * self.tolerance * self.unit:
            prices = replace(prices, charge=0.0)
        priced = price(
            self.problem,
            run,
            prices.records,
            self._near.sums,
            self.cuts.fined(prices.fines),
            EFFORTS[min(level, len(EFFORTS) - 1)],
            shares=self.shares,
            ceiling=-prices.charge,
        )
        if not self.steps.ended(run):
            return None
        self.rounds += 1
        if priced.bound > self._dual:
            self._dual, self.best, self.least = priced.bound, prices, priced.least
            self.bound = max(self.bound, min(priced.bound, self.target))
        return priced

    def reduced(self, prices: Prices) -> NDArray[np.float64]:
        """Reduced cost of every column of the pool."""
        cuts = self.cuts.fined(prices.fines)
        return self.columns.reduced(prices.records, cuts) + prices.charge

    def promising(self, most: int) -> NDArray[np.int64]:
        """The `most` columns of least reduced cost at the best prices, as rising places."""
        return np.sort(np.argsort(self.reduced(self.best), kind="stable")[:most])

    def pool(self, crowd: int) -> NDArray[np.int64]:
        """For every record, some `crowd` columns of least reduced cost: a pool for recombination.

        Counted by record, not by cost: where a few outliers bear most of the SSE, the columns of
        all other records would have the smallest reduced costs.
        """
        order = np.argsort(self.reduced(self.best), kind="stable")
        return np.sort(self.columns.spread(order, crowd))

    def listed(self, ceiling: float, run: Run, capacity: int, seeds: int | None = None) -> Priced:
        """All groups of a reduced cost, charge included, below `ceiling` at the best prices.

        With `seeds`, those that hold one of so many dearest records.
        """
        assert self._near is not None
        return price(
            self.problem,
            run,
            self.best.records,
            self._near.sums,
            self.cuts.fined(self.best.fines),
            Effort(EFFORTS[-1].width, 0, keep=capacity),
            shares=self.shares,
            ceiling=ceiling - self.best.charge,
            capacity=capacity,
            seeds=seeds,
        )

    def _negative(self, prices: Prices) -> NDArray[np.int64]:
        """Columns outside the master of negative reduced cost, spread over the records."""
        reduced = self.reduced(prices)
        if self._master is not None:
            reduced[self._master.places] = 0.0
        places = np.flatnonzero(reduced < -NEGATIVE * self.unit)
        return self.columns.spread(places[np.argsort(reduced[places], kind="stable")], CROWD)

    def _little_since(self, before: float) -> bool:
        return self.bound - before <= LITTLE * self.target


def shares_for(problem: Problem, run: Run, steps: Steps) -> NDArray[np.float64] | None:
    """Shares of every record for up to 2k-2 others, or None where groups are small.

    From the prices of groups of 2, 3, ... k-1 records, each found with the help of those before.
    """
    k = problem.k
    if k < FEWEST:
        return None
    known = np.zeros((problem.n, 2 * k - 1))
    for size in range(2, k):
        if not steps.left(run):
            break
        part = replace(problem, k=size)
        smaller = Relaxation(part, first_outcome(part, run).labels, steps)
        smaller.start(run, known[:, : 2 * size - 1])
        smaller.ascend(run)
        found = size * smaller.safe_prices
        if found.sum() > known[:, size].sum():  # short of time, fewer records' may say more
            known[:, size] = found
            known = extended(known, size)
    return known
