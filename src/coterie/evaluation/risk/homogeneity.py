"""What a class tells about its members' confidential values, without telling them apart.

Machanavajjhala et al. (2007), "l-diversity", ACM TKDD 1(1): distinct and entropy l. Li, Li,
Venkatasubramanian (2007), "t-closeness", ICDE: the earth mover's distance of a class from the whole
table, by ranks for numbers and with equal distances for categories.
"""

from __future__ import annotations

from collections.abc import Callable

from coterie.disclosure import (
    distinct_values,
    effective_values,
    equal_distance,
    ordered_distance,
)
from coterie.evaluation.case import Case, Finding
from coterie.evaluation.pair import Column

__all__ = ["distinct_l", "entropy_l", "t_closeness"]


def distinct_l(case: Case) -> Finding:
    """Least number of different confidential values in a class."""
    labels = case.classes[0]
    return _worst(case, lambda c: float(distinct_values(labels, c.distinct[1]).min()), min)


def entropy_l(case: Case) -> Finding:
    """Least exp(entropy) of the confidential values in a class: as many values, evenly spread."""
    labels = case.classes[0]
    return _worst(case, lambda c: float(effective_values(labels, c.distinct[1]).min()), min)


def t_closeness(case: Case) -> Finding:
    """Largest distance of a class's confidential values from those of the whole table."""

    def largest(column: Column) -> float:
        distance = ordered_distance if column.numeric else equal_distance
        return float(distance(case.classes[0], column.distinct[1]).max())

    return _worst(case, largest, max)


def _worst(case: Case, measure: Callable[[Column], float], worst: Callable[..., float]) -> Finding:
    by_column = {column.name: measure(column) for column in case.pair.confidential}
    return Finding(worst(by_column.values()), by_column=by_column)
