"""MDAV, the maximum distance to average vector heuristic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.options import one_of
from coterie.partitioning.problem import Problem

__all__ = ["MdavOptions", "mdav"]


@dataclass(frozen=True)
class MdavOptions:
    """How MDAV ends. The publications agree on the loop and differ in what follows it.

    ``"last-group"``
        Rounds while at least 3k records remain; from 2k on one more group round the record
        farthest from the centroid; the rest, k to 2k-1 records, is the last group.
    ``"one-by-one"``
        Rounds while at least 2k remain; a rest of k or more is the last group, fewer go each to
        the group with the nearest centroid.
    ``"together"``
        As before, but fewer than k go all to the group whose centroid is nearest to theirs.
    """

    ending: str = one_of("last-group", "one-by-one", "together")


def mdav(problem: Problem, run: Run, options: MdavOptions) -> Outcome:
    """Two groups a round, round the record r farthest from the centroid and s, farthest from r.

    References
    ----------
    Hundepool et al. (2003), mu-Argus version 3.2 user's manual.
    Kabir, Wang (2011), "Systematic clustering method for microaggregation", section III: the
    ending ``"last-group"``.
    Mortazavi, Jalili (2015), ISeCure 7(1), Algorithm 1: ``"one-by-one"``.
    Domingo-Ferrer et al. (2006), VLDB Journal 15:355-369, section 4.2.3: ``"together"``.
    """
    from coterie.kernels import mdav as kernel

    n, k = problem.n, problem.k
    enough = 3 * k if options.ending == "last-group" else 2 * k
    state = kernel.mdav(problem.points, k, enough)
    stream = KernelStream(
        kernel.step,
        state,
        finished=lambda s: s.cursor[kernel.PHASE] == kernel.DONE,
        share=lambda s: 1.0 - (s.rest.size[0] / n) ** 2,  # a pass gets cheaper as records leave
    )
    run.drive([stream], phase="mdav")
    labels = state.labels
    left = np.flatnonzero(labels < 0)
    if len(left):
        end(problem, labels, left, int(state.cursor[kernel.GROUPS]), options.ending)
    first = int(state.cursor[kernel.FIRST])
    return Outcome(labels, first=first if first >= 0 else None)


def end(
    problem: Problem,
    labels: NDArray[np.int64],  # out
    left: NDArray[np.int64],
    groups: int,
    ending: str,
) -> None:
    """Place the records that the loop left over: a group of their own, or into the nearest ones."""
    if len(left) >= problem.k:
        labels[left] = groups
        return
    grouped = np.flatnonzero(labels >= 0)
    members = grouped[np.argsort(labels[grouped], kind="stable")]
    # Every group has exactly k members at this point.
    centroids = problem.points[members].reshape(groups, problem.k, -1).mean(axis=1)
    guests = problem.points[left]
    if ending == "together":
        guests = guests.mean(axis=0, keepdims=True)
    for guest, rows in zip(guests, np.array_split(left, len(guests)), strict=True):
        labels[rows] = np.square(centroids - guest).sum(axis=1).argmin()
