"""ICSM, iterative constraint satisfaction: exchanges, migrations, cyclic shifts, better cuts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import ParameterError
from coterie.partitioning.core import Outcome, Trace
from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.options import integer, name_of
from coterie.partitioning.path.groups import order_groups
from coterie.partitioning.path.mhm import cut_tour
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.descent import Found, best_of
from coterie.partitioning.search.start import StartMethod, first_labels, group_counts, scattered

__all__ = ["IcsmOptions", "icsm"]

STREAMS = 8  # as for local search: who takes which start is no matter
SHAKEN = 20  # records


@dataclass(frozen=True)
class IcsmOptions:
    """Where ICSM begins, and how much it changes in a round.

    start
        ``"mdav"``, as published, another constructive or path method, or ``"random"``. Options of
        that method are given beside these: ``ending="one-by-one"`` is Algorithm 1 to the letter.
    pool
        Improvements collected in a round, of which those that share no group are made (100).
    restarts
        Further searches from perturbed copies of the start, or from other random partitions; the
        best one counts.
    shaken
        Most records whose group is changed in a perturbed copy (20).
    """

    start: str = name_of("mdav", "'random' or the name of a constructive or path method")
    pool: int = integer(100)
    restarts: int = integer(0, at_least=0)
    shaken: int | None = integer(None, at_least=2)


def icsm(problem: Problem, run: Run, options: IcsmOptions, start: StartMethod) -> Outcome:
    """Cut a tour through the groups anew, make the best exchanges and migrations, and so on.

    A round orders the records group by group, cuts that tour optimally, and makes up to `pool`
    exchanges and migrations. When a round changes nothing, the best cyclic shift of records over
    several groups is made; when there is none, the search ends. An iteration is a round. O(n^2) for
    a round, memory O(n k). Groups have k..2k-1 records.

    References
    ----------
    Mortazavi, Jalili (2015), "A novel local search method for microaggregation", ISeCure 7(1),
    Algorithms 2 to 5; restarts: section 5.3.
    """
    from coterie.kernels.base import draws

    if options.shaken is not None and (options.restarts == 0 or start is None):
        raise ParameterError(
            "The 'shaken' option of method 'icsm' needs restarts and a start that is not random. "
            f"Got restarts={options.restarts}, start={options.start!r}; leave it out."
        )
    shaken = SHAKEN if options.shaken is None else options.shaken
    if problem.n < 2 * problem.k:
        return Outcome(np.zeros(problem.n, dtype=np.int64))
    first = first_labels(problem, run, start)
    seeds = run.seed.spawn(options.restarts + 1)
    least, most = group_counts(problem, True, None)

    def make(number: int) -> NDArray[np.int64]:
        words = draws.seeded(seeds[number])
        if first is None:
            return scattered(problem, words, True, least, most)
        return first if number == 0 else _shaken(problem, first, words, shaken // 2)

    count = options.restarts + 1
    streams = [
        _Rounds(
            problem, options.pool, [(r, make) for r in range(count)[s::STREAMS]], run.iterations
        )
        for s in range(min(count, STREAMS))
    ]
    trace = Trace(problem, run)

    def barrier(units: int) -> float:
        return trace.note(sum(s.improved for s in streams), best_of(streams).sse)

    drive = run.drive(
        streams, phase="icsm", epoch=1, barrier=barrier, anytime=True, iterations=math.inf
    )
    return Outcome(
        best_of(streams).labels,
        trace=trace.points,
        epochs=drive.epochs,
        interrupted=drive.ended == "interrupted",
    )


class _Rounds:
    """Searches one after another as a stream; a unit of work is a round."""

    def __init__(
        self, problem: Problem, pool: int, starts: Sequence[tuple], rounds: int | None
    ) -> None:
        self.problem = problem
        self.pool = pool
        self.starts = list(starts)
        self.limit = math.inf if rounds is None else rounds
        self.rounds = 0
        self.improved = 0
        self.at = 0
        self.now: Found | None = None
        self.best: Found | None = None

    @property
    def done(self) -> bool:
        return self.at == len(self.starts)

    @property
    def progress(self) -> float | None:
        return None

    @property
    def found(self) -> Found | None:
        ranked = [one for one in (self.best, self.now) if one is not None]
        return min(ranked, key=lambda one: one.rank, default=None)

    def step(self, budget: int) -> int:
        if self.now is None:
            number, make = self.starts[self.at]
            self.now = _judged(self.problem, make(number), number)
            self.rounds = 0
        if budget == 0:
            _compile(self.problem, self.pool)
            return 0
        # A round that does not lower the SSE of the labels, computed anew each time, is the last:
        # no partition can come twice.
        before, number = self.now, self.now.number
        self.now = _judged(self.problem, recut(self.problem, self.now.labels), number)
        self.now = _judged(self.problem, exchange(self.problem, self.now.labels, self.pool), number)
        if not _less(self.now.sse, before.sse):
            self.now = _judged(self.problem, cycle(self.problem, self.now.labels), number)
        self.rounds += 1
        better = _less(self.now.sse, before.sse)
        self.improved += better
        if self.now.sse > before.sse:
            self.now = before
        if not better or self.rounds >= self.limit:
            self.best = self.found
            self.at += 1
            self.now = None
        return 1


def recut(problem: Problem, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """A tour through the groups, cut anew as well as can be (Algorithm 2, lines 5 and 6)."""
    run = Run()
    sequence = order_groups(problem.points, Outcome(labels), run)
    new = np.empty_like(labels)
    new[sequence] = cut_tour(problem.points[sequence], problem.k, run)
    return new


def exchange(problem: Problem, labels: NDArray[np.int64], pool: int) -> NDArray[np.int64]:
    """Make the best exchanges and migrations of a pool that share no group (Algorithm 3)."""
    from coterie.kernels.search import exchange as kernel

    state = kernel.exchange(_groups(problem, labels), pool)
    stream = KernelStream(
        kernel.step,
        state,
        finished=lambda s: s.cursor[kernel.AT] == problem.n or s.cursor[kernel.FOUND] == pool,
    )
    Run().drive([stream], phase="exchange")
    old = state.groups.labels
    new = old.copy()
    changed: set[int] = set()
    for at in np.argsort(state.change[: state.cursor[kernel.FOUND]], kind="stable"):
        x, y, taker = int(state.first[at]), int(state.second[at]), int(state.group[at])
        giver = int(old[x])
        if not changed & {giver, taker}:
            changed |= {giver, taker}
            new[x] = taker
            if y >= 0:
                new[y] = giver
    return new


def cycle(problem: Problem, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Make the best cyclic shift through the group of lowest score (Algorithm 4)."""
    from coterie.kernels.search import cycles as kernel

    groups = _groups(problem, labels)
    count = int(groups.cursor[0])
    first = int(score(groups.centroids[:count], groups.size[:count], groups.sse[:count]).argmin())
    distance = np.square(groups.centroids[:count] - groups.centroids[first]).sum(axis=1)
    distance[first] = -1.0  # before groups with the same centroid
    state = kernel.cycles(groups, np.argsort(distance, kind="stable"))
    stream = KernelStream(kernel.step, state, finished=lambda s: s.cursor[0] == count)
    Run().drive([stream], phase="cycles")
    new = groups.labels.copy()
    source, node = int(state.found[0]), int(state.found[1])
    if node < 0:
        return new
    # Backwards along the path: each record moves on to the group of the node after it.
    after = int(groups.labels[state.order[0]])
    while node >= 0:
        here = int(groups.labels[node]) if node < problem.n else node - problem.n
        if node < problem.n:
            new[node] = after
        after, node = here, int(state.before[node, source])
    return new


def score(
    centroids: NDArray[np.float64], size: NDArray[np.int64], sse: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Equation 7 for each group: how its records fit elsewhere, less how others fit into it.

    The sum of R1 over all x of one group and y of another, of p and q records and at squared
    distance D, is ``-2 p S + (q - 1) / q (q R + p S + p q D)`` with R and S the groups' SSE: this
    takes O(g^2 d) in place of O(n^2 d).
    """
    p = size.astype(np.float64)
    keep = (p - 1.0) / p
    result = np.empty(len(p))
    for g in range(len(p)):
        apart = np.square(centroids - centroids[g]).sum(axis=1)
        both = p * sse[g] + p[g] * sse + p[g] * p * apart
        out = keep * both - 2.0 * p[g] * sse
        into = keep[g] * both - 2.0 * p * sse[g]
        both_ways = out - into
        both_ways[g] = 0.0
        result[g] = both_ways.sum()
    return result


def _groups(problem: Problem, labels: NDArray[np.int64]) -> Any:
    from coterie.kernels.base import groups

    return groups.groups(problem.points, labels, problem.k, 2 * problem.k - 1)


def _judged(problem: Problem, labels: NDArray[np.int64], number: int) -> Found:
    from coterie.kernels.base import groups

    return Found(float(groups.total(_groups(problem, labels))), number, labels)


def _less(new: float, old: float) -> bool:
    return new < old * (1.0 - 1e-12)


def _shaken(
    problem: Problem, labels: NDArray[np.int64], words: NDArray[np.int64], times: int
) -> NDArray[np.int64]:
    """The partition with up to `times` pairs of records exchanged at random."""
    from coterie.kernels.search import perturb

    groups = _groups(problem, labels)
    perturb.exchange_some(groups, words, times)
    return groups.labels


def _compile(problem: Problem, pool: int) -> None:
    """Run every kernel on a few records."""
    from coterie.kernels.base import draws

    few = min(problem.n, 12)
    small = Problem(problem.values[:few], problem.points[:few], problem.scale, 2)
    labels = np.arange(few) // 2 % (few // 2)
    cycle(small, exchange(small, recut(small, labels), pool))
    words = draws.seeded(np.random.SeedSequence(0))
    _shaken(small, labels, words, 1)  # where further streams begin
