"""Loss: what a release loses of each key, as it is released.

The loss of a key is 100 times the squared distance of the released values from the original ones,
over that of the best single value for the whole table: 0 if nothing changed, 100 if everybody were
in one group. Distances are by type, in the column's own units:

| type | squared distance | best single value |
| --- | --- | --- |
| number, date | squared difference | mean |
| ordinal | squared difference of the levels' positions | level nearest to the mean position |
| nominal, boolean | 0 if equal, else 1 | most frequent one |
| with a hierarchy | share of the levels that were given up, or are others | its root |
| interval | its width | one interval for everybody, rounded outwards alike |

Every record that has the key counts, by its sampling weight. A value that was taken away counts as
the best single value would. For numbers and means this is SSE / SST. Sums are exact, so the figure
is the same, to the last digit, whatever the order of the rows and the layout of the parts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from coterie.space.exact_sums import as_float, float_sum
from coterie.space.tally import CATEGORIES, GENERALIZED, LossTally

__all__ = ["KeyLoss", "Loss"]


@dataclass(frozen=True)
class KeyLoss:
    """What one key lost.

    Attributes
    ----------
    percent : float
        0 if untouched, 100 if as much as one group for everybody; infinite for a constant that
        was changed.
    weight : float
        How much it counts beside the other keys.
    counts : bool
        Whether it has anything to lose: a constant, or a key that no record has, is left out.
    records : int
        Records that have it.
    changed : float
        Percent of them whose value is another one now.
    kind : str
        As that of a `LossTally`.
    """

    percent: float
    weight: float
    counts: bool
    records: int
    changed: float
    kind: str

    @classmethod
    def of(cls, tally: LossTally, weight: float = 1.0) -> KeyLoss:
        """The loss of a tally."""
        lost, total = tally.lost, tally.total
        percent = as_float(100 * lost / total) if total else math.inf if lost else 0.0
        share = 100.0 * tally.changed / tally.records if tally.records else 0.0
        return cls(percent, weight, bool(total or lost), tally.records, share, tally.kind)


@dataclass(frozen=True)
class Loss:
    """What a release lost: of each key, and over all of them the mean by their weights.

    Attributes
    ----------
    keys : mapping of str to KeyLoss
        Of each key; the figures that follow are found from them.
    percent : float
        The headline: 0 if nothing changed, 100 if everybody were in one group.
    truthful : bool
        Whether every released key is a label or an interval that is true of its record.
    changed : dict
        Percent of the records whose value changed, of each key that holds categories.
    """

    keys: Mapping[str, KeyLoss]
    percent: float = field(init=False, compare=False, repr=False)
    truthful: bool = field(init=False, compare=False, repr=False)
    changed: dict[str, float] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        found = {
            "percent": _headline([key for key in self.keys.values() if key.counts]),
            "truthful": _true_of_all([k for k in self.keys.values() if k.kind != "stratum"]),
            "changed": {n: k.changed for n, k in self.keys.items() if k.kind in CATEGORIES},
        }
        for name, value in found.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, tallies: Mapping[str, LossTally], weights: Mapping[str, float]) -> Loss:
        """The loss of tallies by key; a key without a weight counts as 1."""
        return cls(
            {name: KeyLoss.of(tally, weights.get(name, 1.0)) for name, tally in tallies.items()}
        )


def _headline(counted: Sequence[KeyLoss]) -> float:
    if not counted:
        return 0.0
    total = math.fsum(key.weight for key in counted)
    return float_sum(key.weight * key.percent for key in counted) / total


def _true_of_all(keys: Sequence[KeyLoss]) -> bool:
    return bool(keys) and all(key.kind in GENERALIZED and not key.changed for key in keys)
