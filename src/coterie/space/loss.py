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

What each record adds to a loss is known to first order. A loss is a ratio of sums over records, so
a record moves it by what it adds to the squared distances, and by what it adds to those of the best
single value, times the ratio. A loss may hide a large value in either, so the larger one counts.
The ratio is that of all records: parts of a table are tallied first, then each of them knows what
its own records add.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.space.exact_sums import as_float, float_sum
from coterie.space.tally import CATEGORIES, GENERALIZED, LINE, LossTally

__all__ = ["KeyLoss", "Loss", "Stake", "shares_of"]

Floats = NDArray[np.float64]


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
    pooled : tuple of str
        Names among `keys` that stand for pooled strata, not for a key.
    """

    keys: Mapping[str, KeyLoss]
    percent: float = field(init=False, compare=False, repr=False)
    truthful: bool = field(init=False, compare=False, repr=False)
    changed: dict[str, float] = field(init=False, compare=False, repr=False)
    pooled: tuple[str, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        found = {
            "percent": _headline([key for key in self.keys.values() if key.counts]),
            "truthful": _true_of_all([k for k in self.keys.values() if k.kind != "stratum"]),
            "changed": {n: k.changed for n, k in self.keys.items() if k.kind in CATEGORIES},
            "pooled": tuple(n for n, k in self.keys.items() if k.kind == "stratum"),
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


@dataclass(frozen=True)
class Stake:
    """What the loss of a key is made of, over all records.

    Attributes
    ----------
    kind : str
        As that of the tally.
    best : float
        Of a number or position: the best single value.
    total : Fraction
        What there was to lose; of a label or an interval the weight of all that have the key.
    ratio : float
        What was lost of it, 1 at most.
    """

    kind: str
    best: float
    total: Fraction
    ratio: float

    @classmethod
    def of(cls, tally: LossTally) -> Stake:
        """Of the tally of all records."""
        line = tally.kind in LINE
        total = tally.total
        ratio = min(as_float(tally.lost / total), 1.0) if total else 0.0
        if tally.kind in GENERALIZED:  # whoever has the key could have lost all
            total = sum(tally.weights.values(), Fraction(0))
        return cls(tally.kind, as_float(Fraction(tally.best)) if line else 0.0, total, ratio)


def shares_of(
    stake: Stake,
    original: NDArray,
    released: NDArray,
    present: NDArray[np.bool_],
    taken: NDArray[np.bool_],
    weights: Floats | None = None,
) -> Floats:
    """What each record adds to the loss, 1 for all that there was to lose.

    Takes what `coterie.space.tally_of` does.

    Examples
    --------
    >>> import numpy as np
    >>> from coterie.space import tally_of
    >>> x, y = np.array([1.0, 3.0, 8.0, 8.0]), np.array([2.0, 2.0, 8.0, 8.0])
    >>> here = np.ones(4, dtype=bool)
    >>> stake = Stake.of(tally_of("number", x, y, here, ~here))
    >>> (38 * shares_of(stake, x, y, here, ~here)).round(2).tolist()
    [1.0, 1.0, 0.47, 0.47]
    """
    held = np.ones(len(present)) if weights is None else weights
    if stake.total <= 0:
        return np.zeros(len(present))
    # Over a power of two, so that neither squares nor sums leave the range of floats.
    power = (stake.total.numerator.bit_length() - stake.total.denominator.bit_length()) // 2
    total = as_float(stake.total / Fraction(4) ** power)
    if stake.kind not in LINE:  # who could have changed
        root = np.ldexp(np.sqrt(held), -power)
        with np.errstate(over="ignore"):  # one weight beyond all others: infinite, nothing is told
            return np.asarray(np.where(present, root * root, 0.0) / total)
    x, y = (
        _where(present, side, 0).astype(np.float64, copy=False) for side in (original, released)
    )
    squares, errors = _apart(x, stake.best, power), _apart(x, y, power)
    with np.errstate(over="ignore"):  # a rule may move them anywhere: infinite, nothing is told
        for apart in (squares, errors):
            if weights is not None:
                apart *= np.sqrt(weights)
            np.square(apart, out=apart)
    errors = _where(~taken, errors, squares)
    squares *= stake.ratio
    return _where(present, np.maximum(errors, squares), 0.0) / total


def _where(chosen: NDArray[np.bool_], one: NDArray, other: Any) -> NDArray:
    """`one` itself where everybody is chosen, as nearly always."""
    return one if chosen.all() else np.where(chosen, one, other)


def _apart(one: Floats, other: Floats | float, power: int) -> Floats:
    """Differences over 2**power; those of two numbers may be beyond what a float can hold."""
    with np.errstate(over="ignore", invalid="ignore"):
        plain = one - other
    near = np.isfinite(plain)
    with np.errstate(over="ignore"):  # infinity: nothing can be told
        if near.all():
            return np.ldexp(plain, -power, out=plain)
        halves = np.where(near, 0.0, one / 2 - other / 2)
        return np.where(
            near, np.ldexp(np.where(near, plain, 0.0), -power), np.ldexp(halves, 1 - power)
        )
