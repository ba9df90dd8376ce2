"""How much alike confidential values of a class are, by a distance: two models of proximity.

(epsilon, m)-anonymity (Li, Tao, Xiao (2008), SIGMOD:473-486): for every confidential value x of a
class at most 1/m of its records have values within epsilon of x. (epsilon, delta)^k-dissimilarity
(Wang, Meng, Bamba, Liu, Pu (2009), ICDE:1279-1282): a class has at least k members, and every value
is farther than epsilon from at least delta (|G| - 1) others. Told is the largest m, and the largest
delta, that every class keeps. Epsilon is in standard deviations of the column; of categories only
equal ones are alike, and so are gaps.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case, Finding
from coterie.evaluation.column import ColumnPair
from coterie.evaluation.links import equal_rows
from coterie.numbers.magnitude import magnitude

__all__ = ["dissimilarity", "proximity_m", "within"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def proximity_m(case: Case) -> Finding:
    """The largest m: least |G| over the number of values alike."""
    sizes = np.bincount(case.classes[0])[case.classes[0]]
    return _least(case, lambda alike: float((sizes / alike).min()))


def dissimilarity(case: Case) -> Finding:
    """The largest delta: least share of the others of a class that are not alike."""
    sizes = np.bincount(case.classes[0])[case.classes[0]]
    others = np.maximum(sizes - 1, 1)  # one alone is like herself: a share of 0
    found = _least(case, lambda alike: float(((sizes - alike) / others).min()))
    assert found.parts is not None
    found.parts["k"] = float(sizes.min())
    return found


def _least(case: Case, measure: Callable[[Ints], float]) -> Finding:
    labels, epsilon = case.classes[0], case.settings.epsilon
    by_column = {c.name: measure(_alike(labels, c, epsilon)) for c in case.pair.confidential}
    note = f"epsilon {epsilon:g} standard deviations"
    worst = min(by_column.values())
    return Finding(worst, by_column=by_column, parts={"epsilon": epsilon}, note=note)


def _alike(labels: Ints, column: ColumnPair, epsilon: float) -> Ints:
    """For each record how many of its class have a value like its own, itself among them."""
    there = column.there[1]
    gaps = equal_rows([labels, column.gaps[1].astype(np.int64)])
    found = np.bincount(gaps)[gaps]
    if there.any():
        values = column.released[there].astype(np.float64)
        values = np.ldexp(values, -magnitude(values))  # distances are in deviations: no unit
        reach = epsilon * float(values.std()) if column.numeric else 0.0
        found[there] = within(labels[there], values, reach)
    return found


def within(labels: Ints, values: Floats, reach: float) -> Ints:
    """For each record how many of its class lie within `reach` of it; n log n."""
    n = len(values)

    def before(points: Floats, inclusive: bool) -> Ints:
        """Values of this class and those sorted before it that are below each point."""
        rank = np.repeat([not inclusive, inclusive], n)  # who comes first of equals
        order = np.lexsort((rank, np.append(values, points), np.append(labels, labels)))
        seen = np.cumsum(order < n)
        found = np.empty(2 * n, dtype=np.int64)
        found[order] = seen
        return found[n:]

    return before(values + reach, True) - before(values - reach, False)
