"""Systematic clustering: seeds at every k-th record of a sorted table, all groups at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import Run
from coterie.partitioning.problem import Problem
from coterie.partitioning.streams import counted

__all__ = ["SystematicOptions", "systematic", "turns"]


@dataclass(frozen=True)
class SystematicOptions:
    """It has none; the seed decides in which order the records of a block join."""


def systematic(problem: Problem, run: Run, options: SystematicOptions) -> Outcome:
    """Grow floor(n / k) groups side by side, each record where it adds least to the SSE.

    Records are sorted by the sum of their deviations from the means (Eq. 2) and numbered in blocks
    of k. A random order of 1..k says which record of every block comes first: those found the
    groups; then the second of every block, and so on, each to the group whose SSE grows least. A
    group of k takes no more. What does not fill a block, fewer than k records, joins last, where
    the SSE grows least, whatever the size: no group passes 2k-1.

    The information loss of line 10 of the table is read as the increase of the SSE, and its size
    condition as the text has it: a group of exactly k is full.

    References
    ----------
    Kabir, Wang (2011), "Systematic clustering-based microaggregation for statistical disclosure
    control", section IV and Table I.
    """
    from coterie.kernels.constructive import systematic as kernel

    n = problem.n
    state = kernel.systematic(problem.points, turns(problem, run.seed), problem.k)
    stream = counted(kernel.step, state, n)
    run.drive([stream], phase="systematic")
    return Outcome(state.labels)


def turns(problem: Problem, seed: np.random.SeedSequence) -> NDArray[np.int64]:
    """Records in the order in which they join: the founders of the groups first, extras last."""
    k = problem.k
    count = problem.n // k
    # Eq. (2) less a constant: the means are the same for every record.
    order = np.argsort(problem.points.sum(axis=1), kind="stable")
    places = np.random.default_rng(seed).permutation(k)
    blocks = order[: count * k].reshape(count, k)
    return np.concatenate([blocks[:, places].T.ravel(), order[count * k :]])
