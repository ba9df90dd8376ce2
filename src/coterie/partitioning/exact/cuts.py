"""Cuts: rows that every partition obeys and a solution of the linear relaxation need not.

Give some records whole weights w and a divisor q. The weights of the records that a group holds,
divided by q and rounded down, count for it; over all groups of a partition they come to at most the
sum of all weights, divided and rounded down (Chvatal and Gomory's rounding of the records' own
rows, each times w/q). With three records of weight 1 and q = 2: at most one group holds two or more
of them. Four outliers far from all else with k = 3 are the textbook case: each three of them with
weight 1/3 cover all four, at a cost no partition can have.

References
----------
Jepsen, Petersen, Spoorendonk, Pisinger (2008), Operations Research 56(2):497-511 (subset-row
inequalities with three rows); Pecin, Pessoa, Poggi, Uchoa (2017), Mathematical Programming
Computation 9:61-100 (with up to five).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

__all__ = ["Cuts", "violated_triples"]

LEAST = 0.02  # violation worth a row


@dataclass(frozen=True, eq=False)
class Cuts:
    """Rows over a few records each, and the fine that a group pays for what it counts in them.

    Attributes
    ----------
    records : (q, width) int array
        Different in each row, -1 behind the last.
    weights : (q, width) int array
        Of the records, positive and below the divisor; 0 behind the last.
    divisors : (q,) int array
    fines : (q,) float array
        Not negative: minus the duals of the rows.
    """

    records: NDArray[np.int64]
    weights: NDArray[np.int64]
    divisors: NDArray[np.int64]
    fines: NDArray[np.float64]

    @classmethod
    def of_triples(
        cls, triples: NDArray[np.int64], fines: NDArray[np.float64] | None = None
    ) -> Cuts:
        """At most one group holds two or more of the three records of each row."""
        triples = np.asarray(triples, dtype=np.int64).reshape(-1, 3)
        if fines is None:
            fines = np.zeros(len(triples))
        return cls(
            triples, np.ones_like(triples), np.full(len(triples), 2), np.asarray(fines, float)
        )

    @classmethod
    def none(cls) -> Cuts:
        """No cuts."""
        return cls.of_triples(np.empty((0, 3), dtype=np.int64))

    def __len__(self) -> int:
        return len(self.fines)

    @property
    def limits(self) -> NDArray[np.int64]:
        """What the groups of a partition count together at most."""
        return self.weights.sum(axis=1) // self.divisors

    @property
    def only_triples(self) -> bool:
        """Whether all are triples of weight 1 each and the divisor 2."""
        return bool((self.divisors == 2).all() and (self.weights.sum(axis=1) == 3).all())

    def chosen(self, places: NDArray[np.bool_] | slice) -> Cuts:
        """Some of them."""
        return Cuts(
            self.records[places], self.weights[places], self.divisors[places], self.fines[places]
        )

    def fined(self, fines: NDArray[np.float64]) -> Cuts:
        """The first ones, with these fines."""
        return replace(self.chosen(slice(len(fines))), fines=fines)

    def joined(self, others: Cuts) -> Cuts:
        """These, then the others."""
        width = max(self.records.shape[1], others.records.shape[1])
        return Cuts(
            np.concatenate([_widened(c.records, width, -1) for c in (self, others)]),
            np.concatenate([_widened(c.weights, width, 0) for c in (self, others)]),
            np.concatenate([self.divisors, others.divisors]),
            np.concatenate([self.fines, others.fines]),
        )


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


def _widened(rows: NDArray[np.int64], width: int, filling: int) -> NDArray[np.int64]:
    behind = np.full((len(rows), width - rows.shape[1]), filling)
    return np.concatenate([rows, behind], axis=1)
