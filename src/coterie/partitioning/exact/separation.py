"""Wider cuts: rows over four records and more that a fractional solution violates.

Where no triple is violated any more, others may be: of five records, with divisor 2, a partition
counts at most two. Kinds of cut, a divisor and weights, are tried one after the other, each by local
searches from pairs of records that the solution puts together with a part of their weight.

References
----------
Pecin, Pessoa, Poggi, Uchoa (2017), Mathematical Programming Computation 9:61-100, for the kinds with
four and five records.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import KernelStream, Run
from coterie.partitioning.exact.cuts import LEAST, Cuts

__all__ = ["KINDS", "violated_cuts"]

KINDS = (
    (2, (1, 1, 1)),
    (3, (2, 1, 1, 1)),
    (2, (1, 1, 1, 1, 1)),
    (3, (1, 1, 1, 1, 1)),
    (3, (2, 2, 1, 1, 1)),
    (4, (2, 2, 1, 1, 1)),
    (4, (3, 1, 1, 1, 1)),
    (4, (3, 3, 2, 2, 1)),
    (5, (3, 2, 2, 1, 1)),
    (2, (1, 1, 1, 1, 1, 1, 1)),
    (3, (2, 2, 2, 1, 1)),
    (3, (2, 1, 1, 1, 1, 1, 1)),
    (3, (1, 1, 1, 1, 1, 1, 1, 1)),
    (4, (2, 1, 1, 1, 1, 1)),
    (4, (1, 1, 1, 1, 1, 1, 1)),
    (5, (2, 2, 2, 1, 1, 1)),
    (2, (1, 1, 1, 1, 1, 1, 1, 1, 1)),
)
PAIRS = 6  # records that each one is begun with, those with which it shares the most weight
USES = 3  # cuts of one round that may hold a record


def violated_cuts(
    members: NDArray[np.integer],
    weights: NDArray[np.float64],
    most: int,
    worth: NDArray[np.float64],
    run: Run,
    kinds: tuple = KINDS,
) -> Cuts:
    """Up to `most` cuts that the solution violates, the worst first.

    As in `coterie.partitioning.exact.cuts.violated_triples`, of which this is the extension.
    """
    from coterie.kernels.exact import separation as kernel

    fractional = (weights > 1e-6) & (weights < 1 - 1e-6)
    members, weights = members[fractional], weights[fractional]
    n = len(worth)
    starts = _starts(members, weights)
    states = [kernel.separation(members, weights, n, w, q, starts) for q, w in kinds]

    def ended(state: Any) -> bool:
        return run.out_of_time or bool(state.cursor[0] == len(state.starts))

    run.drive([KernelStream(kernel.step, state, ended, _done) for state in states], phase="cuts")
    found: dict[tuple[int, tuple[tuple[int, int], ...]], float] = {}
    for state, (divisor, given) in zip(states, kinds, strict=True):
        violation = state.left - sum(given) // divisor
        for place in np.flatnonzero(violation > LEAST):
            records = state.found[place].tolist()
            key = divisor, tuple(sorted(zip(records, given, strict=True)))
            value = sum(w * worth[r] for r, w in key[1]) / divisor
            found[key] = float(violation[place]) * (value if value > 0 else 1e-12)
    ranked = sorted(found, key=lambda key: (-round(found[key], 9), key))
    uses = np.zeros(n, dtype=np.int64)
    width = max(len(given) for _, given in kinds)
    rows, given, divisors = [], [], []
    for divisor, cut in ranked:
        records = [r for r, _ in cut]
        if len(rows) < most and uses[records].max() < USES:
            uses[records] += 1
            behind = width - len(cut)
            rows.append(records + [-1] * behind)
            given.append([w for _, w in cut] + [0] * behind)
            divisors.append(divisor)
    shape = (len(rows), width)
    return Cuts(
        np.array(rows, dtype=np.int64).reshape(shape),
        np.array(given, dtype=np.int64).reshape(shape),
        np.array(divisors, dtype=np.int64),
        np.zeros(len(rows)),
    )


def _done(state: Any) -> float:
    return float(state.cursor[0] / max(len(state.starts), 1))


def _starts(members: NDArray[np.integer], weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Pairs of records in both orders: each with those that share the most weight with it."""
    share: dict[int, dict[int, float]] = {}
    for row, weight in zip(members.tolist(), weights.tolist(), strict=True):
        group = [r for r in row if r >= 0]
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
