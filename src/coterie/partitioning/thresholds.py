"""What each threshold of a group beyond its size must be, in words and as a test.

Beside the constraints themselves, since flags and settings ask for the rules before any array is
there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

__all__ = ["THRESHOLDS"]


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)


def _is_count(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_pair(value: object) -> bool:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return False
    count, most = value
    return _is_count(count) and count >= 1 and _is_number(most) and 0 < most < 100


THRESHOLDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "min_distinct": ("an integer of at least 2", lambda v: _is_count(v) and v >= 2),
    "max_share": ("a number above 0 and below 1", lambda v: _is_number(v) and 0 < v < 1),
    "entropy_l": ("a number above 1", lambda v: _is_number(v) and v > 1),
    "t_closeness": ("a number above 0 and below 1", lambda v: _is_number(v) and 0 < v < 1),
    "p_percent": ("a number of percent above 0", lambda v: _is_number(v) and v > 0),
    "dominance": ("a pair: so many units, at most so many percent of the total", _is_pair),
}
