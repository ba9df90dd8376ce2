"""Numbers in place of values: 0, 1, ... in the order of the values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["renumber"]


def renumber(values: ArrayLike) -> NDArray[np.int64]:
    """The place of each value among the different ones; equal values have equal numbers.

    Examples
    --------
    >>> from coterie.numbers.renumber import renumber
    >>> renumber([30, 10, 30, 20]).tolist()
    [2, 0, 2, 1]
    """
    return np.unique(values, return_inverse=True)[1]
