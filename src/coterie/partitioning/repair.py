"""From any partition to an admissible one, and from there down: what constraints cost, kept small.

Two starts compete: the given partition, its inadmissible groups mended one by one; and groups that
were grown under the constraints from the first record on, where many are inadmissible. The cheaper
one descends by admissible swaps and shifts and is regrouped, piece by piece, as long as the run
allows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError
from coterie.partitioning.constraints import Constraints, Finding
from coterie.partitioning.core import sse_of
from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.problem import Problem

__all__ = ["Repair", "refuse", "repair"]

FEW = 0.1  # share of inadmissible groups up to which mending alone will do
TILE = 12_000  # atoms that are grown together
EPOCH = 50


@dataclass(frozen=True)
class Repair:
    """What constraints did to a partition.

    Attributes
    ----------
    plain_sse : float
        SSE of the partition for k alone, in the points' scale.
    plain_groups : int
        How many groups it had.
    violated : dict
        Of those, how many missed each rule.
    start : str
        "given" (nothing was missed), "mended" or "grown".
    merged, exchanged : int
        Merges, and members taken or swapped, that mended the start.
    iterations, accepted : int
        Regroupings tried, and those that won something back.
    """

    plain_sse: float
    plain_groups: int
    violated: dict[str, int]
    start: str = "given"
    merged: int = 0
    exchanged: int = 0
    iterations: int = 0
    accepted: int = 0


def refuse(findings: tuple[Finding, ...], owner: str) -> None:
    """Raise an error that names every rule that a class misses."""
    missed = [one for one in findings if one.failing]
    if missed:
        told = "; ".join(f"{one} ({one.failing} of {one.classes} groups)" for one in missed)
        raise DataError(
            f"{owner} must have admissible groups only. Got {told}; use on_violation='repair', "
            "another method, or milder thresholds."
        )


def repair(
    problem: Problem, labels: NDArray[np.int64], constraints: Constraints, run: Run
) -> tuple[NDArray[np.int64], Repair]:
    """An admissible partition that starts from `labels`, and what was done to get there."""
    whole = np.zeros(problem.n, dtype=np.int64)
    impossible = [one for one in constraints.findings(whole, problem.k) if one.failing]
    if impossible:
        raise DataError(
            f"All records together must be admissible. Got {'; '.join(map(str, impossible))}; "
            "use milder thresholds."
        )
    found = constraints.findings(labels, problem.k)
    violated = {one.name: one.failing for one in found if one.failing}
    plain = sse_of(problem.points, labels) * problem.scale**2
    facts = {"plain_sse": plain, "plain_groups": len(np.unique(labels)), "violated": violated}
    atoms = constraints.atoms(problem.n)
    rules = constraints.rules(problem.n, problem.k)
    points = problem.points
    if len(rules.first) - 1 < problem.n:  # units that stay together: one point each, their mean
        sizes = np.diff(rules.first)[:, None]
        points = np.add.reduceat(points[rules.records], rules.first[:-1]) / sizes
        labels = labels[rules.records[rules.first[:-1]]]
    if len(points) < 2 * problem.k:
        return whole, Repair(**facts, start="merged")
    search = _Search(np.ascontiguousarray(points), rules, problem.k, run)
    share = max(violated.values(), default=0) / facts["plain_groups"]
    starts = {"mended": search.mend(labels)}
    if share > FEW:
        starts["grown"] = search.mend(search.grow())
    best = min(starts, key=lambda name: sse_of(search.points, starts[name][0]))
    mended, merged, exchanged = starts[best]
    made, iterations, accepted = search.improve(mended)
    return made[atoms], Repair(
        **facts,
        start=best if violated else "given",
        merged=merged,
        exchanged=exchanged,
        iterations=iterations,
        accepted=accepted,
    )


class _Search:
    """The kernels over one set of atoms and rules."""

    def __init__(self, points: NDArray[np.float64], rules: Any, k: int, run: Run) -> None:
        self.points, self.rules, self.k, self.run = points, rules, k, run

    def grow(self) -> NDArray[np.int64]:
        """Groups grown under the rules; tile by tile where the table is large."""
        from coterie.kernels import growth
        from coterie.partitioning.auto import tiles

        n = len(self.points)
        state = growth.growth(self.points, self.rules)
        labels = np.full(n, -1)
        made = 0
        parts = tiles(self.points, TILE)
        for number, part in enumerate(parts):
            growth.begin(state, part, len(part), -1, n)
            stream = KernelStream(
                growth.step,
                state,
                finished=lambda s: s.cursor[growth.DONE] == 1,
                share=lambda s, at=number, size=len(part): (
                    (at + 1 - s.cursor[growth.SIZE] / size) / len(parts)
                ),
            )
            self.run.drive([stream], phase="admissible groups")
            own = state.labels[part]
            labels[part] = np.where(own >= 0, own + made, -1)
            made += int(state.cursor[growth.GROUPS])
        if made == 0:
            return np.zeros(n, dtype=np.int64)
        everyone = np.arange(n)
        scratch = (np.empty(n, dtype=np.int64), np.empty(n + 1, dtype=np.int64))
        growth.place(self.points, self.rules, labels, everyone, n, made, scratch)
        return labels

    def mend(self, labels: NDArray[np.int64]) -> tuple[NDArray[np.int64], int, int]:
        """Labels of admissible groups, the merges made, and the members exchanged."""
        from coterie.kernels import groups, mending

        labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
        state = groups.groups(self.points, labels, self.k, len(self.points))
        work = mending.mending(len(self.points), len(state.size))
        stream = KernelStream(
            lambda s, budget: mending.step(state, self.rules, s, budget),
            work,
            finished=lambda s: s.cursor[mending.LEFT] == 0,
        )
        self.run.drive([stream], phase="repair")
        done = work.cursor
        return state.labels.copy(), int(done[mending.MERGED]), int(done[mending.TAKEN])

    def improve(self, labels: NDArray[np.int64]) -> tuple[NDArray[np.int64], int, int]:
        """Labels after the admissible search, iterations made and accepted."""
        from coterie.kernels import descent, draws, groups, growth, moves, regrouping

        n = len(self.points)
        labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
        state = groups.groups(self.points, labels, self.k, n)
        slots = len(state.size)
        plan = descent.descent(slots, False)
        descent.target_all(plan, int(state.cursor[groups.COUNT]))
        pair = moves.pair(n)
        words = draws.seeded(self.run.seed.spawn(1)[0])
        work = regrouping.regrouping(growth.growth(self.points, self.rules), n, slots)

        def step(_: Any, budget: int) -> int:
            return int(regrouping.step(plan, state, pair, self.rules, words, work, budget))

        total = float(np.square(self.points - self.points.mean(axis=0)).sum())

        def barrier(_: int) -> float:
            return 100.0 * float(state.sums[0] + state.sums[1]) / total if total > 0 else 0.0

        def falls(_: Any) -> bool:
            return bool(work.cursor[regrouping.DESCENDING] == 0)

        drive = self.run.drive(
            [KernelStream(step, work, finished=falls)],
            phase="admissible descent",
            epoch=EPOCH,
            barrier=barrier,
            anytime=True,
            iterations=math.inf,
        )
        if drive.ended == "finished":
            limited = self.run.time_limit is not None or self.run.iterations is not None
            groups_now = int(state.cursor[groups.COUNT])
            self.run.drive(
                [KernelStream(step, work, finished=lambda _: groups_now < 1)],
                phase="admissible regrouping",
                epoch=EPOCH,
                barrier=barrier,
                anytime=True,
                iterations=None if limited else max(1000, 3 * groups_now),
            )
        groups.keep(state) if drive.ended != "finished" else groups.restore(state)
        done = work.cursor
        return (
            state.kept.copy(),
            int(done[regrouping.ITERATIONS]),
            int(done[regrouping.ACCEPTED]),
        )
