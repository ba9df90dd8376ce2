"""Sums of float64 numbers without any rounding: the same whatever the order and the layout.

A sum is a Python integer that counts units of 2**-1100, less than the least float64; integers add
exactly, so parts of a table can be summed by anybody in any order. What is computed from a record
before it is summed depends on the record alone. Squares are those of the whole numbers that floats
are multiples of; products with weights are taken as two numbers each, the rounded one and what
rounding left (Dekker 1971, Numerische Mathematik 18:224-242). So mean and variance are rounded
once, at the end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Moments",
    "as_float",
    "exact_sum",
    "exact_total",
    "float_sum",
    "scatter_of",
    "square_root",
]

UNIT = 1100  # a sum counts units of 2**-UNIT
LEAST = 1074  # the least float64 is 2**-LEAST
SPLITTER = float((1 << 27) + 1)  # cuts a float64 into two halves of 26 bits
NONE = Fraction(0)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Moments:
    """Count, weight, sum and sum of squares of numbers, each less a fixed origin; they add up.

    Attributes
    ----------
    count : int
        How many numbers.
    weight : Fraction
        Sum of their weights; without weights, their count.
    total, squares : Fraction
        Weighted sums of the numbers and of their squares.
    """

    count: int = 0
    weight: Fraction = NONE
    total: Fraction = NONE
    squares: Fraction = NONE

    @classmethod
    def of(cls, values: Floats, origin: float = 0.0, weights: Floats | None = None) -> Moments:
        """The moments of finite numbers, exact but for the subtraction of the origin.

        >>> import numpy as np
        >>> Moments.of(np.array([1.0, 3.0])).variance
        Fraction(1, 1)
        """
        if not len(values):
            return cls()
        x = values - origin if origin else values
        if weights is None:
            total, squares = _sums(x)
            return cls(len(x), Fraction(len(x)), _over(total, LEAST), _over(squares, 2 * LEAST))
        x, place = _scaled(x)
        w, shift = _scaled(weights)
        parts = _product(w, x)
        return cls(
            len(x),
            exact_total(weights),
            _over(sum(map(exact_sum, parts)), UNIT) * _power(place + shift),
            _over(sum(exact_sum(piece) for part in parts for piece in _product(part, x)), UNIT)
            * _power(2 * place + shift),
        )

    @classmethod
    def of_counts(cls, counts: Iterable[int]) -> Moments:
        """The moments of the numbers 0, 1, 2, ..., each of them so many times; origin 0."""
        sizes = list(counts)
        return cls(
            sum(sizes),
            Fraction(sum(sizes)),
            Fraction(sum(number * size for number, size in enumerate(sizes))),
            Fraction(sum(number * number * size for number, size in enumerate(sizes))),
        )

    def __add__(self, other: Moments) -> Moments:
        return Moments(
            self.count + other.count,
            self.weight + other.weight,
            self.total + other.total,
            self.squares + other.squares,
        )

    def times(self, factor: Fraction) -> Moments:
        """The moments of the numbers, and their origin, times a factor."""
        square = factor * factor
        return Moments(self.count, self.weight, self.total * factor, self.squares * square)

    def weighted(self, factor: Fraction) -> Moments:
        """The moments with every weight times a factor."""
        return Moments(self.count, self.weight * factor, self.total * factor, self.squares * factor)

    @property
    def center(self) -> Fraction:
        """The mean less the origin, exactly."""
        return self.total / self.weight if self.weight else NONE

    @property
    def mean(self) -> float:
        """The mean less the origin, rounded once."""
        return float(self.center)

    @property
    def variance(self) -> Fraction:
        """The variance (divisor: the weight); 0 if all numbers are equal."""
        return self.about(self.center) / self.weight if self.weight else NONE

    @property
    def spread(self) -> float:
        """The standard deviation."""
        return square_root(self.variance)

    def about(self, point: Fraction) -> Fraction:
        """Weighted sum of the squared distances to a point."""
        return self.squares - 2 * point * self.total + point * point * self.weight


def scatter_of(parts: Sequence[Sequence[Moments]]) -> float:
    """SST of points in parts, by the moments of each coordinate in each part."""
    sums = [Moments() for _ in parts[0]]
    for part in parts:
        sums = [one + other for one, other in zip(sums, part, strict=True)]
    return as_float(sum(m.count * m.variance for m in sums))


def exact_sum(values: Floats) -> int:
    """The sum of finite numbers in units of 2**-1100.

    >>> import numpy as np
    >>> exact_sum(np.array([1e300, 1.0, -1e300])) == 1 << 1100
    True
    """
    return _sums(values)[0] << (UNIT - LEAST)


def _sums(values: Floats) -> tuple[int, int]:
    """The sum of finite numbers and that of their squares, in units of 2**-1074 and its square."""
    from coterie.kernels.base import moments

    total = squares = 0
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
    for start in range(0, len(bits), moments.MOST):
        sums = np.zeros((moments.EXPONENTS, moments.WORDS), dtype=np.int64)
        moments.add(bits[start : start + moments.MOST], sums)
        if sums[-1].any():
            raise OverflowError("numbers to be summed must be finite")
        met = np.flatnonzero(sums.any(axis=1))
        for place, words in zip((met - 1).tolist(), sums[met].tolist(), strict=True):
            low, high, a, b, c, d, e, _ = words  # a to e: products of pieces of 18 bits
            total += (low + (high << 32)) << place
            squares += (a + (b << 19) + (c << 36) + (d << 55) + (e << 72)) << (2 * place)
    return total, squares


def as_float(exact: Fraction | int) -> float:
    """An exact number that is not negative as a float; infinite if it is beyond all of them."""
    try:
        return float(exact)
    except OverflowError:
        return math.inf


def float_sum(values: Iterable[float]) -> float:
    """The sum of numbers that are not negative, rounded once; infinite beyond all floats.

    >>> float_sum([1e308, 1e308])
    inf
    """
    try:
        return math.fsum(values)
    except OverflowError:
        return math.inf


def exact_total(values: Floats) -> Fraction:
    """The sum of finite numbers."""
    return _over(exact_sum(values), UNIT)


def _over(units: int, exponent: int) -> Fraction:
    """So many units of 2**-exponent."""
    return Fraction(units, 1 << exponent)


def _power(exponent: int) -> Fraction:
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def square_root(value: Fraction) -> float:
    """Square root of a fraction that may be beyond the range of float64 itself."""
    if value <= 0:
        return 0.0
    shift = (value.numerator.bit_length() - value.denominator.bit_length()) // 2
    return math.ldexp(math.sqrt(value * _power(-2 * shift)), shift)


def _scaled(values: Floats) -> tuple[Floats, int]:
    """Numbers within -1 and 1 times a power of two: products then neither overflow nor vanish."""
    place = math.frexp(float(np.abs(values).max()))[1]
    return (values, 0) if place == 0 else (np.ldexp(values, -place), place)


def _product(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The product rounded, and what rounding left; exact for numbers within -1 and 1."""
    product = x * y
    x_high, x_low = _halves(x)
    y_high, y_low = (x_high, x_low) if y is x else _halves(y)
    left = ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low
    return product, left


def _halves(x: Floats) -> tuple[Floats, Floats]:
    wide = SPLITTER * x
    high = wide - (wide - x)
    return high, x - high
