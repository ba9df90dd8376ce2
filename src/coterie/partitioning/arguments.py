"""What `partition` and `lower_bound` are given beside the records, checked in one place."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.errors import bad_parameter

__all__ = ["callback", "count", "seconds", "seed"]

LONGEST = 1e9  # seconds of a time limit: thirty years


def seconds(value: Any, function: str) -> float | None:
    """A time limit, or None.

    >>> seconds(2, "partition"), seconds(None, "partition")
    (2.0, None)
    """
    if value is None:
        return None
    number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    if not number or not 0 < value <= LONGEST:
        rule = "a finite number of seconds above 0, or None"
        raise bad_parameter("time_limit", function, rule, value)
    return float(value)


def count(name: str, value: Any, function: str) -> int | None:
    """A number of something, at least one, or None."""
    if value is None:
        return None
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not 1 <= value < 2**62:
        raise bad_parameter(name, function, "an integer of at least 1", value)
    return int(value)


def callback(value: Any, function: str) -> Any:
    """A function of one argument, or None."""
    if value is not None and not callable(value):
        raise bad_parameter("callback", function, "a function of one argument", value)
    return value


def seed(random_state: Any, function: str) -> np.random.SeedSequence:
    """The seed sequence behind `random_state`; a generator is drawn from, so it moves on."""
    if random_state is None:
        return np.random.SeedSequence()
    if isinstance(random_state, np.random.Generator):
        return np.random.SeedSequence(random_state.integers(2**63, size=2).tolist())
    whole = isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool)
    if whole and random_state >= 0:
        return np.random.SeedSequence(int(random_state))
    rule = "None, an integer of at least 0 or a numpy.random.Generator"
    raise bad_parameter("random_state", function, rule, random_state)
