"""LS and LSC: swaps and shifts between pairs of groups until none improves."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from coterie.partitioning.core import Outcome, Trace
from coterie.partitioning.driver import Run
from coterie.partitioning.options import flag, integer, name_of
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.descent import Descent, Kernels, begin, best_of, epoch_length
from coterie.partitioning.search.start import (
    StartMethod,
    first_labels,
    group_counts,
    largest,
    scattered,
)

__all__ = ["LocalSearchOptions", "ls", "lsc"]

STREAMS = 8  # starts are dealt out to this many; each has its own seed, so the number is no matter


@dataclass(frozen=True)
class LocalSearchOptions:
    """Where LS and LSC begin, and how often.

    start
        ``"random"``, as published, or a constructive or path method, whose options are given
        beside these.
    restarts
        Further descents, each from a random partition of its own (or from `start`, the pairs
        visited in another order); the best one counts.
    limit
        True: no group grows beyond 2k-1. The published searches have no such limit.
    """

    start: str = name_of("random", "'random' or the name of a constructive or path method")
    restarts: int = integer(0, at_least=0)
    limit: bool = flag(False)


def ls(problem: Problem, run: Run, options: LocalSearchOptions, start: StartMethod) -> Outcome:
    """Visit all pairs of groups in passes, swapping and shifting records wherever that gains.

    An iteration is a pass; without a limit on them the search ends when a pass changes nothing.
    O(g^2 d) for a pass over g groups of d attributes, memory O(n d).

    References
    ----------
    Laszlo, Mukherjee (2015), J. Systems and Software 100:15-26; Bierman (2020), Improvements to
    iterated local search for microaggregation, chapter 3, `LS` and `update`.
    """
    return _descend(problem, run, options, start, "ls")


def lsc(problem: Problem, run: Run, options: LocalSearchOptions, start: StartMethod) -> Outcome:
    """As `ls`, but a pass visits only pairs with a group that the pass before has changed.

    Two groups that did not change since they were visited cannot gain: the result is as good, with
    fewer tests. O(c g d) for a pass after c changed groups.

    References
    ----------
    Bierman (2020), Improvements to iterated local search for microaggregation, chapter 3, `LSC`
    and `updateC`.
    """
    return _descend(problem, run, options, start, "lsc")


def _descend(
    problem: Problem, run: Run, options: LocalSearchOptions, start: StartMethod, name: str
) -> Outcome:
    from coterie.kernels.base import draws

    if problem.n < 2 * problem.k:
        return Outcome(np.zeros(problem.n, dtype=np.int64))
    first = first_labels(problem, run, start)
    seeds = run.seed.spawn(options.restarts + 1)
    least, most = group_counts(problem, options.limit, None)

    def make(number: int) -> Kernels:
        words = draws.seeded(seeds[number])
        labels = scattered(problem, words, options.limit, least, most) if first is None else first
        room = largest(problem, options.limit)
        return begin(problem, labels, words, most=room, every=name == "ls", passes=run.iterations)

    count = options.restarts + 1
    streams = [Descent(range(count)[s::STREAMS], make) for s in range(min(count, STREAMS))]
    trace = Trace(problem, run)

    def barrier(visited: int) -> float:
        return trace.note(sum(stream.passes for stream in streams), best_of(streams).sse)

    drive = run.drive(
        streams,
        phase=name,
        epoch=epoch_length(problem, 2**19),
        barrier=barrier,
        anytime=True,
        iterations=math.inf,
    )
    barrier(0)
    return Outcome(
        best_of(streams).labels,
        trace=trace.points,
        epochs=drive.epochs,
        interrupted=drive.ended == "interrupted",
    )
