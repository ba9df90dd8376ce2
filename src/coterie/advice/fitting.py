"""Least squares on columns of numbers, and how many records they give back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.numbers.magnitude import lifted

__all__ = [
    "SHARE",
    "correlation",
    "fitted_values",
    "gives_back",
    "line",
    "logarithms",
    "share_given",
    "slopes",
    "spread",
]

SHARE = 0.99  # of the records that a relation must give back
NEAR = 0.01  # of a value, and
CLOSE = 0.05  # of the spread of all values: how near is given back


def logarithms(values: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Logarithms of what has some: None for a column with negative numbers or many zeros."""
    present = values[~np.isnan(values)]
    if not len(present) or (present <= 0).mean() > 1 - SHARE:
        return None
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(values > 0, np.log(np.maximum(values, 1e-300)), np.nan)


def slopes(matrix: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coefficients of least squares, the constant last; columns are brought to one scale first."""
    (matrix, lifts), (y, lift) = lifted(matrix), lifted(y)
    center, scale = matrix.mean(axis=0), matrix.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    mean = y.mean()
    found = _least_squares((matrix - center) / scale, y - mean) / scale
    with np.errstate(over="ignore"):  # a slope of infinity gives nothing back
        return np.append(np.ldexp(found, lift - lifts), np.ldexp(mean - center @ found, lift))


def _least_squares(matrix: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """By the normal equations, refined once: a pass over the records instead of a decomposition."""
    products = matrix.T @ matrix
    found = np.zeros(matrix.shape[1])
    for _ in range(2):
        found += np.linalg.lstsq(products, matrix.T @ (y - matrix @ found), rcond=1e-12)[0]
    return found


def fitted_values(
    matrix: NDArray[np.float64], y: NDArray[np.float64], *, logs: bool
) -> NDArray[np.float64]:
    """What least squares make of the columns, brought back from logarithms."""
    slope = slopes(matrix, y)
    fitted = line(matrix, slope)
    return np.asarray(np.exp(np.minimum(fitted, 700)) if logs else fitted)


def line(matrix: NDArray[np.float64], slope: NDArray[np.float64]) -> NDArray[np.float64]:
    """The combination of columns by its coefficients, the constant last."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(matrix @ slope[:-1] + slope[-1])


def gives_back(truth: NDArray[np.float64], fitted: NDArray[np.float64]) -> bool:
    """Whether enough records are given back nearly enough."""
    return share_given(truth, fitted) >= SHARE


def share_given(truth: NDArray[np.float64], fitted: NDArray[np.float64]) -> float:
    """Share of the records that are given back nearly enough."""
    near = np.maximum(NEAR * np.abs(truth), CLOSE * spread(truth))
    with np.errstate(over="ignore", invalid="ignore"):
        return float((np.abs(truth - fitted) <= near).mean())


def spread(values: NDArray[np.float64]) -> float:
    """The spread of the bulk of values, like a standard deviation."""
    low, high = np.quantile(values / 2, [0.25, 0.75])  # halves: their difference may be too large
    return min(float(high - low) / (1.349 / 2), np.finfo(np.float64).max)


def correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Pearson's correlation, of numbers of any magnitude."""
    x, y = lifted(x)[0], lifted(y)[0]
    x, y = x - x.mean(), y - y.mean()
    size = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / size if size > 0 else 0.0
