"""Utility by analysis: the same estimates from both tables, and how far their intervals overlap.

Linear regressions, means and totals by domain and tables of counts, weighted where there are
sampling weights, each estimate with its 95 % interval. Two intervals overlap by the mean of the
shares of each that the other covers: Karr, Kohnen, Oganian, Reiter, Sanil (2006), "A framework for
evaluating the utility of data altered to protect confidentiality", The American Statistician
60(3):224-232; disjoint ones by 0. An estimate that only one of the tables gives overlaps by 0 too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case, Finding
from coterie.evaluation.column import ColumnPair
from coterie.numbers.magnitude import magnitude
from coterie.plan.analysis import Analysis

__all__ = ["Estimate", "analyses", "estimates", "overlap"]

Z = 1.959963984540054
Floats = NDArray[np.float64]
Found = dict[str, tuple[float, float]]  # of each term, the estimate and its standard error


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
    weights = case.settings.sample_weight
    made: list[Estimate] = []
    for asked in case.settings.analyses:
        sides = [estimates(asked, case.pair.others, which, weights) for which in (0, 1)]
        for term in dict.fromkeys([*sides[0], *sides[1]]):
            before, after = (_interval(side.get(term)) for side in sides)
            made.append(Estimate(asked.text, term, before, after, 100.0 * overlap(before, after)))
    parts = {}
    for asked in case.settings.analyses:
        shares = [one.overlap for one in made if one.analysis == asked.text]
        parts[asked.text] = float(np.mean(shares)) if shares else 0.0
    return Finding(float(np.mean(list(parts.values()))), parts=parts, estimates=tuple(made))


def estimates(
    asked: Analysis, columns: Mapping[str, ColumnPair], which: int, weights: Floats | None
) -> Found:
    """The figures of an analysis from one of the two tables, over records that have all of it."""
    chosen = [columns[name] for name in asked.columns]
    there = np.logical_and.reduce([column.there[which] for column in chosen])
    rows = np.flatnonzero(there)
    weight = np.ones(len(rows)) if weights is None else weights[rows]
    if not len(rows):
        return {}
    values = {name: _values(columns[name], which)[rows] for name in asked.columns}
    power = 0
    if asked.outcome is not None:  # sums of large numbers must be numbers
        power = magnitude(values[asked.outcome])
        values[asked.outcome] = np.ldexp(values[asked.outcome], -power)
    with np.errstate(over="ignore", invalid="ignore"):
        found = _figures(asked, columns, values, weight)
        both = {name: np.ldexp(np.array(pair), power) for name, pair in found.items()}
    return {n: (float(v[0]), float(v[1])) for n, v in both.items() if np.isfinite(v).all()}


def _figures(
    asked: Analysis, columns: Mapping[str, ColumnPair], values: dict[str, Floats], weight: Floats
) -> Found:
    """The figures from the values of records that have all of them."""
    if asked.kind == "regression":
        return _regression(asked, columns, values, weight)
    domains = _domains([columns[name] for name in asked.by], [values[n] for n in asked.by])
    if asked.kind == "count":
        return _counts(domains, weight, len(weight))
    assert asked.outcome is not None
    outcome = values[asked.outcome]
    found: Found = {}
    for name, members in domains.items():
        found[name] = _mean_or_total(asked.kind, outcome, weight, members, len(weight))
    return found


def overlap(first: tuple[float, float, float], second: tuple[float, float, float]) -> float:
    """Mean share of each interval that the other covers; of equal points 1."""
    if math.isnan(first[0]) or math.isnan(second[0]):
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


def _values(column: ColumnPair, which: int) -> Floats:
    return (column.original, column.released)[which].astype(np.float64)


def _domains(columns: list[ColumnPair], values: list[Floats]) -> dict[str, NDArray[np.bool_]]:
    """The records of each combination of values, by its name; all of them without a domain."""
    if not columns:
        return {"all": np.ones(0, dtype=bool)}
    made: dict[str, NDArray[np.bool_]] = {}
    for combination in np.unique(np.column_stack(values), axis=0):
        members = np.logical_and.reduce(
            [column == value for column, value in zip(values, combination, strict=True)]
        )
        names = [_name(c, v) for c, v in zip(columns, combination, strict=True)]
        made[", ".join(names)] = members
    return made


def _name(column: ColumnPair, value: float) -> str:
    return str(column.categories[int(value)]) if column.categories else f"{value:g}"


def _mean_or_total(
    kind: str, outcome: Floats, weight: Floats, members: NDArray[np.bool_], n: int
) -> tuple[float, float]:
    """Weighted mean or total over a domain, and its linearised standard error."""
    inside = np.ones(n, dtype=bool) if not len(members) else members
    y, w = outcome[inside], weight[inside]
    total = float(w.sum())
    mean = float((w * y).sum()) / total
    if kind == "mean":
        return mean, math.sqrt(float(np.square(w * (y - mean)).sum())) / total
    # Every record adds w y in the domain and nothing outside of it.
    parts = np.where(inside, weight * outcome, 0.0)
    return float(parts.sum()), math.sqrt(n * float(parts.var()))


def _counts(domains: dict[str, NDArray[np.bool_]], weight: Floats, n: int) -> Found:
    found: Found = {}
    for name, members in domains.items():
        parts = np.where(members, weight, 0.0)
        found[name] = float(parts.sum()), math.sqrt(n * float(parts.var()))
    return found


def _regression(
    asked: Analysis, columns: Mapping[str, ColumnPair], values: dict[str, Floats], weight: Floats
) -> Found:
    """Weighted least squares; a category is told from the first in the order of its codes."""
    names, parts = ["intercept"], [np.ones(len(weight))]
    for name in asked.by:
        column = columns[name]
        if column.kind != "category":
            names.append(name)
            parts.append(values[name])
            continue
        for code in range(1, len(column.categories)):
            if (values[name] == code).any():
                names.append(f"{name} = {column.categories[code]}")
                parts.append((values[name] == code).astype(np.float64))
    assert asked.outcome is not None
    X, y = np.column_stack(parts), values[asked.outcome]
    root = np.sqrt(weight)
    scale = np.abs(X).max(axis=0)
    scale[scale == 0] = 1.0
    design = X / scale * root[:, None]
    if np.linalg.matrix_rank(design) < len(names):
        return {}  # a column follows from the others: no coefficient of its own
    inverse = np.linalg.inv(design.T @ design)
    beta = inverse @ (design.T @ (y * root))
    free = len(y) - len(names)
    residual = (y * root) - design @ beta
    variance = float(residual @ residual) / free if free > 0 else math.nan
    errors = np.sqrt(np.diag(inverse) * variance) / scale
    return {
        name: (float(b), float(e)) for name, b, e in zip(names, beta / scale, errors, strict=True)
    }
