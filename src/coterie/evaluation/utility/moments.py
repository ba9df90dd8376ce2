"""Differences of means, variances, correlations and eigenvalues, in the original's units of sd."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case, Finding
from coterie.numbers.magnitude import magnitude

__all__ = ["correlations", "eigenvalues", "means", "variances"]


def means(case: Case) -> Finding:
    """Mean absolute difference of the means, in standard deviations."""
    before, after = case.standard
    return _mean(case, np.abs(_over(np.mean, after) - _over(np.mean, before)))


def variances(case: Case) -> Finding:
    """Mean absolute difference of the variances, relative to the original ones."""
    before, after = case.standard
    return _mean(case, np.abs(_over(np.var, after) - _over(np.var, before)))


def correlations(case: Case) -> Finding:
    """Mean absolute difference of the correlations, over pairs of numeric keys.

    A constant column correlates with nothing: its correlations count as 0. With gaps, each pair is
    taken over the records that have both.
    """
    first, second = (by_pair(correlation, side) for side in case.standard)
    difference = np.abs(second - first)
    d = len(difference)
    upper = difference[np.triu_indices(d, 1)]
    by_column = difference.sum(axis=0) / (d - 1)
    return Finding(
        float(upper.mean()),
        by_column={c.name: float(v) for c, v in zip(case.numeric, by_column, strict=True)},
        parts={"largest": float(upper.max())},
        note="" if case.gapless else "each pair over the records that have both",
    )


def eigenvalues(case: Case) -> Finding:
    """Mean absolute difference of the ordered eigenvalues of the covariance matrices.

    Taken in standard deviations of the original, where the eigenvalues average 1; over the records
    that have every numeric key.
    """
    whole = [side[~np.isnan(side).any(axis=1)] for side in case.standard]
    before, after = (np.linalg.eigvalsh(covariance(side)) for side in whole)
    difference = np.abs(after - before)
    note = f"over the {len(whole[0]):,} of {case.n:,} records that have every numeric key"
    return Finding(
        float(difference.mean()),
        parts={"largest": float(difference.max())},
        note="" if case.gapless else note,
    )


def _over(statistic: Callable[..., Any], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """A statistic of every column, over the records that have it."""
    if not np.isnan(values).any():
        return np.asarray(statistic(values, axis=0))
    return np.array([statistic(column[~np.isnan(column)]) for column in values.T])


def by_pair(
    matrix: Callable[[NDArray[np.float64]], NDArray[np.float64]], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """A matrix of statistics of two columns, each over the records that have both."""
    if not np.isnan(values).any():
        return matrix(values)
    d = values.shape[1]
    found = np.zeros((d, d))
    for a in range(d):
        for b in range(a, d):
            both = values[:, [a, b]]
            both = both[~np.isnan(both).any(axis=1)]
            if len(both):
                found[a, b] = found[b, a] = matrix(both)[0, 1]
    return found


def covariance(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Covariance matrix with divisor n, as the papers define it."""
    centered = values - values.mean(axis=0)
    return centered.T @ centered / len(values)


def correlation(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Correlation matrix; 0 where a column is constant."""
    values = np.ldexp(values, [-magnitude(column) for column in values.T])  # it has no unit
    matrix = covariance(values)
    spread = np.sqrt(np.diag(matrix))
    spread[values.min(axis=0) == values.max(axis=0)] = np.inf
    matrix = np.clip(matrix / np.outer(spread, spread), -1.0, 1.0)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def _mean(case: Case, by_column: NDArray[np.float64]) -> Finding:
    return Finding(
        float(by_column.mean()),
        by_column={c.name: float(v) for c, v in zip(case.numeric, by_column, strict=True)},
        parts={"largest": float(by_column.max())},
        note=case.by_column_note,
    )
