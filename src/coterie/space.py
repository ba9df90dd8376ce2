"""From attributes to the coordinates in which distance and SSE are measured."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.checks import check_points

__all__ = ["standardise"]


def standardise(X: ArrayLike) -> NDArray[np.float64]:
    """Columns of mean 0 and standard deviation 1, so that every attribute weighs alike.

    A constant column becomes all zeros: it tells records apart no more than before.

    Examples
    --------
    >>> import coterie
    >>> coterie.standardise([[1.0, 5.0], [3.0, 5.0]])
    array([[-1.,  0.],
           [ 1.,  0.]])
    """
    values = check_points(X, "standardise")
    # From the middle of the range, not from zero: an offset of 1e9 must not cost digits; halves
    # and a scale of 1 keep columns as wide as float64 itself from overflowing.
    low, high = values.min(axis=0), values.max(axis=0)
    middle = low / 2 + high / 2
    half = high / 2 - low / 2
    half[half == 0] = 1.0
    scaled = (values / 2 - middle / 2) / (half / 2)
    scaled -= scaled.mean(axis=0)
    spread = np.sqrt(np.square(scaled).mean(axis=0))
    constant = low == high
    spread[constant] = 1.0
    scaled[:, constant] = 0.0
    return scaled / spread
