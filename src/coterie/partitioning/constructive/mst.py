"""M-d: parts of the minimum spanning tree, large ones split by MD."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.numbers.renumber import renumber
from coterie.partitioning.constructive.md import MdOptions, md
from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.problem import Problem

__all__ = ["MstOptions", "mst", "tree_parts"]


@dataclass(frozen=True)
class MstOptions:
    """It has none."""


def mst(problem: Problem, run: Run, options: MstOptions) -> Outcome:
    """Cut the long edges of the minimum spanning tree, then split parts of 2k or more by MD.

    Edges are visited from the longest to the shortest; an edge is cut if it leaves at least k
    records on either side.

    References
    ----------
    Laszlo, Mukherjee (2005), "Minimum spanning tree partitioning algorithm for microaggregation",
    IEEE TKDE 17(7):902-911: there M-d, with the diameter-based method for large parts.
    """
    labels = tree_parts(problem, run)
    count = int(labels.max()) + 1
    members = np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels))[:-1])
    for part in members:
        if len(part) >= 2 * problem.k:
            points = problem.points[part]
            inner = Problem(points, points, 1.0, problem.k)
            split = md(inner, run, MdOptions(ending="one-by-one")).labels
            labels[part] = np.where(split == 0, labels[part], count + split)
            count += int(split.max()) + 1
    return Outcome(labels)


def tree_parts(problem: Problem, run: Run) -> NDArray[np.int64]:
    """The part of the cut tree that holds each record, numbered from 0."""
    from coterie.kernels.constructive import mst as kernel

    n = problem.n
    grown = kernel.tree(problem.points)
    stream = KernelStream(
        kernel.step_tree,
        grown,
        finished=lambda s: s.rest.size[0] == 0,
        share=lambda s: 1.0 - (s.rest.size[0] / n) ** 2,
    )
    run.drive([stream], phase="tree")
    state = kernel.cuts(grown, problem.k)
    stream = KernelStream(
        kernel.step_cuts,
        state,
        finished=lambda s: s.cursor[0] == len(s.order),
        share=lambda s: s.cursor[0] / max(len(s.order), 1),
    )
    run.drive([stream], phase="cuts")
    # Follow the edges that are left to the root of each part, twice as far at every turn.
    root = np.where(state.parent < 0, np.arange(n), state.parent)
    while (root != root[root]).any():
        root = root[root]
    return renumber(root)
