"""Column generation: the linear relaxation of set partitioning over all groups of k..2k-1 records.

Three stages, each of which can be left at any time with the best bound proved so far:

1. *ascent*: prices from the quick bound are improved over a growing pool (`ascent`), the pool by
   pricing. Needs no solver, and ends close to the relaxation's value.
2. *linear program*: the master over the columns of small reduced cost, solved by HiGHS; new
   columns are priced between its prices and the best ones known (Wentges smoothing), at its own
   prices when that finds none. It has converged when the search is exact and finds none.
3. *cuts*: triples that the solution violates become rows, and the second stage goes on.

References
----------
Wentges (1997), International Transactions in Operational Research 4(2):151-162 (smoothing);
du Merle, Villeneuve, Desrosiers, Hansen (1999), Discrete Mathematics 194:229-237 (stabilisation).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import Run
from coterie.partitioning.exact.ascent import ascend
from coterie.partitioning.exact.columns import Columns, Cuts, group_costs, groups_of
from coterie.partitioning.exact.cuts import violated_triples
from coterie.partitioning.exact.master import Master, Relaxed
from coterie.partitioning.exact.nearest import Nearest, nearest
from coterie.partitioning.exact.pricing import EFFORTS, Effort, Priced, price
from coterie.partitioning.exact.solver import have_highs
from coterie.partitioning.problem import Problem

__all__ = ["CLOSED", "Prices", "Relaxation", "cost_of", "first_outcome", "no_larger"]

CLOSED = 1e-7  # relative distance of bound and value at which the relaxation counts as solved
NEGATIVE = 1e-9  # reduced cost, against the mean cost of a group, that counts as negative
CROWD = 4  # columns of one round that may all hold a record
SMOOTHING = 0.8  # weight of the best prices known


@dataclass(frozen=True, eq=False)
class Prices:
    """A point of the dual: prices of records, a charge on every group, fines on triples."""

    records: NDArray[np.float64]
    charge: float
    fines: NDArray[np.float64]

    def towards(self, other: Prices, share: float) -> Prices:
        """The point between the two, `share` of the way from the other to this one."""
        fines = np.zeros(len(other.fines))  # triples that were not known yet had no fine
        fines[: len(self.fines)] = self.fines
        return Prices(
            share * self.records + (1 - share) * other.records,
            share * self.charge + (1 - share) * other.charge,
            share * fines + (1 - share) * other.fines,
        )


class Relaxation:
    """The relaxation of one problem, as far as it has been solved.

    Parameters
    ----------
    problem : Problem
    labels : (n,) int array
        A partition into groups of k..2k-1: the first columns, its SSE the target.

    Attributes
    ----------
    bound : float
        No partition has a lower SSE, in the units of `problem.points`.
    value : float or None
        Of the linear program at its last solution.
    exact : bool
        Whether the linear program was solved over all groups, not only those looked at.
    rounds : int
        Rounds of pricing.
    """

    def __init__(self, problem: Problem, labels: NDArray[np.int64]) -> None:
        self.problem = problem
        self.columns = Columns(problem.points, problem.k)
        self._first = self.columns.add_partition(labels)
        self.target = cost_of(problem, labels)
        self.bound = 0.0
        self._dual = 0.0  # what the best prices prove by themselves: `bound` may have been raised
        self.value: float | None = None
        self.exact = False
        self.rounds = 0
        self.cuts = Cuts.none()
        self.best = Prices(np.zeros(problem.n), 0.0, np.empty(0))
        self.solution: Relaxed | None = None
        self._near: Nearest | None = None
        self._unit = max(self.target / max(problem.n // problem.k, 1), np.finfo(float).tiny)
        self._master: Master | None = None

    @property
    def closed(self) -> bool:
        """Whether the bound has reached the target: the partition known is optimal."""
        return self.bound >= self.target * (1 - CLOSED)

    def solve(self, run: Run, *, linear: bool = True, cuts: int = 1000) -> None:
        """All stages, until `run` is out of time or nothing is left to gain.

        `linear` asks for the second stage, `cuts` is the most rounds of the third.
        """
        self.start(run)
        self.ascend(run)
        if linear and have_highs():
            self.generate(run)
            while cuts > 0 and self.exact and self.cut(run):
                cuts -= 1

    def start(self, run: Run) -> None:
        """The quick bound, and groups of near neighbours as columns."""
        k = self.problem.k
        self._near = nearest(self.problem, run, 2 * k - 2)
        prices = self._near.prices(k)
        self.bound = self._dual = max(self.bound, float(prices.sum()))
        self.best = Prices(prices, 0.0, np.empty(0))
        if self._near.complete:
            groups = np.full((self.problem.n, 2 * k - 1), -1)
            groups[:, :k] = self._near.neighbours
            self.columns.add(groups)

    def ascend(self, run: Run) -> None:
        """First stage: ascents over the pool and pricing in turn."""
        prices = self.best.records * 1.3  # a little above what is safe: more groups come in sight
        level = 0
        before = self.bound
        while not (run.out_of_time or self.closed):
            prices = ascend(self.columns, prices, self.target, run)
            priced = self._price(Prices(prices, 0.0, np.empty(0)), level, run)
            fresh = self.columns.add(priced.members)
            if len(fresh) <= self.problem.n // 200 + 1:
                level += 1
                if level == len(EFFORTS) + 3 or (priced.exact and self._little_since(before)):
                    return
                if priced.exact:
                    before = self.bound

    def generate(self, run: Run) -> None:
        """Second stage: column generation with the linear program."""
        if self._master is None:
            self._master = Master(self.columns, self._unit)
            self._master.add(self._first)  # a partition: feasible from the beginning
            self._master.add(self.promising(6 * self.problem.n))
        level = 0
        while not (run.out_of_time or self.closed):
            solution = self._master.solve(run)
            if solution is None:
                return
            self.solution, self.value = solution, solution.value
            if self.bound >= solution.value * (1 - CLOSED):
                self.exact = True
                return
            own = Prices(solution.prices, solution.charge, solution.fines)
            waiting = self._negative(own)
            if len(waiting) > self.problem.n // 20:
                self._master.add(waiting)
                continue
            found, level, exact = self._search(own, level, run)
            if self._master.add(np.union1d(waiting, found)) == 0:
                self.exact = self.exact or exact
                return

    def cut(self, run: Run) -> bool:
        """Third stage, one round: cut the solution off and solve again; False if nothing is."""
        if self.solution is None or self._master is None or run.out_of_time or self.closed:
            return False
        used = self.solution.weights > 1e-6
        members = self.columns.members[self.solution.places[used]]
        triples = violated_triples(members, self.solution.weights[used], self.problem.n // 8 + 10)
        if len(triples) == 0:
            return False
        self._master.cut(triples)
        self.cuts = self._master.cuts
        self.generate(run)
        return True

    def _search(self, own: Prices, level: int, run: Run) -> tuple[NDArray[np.int64], int, bool]:
        """Columns negative at the master's `own` prices; harder and closer until some are found.

        Returns their places, the effort to begin with next time, and whether the last search was
        exact and at the master's own prices.
        """
        for share in (SMOOTHING, 0.0):
            prices = self.best.towards(own, share) if share else own
            for effort in range(level, len(EFFORTS)):
                priced = self._price(prices, effort, run)
                self.columns.add(priced.members)
                places = self._negative(own)
                if len(places) or run.out_of_time:
                    return places, max(effort - 1, 0), False
                if priced.exact:
                    break
        return np.empty(0, dtype=np.int64), level, priced.exact

    def _price(self, prices: Prices, level: int, run: Run) -> Priced:
        """Price all groups; the bound that this proves is kept with its prices if it is best."""
        assert self._near is not None
        self.rounds += 1
        priced = price(
            self.problem,
            run,
            prices.records,
            self._near.sums,
            Cuts(self.cuts.triples[: len(prices.fines)], prices.fines),
            EFFORTS[min(level, len(EFFORTS) - 1)],
            ceiling=-prices.charge,
        )
        if priced.bound > self._dual:
            self._dual, self.best = priced.bound, prices
            self.bound = max(self.bound, min(priced.bound, self.target))
        return priced

    def reduced(self, prices: Prices) -> NDArray[np.float64]:
        """Reduced cost of every column of the pool."""
        cuts = Cuts(self.cuts.triples[: len(prices.fines)], prices.fines)
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
        return np.sort(self._spread(order, crowd))

    def within(self, upper: float, run: Run, capacity: int = 100_000) -> NDArray[np.int64] | None:
        """Every group that a partition of SSE below `upper` can hold; None if they are too many.

        With the best prices, rc the reduced cost including the charge and b their bound, a
        partition costs at least b + rc(G) for each of its groups G: the other groups' share in
        the bound is what they can be below zero at most. So rc(G) < upper - b, or it is worse.
        """
        assert self._near is not None
        slack = (upper - self._dual) * (1 + CLOSED) + NEGATIVE * self._unit
        priced = price(
            self.problem,
            run,
            self.best.records,
            self._near.sums,
            Cuts(self.cuts.triples[: len(self.best.fines)], self.best.fines),
            Effort(EFFORTS[-1].width, 0, keep=capacity),
            ceiling=slack - self.best.charge,
            capacity=capacity,
        )
        if not priced.whole:
            return None
        self.columns.add(priced.members)
        return np.flatnonzero(self.reduced(self.best) < slack)

    def _negative(self, prices: Prices) -> NDArray[np.int64]:
        """Columns outside the master of negative reduced cost, spread over the records."""
        reduced = self.reduced(prices)
        if self._master is not None:
            reduced[self._master.places] = 0.0
        places = np.flatnonzero(reduced < -NEGATIVE * self._unit)
        return self._spread(places[np.argsort(reduced[places], kind="stable")], CROWD)

    def _spread(self, places: NDArray[np.int64], crowd: int) -> NDArray[np.int64]:
        """Columns in the order given, without those of which all records are in `crowd` others."""
        uses = np.zeros(self.problem.n, dtype=np.int64)
        chosen = []
        for place in places.tolist():
            group = self.columns.members[place]
            group = group[group >= 0]
            if uses[group].min() < crowd:
                uses[group] += 1
                chosen.append(place)
        return np.array(chosen, dtype=np.int64)

    def _little_since(self, before: float) -> bool:
        return self.bound - before <= 2e-4 * self.target


def cost_of(problem: Problem, labels: NDArray[np.int64]) -> float:
    """SSE of a partition in the units of `problem.points`."""
    widest = int(np.bincount(np.unique(labels, return_inverse=True)[1]).max())
    return float(group_costs(problem.points, groups_of(labels, widest)).sum())


def first_outcome(problem: Problem, run: Run) -> Outcome:
    """A partition to begin with: MDAV's groups, cut anew along a path."""
    from coterie.partitioning.constructive.mdav import MdavOptions, mdav
    from coterie.partitioning.path.groups import group_path
    from coterie.partitioning.path.mhm import MhmOptions, ordered

    def base(problem: Problem, run: Run) -> Outcome:
        return mdav(problem, run, MdavOptions())

    def order(problem: Problem, run: Run) -> NDArray[np.int64]:
        return group_path(problem, run, base)

    return ordered(problem, run, MhmOptions(), order)


def no_larger(problem: Problem, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """The partition with groups of 2k and more cut into pieces of k..2k-1: never worse."""
    codes = np.unique(labels, return_inverse=True)[1]
    sizes = np.bincount(codes)
    following = len(sizes)
    for code in np.flatnonzero(sizes >= 2 * problem.k):
        rows = np.flatnonzero(codes == code)
        for piece in np.array_split(rows, len(rows) // problem.k)[1:]:
            codes[piece] = following
            following += 1
    return codes
