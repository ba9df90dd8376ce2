"""Wide cuts: rows over any number of records that a fractional solution violates.

Where no triple is violated any more, others may be: of five records, with divisor 2, a partition
counts at most two. Two searches find them, from every record that the solution shares out among
groups: one places records at the weights of a given kind (`coterie.kernels.exact.placement`), the
other changes weights for a given divisor (`coterie.kernels.exact.separation`). The first is better
where a few records stand apart, the second where all hang together.

References
----------
Pecin, Pessoa, Poggi, Uchoa (2017), Mathematical Programming Computation 9:61-100, for the kinds
with four and five records.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.exact.cuts import Cuts

__all__ = ["violated_cuts"]

KINDS = (  # divisor and weights, falling; one divisor less one is left over
    (2, (1, 1, 1)),
    (3, (2, 1, 1, 1)),
    (2, (1, 1, 1, 1, 1)),
    (3, (1, 1, 1, 1, 1)),
    (3, (2, 2, 2, 1, 1)),
    (4, (2, 2, 1, 1, 1)),
    (4, (3, 1, 1, 1, 1)),
    (4, (3, 3, 2, 2, 1)),
    (5, (3, 2, 2, 1, 1)),
    (4, (2, 1, 1, 1, 1, 1)),
    (5, (2, 2, 2, 1, 1, 1)),
    (2, (1, 1, 1, 1, 1, 1, 1)),
    (3, (2, 1, 1, 1, 1, 1, 1)),
    (4, (1, 1, 1, 1, 1, 1, 1)),
    (3, (1, 1, 1, 1, 1, 1, 1, 1)),
    (2, (1, 1, 1, 1, 1, 1, 1, 1, 1)),
)
PAIRS = 6  # records that each one is begun with, those with which it shares the most weight
DIVISORS = (2, 3, 4, 5)
WIDTH = 15  # records of a cut
MOVES = 40
LEAST = 0.01  # violation worth a row
USES = 3  # cuts of one round that may hold a record

Cut = tuple[int, tuple[tuple[int, int], ...]]  # divisor; records with their weights


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
    from coterie.kernels.exact import placement, separation

    fractional = (weights > 1e-6) & (weights < 1 - 1e-6)
    members, weights = members[fractional], weights[fractional]
    n = len(worth)
    pairs = _pairs(members, weights)
    records = np.unique(pairs)
    placing = [placement.placement(members, weights, n, w, q, pairs) for q, w in KINDS]
    changing = [
        separation.separation(members, weights, n, q, records, WIDTH, MOVES) for q in DIVISORS
    ]

    def ended(state: Any) -> bool:
        return run.out_of_time or bool(state.cursor[separation.NEXT] == len(state.starts))

    for kernel, states in ((placement, placing), (separation, changing)):
        run.drive([KernelStream(kernel.step, state, ended) for state in states], phase="cuts")
    if run.out_of_time:  # what was cut short would not be the same the next time
        return Cuts.none()
    found: dict[Cut, float] = {}
    for state in [*placing, *changing]:
        for place in np.flatnonzero(state.violation > LEAST).tolist():
            given = state.weights if state.weights.ndim == 1 else state.weights[place]
            placed = zip(state.found[place].tolist(), given.tolist(), strict=True)
            cut = tuple(sorted((record, weight) for record, weight in placed if weight > 0))
            value = sum(weight * worth[record] for record, weight in cut)
            value /= sum(weight for _, weight in cut)
            found[state.divisor, cut] = float(state.violation[place]) * value
    return _chosen(found, most, n)


def _pairs(members: NDArray[np.integer], weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Records in both orders, each with those that share the most weight with it."""
    share: dict[int, dict[int, float]] = {}
    for row, weight in zip(members.tolist(), weights.tolist(), strict=True):
        group = [record for record in row if record >= 0]
        for a in group:
            mine = share.setdefault(a, {})
            for b in group:
                if a != b:
                    mine[b] = mine.get(b, 0.0) + weight
    pairs = [
        (a, b)
        for a in sorted(share)
        for b in sorted(share[a], key=lambda b: (-round(share[a][b], 9), b))[:PAIRS]
    ]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _chosen(found: dict[tuple[int, tuple[tuple[int, int], ...]], float], most: int, n: int) -> Cuts:
    """The worst, no record in more than a few: what they cut off overlaps."""
    uses = np.zeros(n, dtype=np.int64)
    cuts: list[Cut] = []
    for divisor, cut in sorted(found, key=lambda key: (-round(found[key], 9), key)):
        held = [record for record, _ in cut]
        if len(cuts) < most and uses[held].max() < USES:
            uses[held] += 1
            cuts.append((divisor, cut))
    width = max([3, *(len(cut) for _, cut in cuts)])
    records, weights = np.full((len(cuts), width), -1), np.zeros((len(cuts), width), dtype=np.int64)
    for row, (_, cut) in enumerate(cuts):
        for place, (record, weight) in enumerate(cut):
            records[row, place], weights[row, place] = record, weight
    divisors = np.array([divisor for divisor, _ in cuts], dtype=np.int64)
    return Cuts(records, weights, divisors, np.zeros(len(cuts)))
