"""Pauses: time that a caller holds the work still, which counts for no limit.

A callback that waits within `held` pauses the search that called it: what was spent there is no
work, like compilation.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["held", "seconds"]

_ended: list[float] = []  # seconds of every pause of this process


def seconds() -> float:
    """Seconds of all pauses of this process that have ended."""
    return sum(_ended)


@contextmanager
def held() -> Iterator[None]:
    """The work stands still as long as the block lasts."""
    began = time.perf_counter()
    try:
        yield
    finally:
        _ended.append(time.perf_counter() - began)
