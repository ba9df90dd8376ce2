"""CBFS, the centroid-based fixed-size heuristic."""

from __future__ import annotations

from dataclasses import dataclass

from coterie.partitioning.constructive.leftovers import place
from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.options import one_of
from coterie.partitioning.problem import Problem

__all__ = ["CbfsOptions", "cbfs"]


@dataclass(frozen=True)
class CbfsOptions:
    """How CBFS ends.

    ``"one-by-one"``
        Rounds while at least k records remain; the others go each to the group with the nearest
        centroid, so that several groups may grow beyond k.
    ``"together"``
        As before, but all to the group whose centroid is nearest to theirs.
    ``"last-group"``
        Rounds while at least 2k records remain; the rest, k to 2k-1 records, is the last group.
    """

    ending: str = one_of("one-by-one", "together", "last-group")


def cbfs(problem: Problem, run: Run, options: CbfsOptions) -> Outcome:
    """One group a round: the record farthest from the centroid of those left, and its nearest.

    References
    ----------
    Laszlo, Mukherjee (2005), IEEE TKDE 17(7):902-911: ``"one-by-one"``.
    Domingo-Ferrer et al. (2006), VLDB Journal 15:355-369, section 4.2.3, as MDAV without its
    second group: ``"together"``. Its Table 4 shows a group formed of 5 records left at k = 3, so
    rounds go on below 2k.
    """
    from coterie.kernels import cbfs as kernel

    n, k = problem.n, problem.k
    state = kernel.cbfs(problem.points, k, 2 * k if options.ending == "last-group" else k)
    stream = KernelStream(
        kernel.step,
        state,
        finished=lambda s: s.rest.size[0] < s.enough,
        share=lambda s: 1.0 - (s.rest.size[0] / n) ** 2,  # a pass gets cheaper as records leave
    )
    run.drive([stream], phase="cbfs")
    place(problem, state.labels, together=options.ending == "together")
    first = int(state.cursor[kernel.FIRST])
    return Outcome(state.labels, first=first if first >= 0 else None)
