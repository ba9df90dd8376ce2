"""Axes: the coordinates of one attribute, with variance 1 over the records it was fitted to.

Numbers, dates and ranks lie on a line; categories are one-hot coordinates over sqrt(2), so that
before scaling the squared distance of two different ones is 1. What an axis knows comes from
moments and counts that add up over parts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from coterie.space.exact_sums import Moments

__all__ = ["HUGE", "NOMINAL", "Hot", "Line", "mean_ranks", "transformed"]

NOMINAL = frozenset({"nominal", "boolean"})

TINY, LIFT = 1e-150, 2.0**500  # columns of numbers smaller than that are multiplied, exactly
HUGE, UNIT = 1e290, 2.0**1000  # columns that lie further apart are divided, exactly
FAR = 1e150  # spreads; what a rule moves further away lies there: its square is still a number

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """The axis of a number, date or rank.

    Attributes
    ----------
    origin, unit : float
        What is taken off a value first, and what the rest is divided by.
    mean, spread : float
        Of what that gives: subtracted, and divided by.
    ranks : tuple of two arrays, optional
        The values that occur and the mean rank of each, which stands for a value.

    From the middle of the range, not from zero: an offset of 1e9 must not cost digits; halves keep
    columns as wide as float64 itself from overflowing, and `lift` those of its smallest numbers
    from vanishing.
    """

    origin: float = 0.0
    unit: float = 1.0
    mean: float = 0.0
    spread: float = 1.0
    transform: str = "none"
    ranks: tuple[Floats, Floats] | None = None
    lift: float = 1.0

    @classmethod
    def of(cls, values: Floats, transform: str = "none") -> Line:
        """The axis of all values there are; a constant becomes zero."""
        ranks = mean_ranks(values) if transform == "rank" else None
        raw = cls(transform=transform, ranks=ranks)
        if not len(values):
            return raw
        fitted = raw.lines(raw._moved(values)[:, None])[0]
        return replace(fitted, transform=transform, ranks=ranks)

    @classmethod
    def lines(cls, X: Floats) -> list[Line]:
        """The axes of the columns of an array."""
        low, high = X.min(axis=0), X.max(axis=0)
        lift = np.where(np.maximum(-low, high) < TINY, LIFT, 1.0)
        if (lift != 1.0).any():
            X, low, high = X * lift, low * lift, high * lift
        constant = low == high
        half = high / 2 - low / 2
        half[half == 0] = 1.0
        middle = low / 2 + high / 2
        scaled = (X / 2 - middle / 2) / (half / 2)
        mean = np.where(constant, scaled[0], scaled.mean(axis=0))
        spread = np.sqrt(np.square(scaled - mean).mean(axis=0))
        spread[constant] = 1.0
        found = zip(*(v.tolist() for v in (middle, half, mean, spread, lift)), strict=True)
        return [cls(o, u, m, s, lift=by) for o, u, m, s, by in found]

    @classmethod
    def of_moments(cls, moments: Moments, origin: float, transform: str = "none") -> Line:
        """The axis of values whose moments less `origin`, after the transform, are known."""
        spread = moments.spread
        if spread > HUGE:
            part = moments.times(Fraction(1.0 / UNIT))
            return cls(origin, UNIT, part.mean, part.spread, transform)
        if 0.0 < spread < TINY:
            part = moments.times(Fraction(LIFT))
            return cls(origin * LIFT, 1.0, part.mean, part.spread, transform, lift=LIFT)
        return cls(origin, 1.0, moments.mean, spread or 1.0, transform)

    @property
    def width(self) -> int:
        """Number of coordinates."""
        return 1

    def coordinates(self, values: Floats) -> Floats:
        """The (n, 1) coordinates of values."""
        moved = self._moved(values)
        with np.errstate(over="ignore"):  # of a release, 1 among originals of 1e-310
            moved = moved if self.lift == 1.0 else moved * self.lift
            scaled = (moved / 2 - self.origin / 2) / (self.unit / 2)
            scaled -= self.mean
            scaled /= self.spread
        return np.clip(scaled, -FAR, FAR, out=scaled)[:, None]

    def _moved(self, values: Floats) -> Floats:
        if self.ranks is not None:
            return self.ranks[1][np.searchsorted(self.ranks[0], values)]
        return transformed(self.transform, values)


@dataclass(frozen=True)
class Hot:
    """The axis of categories 0..c-1, by their shares of the records."""

    shares: tuple[float, ...]

    @property
    def width(self) -> int:
        """Number of coordinates: one tells two categories apart."""
        return 1 if len(self.shares) <= 2 else len(self.shares)

    def coordinates(self, codes: NDArray) -> Floats:
        """The coordinates of categories."""
        codes, shares = codes.astype(np.int64), np.array(self.shares)
        if len(shares) <= 1:
            return np.zeros((len(codes), 1))
        # One-hot over sqrt(2) has variance (1 - sum of squared shares) / 2; scaled to 1.
        spread = np.sqrt((1.0 - np.square(shares).sum()) / 2.0) or 1.0
        if len(shares) == 2:
            return np.asarray((codes[:, None] - shares[1]) / spread)
        hot = np.zeros((len(codes), len(shares)))
        hot[np.arange(len(codes)), codes] = 1.0
        return np.asarray((hot - shares) / (np.sqrt(2.0) * spread))


def mean_ranks(values: Floats) -> tuple[Floats, Floats]:
    """The values that occur, and their ranks; equal values share their mean rank."""
    found, counts = np.unique(values, return_counts=True)
    return found, np.cumsum(counts) - (counts + 1) / 2


def transformed(transform: str, values: Floats) -> Floats:
    """Values after a transform that looks at one value at a time; as they are for the others."""
    if transform == "log1p":
        return np.log1p(values)
    return np.arcsinh(values) if transform == "asinh" else values
