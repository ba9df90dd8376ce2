"""Differences of whole distributions: Kolmogorov-Smirnov by column, propensity scores jointly."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case, Finding

__all__ = ["ks", "pmse"]

ROWS = 8192  # records of the design matrix at a time
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
    model = _Model(case)
    beta = np.zeros(model.width)
    penalty = RIDGE * np.eye(model.width)
    for turn in range(TURNS):
        gradient, hessian = -penalty @ beta, penalty.copy()
        for design, is_release in model.blocks():
            p = _logistic(beta @ design)
            gradient += design @ (is_release - p) / (2 * case.n)
            hessian += (design * (p * (1 - p) / (2 * case.n))) @ design.T
        step = np.linalg.solve(hessian, gradient)
        # A step of more than 5 on the logit scale tells nothing new: |p - 1/2| is full by then.
        beta += step / max(1.0, float(np.abs(step).max()) / 5.0)
        case.tell((turn + 1) / TURNS)
        if np.abs(step).max() < 1e-6:
            break
    total = sum(float(np.square(_logistic(beta @ x) - 0.5).sum()) for x, _ in model.blocks())
    value = total / (2 * case.n)
    chance = (model.width - 1) / 8.0 / (2 * case.n)
    return Finding(value, parts={"ratio": value / chance if chance > 0 else 0.0})


class _Model:
    """The design matrix of both tables, made a block of records at a time, never as a whole."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.d = len(case.numeric)
        self.nominal = [column for column in case.pair.keys if not column.numeric]
        self.levels = [np.union1d(c.original, c.released)[1:] for c in self.nominal]
        products = self.d * (self.d + 1) // 2 if self.d <= MOST_PAIRS else self.d
        self.width = 1 + self.d + products + sum(map(len, self.levels))
        self.scale = np.ones((self.width, 1))
        total = sum(np.einsum("ij,ij->i", x, x) for x, _ in self.blocks())
        root = np.sqrt(np.asarray(total) / (2 * case.n))
        self.scale[:, 0] = np.where(root > 0, root, np.inf)

    def blocks(self) -> Iterator[tuple[NDArray[np.float64], float]]:
        """Columns of the model by records, and 1 for the release, 0 for the original."""
        for which in (0, 1):
            for start in range(0, self.case.n, ROWS):
                part = slice(start, min(start + ROWS, self.case.n))
                yield self._block(which, part) / self.scale, float(which)

    def _block(self, which: int, part: slice) -> NDArray[np.float64]:
        x = self.case.standard[which][part].T
        design = np.empty((self.width, x.shape[1]))
        design[0] = 1.0
        design[1 : self.d + 1] = x
        at = self.d + 1
        for a in range(self.d):
            others = x[a:] if self.d <= MOST_PAIRS else x[a : a + 1]
            np.multiply(x[a], others, out=design[at : at + len(others)])
            at += len(others)
        for column, levels in zip(self.nominal, self.levels, strict=True):
            values = (column.original, column.released)[which][part]
            for code in levels:
                design[at] = values == code
                at += 1
        return design


def _logistic(logit: NDArray[np.float64]) -> NDArray[np.float64]:
    return 0.5 * (1.0 + np.tanh(0.5 * logit))
