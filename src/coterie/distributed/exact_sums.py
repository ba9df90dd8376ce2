"""Sums of float64 numbers without any rounding: the same whatever the order and the layout.

A sum is a Python integer that counts units of 2**-1100, less than the least float64; integers add
exactly, so parts of a table can be summed by anybody in any order. What is computed from a record
before it is summed depends on the record alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

__all__ = ["Moments", "exact_sum"]

UNIT = 1100  # a sum counts units of 2**-UNIT
LEAST = -1074  # exponent of the least float64
LIMB = 26  # bits taken off all numbers at a time
BLOCK = 1 << 15  # numbers whose limbs float64 sums exactly: 26 + 15 bits, and stays in the cache


@dataclass(frozen=True)
class Moments:
    """Count, sum and sum of squares of numbers, each less a fixed origin.

    The origin should lie near the mean: squares are rounded once each, and the variance is the
    difference of two exact sums of such terms.
    """

    count: int = 0
    total: int = 0
    squares: int = 0

    @classmethod
    def of(cls, values: NDArray[np.float64], origin: float) -> Moments:
        """The moments of finite numbers that lie within 1e150 of the origin."""
        shifted = values - origin
        return cls(len(values), exact_sum(shifted), exact_sum(np.square(shifted)))

    @classmethod
    def of_counts(cls, counts: Iterable[int]) -> Moments:
        """The moments of the numbers 0, 1, 2, ..., each of them so many times; origin 0."""
        moments = cls()
        for number, size in enumerate(counts):
            moments += cls(size, number * size << UNIT, number * number * size << UNIT)
        return moments

    def __add__(self, other: Moments) -> Moments:
        return Moments(
            self.count + other.count, self.total + other.total, self.squares + other.squares
        )

    @property
    def mean(self) -> float:
        """The mean less the origin, rounded once."""
        return float(Fraction(self.total, self.count << UNIT)) if self.count else 0.0

    @property
    def variance(self) -> Fraction:
        """The variance (divisor n); 0 if all numbers are equal."""
        if not self.count:
            return Fraction(0)
        mean = Fraction(self.total, self.count << UNIT)
        return max(Fraction(self.squares, self.count << UNIT) - mean * mean, Fraction(0))

    @property
    def spread(self) -> float:
        """The standard deviation."""
        return math.sqrt(self.variance)


def exact_sum(values: NDArray[np.float64]) -> int:
    """The sum of finite numbers in units of 2**-1100.

    >>> import numpy as np
    >>> exact_sum(np.array([1e300, 1.0, -1e300])) == 1 << 1100
    True
    """
    total = 0
    for start in range(0, len(values), BLOCK):
        rest = values[start : start + BLOCK].copy()
        while widest := float(max(rest.max(), -rest.min())):
            # The upper bits of every number as a whole multiple of one power of two. Dividing by
            # it, cutting to whole and taking that off are exact, so `rest` reaches zero.
            place = max(math.frexp(widest)[1] - LIMB, LEAST)
            step = math.ldexp(1.0, place)
            whole = np.trunc(rest / step)
            total += int(whole.sum()) << (place + UNIT)
            rest -= whole * step
    return total
