"""Differences of whole distributions: Kolmogorov-Smirnov by column, propensity scores jointly."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case, Finding

__all__ = ["ks", "pmse"]

ROWS = 65536  # the design matrix is made this many rows at a time
TURNS = 30  # Newton steps at most
RIDGE = 1e-6  # keeps the fit finite where the two tables can be told apart without error
MOST_PAIRS = 20  # with more numeric keys than this the model has no products of pairs


def ks(case: Case) -> Finding:
    """Largest distance of the distribution functions, over the numeric keys."""
    by_column = {}
    for column in case.numeric:
        before, after = np.sort(column.original), np.sort(column.released)
        at = np.concatenate([before, after])
        f, g = (np.searchsorted(side, at, "right") / case.n for side in (before, after))
        by_column[column.name] = float(np.abs(f - g).max())
    return Finding(
        max(by_column.values()),
        by_column=by_column,
        parts={"mean": float(np.mean(list(by_column.values())))},
    )


def pmse(case: Case) -> Finding:
    """Propensity-score mean squared error: how well a model tells the two tables apart.

    Woo, Reiter, Oganian, Karr (2009), "Global measures of data utility for microdata masked for
    disclosure limitation", Journal of Privacy and Confidentiality 1(1). The model is a logistic
    regression on the numeric keys, their squares and products, and the categories. 0: cannot be
    told apart; 1/4: without error. `ratio` divides by what chance alone gives two samples of one
    population (Snoke et al. 2018, JRSS A 181:663-688); a release that keeps the records' order of
    magnitude can lie below 1.
    """
    scale = _scale(case)
    width = len(scale)
    beta = np.zeros(width)
    penalty = RIDGE * np.eye(width)
    for turn in range(TURNS):
        gradient, hessian = -penalty @ beta, penalty.copy()
        for design, is_release in _blocks(case, scale):
            p = _logistic(design @ beta)
            gradient += design.T @ (is_release - p) / (2 * case.n)
            hessian += (design * (p * (1 - p))[:, None]).T @ design / (2 * case.n)
        step = np.linalg.solve(hessian, gradient)
        # A step of more than 5 on the logit scale tells nothing new: |p - 1/2| is full by then.
        beta += step / max(1.0, float(np.abs(step).max()) / 5.0)
        case.tell((turn + 1) / TURNS)
        if np.abs(step).max() < 1e-8:
            break
    total = sum(float(np.square(_logistic(x @ beta) - 0.5).sum()) for x, _ in _blocks(case, scale))
    value = total / (2 * case.n)
    chance = (width - 1) / 8.0 / (2 * case.n)
    return Finding(value, parts={"ratio": value / chance if chance > 0 else 0.0})


def _scale(case: Case) -> NDArray[np.float64]:
    """Root mean square of each column of the design matrix; infinite for one that is all zero."""
    total = sum(np.square(block).sum(axis=0) for block, _ in _blocks(case, None))
    root = np.sqrt(np.asarray(total) / (2 * case.n))
    return np.where(root > 0, root, np.inf)


def _blocks(
    case: Case, scale: NDArray[np.float64] | None
) -> Iterator[tuple[NDArray[np.float64], float]]:
    """The design matrix of both tables, a block of rows at a time, and 1 for the release."""
    codes = [np.union1d(c.original, c.released)[1:] for c in case.pair.keys if not c.numeric]
    nominal = [c for c in case.pair.keys if not c.numeric]
    for which in (0, 1):
        for start in range(0, case.n, ROWS):
            part = slice(start, min(start + ROWS, case.n))
            x = case.standard[which][part]
            columns = [np.ones(len(x)), *x.T]
            d = x.shape[1]
            for a in range(d):
                columns += [x[:, a] * x[:, b] for b in range(a, d if d <= MOST_PAIRS else a + 1)]
            for column, levels in zip(nominal, codes, strict=True):
                values = (column.original, column.released)[which][part]
                columns += [(values == code).astype(float) for code in levels]
            design = np.column_stack(columns)
            yield design if scale is None else design / scale, float(which)


def _logistic(logit: NDArray[np.float64]) -> NDArray[np.float64]:
    return 0.5 * (1.0 + np.tanh(0.5 * logit))
