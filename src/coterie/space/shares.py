"""Shares: what each record adds to the loss of a key, to first order.

A loss is a ratio of sums over records (`coterie.space.loss`), so a record moves it by what it adds
to the squared distances, and by what it adds to those of the best single value, times the ratio. A
loss may hide a large value in either, so the larger one counts. The ratio is that of all records:
parts of a table are tallied first, then each of them knows what its own records add.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

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
    x, y = (np.where(present, side, 0).astype(np.float64) for side in (original, released))
    root = np.sqrt(held)
    squares = np.square(root * _apart(x, np.full(len(x), stake.best), power))
    with np.errstate(over="ignore"):  # a rule may move them anywhere: infinite, nothing is told
        errors = np.where(taken, squares, np.square(root * _apart(x, y, power)))
    return np.asarray(np.where(present, np.maximum(errors, stake.ratio * squares), 0.0) / total)


def _apart(one: Floats, other: Floats, power: int) -> Floats:
    """Differences over 2**power; those of two numbers may be beyond what a float can hold."""
    with np.errstate(over="ignore", invalid="ignore"):
        plain = one - other
    near = np.isfinite(plain)
    halves = np.where(near, 0.0, one / 2 - other / 2)
    with np.errstate(over="ignore"):  # infinity: nothing can be told
        return np.where(
            near, np.ldexp(np.where(near, plain, 0.0), -power), np.ldexp(halves, 1 - power)
        )
