"""Equation (14) of P3M for one attribute: dual search, descent on the surface, other basins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.p3m.dual import CuttingPlane, maximize

__all__ = ["BASINS", "AttributeTask", "Solution", "solve"]

# Where a descent begins: the lowest point of all, or the one below a given start.
BASINS = ("best", "means", "outward", "inward", "spread")

EVALUATIONS = 60  # of the dual function
SAMPLE = 4000  # groups on which the multipliers are first looked for
STARTS = 3  # best points of the dual search that are followed down
TURNS = 200  # Newton steps of a descent
SMALL = 40  # groups up to which every start is worth its time
MOST_FLIPS = 200  # descents with one group in another basin
WORK = 4_000_000  # groups times such descents
CLOSE = 1e-6  # relative gap to the bound at which little is left to find


@dataclass(frozen=True, eq=False)
class Solution:
    """Released values of the groups in standard deviations, and what is known about them."""

    values: NDArray[np.float64]
    objective: float
    bound: float
    feasible: bool

    @classmethod
    def constant(cls, groups: int) -> Solution:
        """An attribute with one value only: nothing can move."""
        return cls(np.zeros(groups), 0.0, 0.0, True)


@dataclass(frozen=True, eq=False)
class AttributeTask:
    """What is asked of one attribute: standardized records sorted by group, and their targets.

    Group j is ``start[j]:start[j + 1]``.
    """

    x: NDArray[np.float64]
    delta: NDArray[np.float64]
    importance: NDArray[np.float64]
    start: NDArray[np.int64]
    alpha: float
    one_sided: bool


def solve(attribute: AttributeTask, basin: str = "best") -> Solution:
    """Solve Equation (14) for one attribute.

    With a `basin` other than ``"best"``: the local minimum below the plain means, or below means
    moved by the targeted distance away from 0 (``"outward"``), toward it (``"inward"``) or away
    from the median (``"spread"``).
    """
    problem = _Problem(attribute)
    if problem.m == 1:
        return problem.fallback()
    problem.follow(problem.start(basin))
    if basin != "best" and problem.cost < np.inf:
        return problem.solution()
    problem.search()
    if problem.m <= SMALL:
        problem.scatter()
    problem.flip()
    return problem.solution()


class _Problem:
    """The groups' functions, the best values so far, and the dual's bound."""

    def __init__(self, asked: AttributeTask) -> None:
        from coterie.kernels.centroids import p3m, quartics

        self.surface, self.quartics = p3m, quartics
        self.records = len(asked.x)
        self.m = len(asked.start) - 1
        self.walls = bool(((asked.importance >= 1.0) & (asked.delta > 0)).any())
        # Without soft distance targets nothing but the shifts tells two solutions apart.
        shift = max(1.0 - asked.alpha, 1e-9)
        room = quartics.count_pieces(asked.start, asked.importance, asked.one_sided)
        groups = quartics.GroupCosts(
            size=np.empty(self.m),
            center=np.empty(self.m),
            begin=np.empty(self.m + 1, dtype=np.int64),
            low=np.empty(room),
            high=np.empty(room),
            left=np.empty(room),
            right=np.empty(room),
            coef=np.empty((room, 5)),
        )
        distance_targets = asked.x, asked.delta, asked.importance, asked.start
        quartics.build(*distance_targets, asked.alpha, shift, asked.one_sided, groups)
        self.groups = groups
        self.reach = np.maximum.reduceat(asked.delta, asked.start[:-1])
        self.best = np.zeros(self.m)
        self.cost = np.inf
        self.multipliers = np.zeros(2)
        self.bound = -np.inf
        self.dual = (0.0, 0.0)

    def follow(self, u: NDArray[np.float64]) -> bool:
        """Descend from `u`; keep the result if it is the best."""
        found = np.zeros(2)
        cost = self.surface.descend(self.groups, self.records, self.walls, TURNS, u, found)
        if cost < self.cost * (1.0 - 1e-13) or (cost < np.inf and self.cost == np.inf):
            self.cost, self.best, self.multipliers = cost, u, found
            return True
        return False

    def start(self, basin: str) -> NDArray[np.float64]:
        """Where to begin the first descent."""
        center = self.groups.center
        if basin == "outward":
            return np.where(center > 0, self.reach, -self.reach)
        if basin == "inward":
            return np.where(center > 0, -self.reach, self.reach)
        if basin == "spread":
            return np.where(center > np.median(center), self.reach, -self.reach)
        return np.zeros(self.m)

    @property
    def closed(self) -> bool:
        """Whether the bound leaves too little to look for; for few groups: nothing."""
        share = 1e-9 if self.m <= SMALL else CLOSE
        return self.cost < np.inf and self.cost - self.bound <= share * abs(self.cost)

    def search(self) -> None:
        """Maximize the dual and follow the best points that it meets."""
        center = float(self.multipliers[0]), float(self.multipliers[1])
        scale = max(abs(center[0]), abs(center[1]), 1e-3)
        if self.m > 2 * SAMPLE:
            sample = self._thin(self.m // SAMPLE)
            center = maximize(_Dual(self, sample).cut, center, scale, EVALUATIONS)
            # What the sample leaves open is small: its error falls with the root of its size.
            dual = _Dual(self, self.groups)
            self.dual = maximize(dual.cut, center, 0.05 * scale, EVALUATIONS // 3)
        else:
            dual = _Dual(self, self.groups)
            self.dual = maximize(dual.cut, center, scale, EVALUATIONS)
        self.bound = dual.bound
        for _, u in dual.candidates:
            self.follow(u)
        if not self.closed:
            self.follow(self._balanced())

    def _balanced(self) -> NDArray[np.float64]:
        """The dual's answer with as many groups moved, the cheapest first, as the moments need."""
        u, other, gain = np.zeros(self.m), np.empty(self.m), np.empty(self.m)
        if self.quartics.answer(self.groups, *self.dual, u, np.empty(3)):
            self.quartics.alternatives(self.groups, *self.dual, u, other, gain)
            order = np.argsort(-gain, kind="stable")
            self.surface.balance(self.groups, self.records, other, order, u)
        return u

    def scatter(self) -> None:
        """Descend from many places: for few groups the dual leaves a gap."""
        rng = np.random.default_rng(0)
        side = np.where(np.arange(self.m) % 2 == 0, 1.0, -1.0)
        starts = [side, -side]
        if self.m <= 8:
            signs = (np.arange(2**self.m)[:, None] >> np.arange(self.m)) & 1
            starts += list((self.reach + 0.1) * (2.0 * signs - 1.0))
        starts += list(rng.standard_normal((64, self.m)) * rng.choice([0.3, 1.0, 3.0], (64, 1)))
        starts += list(self.best + (self.reach + 0.1) * rng.standard_normal((32, self.m)))
        for u in starts:
            if self.closed:
                return
            self.follow(np.ascontiguousarray(u, dtype=np.float64))

    def flip(self) -> None:
        """Move single groups to their best other basin for as long as that pays.

        By weak duality no solution below the present one has a group whose Lagrangian lies above
        its minimum by more than the gap, so only the others are tried.
        """
        other, gain = np.empty(self.m), np.empty(self.m)
        left = min(MOST_FLIPS, WORK // self.m)
        while left > 0 and not self.closed and self.cost < np.inf:
            self.quartics.alternatives(self.groups, *self.dual, self.best, other, gain)
            gap = self.cost - self.bound
            for j in np.argsort(-gain, kind="stable")[:left]:
                if not gain[j] >= -gap:
                    return
                left -= 1
                u = self.best.copy()
                u[j] = other[j]
                if self.follow(u):
                    break
            else:
                return

    def fallback(self) -> Solution:
        """Hard distance targets alone: every group for itself; the moments are what they are."""
        u = np.zeros(self.m)
        self.quartics.answer(self.groups, 0.0, 0.0, u, np.empty(3))
        cost = float(self.surface.total_cost(self.groups, u))
        return Solution(self.groups.center + u, cost, cost, False)

    def solution(self) -> Solution:
        """The best values found."""
        if self.cost == np.inf:
            return self.fallback()
        bound = min(self.bound, self.cost) if self.bound > -np.inf else np.nan
        return Solution(self.groups.center + self.best, float(self.cost), float(bound), True)

    def _thin(self, step: int) -> Any:
        """Every `step`-th group."""
        groups = self.groups
        chosen = np.arange(0, self.m, step)
        begin, end = groups.begin[chosen], groups.begin[chosen + 1]
        pieces = np.concatenate([np.arange(a, b) for a, b in zip(begin, end, strict=True)])
        return groups._replace(
            size=groups.size[chosen],
            center=groups.center[chosen],
            begin=np.concatenate(([0], np.cumsum(end - begin))),
            low=groups.low[pieces],
            high=groups.high[pieces],
            left=groups.left[pieces],
            right=groups.right[pieces],
            coef=groups.coef[pieces],
        )


class _Dual:
    """The dual function of the multipliers, and the best points met on the way."""

    def __init__(self, problem: _Problem, groups: Any) -> None:
        self.problem = problem
        self.groups = groups
        self.full = groups is problem.groups
        self.records = float(groups.size.sum())
        # What the sum of n c^2 must be: in a sample, what its own groups contribute to it.
        self.target = self.records
        if not self.full:
            plain = problem.groups
            share = float(groups.size @ np.square(groups.center))
            self.target = share * problem.records / float(plain.size @ np.square(plain.center))
            self.shift = float(groups.size @ groups.center)
        else:
            self.shift = 0.0
        self.bound = -np.inf
        self.candidates: list[tuple[float, NDArray[np.float64]]] = []

    def cut(self, lam: float, mu: float) -> CuttingPlane:
        """Value and gradient at (lam, mu)."""
        u, sums = np.empty(len(self.groups.size)), np.empty(3)
        if not self.problem.quartics.answer(self.groups, lam, mu, u, sums):
            return CuttingPlane(-np.inf, (0.0, 1.0))  # no lower bound: only a larger mu helps
        first, second = sums[1] - self.shift, sums[2] - self.target
        value = float(sums[0] - mu * self.target - lam * self.shift)
        if self.full:
            self.bound = max(self.bound, value)
            self._keep(u)
        exact = max(abs(first), abs(second)) < 1e-10 * self.records
        return CuttingPlane(value, (first, second), exact)

    def _keep(self, u: NDArray[np.float64]) -> None:
        problem = self.problem
        if not problem.surface.restore(problem.groups, problem.records, problem.walls, u):
            return
        cost = float(problem.surface.total_cost(problem.groups, u))
        self.candidates.append((cost, u))
        self.candidates.sort(key=lambda pair: pair[0])
        del self.candidates[STARTS:]
