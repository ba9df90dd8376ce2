"""Shares from the prices of smaller groups; see `coterie.partitioning.exact.shares`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import Run
from coterie.partitioning.exact.beginning import first_outcome
from coterie.partitioning.exact.dual import Steps
from coterie.partitioning.exact.relaxation import Relaxation
from coterie.partitioning.exact.shares import FEWEST, extended
from coterie.partitioning.problem import Problem

__all__ = ["shares_for"]


def shares_for(problem: Problem, run: Run, steps: Steps) -> NDArray[np.float64] | None:
    """Shares of every record for up to 2k-2 others, or None where groups are small.

    From the prices of groups of 2, 3, ... k-1 records, each found with the help of those before.
    """
    k = problem.k
    if k < FEWEST:
        return None
    known = np.zeros((problem.n, 2 * k - 1))
    for size in range(2, k):
        if not steps.left(run):
            break
        part = replace(problem, k=size)
        smaller = Relaxation(part, first_outcome(part, run).labels, steps)
        smaller.start(run, known[:, : 2 * size - 1])
        smaller.ascend(run)
        found = size * smaller.safe_prices
        if found.sum() > known[:, size].sum():  # short of time, fewer records' may say more
            known[:, size] = found
            known = extended(known, size)
    return known
