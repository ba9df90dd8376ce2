"""Cuts: triples of records that a fractional solution shares out among too many groups.

At most one group of a partition holds two or more of any three records: a row that every
partition obeys and a solution of the linear relaxation need not. Four outliers far from all else
with k = 3 are the textbook case: each three of them with weight 1/3 cover all four, at a cost no
partition can have.

References
----------
Jepsen, Petersen, Spoorendonk, Pisinger (2008), Operations Research 56(2):497-511 (subset-row
inequalities with three rows).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["violated_triples"]

LEAST = 0.02  # violation worth a row


def violated_triples(
    members: NDArray[np.integer],
    weights: NDArray[np.float64],
    most: int,
    worth: NDArray[np.float64] | None = None,
) -> NDArray[np.int64]:
    """Triples of which groups of total weight above one hold two or more, the worst first.

    `members` are the groups of a solution and `weights` their values. With the `worth` of every
    record, a triple is as bad as its violation times what its records are worth: where a few
    outliers bear most of the cost, the bound rises by theirs. No record is in more than
    three of the triples returned: what they cut off overlaps, and the next round sees the rest.
    """
    fractional = (weights > 1e-6) & (weights < 1 - 1e-6)
    groups = [row[row >= 0].tolist() for row in members[fractional]]
    share: dict[int, dict[int, float]] = {}
    for group, weight in zip(groups, weights[fractional].tolist(), strict=True):
        for a in group:
            mine = share.setdefault(a, {})
            for b in group:
                if a != b:
                    mine[b] = mine.get(b, 0.0) + weight
    triple: dict[tuple[int, int, int], float] = {}
    for group, weight in zip(groups, weights[fractional].tolist(), strict=True):
        for i, a in enumerate(group):
            for j in range(i + 1, len(group)):
                for c in group[j + 1 :]:
                    key = (a, group[j], c)
                    triple[key] = triple.get(key, 0.0) + weight
    found = {}
    for middle, mine in share.items():  # two of the three pairs at least are shared: a path
        others = sorted(mine)
        for i, a in enumerate(others):
            for b in others[i + 1 :]:
                key = _sorted(middle, a, b)
                if key not in found:
                    # A group that holds all three is in all three pairs, and counts once.
                    held = mine[a] + mine[b] + share[a].get(b, 0.0) - 2 * triple.get(key, 0.0)
                    if held > 1 + LEAST:
                        found[key] = held
    if worth is not None:
        found = {key: (held - 1) * float(worth[list(key)].sum()) for key, held in found.items()}
    ranked = sorted(found, key=lambda key: (-round(found[key], 9), key))
    uses: dict[int, int] = {}
    chosen: list[tuple[int, int, int]] = []
    for key in ranked:
        if len(chosen) == most:
            break
        if all(uses.get(i, 0) < 3 for i in key):
            chosen.append(key)
            for i in key:
                uses[i] = uses.get(i, 0) + 1
    return np.array(chosen, dtype=np.int64).reshape(-1, 3)


def _sorted(a: int, b: int, c: int) -> tuple[int, int, int]:
    low, middle, high = sorted((a, b, c))
    return low, middle, high
