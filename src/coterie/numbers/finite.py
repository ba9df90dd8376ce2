"""Whether what was asked for is a finite number; without NumPy, which no plan needs."""

from __future__ import annotations

import math
from numbers import Real

__all__ = ["is_number"]


def is_number(value: object) -> bool:
    """Whether a value is a finite number; True and False are none.

    >>> [is_number(one) for one in (2, 0.5, True, "2", float("nan"), float("inf"), None)]
    [True, True, False, False, False, False, False]
    """
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
