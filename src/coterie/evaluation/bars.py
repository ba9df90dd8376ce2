"""Thresholds on measures: at most so much, or at least where higher is safer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coterie.errors import ParameterError
from coterie.evaluation.registry import find

__all__ = ["Bar", "read_bars"]


@dataclass(frozen=True)
class Bar:
    """A threshold: the measure must be at most, or at least, so much."""

    measure: str
    limit: float
    at_least: bool

    def met(self, value: float | None) -> bool:
        """Whether a value keeps it; what was not measured does not."""
        if value is None or math.isnan(value):
            return False
        return value >= self.limit if self.at_least else value <= self.limit

    def __str__(self) -> str:
        return f"{'at least' if self.at_least else 'at most'} {self.limit:.4g}"


def read_bars(thresholds: Mapping[str, Any] | None) -> dict[str, Bar]:
    """The thresholds by measure.

    Examples
    --------
    >>> from coterie.evaluation.bars import read_bars
    >>> {name: str(bar) for name, bar in read_bars({"distinct_l": 2, "inference": 5}).items()}
    {'distinct_l': 'at least 2', 'inference': 'at most 5'}
    """
    if thresholds is not None and not isinstance(thresholds, Mapping):
        raise ParameterError(
            f"thresholds must be a mapping of measures to numbers. Got {thresholds!r}."
        )
    bars = {}
    for name, limit in (thresholds or {}).items():
        measure = find(name)
        number = isinstance(limit, (int, float)) and not isinstance(limit, bool)
        if not number or not math.isfinite(limit):
            raise ParameterError(
                f"The threshold of {name!r} must be a finite number. Got {limit!r}; use the unit "
                "of the measure."
            )
        low, high = measure.bounds
        if not low <= limit <= high:
            raise ParameterError(
                f"The threshold of {name!r} must be within {low:g} and {high:g}, the bounds of the "
                f"measure. Got {limit!r}."
            )
        bars[name] = Bar(name, float(limit), measure.rises)
    return bars
