"""Wider cuts: rows over any number of records that a fractional solution violates.

Where no triple is violated any more, others may be: of five records, with divisor 2, a partition
counts at most two. They are sought for one divisor after the other, from every record that the
solution shares out among groups; see `coterie.kernels.exact.separation`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.exact.cuts import Cuts

__all__ = ["violated_cuts"]

DIVISORS = (2, 3, 4, 5)
WIDTH = 15  # records of a cut
MOVES = 40
LEAST = 0.01  # violation worth a row
USES = 3  # cuts of one round that may hold a record


def violated_cuts(
    members: NDArray[np.integer],
    weights: NDArray[np.float64],
    most: int,
    worth: NDArray[np.float64],
    run: Run,
) -> Cuts:
    """Up to `most` cuts that the solution violates, the worst first.

    Ranked as by `coterie.partitioning.exact.cuts.violated_triples`; none if the time was up.
    """
    from coterie.kernels.exact import separation as kernel

    fractional = (weights > 1e-6) & (weights < 1 - 1e-6)
    members, weights = members[fractional], weights[fractional]
    starts = np.unique(members[members >= 0])
    states = [
        kernel.separation(members, weights, len(worth), divisor, starts, WIDTH, MOVES)
        for divisor in DIVISORS
    ]

    def ended(state: Any) -> bool:
        return run.out_of_time or bool(state.cursor[kernel.NEXT] == len(state.starts))

    run.drive([KernelStream(kernel.step, state, ended) for state in states], phase="cuts")
    if run.out_of_time:  # what was cut short would not be the same the next time
        return Cuts.none()
    found: dict[tuple[int, tuple[tuple[int, int], ...]], float] = {}
    for state in states:
        for place in np.flatnonzero(state.violation > LEAST).tolist():
            given = zip(state.found[place].tolist(), state.weights[place].tolist(), strict=True)
            cut = tuple(sorted((record, weight) for record, weight in given if weight > 0))
            value = sum(weight * worth[record] for record, weight in cut)
            value /= sum(weight for _, weight in cut)
            found[state.divisor, cut] = float(state.violation[place]) * value
    return _chosen(found, most, len(worth))


def _chosen(found: dict[tuple[int, tuple[tuple[int, int], ...]], float], most: int, n: int) -> Cuts:
    """The worst, no record in more than a few: what they cut off overlaps."""
    uses = np.zeros(n, dtype=np.int64)
    cuts = []
    for divisor, cut in sorted(found, key=lambda key: (-round(found[key], 9), key)):
        records = [record for record, _ in cut]
        if len(cuts) < most and uses[records].max() < USES:
            uses[records] += 1
            cuts.append((divisor, cut))
    width = max([3, *(len(cut) for _, cut in cuts)])
    records, weights = np.full((len(cuts), width), -1), np.zeros((len(cuts), width), dtype=np.int64)
    for row, (_, cut) in enumerate(cuts):
        records[row, : len(cut)] = [record for record, _ in cut]
        weights[row, : len(cut)] = [weight for _, weight in cut]
    divisors = np.array([divisor for divisor, _ in cuts], dtype=np.int64)
    return Cuts(records, weights, divisors, np.zeros(len(cuts)))
