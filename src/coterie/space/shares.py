"""Shares: what each record adds to the loss of a key, to first order.

A loss is a ratio of sums over records (`coterie.space.loss`), so a record moves it by what it adds
to the squared distances, and by what it adds to those of the best single value, times the ratio. A
loss may hide a large value in either, so the larger one counts. The ratio is that of all records:
parts of a table are tallied first, then each of them knows what its own records add.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.space.exact_sums import as_float
from coterie.space.tally import GENERALIZED, LINE, LossTally

__all__ = ["Stake", "shares_of"]

Floats = NDArray[np.float64]


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
