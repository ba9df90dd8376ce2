"""GSMS and GSMS-T2: groups selected one after another so that the least SSE is left."""

from __future__ import annotations

from dataclasses import dataclass

from coterie.partitioning.constructive.leftovers import place
from coterie.partitioning.constructive.tfrp import refine
from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.neighbors import nearest_neighbors
from coterie.partitioning.options import one_of
from coterie.partitioning.problem import Problem

__all__ = ["GsmsOptions", "gsms", "gsms_t2"]

LISTED = 4  # neighbors kept of each record, times k: lists that run out are rare


@dataclass(frozen=True)
class GsmsOptions:
    """Whose SSE a round makes least.

    ``"group-and-rest"``
        That of the group that goes and of the records that stay, as two groups: the group whose
        centroid lies farthest from the centroid of all that are left.
    ``"rest"``
        That of the records that stay, the description read to the letter. It sets scattered groups
        aside first, and loses more.
    """

    least: str = one_of("group-and-rest", "rest")


def gsms(problem: Problem, run: Run, options: GsmsOptions) -> Outcome:
    """A group a round: a record and the k - 1 nearest that are left, the least SSE afterwards.

    All records left are tried; of equals the lowest index counts. Rounds go on while k records are
    left; the others go each to the group with the nearest centroid.

    Time O(n^2 (d + k) / k) beyond the neighbor lists, memory O(n (d + k)).

    References
    ----------
    Panagiotakis, Tziritas (2013), "Successive group selection for microaggregation", IEEE TKDE
    25(5):1191-1195, as told by Mortazavi, Jalili (2015), ISeCure 7(1), section 2. The telling
    leaves open whether the SSE of the group that goes counts: see the options.
    """
    from coterie.kernels.constructive import gsms as kernel

    n, k = problem.n, problem.k
    lists = nearest_neighbors(problem.points, min(n - 1, max(k - 1, LISTED * k)), run)
    state = kernel.gsms(problem.points, lists.near, k, options.least == "group-and-rest")
    stream = KernelStream(
        kernel.step,
        state,
        finished=lambda s: s.cursor[kernel.LEFT] < k,
        share=lambda s: 1.0 - (s.cursor[kernel.LEFT] / n) ** 2,
    )
    run.drive([stream], phase="gsms")
    place(problem, state.labels, together=False)
    return Outcome(state.labels)


def gsms_t2(problem: Problem, run: Run, options: GsmsOptions) -> Outcome:
    """GSMS, then groups dissolved where that lowers the SSE, as in the second phase of TFRP.

    References
    ----------
    As for `gsms`; the second phase: `coterie.partitioning.constructive.tfrp.refine`.
    """
    return Outcome(refine(problem, run, gsms(problem, run, options).labels))
