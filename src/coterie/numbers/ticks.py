"""Moments as 64-bit counts of seconds, milli-, micro- or nanoseconds: differences, and back.

Two of them may lie further apart than a signed 64-bit number can say: 292 years are 2**63
nanoseconds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["later", "since"]


def since(start: int, units: NDArray[np.int64]) -> NDArray[np.float64]:
    """`units` less `start`: as unsigned differences, since 292 years are 2**63 nanoseconds."""
    ahead = units >= start
    first = np.uint64(start % 2**64)
    seen = units.view(np.uint64)
    apart = np.where(ahead, seen - first, first - seen).astype(np.float64)
    return np.where(ahead, apart, -apart)


def later(start: int, distance: NDArray[np.float64]) -> NDArray[np.int64]:
    """`start` plus whole numbers of float64, kept within 64 bits; the inverse of `since`."""
    low, high = (float(limit - start) for limit in (1 - 2**63, 2**63 - 1))
    # float64 may have rounded the limits outwards, where the sum would wrap round.
    low = low if start + int(low) > -(2**63) else np.nextafter(low, 0.0)
    high = high if start + int(high) < 2**63 else np.nextafter(high, 0.0)
    kept = np.clip(distance, low, high)
    apart = np.abs(kept).astype(np.uint64)
    first = np.uint64(start % 2**64)
    return np.where(kept < 0, first - apart, first + apart).view(np.int64)
