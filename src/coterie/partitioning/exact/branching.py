"""The optimum by columns: relaxation, cuts, and an integer program over what can still matter.

Column generation gives a bound and prices; relax and fix, then an integer program over the columns
of small reduced cost, give a partition. Once the two are close, the groups whose reduced cost is
below their difference can be listed one and all: no better partition holds any other, so the
integer program over this list proves the optimum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.core import TracePoint
from coterie.partitioning.driver import Run
from coterie.partitioning.exact.beginning import cost_of, no_larger
from coterie.partitioning.exact.dual import Steps
from coterie.partitioning.exact.fixing import CERTAIN, Rest, relax_and_fix
from coterie.partitioning.exact.listing import groups_within
from coterie.partitioning.exact.outliers import dear_records, settle_outliers
from coterie.partitioning.exact.relaxation import Relaxation
from coterie.partitioning.exact.set_partition import set_partition
from coterie.partitioning.problem import Problem

__all__ = ["ColumnSearch", "ColumnsOptions"]

FEW = 3000  # groups that are worth an integer program at once
SHARES = (0.25, 0.5, 1.0)
SLIGHT = 2e-4  # relative distance of partition and bound that only a short list is tried for


@dataclass(frozen=True)
class ColumnsOptions:
    """Limits of the integer programs, in columns and nodes so that runs replay."""

    pool: int = 12  # columns of small reduced cost that are recombined, for each record
    nodes: int = 5000  # of branch and bound, each time
    listed: int = 20_000  # the most groups listed for a proof
    rounds: int = 1000  # of cuts
    gain: float = 2e-5  # of the bound, by which a round of cuts must raise it for another one


class ColumnSearch:
    """The best partition and the relaxation of one problem, and the steps that bring them near.

    Attributes
    ----------
    labels : (n,) int array
        The best partition so far, at first `start` without groups of 2k and more.
    sse : float
        Its, in the units of `problem.points`.
    relaxation : Relaxation
    """

    def __init__(
        self,
        problem: Problem,
        run: Run,
        options: ColumnsOptions,
        start: NDArray[np.int64],
        steps: Steps | None = None,
    ) -> None:
        self.problem, self.run, self.options = problem, run, options
        self.labels = no_larger(problem, start)
        self.sse = cost_of(problem, self.labels)
        self.relaxation = Relaxation(problem, self.labels, steps)
        self.trace = [TracePoint(0, run.seconds, self.sse)]
        self.spread = float(np.square(problem.points - problem.points.mean(axis=0)).sum())
        run.bound = self.proved

    def proved(self) -> float:
        """Percent of the information that every partition loses, as far as it is proved."""
        least = min(self.relaxation.bound, self.sse)
        return 100.0 * least / self.spread if self.spread > 0 else 0.0

    def add(self, labels: NDArray[np.int64]) -> None:
        """Groups of another partition join the pool; it is kept if it is better."""
        labels = no_larger(self.problem, labels)
        self.relaxation.columns.add_partition(labels)
        sse = cost_of(self.problem, labels)
        if sse < self.sse:
            self.labels, self.sse = labels, sse
            self.relaxation.target = sse
            self.trace.append(TracePoint(self.relaxation.rounds, self.run.seconds, sse))

    def relax(self) -> None:
        """Solve the relaxation and cut it, as far as steps and time allow.

        What is known when they are over serves: the bound holds, and a linear program over most of
        the columns that matter tells most of the certain groups.
        """
        self.relaxation.solve(self.run, cuts=self.options.rounds, gain=self.options.gain)

    def settle(self) -> None:
        """Raise the bound by the groups of outliers, where a few records bear most of the cost.

        The bound alone: annealing finds better groups for them than the few that are listed.
        """
        count = dear_records(self.relaxation)
        if count and not (self.run.out_of_time or self.relaxation.closed):
            settle_outliers(self.relaxation, self.run, count)

    def fix(
        self,
        rest: Rest | None = None,
        certain: float = CERTAIN,
    ) -> NDArray[np.int64] | None:
        """A partition from the relaxation's own solution, if there is one; see `relax_and_fix`."""
        if self.run.out_of_time or self.relaxation.closed:
            return None
        labels = relax_and_fix(self.relaxation, self.run, rest, certain)
        if self.run.out_of_time:  # what was cut short is not the same the next time
            return None
        if labels is not None:
            self.add(labels)
        return labels

    def close(self) -> None:
        """Integer programs, which find the optimum and prove it if all goes well."""
        if not self.finish() and self.sse - self.relaxation.bound > SLIGHT * self.sse:
            self.recombine()
            self.finish()

    def recombine(self) -> None:
        """The integer program over columns of small reduced cost."""
        if not (self.run.out_of_time or self.relaxation.closed):
            self._improve(self.relaxation.pool(self.options.pool))

    def finish(self) -> bool:
        """List every group that can matter and solve over them; True if the optimum is proved.

        The list grows quickly with the distance of partition and bound, so a part of that distance
        is tried first: either the integer program finds a partition within it, or there is none
        and the bound rises to its end.
        """
        relaxation = self.relaxation
        for share, listed in ((1.0, FEW), *((s, self.options.listed) for s in SHARES)):
            if relaxation.closed:
                return True
            if self.run.out_of_time:
                return False
            upper = relaxation.bound + share * (self.sse - relaxation.bound)
            places = groups_within(relaxation, upper, self.run, min(listed, self.options.listed))
            if places is None:
                if share < 1.0:
                    return False  # a longer list would be no shorter
            elif self._improve(places):
                relaxation.bound = max(relaxation.bound, min(upper, self.sse))
            elif share < 1.0:
                return False
        return relaxation.closed

    def _improve(self, places: NDArray[np.int64]) -> bool:
        relaxation = self.relaxation
        # Cuts behind the last solution came too late for it: a replay does not have them.
        solved = 0 if relaxation.solution is None else len(relaxation.solution.fines)
        cuts = relaxation.cuts.chosen(slice(solved))
        result = set_partition(
            self.problem,
            relaxation.columns,
            places,
            self.labels,
            self.run,
            nodes=self.options.nodes,
            cuts=cuts,
        )
        self.add(result.labels)
        return result.optimal
