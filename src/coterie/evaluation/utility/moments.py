"""Differences of means, variances, correlations and eigenvalues, in the original's units of sd."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case, Finding

__all__ = ["correlations", "eigenvalues", "means", "variances"]


def means(case: Case) -> Finding:
    """Mean absolute difference of the means, in standard deviations."""
    before, after = case.standard
    return _mean(case, np.abs(after.mean(axis=0) - before.mean(axis=0)))


def variances(case: Case) -> Finding:
    """Mean absolute difference of the variances, relative to the original ones."""
    before, after = case.standard
    return _mean(case, np.abs(after.var(axis=0) - before.var(axis=0)))


def correlations(case: Case) -> Finding:
    """Mean absolute difference of the correlations, over pairs of numeric keys.

    A constant column correlates with nothing: its correlations count as 0.
    """
    difference = np.abs(correlation(case.standard[1]) - correlation(case.standard[0]))
    d = len(difference)
    upper = difference[np.triu_indices(d, 1)]
    by_column = difference.sum(axis=0) / (d - 1)
    return Finding(
        float(upper.mean()),
        by_column={c.name: float(v) for c, v in zip(case.numeric, by_column, strict=True)},
        parts={"largest": float(upper.max())},
    )


def eigenvalues(case: Case) -> Finding:
    """Mean absolute difference of the ordered eigenvalues of the covariance matrices.

    Taken in standard deviations of the original, where the eigenvalues average 1.
    """
    before, after = (np.linalg.eigvalsh(covariance(side)) for side in case.standard)
    difference = np.abs(after - before)
    return Finding(float(difference.mean()), parts={"largest": float(difference.max())})


def covariance(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Covariance matrix with divisor n, as the papers define it."""
    centred = values - values.mean(axis=0)
    return centred.T @ centred / len(values)


def correlation(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Correlation matrix; 0 where a column is constant."""
    matrix = covariance(values)
    spread = np.sqrt(np.diag(matrix))
    spread[values.min(axis=0) == values.max(axis=0)] = np.inf
    matrix = matrix / np.outer(spread, spread)
    np.fill_diagonal(matrix, 1.0)
    return np.clip(matrix, -1.0, 1.0)


def _mean(case: Case, by_column: NDArray[np.float64]) -> Finding:
    return Finding(
        float(by_column.mean()),
        by_column={c.name: float(v) for c, v in zip(case.numeric, by_column, strict=True)},
        parts={"largest": float(by_column.max())},
    )
