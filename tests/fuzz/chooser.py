"""Where choices come from: a seed, or Hypothesis. The simplest choice comes first."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeVar

T = TypeVar("T")


class Chooser:
    """Choices by a seeded generator: the same seed gives the same case."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def integer(self, low: int, high: int) -> int:
        """From `low` to `high`, both included."""
        return self._random.randint(low, high)

    def one(self, options: Sequence[T]) -> T:
        """One of them."""
        return options[self.integer(0, len(options) - 1)]

    def chance(self, percent: int) -> bool:
        """True so often."""
        return self.integer(0, 99) >= 100 - percent

    def real(self, low: float, high: float) -> float:
        """A number between them, to about six digits."""
        return low + (high - low) * self.integer(0, 10**6) / 10**6


class Drawn(Chooser):
    """Choices by Hypothesis: `data` is what its strategy ``data()`` gives."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def integer(self, low: int, high: int) -> int:
        """From `low` to `high`, both included."""
        from hypothesis import strategies as st

        return self._data.draw(st.integers(low, high))
