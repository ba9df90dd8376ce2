"""What a class tells about its members' confidential values, without telling them apart.

Machanavajjhala et al. (2007), "l-diversity", ACM TKDD 1(1): distinct and entropy l. Li, Li,
Venkatasubramanian (2007), "t-closeness", ICDE: the earth mover's distance of a class from the whole
table, by ranks for numbers and with equal distances for categories. A missing value is a value like
any other, but where values are ranked: there only records that have one count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case, Finding
from coterie.evaluation.column import ColumnPair
from coterie.evaluation.links import equal_rows
from coterie.guarantees.disclosure import (
    distinct_values,
    effective_values,
    equal_distance,
    ordered_distance,
)
from coterie.numbers.renumber import renumber

__all__ = ["distinct_l", "entropy_l", "t_closeness", "value_codes"]


def distinct_l(case: Case) -> Finding:
    """Least number of different confidential values in a class."""
    labels = case.classes[0]
    return _worst(case, lambda c: float(distinct_values(labels, value_codes(c)).min()), min)


def entropy_l(case: Case) -> Finding:
    """Least exp(entropy) of the confidential values in a class: as many values, evenly spread."""
    labels = case.classes[0]
    return _worst(case, lambda c: float(effective_values(labels, value_codes(c)).min()), min)


def t_closeness(case: Case) -> Finding:
    """Largest distance of a class's confidential values from those of the whole table."""
    gaps = any(c.numeric and c.gaps[1].any() for c in case.pair.confidential)

    def largest(column: ColumnPair) -> float:
        labels = case.classes[0]
        if not column.numeric:
            return float(equal_distance(labels, value_codes(column)).max())
        there = column.there[1]
        if not there.any():
            return 0.0
        labels = renumber(labels[there])
        return float(ordered_distance(labels, column.distinct[1][there]).max())

    found = _worst(case, largest, max)
    return replace(found, note="numbers over the records that have one" if gaps else "")


def value_codes(column: ColumnPair) -> NDArray[np.int64]:
    """The values, gaps among them, as codes."""
    arrays = column.apart(1)
    return equal_rows(arrays) if len(arrays) > 1 else arrays[0]


def _worst(
    case: Case, measure: Callable[[ColumnPair], float], worst: Callable[..., float]
) -> Finding:
    by_column = {column.name: measure(column) for column in case.pair.confidential}
    return Finding(worst(by_column.values()), by_column=by_column)
