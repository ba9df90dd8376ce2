"""Shares: what any few records of a group cost among themselves, parted among them.

Let P(T) be the sum of the squared distances of all pairs of T. Numbers w(y, t) are *shares* if

    P(T) >= sum over T of w(y, t)   for every choice T of t records.

1. Prices p that no group of t records beats, SSE(T) >= p(T), give w(y, t) = t p(y), as P(T) is
   t SSE(T). Where groups with seed x beat them by up to -r(x), x is made cheaper by as much: every
   T has one seed, so then none beats them.
2. From t to s > t: each pair of S is in as many of its choices of t records as any other, so P(S)
   is s (s-1) / (t (t-1)) times their mean, each record in t/s of them. So
   w(y, s) = (s-1) / (t-1) w(y, t).

Neighbors give such numbers, too, but ask each record alone for its companions. Prices ask all at
once, which counts for more the more attributes there are: on Census, t = 5, neighbors part 5.0 %
of the spread among the records, prices 7.2 %. That is what makes larger groups priceable.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["FEWEST", "extended"]

FEWEST = 4  # least group size that is worth it


def extended(known: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Shares (n, most + 1), by the number of records: those beyond `size` from those for it."""
    result = known.copy()
    for t in range(size + 1, known.shape[1]):
        result[:, t] = known[:, size] * ((t - 1) / (size - 1))
    return result
