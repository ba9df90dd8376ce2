"""MDAV, the maximum distance to average vector heuristic."""

from __future__ import annotations

from dataclasses import dataclass

from coterie.partitioning.constructive.leftovers import place
from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import Run
from coterie.partitioning.options import one_of
from coterie.partitioning.problem import Problem
from coterie.partitioning.streams import leaving

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
    from coterie.kernels.constructive import mdav as kernel

    k = problem.k
    enough = 3 * k if options.ending == "last-group" else 2 * k
    state = kernel.mdav(problem.points, k, enough)
    stream = leaving(kernel.step, state, lambda s: s.cursor[kernel.PHASE] == kernel.DONE)
    run.drive([stream], phase="mdav")
    place(problem, state.labels, together=options.ending == "together")
    first = int(state.cursor[kernel.FIRST])
    return Outcome(state.labels, first=first if first >= 0 else None)
