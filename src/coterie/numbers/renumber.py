"""Numbers in place of values, 0, 1, ... in the order of the values; and rows by such numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["by_code", "first_rows", "renumber"]

DIGIT = 16  # bits that NumPy sorts by counting


def renumber(values: ArrayLike) -> NDArray[np.int64]:
    """The place of each value among the different ones; equal values have equal numbers.

    Examples
    --------
    >>> from coterie.numbers.renumber import renumber
    >>> renumber([30, 10, 30, 20]).tolist()
    [2, 0, 2, 1]
    """
    return np.unique(values, return_inverse=True)[1]


def by_code(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows in the order of their codes, whole numbers; of equal ones in their own order.

    What a stable sort gives, in time that grows with the rows alone.

    Examples
    --------
    >>> import numpy as np
    >>> from coterie.numbers.renumber import by_code
    >>> by_code(np.array([2, 0, -1, 2, 0])).tolist()
    [2, 1, 4, 0, 3]
    """
    least, most = (int(end(codes, initial=0)) for end in (np.min, np.max))
    if most - least >= 1 << 3 * DIGIT:
        return np.argsort(codes, kind="stable")
    codes = codes - least
    order = np.argsort((codes & ((1 << DIGIT) - 1)).astype(np.uint16), kind="stable")
    for shift in range(DIGIT, (most - least).bit_length(), DIGIT):
        digits = (codes >> shift & ((1 << DIGIT) - 1)).astype(np.uint16)
        order = order[np.argsort(digits[order], kind="stable")]
    return order


def first_rows(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first row of each of the codes 0, 1, ..., all of which occur.

    Examples
    --------
    >>> import numpy as np
    >>> from coterie.numbers.renumber import first_rows
    >>> first_rows(np.array([1, 0, 1, 2, 0])).tolist()
    [1, 0, 3]
    """
    first = np.empty(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # the last one that is written stays
    return first
