"""TFRP: groups round the records farthest from two fixed reference points, then refined."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.options import flag, one_of
from coterie.partitioning.problem import Problem
from coterie.partitioning.streams import leaving

__all__ = ["TfrpOptions", "reference_points", "refine", "tfrp"]


@dataclass(frozen=True)
class TfrpOptions:
    """What the two fixed points are, and whether the second phase is run.

    ``reference="vector"``
        The least and the greatest value of each attribute.
    ``reference="scalar"``
        The least and the greatest value of the whole table, the same for all attributes: it
        depends on how the attributes were shifted against each other, so standardize first. The
        loss that is quoted for TFRP on Tarragona and Census comes out with this one.
    """

    reference: str = one_of("vector", "scalar")
    refine: bool = flag(True)


def tfrp(problem: Problem, run: Run, options: TfrpOptions) -> Outcome:
    """Groups of k round the records farthest from either fixed point in turn, then refined.

    The first phase goes on while k records remain; the rest, fewer than k, go each to the group
    with the nearest centroid. The second phase looks at each group once, by falling SSE as the
    first phase left it: its members go each to the group with the nearest centroid, and the group
    is dissolved if the total SSE falls. A group of 2k-1 takes no more, since a larger one could be
    split at a gain; the members farthest from their own centroid choose first.

    References
    ----------
    Chang, Li, Huang (2007), "TFRP: an efficient microaggregation algorithm for statistical
    disclosure control", Journal of Systems and Software 80(11):1866-1878. The fixed points as
    vectors: Mortazavi, Jalili (2015), ISeCure 7(1), section 2; as scalars: Kabir, Wang (2011),
    "Systematic clustering-based microaggregation", section III.
    """
    from coterie.kernels.constructive import tfrp as kernel

    state = kernel.tfrp(problem.points, problem.k, reference_points(problem, options.reference))
    stream = leaving(kernel.step, state, lambda s: s.cursor[kernel.DONE] == 1)
    run.drive([stream], phase="tfrp")
    labels = refine(problem, run, state.labels) if options.refine else state.labels
    return Outcome(labels, first=int(state.order[0, 0]))


def refine(problem: Problem, run: Run, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """The second phase alone, on groups 0..g-1 of k to 2k-1 records: never a higher SSE."""
    from coterie.kernels.constructive import tfrp as kernel

    state = kernel.refining(problem.points, problem.k, labels)
    stream = KernelStream(
        kernel.step_refining,
        state,
        finished=lambda s: s.cursor[0] == len(s.order),
        share=lambda s: max(s.cursor[0], 0) / len(s.order),
    )
    run.drive([stream], phase="refine")
    return state.labels


def reference_points(problem: Problem, kind: str) -> NDArray[np.float64]:
    """The two fixed points, in the coordinates of ``problem.points``."""
    points, values = problem.points, problem.values
    ends = np.stack([points.min(axis=0), points.max(axis=0)])
    if kind == "scalar":
        # The columns were moved apart: measure from each column's own extreme.
        ends[0] -= (values.min(axis=0) - values.min()) / problem.scale
        ends[1] += (values.max() - values.max(axis=0)) / problem.scale
    return ends
