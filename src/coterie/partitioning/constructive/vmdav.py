"""V-MDAV, MDAV with groups of variable size."""

from __future__ import annotations

from dataclasses import dataclass

from coterie.partitioning.constructive.leftovers import place
from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import Run
from coterie.partitioning.options import number
from coterie.partitioning.problem import Problem
from coterie.partitioning.streams import leaving

__all__ = ["VmdavOptions", "vmdav"]


@dataclass(frozen=True)
class VmdavOptions:
    """How readily a group takes more than k records.

    The record nearest to the group joins while its distance to the group is below `gain` times
    its distance to its nearest other record without a group. The authors recommend a small value
    (0.2, the default) for scattered records and a value near one (1.1) for clustered ones; 0
    never extends a group.
    """

    gain: float = number(0.2, 0.0)


def vmdav(problem: Problem, run: Run, options: VmdavOptions) -> Outcome:
    """Groups round the record farthest from the centroid of all, extended up to 2k-1 records.

    The centroid is computed once, the distance to a group is that to its nearest member. The last
    records, fewer than k, go each to the group with the nearest centroid: as published, and
    although such a group may then have up to 3k-2 records.

    References
    ----------
    Solanas, Martinez-Balleste (2006), "V-MDAV: a multivariate microaggregation with variable group
    size", 17th COMPSTAT Symposium of the IASC, Rome.
    """
    from coterie.kernels.constructive import vmdav as kernel

    state = kernel.vmdav(problem.points, problem.k, options.gain)
    stream = leaving(kernel.step, state, lambda s: s.cursor[kernel.PHASE] == kernel.DONE)
    run.drive([stream], phase="vmdav")
    place(problem, state.labels, together=False)
    return Outcome(state.labels, first=int(state.cursor[kernel.FIRST]))
