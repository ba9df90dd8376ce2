"""Windows: the records of some neighbouring groups, re-grouped as well as can be; all else stays.

A window of some hundred records is a problem of its own that column generation and an integer
program solve to the optimum or close to it, whatever the number of records outside. What is found
replaces the window's groups only where it is better, so a sweep of windows never worsens a
partition.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.core import Outcome, TracePoint
from coterie.partitioning.driver import Run
from coterie.partitioning.exact.branching import ColumnsOptions, optimise_by_columns
from coterie.partitioning.exact.relaxation import cost_of, no_larger
from coterie.partitioning.exact.solver import highs
from coterie.partitioning.problem import Problem

__all__ = ["WindowsOptions", "improve_by_windows", "regroup", "window_of"]


WITHIN = ColumnsOptions(pool=12, nodes=200, listed=10_000, rounds=8)


@dataclass(frozen=True)
class WindowsOptions:
    """Size of a window in records, and the most sweeps over all groups."""

    size: int = 90
    sweeps: int = 20
    columns: ColumnsOptions = WITHIN


def improve_by_windows(
    problem: Problem,
    run: Run,
    labels: NDArray[np.int64],
    options: WindowsOptions | None = None,
) -> Outcome:
    """Sweep windows over a partition until none improves it or the time is up.

    A sweep draws the centres of its windows in an order of its own (from the seed of `run`); a
    group that stood in the inner part of a window is no centre in that sweep, and windows of which
    nothing changed since they were last solved in vain are left out. Ctrl-C ends it with the best
    so far.
    """
    highs()
    options = options or WindowsOptions()
    labels = no_larger(problem, labels)
    rng = np.random.default_rng(run.seed.spawn(1)[0])
    trace = [TracePoint(0, run.seconds, cost_of(problem, labels))]
    stale: set[bytes] = set()  # windows solved in vain: their records, grouped as they were
    interrupted = False
    solved = 0
    try:
        for _ in range(options.sweeps):
            gained = False
            waiting = rng.permutation(labels.max() + 1).tolist()
            covered: set[int] = set()
            while waiting and not run.out_of_time:
                centre = waiting.pop()
                if centre in covered:
                    continue
                groups = window_of(problem, labels, centre, options.size)
                covered.update(groups[: len(groups) // 3].tolist())
                rows = np.flatnonzero(np.isin(labels, groups))
                key = rows.tobytes() + _partners(labels, rows).tobytes()
                if key in stale:
                    continue
                better = regroup(problem, run, labels, rows, options.columns)
                solved += 1
                if better is None:
                    stale.add(key)
                    continue
                labels, gained = better, True
                waiting = [c for c in waiting if c <= labels.max()]
                trace.append(TracePoint(solved, run.seconds, cost_of(problem, labels)))
            if not gained or run.out_of_time:
                break
    except KeyboardInterrupt:
        interrupted = True
    return Outcome(labels, trace=tuple(trace), interrupted=interrupted)


def regroup(
    problem: Problem,
    run: Run,
    labels: NDArray[np.int64],
    rows: NDArray[np.int64],
    options: ColumnsOptions,
) -> NDArray[np.int64] | None:
    """The partition with the groups of `rows`, whole ones, formed anew; None if none is better."""
    part = Problem(problem.values[rows], problem.points[rows], problem.scale, problem.k)
    before = np.unique(labels[rows], return_inverse=True)[1]
    outcome = optimise_by_columns(part, run, options, start=before)
    if outcome.interrupted:
        raise KeyboardInterrupt
    old, new = cost_of(part, before), cost_of(part, outcome.labels)
    if not new < old * (1 - 1e-9):
        return None
    result = labels.copy()
    result[rows] = outcome.labels + labels.max() + 1
    return np.unique(result, return_inverse=True)[1].astype(np.int64)


def window_of(
    problem: Problem, labels: NDArray[np.int64], centre: int, size: int
) -> NDArray[np.int64]:
    """The group `centre` and the groups nearest to it, nearest first, of about `size` records."""
    sizes = np.bincount(labels)
    centroids = np.empty((len(sizes), problem.d))
    for a in range(problem.d):
        centroids[:, a] = np.bincount(labels, problem.points[:, a]) / sizes
    distance = np.square(centroids - centroids[centre]).sum(axis=1)
    distance[centre] = -1.0
    order = np.argsort(distance, kind="stable")
    inside = np.cumsum(sizes[order]) <= max(size, 2 * int(sizes[centre]))
    inside[0] = True
    return order[inside]


def _partners(labels: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Labels of `rows` numbered by first appearance: equal for equal groupings."""
    _, first, inverse = np.unique(labels[rows], return_index=True, return_inverse=True)
    return first[inverse]
