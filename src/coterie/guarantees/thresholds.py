"""What each threshold of a group beyond its size must be, in words and as a test.

Beside the constraints themselves, since flags and settings ask for the rules before any array is
there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Any

from coterie.numbers.finite import is_number

__all__ = ["THRESHOLDS"]


def _is_count(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_pair(value: object) -> bool:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return False
    count, most = value
    return _is_count(count) and count >= 1 and is_number(most) and 0 < most < 100


def _is_share(value: object) -> bool:
    return is_number(value) and 0 < value < 1  # type: ignore[operator]


def _is_alpha(value: object) -> bool:
    if isinstance(value, Mapping):
        return bool(value) and all(map(_is_share, value.values()))
    return _is_share(value)


def _is_recursive(value: object) -> bool:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return False
    c, least = value
    return is_number(c) and c > 0 and _is_count(least) and least >= 2


THRESHOLDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "min_distinct": ("an integer of at least 2", lambda v: _is_count(v) and v >= 2),
    "max_share": ("a number above 0 and below 1", lambda v: is_number(v) and 0 < v < 1),
    "entropy_l": ("a number above 1", lambda v: is_number(v) and v > 1),
    "t_closeness": ("a number above 0 and below 1", lambda v: is_number(v) and 0 < v < 1),
    "alpha_k": (
        "a number above 0 and below 1, or such a number for each sensitive value",
        _is_alpha,
    ),
    "recursive_cl": ("a pair: c, a number above 0, and l, an integer of at least 2", _is_recursive),
    "beta_likeness": ("a number above 0", lambda v: is_number(v) and v > 0),
    "delta_disclosure": ("a number above 0", lambda v: is_number(v) and v > 0),
    "p_percent": ("a number of percent above 0", lambda v: is_number(v) and v > 0),
    "dominance": ("a pair: so many units, at most so many percent of the total", _is_pair),
}
