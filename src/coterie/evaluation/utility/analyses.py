"""Utility by analysis: the same estimates from both tables, and how far their intervals overlap.

Linear regressions, means and totals by domain and tables of counts, weighted where there are
sampling weights, each estimate with its 95 % interval. Two intervals overlap by the mean of the
shares of each that the other covers: Karr, Kohnen, Oganian, Reiter, Sanil (2006), "A framework for
evaluating the utility of data altered to protect confidentiality", The American Statistician
60(3):224-232; disjoint ones by 0. An estimate that only one of the tables gives overlaps by 0 too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case, Finding
from coterie.evaluation.column import ColumnPair
from coterie.evaluation.utility.naming import domain_texts, term_texts
from coterie.evaluation.utility.sums import Own, Sums
from coterie.plan.analysis import Analysis
from coterie.table.categories import category_key

__all__ = ["Estimate", "Sides", "analyses", "compared", "overlap", "sums_of"]

Z = 1.959963984540054
Sides = tuple[Sums, Sums]  # of the original, and of what is released


@dataclass(frozen=True)
class Estimate:
    """One figure of an analysis, before and after; not a number where a table does not give it.

    Attributes
    ----------
    analysis, term : str
        Which figure: of a regression a coefficient, else a domain.
    before, after : tuple of three floats
        The estimate and the ends of its interval.
    overlap : float
        Of the two intervals, percent.
    """

    analysis: str
    term: str
    before: tuple[float, float, float]
    after: tuple[float, float, float]
    overlap: float


def analyses(case: Case) -> Finding:
    """Mean overlap of the intervals, in percent."""
    asked = case.settings.analyses
    return compared(asked, sums_of(asked, case.pair.others, case.settings.sample_weight))


def sums_of(
    asked: Sequence[Analysis],
    columns: Mapping[str, ColumnPair],
    weights: NDArray[np.float64] | None,
) -> tuple[Sides, ...]:
    """What each analysis needs of both tables, or of a part of them: parts add up."""
    sums = []
    for one in asked:
        before, after = (Sums.of(one, columns, which, weights) for which in (0, 1))
        sums.append((before, after))
    return tuple(sums)


def compared(asked: Sequence[Analysis], sums: Sequence[Sides]) -> Finding:
    """The estimates of all analyses from what was summed up for them."""
    results: list[Estimate] = []
    parts = {}
    for one, sides in zip(asked, sums, strict=True):
        first = _first(sides)
        found = [side.estimates(one, first) for side in sides]
        mine = []
        texts = term_texts if one.kind == "regression" else domain_texts
        for name, term in texts([*found[0], *found[1]]).items():
            before, after = (_interval(side.get(name)) for side in found)
            mine.append(Estimate(one.text, term, before, after, 100.0 * overlap(before, after)))
        parts[one.text] = float(np.mean([e.overlap for e in mine])) if mine else 0.0
        results += mine
    return Finding(float(np.mean(list(parts.values()))), parts=parts, estimates=tuple(results))


def _first(sides: Sides) -> dict[str, Any]:
    """Of each column of categories the one that the others are told from.

    It is the least that both tables have: where it is missing, the others add up to the intercept,
    and nothing can be estimated. Tables without a common category have nothing to compare either.
    """
    found: dict[str, list[set[Any]]] = {}
    for which, side in enumerate(sides):
        for term in side.terms():
            if not isinstance(term, Own) and term[1] is not None:
                found.setdefault(term[0], [set(), set()])[which].add(term[1])
    return {
        name: min(before & after or before | after, key=category_key)
        for name, (before, after) in found.items()
    }


def overlap(first: tuple[float, float, float], second: tuple[float, float, float]) -> float:
    """Mean share of each interval that the other covers; of equal points 1."""
    if any(map(math.isnan, (*first, *second))):
        return 0.0
    if first == second:
        return 1.0
    common = min(first[2], second[2]) - max(first[1], second[1])
    if common < 0.0:
        return 0.0
    widths = [one[2] - one[1] for one in (first, second)]
    return sum(common / width if width > 0 else 1.0 for width in widths) / 2.0


def _interval(found: tuple[float, float] | None) -> tuple[float, float, float]:
    if found is None:
        return (math.nan, math.nan, math.nan)
    value, error = found
    return value, value - Z * error, value + Z * error
