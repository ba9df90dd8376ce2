"""The master program: the linear relaxation over the columns known so far, solved by HiGHS.

Rows: every record exactly once, at most floor(n/k) groups (free where k divides n: it is then a
consequence), and one for each cut. "Exactly once", not "at least once": the prices become free in
sign, and the relaxation is tighter, as a record shared by two overlapping groups is ruled out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import Run
from coterie.partitioning.exact.columns import ColumnPool
from coterie.partitioning.exact.cuts import Cuts
from coterie.partitioning.exact.solver import highs, solve, solver

__all__ = ["Master", "Relaxed"]

TOLERANCE = 1e-9  # of the solver, where the mean cost of a group is one


@dataclass(frozen=True, eq=False)
class Relaxed:
    """A solution of the master: value, duals and the weight of each column."""

    value: float
    prices: NDArray[np.float64]
    charge: float  # for the row that limits the number of groups: paid by every group, >= 0
    fines: NDArray[np.float64]
    places: NDArray[np.int64]  # of the columns in the pool
    weights: NDArray[np.float64]


class Master:
    """A linear program that grows: columns of a pool and cuts are added, never taken out.

    `unit` is the SSE that the solver sees as one: its tolerances are absolute.
    """

    def __init__(self, columns: ColumnPool, unit: float) -> None:
        self.columns = columns
        self.unit = unit
        self.n = len(columns.points)
        self.cuts = Cuts.none()
        self.places = np.empty(0, dtype=np.int64)
        self._inside = np.zeros(0, dtype=bool)
        self._model = solver()
        for name in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
            self._model.setOptionValue(name, TOLERANCE)
        infinite = highs().kHighsInf
        lower = np.append(np.ones(self.n), -infinite)
        most = self.n // columns.k if self.n % columns.k else infinite
        upper = np.append(np.ones(self.n), most)
        empty = np.empty(0, dtype=np.int32)
        self._model.addRows(
            self.n + 1, lower, upper, 0, np.zeros(self.n + 1, np.int32), empty, np.empty(0)
        )

    def add(self, places: NDArray[np.int64]) -> int:
        """Take columns of the pool into the program; return how many were not in it."""
        self._grow()
        fresh = places[~self._inside[places]]
        if len(fresh) == 0:
            return 0
        self._inside[fresh] = True
        self.places = np.concatenate([self.places, fresh])
        members = self.columns.members[fresh]
        mask = members >= 0
        sizes = mask.sum(axis=1)
        column = np.concatenate([np.repeat(np.arange(len(fresh)), sizes), np.arange(len(fresh))])
        row = np.concatenate([members[mask], np.full(len(fresh), self.n)])
        cut, at, count = self.columns.counted(self.cuts, fresh)
        column, row = np.concatenate([column, at]), np.concatenate([row, self.n + 1 + cut])
        value = np.concatenate([np.ones(len(row) - len(count)), count])
        order = np.lexsort((row, column))
        starts = np.searchsorted(column[order], np.arange(len(fresh)))
        infinite = highs().kHighsInf
        self._model.addCols(
            len(fresh),
            self.columns.costs[fresh] / self.unit,
            np.zeros(len(fresh)),
            np.full(len(fresh), infinite),
            len(row),
            starts.astype(np.int32),
            row[order].astype(np.int32),
            value[order],
        )
        return len(fresh)

    def cut(self, cuts: Cuts) -> None:
        """Add the rows of more cuts."""
        order = np.argsort(self.places)
        row, at, count = self.columns.counted(cuts, self.places[order])
        starts = np.searchsorted(row, np.arange(len(cuts)))
        self._model.addRows(
            len(cuts),
            np.full(len(cuts), -highs().kHighsInf),
            cuts.limits.astype(float),
            len(row),
            starts.astype(np.int32),
            order[at].astype(np.int32),
            count.astype(float),
        )
        self.cuts = self.cuts.joined(cuts)

    def solve(self, run: Run) -> Relaxed | None:
        """The solution over the columns so far, or None if the time was up."""
        if not solve(self._model, run, "linear program"):
            return None
        status = self._model.getModelStatus()
        if status != highs().HighsModelStatus.kOptimal:
            return None
        solution = self._model.getSolution()
        dual = np.asarray(solution.row_dual) * self.unit
        return Relaxed(
            value=self._model.getInfo().objective_function_value * self.unit,
            prices=dual[: self.n],
            charge=max(0.0, -float(dual[self.n])),
            fines=np.maximum(0.0, -dual[self.n + 1 :]),
            places=self.places,
            weights=np.asarray(solution.col_value),
        )

    def _grow(self) -> None:
        more = len(self.columns) - len(self._inside)
        if more:
            self._inside = np.concatenate([self._inside, np.zeros(more, dtype=bool)])
