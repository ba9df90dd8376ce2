"""Numbers over a power of two, where their squares or sums would be no float64.

Dividing by a power of two is exact, so what is computed of the quotients and multiplied back is
what would have been computed of the numbers, had it been possible.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["lifted", "magnitude"]

USUAL = 300  # numbers from 2**-300 to 2**300 have squares and sums of squares that are float64


def magnitude(values: NDArray[np.float64]) -> int:
    """The power of two to divide numbers by, so that sums of their squares can be represented.

    0 unless they are very large or very small.

    >>> magnitude(np.array([3.0, -8.0])), magnitude(np.array([1e308]))
    (0, 1024)
    """
    exponent = int(np.frexp(np.abs(values).max(initial=0.0))[1])
    return exponent if abs(exponent) > USUAL else 0


def lifted(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Columns over the powers of two next above their largest number, and these.

    >>> lifted(np.array([[3.0, 1e300], [-8.0, 0.0]]))[1].tolist()
    [4, 997]
    """
    lift = np.frexp(np.abs(values).max(axis=0))[1].astype(np.int64)
    return np.ldexp(values, -lift), lift
