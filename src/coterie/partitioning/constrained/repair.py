"""From any partition to an admissible one, and from there down: what constraints cost, kept small.

Two starts compete: the given partition, its inadmissible groups repaired one by one; and, where
many are inadmissible, groups that were grown under the constraints from the first record on. The
cheaper one descends by admissible swaps and shifts, loses the groups whose members are better off
elsewhere, and is regrouped, piece by piece, as long as the run allows. So does a partition that was
admissible from the start, unless that is dear: whether a single group had to be repaired should not
decide what a release loses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError
from coterie.guarantees.constraints import Constraints
from coterie.guarantees.finding import RuleFinding
from coterie.guarantees.repair import RepairRecord
from coterie.numbers.renumber import renumber
from coterie.partitioning.constrained.search import (
    AdmissibleSearch,
    SearchTally,
    limited,
    sweeps_all,
)
from coterie.partitioning.core import Outcome, sse_of
from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.problem import Problem
from coterie.partitioning.tiles import tiles

__all__ = ["constrained"]

FEW = 0.1  # share of inadmissible groups up to which repairing alone will do
GROWN = 12_000  # atoms that are grown together
FIRST = 0.5  # of a time limit: what the method gets, the rest is for the repair

Labels = NDArray[np.int64]


def constrained(
    problem: Problem,
    run: Run,
    solve: Callable[[Problem, Run], Outcome],
    constraints: Constraints,
) -> tuple[Outcome, RepairRecord]:
    """Solve as `solve` does, then make every group admissible or refuse the partition.

    Units that stay together are one point each, their mean: the method groups units.
    """
    constraints.check(problem.n, problem.k)
    rules = constraints.rules(problem.n, problem.k)
    atoms = constraints.atoms(problem.n)
    few = len(rules.first) - 1 < problem.n
    limit = run.time_limit
    if limit is not None:
        run.time_limit = FIRST * limit
    asked = problem
    if few:
        sizes = np.diff(rules.first)[:, None]
        means = np.add.reduceat(problem.points[rules.records], rules.first[:-1]) / sizes
        asked = Problem(means, np.ascontiguousarray(means), problem.scale, problem.k)
    outcome = solve(asked, run)
    run.time_limit = limit
    found = constraints.findings(outcome.labels[atoms], problem.k)
    violated = {one.name: one.failing for one in found if one.failing}
    if violated and constraints.on_violation == "refuse":
        _refuse(found)
    plain = None if few else sse_of(problem.points, outcome.labels) * problem.scale**2
    groups = len(np.unique(outcome.labels))
    search = _RepairSearch(asked.points, rules, problem.k, run, constraints.effort)
    if not violated:
        given = RepairRecord(plain, groups, {})
        if constraints.on_violation == "refuse" or not constraints.binding:
            return replace(outcome, labels=outcome.labels[atoms]), given
        better, done = search.improve_given(outcome, groups)
        given = replace(given, iterations=done.iterations, accepted=done.accepted)
        return replace(better, labels=better.labels[atoms]), given
    if asked.n < 2 * problem.k:
        one_group = np.zeros(problem.n, dtype=np.int64)
        return Outcome(one_group), RepairRecord(plain, groups, violated, "merged")
    starts = {"repaired": search.repair(outcome.labels)}
    if max(violated.values()) > FEW * groups:
        starts["grown"] = search.repair(search.grow())
    best = min(starts, key=lambda name: sse_of(asked.points, starts[name][0]))
    repaired, merged, exchanged = starts[best]
    labels, done = search.improve(repaired)
    counts = (merged, exchanged, done.iterations, done.accepted)
    reported = RepairRecord(plain, groups, violated, best, *counts)
    return Outcome(
        labels[atoms],
        lower_bound=None if few else outcome.lower_bound,
        epochs=outcome.epochs,
        interrupted=outcome.interrupted or done.interrupted,
    ), reported


def _refuse(findings: Sequence[RuleFinding]) -> None:
    missed = [one for one in findings if one.failing]
    reported = "; ".join(f"{one} ({one.failing} of {one.classes} groups)" for one in missed)
    raise DataError(
        f"Every group must be admissible. Got {reported}; use on_violation='repair', another "
        "method, or milder thresholds."
    )


class _RepairSearch:
    """The kernels over one set of atoms and rules."""

    def __init__(
        self, points: NDArray[np.float64], rules: Any, k: int, run: Run, effort: float
    ) -> None:
        self.points, self.rules, self.k, self.run, self.effort = points, rules, k, run, effort

    def grow(self) -> NDArray[np.int64]:
        """Groups grown under the rules; tile by tile where the table is large."""
        from coterie.kernels.constrained import growth, placing

        n = len(self.points)
        state = growth.growth(self.points, self.rules)
        labels = np.full(n, -1)
        groups = 0
        for part in tiles(self.points, GROWN):
            growth.begin(state, part, len(part), -1, n)
            stream = KernelStream(
                growth.step,
                state,
                finished=lambda s: s.cursor[growth.DONE] == 1,
            )
            self.run.drive([stream], phase="admissible groups")
            own = state.labels[part]
            labels[part] = np.where(own >= 0, own + groups, -1)
            groups += int(state.cursor[growth.GROUPS])
        if groups == 0:
            return np.zeros(n, dtype=np.int64)
        everyone = np.arange(n)
        scratch = (np.empty(n, dtype=np.int64), np.empty(n + 1, dtype=np.int64))
        placing.place(self.points, self.rules, labels, everyone, n, groups, scratch)
        return labels

    def repair(self, labels: NDArray[np.int64]) -> tuple[NDArray[np.int64], int, int]:
        """Labels of admissible groups, the merges made, and the members exchanged."""
        from coterie.kernels.base import groups
        from coterie.kernels.constrained import repair as repairs

        labels = renumber(labels).astype(np.int64)
        state = groups.groups(self.points, labels, self.k, len(self.points))
        work = repairs.repair(len(self.points), len(state.size))
        stream = KernelStream(
            lambda s, budget: repairs.step(state, self.rules, s, budget),
            work,
            finished=lambda s: s.cursor[repairs.LEFT] == 0,
        )
        self.run.drive([stream], phase="repair")
        done = work.cursor
        return state.labels.copy(), int(done[repairs.MERGED]), int(done[repairs.TAKEN])

    def improve_given(self, outcome: Outcome, groups: int) -> tuple[Outcome, SearchTally]:
        """A method's admissible groups, searched on unless that is dear or nothing can be won."""
        sse = sse_of(self.points, outcome.labels)
        proved = outcome.lower_bound is not None and sse <= outcome.lower_bound
        n, d = self.points.shape
        dear = not limited(self.run) and not sweeps_all(n, d, groups)
        if groups == 1 or sse == 0.0 or proved or dear or outcome.interrupted:
            return outcome, SearchTally()
        labels, done = self.improve(outcome.labels)
        if not sse_of(self.points, labels) < sse:
            labels = outcome.labels
        return replace(outcome, labels=labels, interrupted=done.interrupted), done

    def improve(self, labels: Labels) -> tuple[Labels, SearchTally]:
        """Labels after the admissible search, and what was done."""
        search = AdmissibleSearch(
            self.points, self.rules, self.k, self.run, lambda: self.repair(self.grow())[0]
        )
        return search.improve(labels, self.effort)
