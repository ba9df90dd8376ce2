"""ILSM and ILSMC: iterated local search, a group less or more each time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import ParameterError
from coterie.partitioning.core import Outcome, Trace
from coterie.partitioning.driver import Run
from coterie.partitioning.options import flag, integer, name_of, number, one_of
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.descent import Descent, Kernels, begin, epoch_length
from coterie.partitioning.search.start import (
    StartMethod,
    first_labels,
    group_counts,
    largest,
    scattered,
)
from coterie.partitioning.search.stop import Stop

__all__ = ["IteratedOptions", "ilsm", "ilsmc"]


@dataclass(frozen=True)
class IteratedOptions:
    """How ILSM and ILSMC perturb, accept and stop.

    start
        ``"random"``, as published, or a constructive or path method, whose options are given
        beside these.
    dissolve, samples
        The group to dissolve: ``"uniform"``, any; ``"biased"``, that of largest SSE among
        `samples` (5) drawn.
    accept, probability, temperature
        What happens to a local optimum that is no better than the best: ``"static"``, the search
        goes on from it with a fixed `probability` (0.8); ``"dynamic"``, with probability
        exp(-loss / (`temperature` * best)) (1e-5); ``"better"``, never.
    min_groups
        A partition of so many groups is not dissolved; by default the top quintile of the
        possible numbers.
    limit
        True: no group grows beyond 2k-1. The published searches have no such limit.
    streams
        Independent searches; the best one counts. Threads share them out.
    target, patience
        Stop at this information loss in percent, or after so many iterations without improvement.
        Without these, `iterations` and `time_limit`, a stream stops after 5000 iterations.
    """

    start: str = name_of("random", "'random' or the name of a constructive or path method")
    dissolve: str = one_of("uniform", "biased")
    samples: int | None = integer(None)
    accept: str = one_of("static", "dynamic", "better")
    probability: float | None = number(None, 0.0, 1.0)
    temperature: float | None = number(None, 0.0, open_low=True)
    min_groups: int | None = integer(None)
    limit: bool = flag(False)
    streams: int = integer(1)
    target: float | None = number(None, 0.0, 100.0)
    patience: int | None = integer(None)


def ilsm(problem: Problem, run: Run, options: IteratedOptions, start: StartMethod) -> Outcome:
    """Dissolve a group or distill a new one, descend by LS over all pairs, accept or return.

    O(g^2 d) for an iteration with g groups of d attributes.

    References
    ----------
    Laszlo, Mukherjee (2015), J. Systems and Software 100:15-26; Bierman (2020), Improvements to
    iterated local search for microaggregation, chapter 3, `ILSM`.
    """
    return _iterate(problem, run, options, start, "ilsm")


def ilsmc(problem: Problem, run: Run, options: IteratedOptions, start: StartMethod) -> Outcome:
    """As `ilsm`, but each descent visits only pairs with a group changed just before.

    O(c g d) for an iteration that changes c groups, and O((n - g k) k d) for distilling.

    References
    ----------
    Bierman (2020), Improvements to iterated local search for microaggregation, chapter 3,
    `ILSMC`, `bDissolve` and `dAcceptanceCriterion`.
    """
    return _iterate(problem, run, options, start, "ilsmc")


class _Walk:
    """One search as a stream; a unit of work is an iteration.

    A step ends after so many `visits` of targets, within an iteration if need be.
    """

    def __init__(self, state: Any, visits: int) -> None:
        self.state = state
        self.visits = visits
        self.halted = False

    @property
    def done(self) -> bool:
        from coterie.kernels.search import iterated

        return self.halted or self.state.cursor[iterated.STOPPED] == 1

    @property
    def progress(self) -> float | None:
        return None

    def step(self, budget: int) -> int:
        from coterie.kernels.search import iterated

        return int(iterated.step(self.state, budget, self.visits))

    @property
    def sse(self) -> float:
        return float(self.state.groups.sums[2] + self.state.groups.sums[3])


def _iterate(
    problem: Problem, run: Run, options: IteratedOptions, start: StartMethod, name: str
) -> Outcome:
    from coterie.kernels.base import draws
    from coterie.kernels.search import iterated

    criterion, setting = _acceptance(options, name)
    samples = _samples(options, name)
    least, most = group_counts(problem, options.limit, options.min_groups, name)
    if problem.n < 2 * problem.k:
        return Outcome(np.zeros(problem.n, dtype=np.int64))
    first = first_labels(problem, run, start)
    seeds = run.seed.spawn(options.streams)
    trace = Trace(problem, run)
    stop = Stop.of(run, options.target, options.patience, trace.spread)

    begun: dict[int, Kernels] = {}

    def make(number: int) -> Kernels:
        words = draws.seeded(seeds[number])
        labels = scattered(problem, words, options.limit, least, most) if first is None else first
        room = largest(problem, options.limit)
        begun[number] = begin(problem, labels, words, most=room, every=name == "ilsm")
        return begun[number]

    # First each stream's way down to a local optimum; the time limit holds there too.
    drive = run.drive(
        [Descent([number], make) for number in range(options.streams)],
        phase="lsc" if name == "ilsmc" else "ls",
        epoch=epoch_length(problem, 2**19),
        anytime=True,
        iterations=math.inf,
    )
    if drive.ended != "finished":
        found = min(begun, key=lambda number: (begun[number].sse, number))
        trace.note(0, begun[found].sse)
        return Outcome(
            begun[found].groups.labels,
            trace=trace.points,
            epochs=drive.epochs,
            interrupted=drive.ended == "interrupted",
        )

    rules = iterated.IteratedRules(
        least=least,
        most=most,
        samples=samples,
        criterion=criterion,
        setting=setting,
        goal=stop.goal,
        patience=stop.patience,
    )
    visits = epoch_length(problem, 2**21)  # well below 0.1 s
    walks = [
        _Walk(iterated.iterated(one.plan, one.groups, one.pair, one.words, rules), visits)
        for one in map(begun.__getitem__, range(options.streams))
    ]

    def barrier(iterations: int) -> float:
        best = min(walk.sse for walk in walks)
        for walk in walks:
            walk.halted = best <= stop.goal
        return trace.note(iterations, best)

    barrier(0)
    drive = run.drive(
        walks,
        phase=name,
        epoch=min(100, epoch_length(problem, 2**17)),
        barrier=barrier,
        anytime=True,
        iterations=stop.iterations,
    )
    winner = min(range(len(walks)), key=lambda s: (walks[s].sse, s))
    labels: NDArray[np.int64] = walks[winner].state.groups.kept
    return Outcome(
        labels,
        trace=trace.points,
        epochs=drive.epochs,
        interrupted=drive.ended == "interrupted",
    )


def _acceptance(options: IteratedOptions, name: str) -> tuple[int, float]:
    """The kernel's number of the criterion, and its probability or temperature."""
    from coterie.kernels.search import accept

    for option, owner in (("probability", "static"), ("temperature", "dynamic")):
        if getattr(options, option) is not None and options.accept != owner:
            raise _without_effect(option, f"accept={owner!r}", name)
    if options.accept == "static":
        return accept.STATIC, 0.8 if options.probability is None else options.probability
    if options.accept == "dynamic":
        return accept.DYNAMIC, 1e-5 if options.temperature is None else options.temperature
    return accept.BETTER, 0.0


def _samples(options: IteratedOptions, name: str) -> int:
    if options.dissolve == "biased":
        return 5 if options.samples is None else options.samples
    if options.samples is not None:
        raise _without_effect("samples", "dissolve='biased'", name)
    return 1


def _without_effect(option: str, owner: str, name: str) -> ParameterError:
    return ParameterError(
        f"The {option!r} option of method {name!r} has an effect only with {owner}. Leave it out "
        f"or add {owner}."
    )
