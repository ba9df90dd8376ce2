"""Differences of whole distributions: Kolmogorov-Smirnov by column, propensity scores jointly."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case, Finding

__all__ = ["ks", "pmse"]

ROWS = 8192  # records of the design matrix at a time
TURNS = 300  # Newton steps at most: a coefficient is below sqrt(2 log(2) / RIDGE), 1,178
RIDGE = 1e-6  # keeps the fit finite where the two tables can be told apart without error
MOST_PAIRS = 20  # with more numeric keys than this the model has no products of pairs


def ks(case: Case) -> Finding:
    """Largest distance of the distribution functions, over the numeric keys."""
    by_column = {}
    for column in case.numeric:
        pair = zip((column.original, column.released), column.there, strict=True)
        before, after = (np.sort(values[there]) for values, there in pair)
        at = np.concatenate([before, after])
        f, g = (np.searchsorted(side, at, "right") / len(side) for side in (before, after))
        by_column[column.name] = float(np.abs(f - g).max())
    return Finding(
        max(by_column.values()),
        by_column=by_column,
        parts={"mean": float(np.mean(list(by_column.values())))},
        note=case.by_column_note,
    )


def pmse(case: Case) -> Finding:
    """Propensity-score mean squared error: how well a model tells the two tables apart.

    Woo, Reiter, Oganian, Karr (2009), "Global measures of data utility for microdata masked for
    disclosure limitation", Journal of Privacy and Confidentiality 1(1). The model is a logistic
    regression on the numeric keys, their squares and products, the categories, and what stands in
    place of a missing value. 0: cannot be
    told apart; 1/4: without error. `ratio` divides by what chance alone gives two samples of one
    population (Snoke et al. 2018, JRSS A 181:663-688); a release that keeps the records' order of
    magnitude can lie below 1.
    """
    model = _Model(case)
    beta = np.zeros(model.width)
    for turn in range(TURNS):
        gradient, hessian, _ = model.derivatives(beta)
        step = np.linalg.solve(hessian, gradient)
        # Steps of at most 5: where the tables hardly overlap, whole ones of 50 go back and forth.
        beta += step / max(1.0, float(np.abs(step).max()) / 5.0)
        case.tell((turn + 1) / (turn + 11))  # ten or so are usual
        if np.abs(step).max() < 1e-6:
            break
    value = model.derivatives(beta)[2]
    chance = (model.width - 1) / 8.0 / (2 * case.n)
    return Finding(value, parts={"ratio": value / chance if chance > 0 else 0.0})


class _Model:
    """Logistic regression of which table a record is from; columns are made a block at a time."""

    def __init__(self, case: Case) -> None:
        from coterie.kernels.risk import propensity

        self.kernel = propensity
        self.case = case
        self.standard = [np.nan_to_num(side) for side in case.standard]
        self.codes = [(c.original, c.released) for c in case.pair.keys if not c.numeric] + [
            c.gaps for c in case.pair.keys if not c.gapless
        ]
        self.levels = [np.union1d(*pair)[1:] for pair in self.codes]
        d = len(case.numeric)
        self.pairs = d <= MOST_PAIRS
        products = d * (d + 1) // 2 if self.pairs else d
        self.width = 1 + d + products + sum(map(len, self.levels))
        total = np.zeros(self.width)
        for x, extra, _ in self._blocks():
            propensity.squares(x, extra, self.pairs, total)
        root = np.sqrt(total / (2 * case.n))
        self.scale = np.where(root > 0, root, np.inf)

    def derivatives(self, beta: NDArray[np.float64]) -> tuple[NDArray, NDArray, float]:
        """Gradient and Hessian of the penalized likelihood, and the mean of (p - 1/2)^2."""
        gradient, hessian = np.zeros(self.width), np.zeros((self.width, self.width))
        apart = 0.0
        for x, extra, label in self._blocks():
            apart += self.kernel.accumulate(
                x, extra, self.pairs, self.scale, beta, label, gradient, hessian
            )
        hessian = hessian + np.triu(hessian, 1).T
        records = 2 * self.case.n
        penalty = RIDGE * np.eye(self.width)
        return gradient / records - RIDGE * beta, hessian / records + penalty, apart / records

    def _blocks(self) -> Iterator[tuple[NDArray, NDArray, float]]:
        """Numbers, columns of categories, and 1 for the release, 0 for the original."""
        for which in (0, 1):
            for start in range(0, self.case.n, ROWS):
                part = slice(start, min(start + ROWS, self.case.n))
                x = np.ascontiguousarray(self.standard[which][part])
                extra = [
                    pair[which][part] == code
                    for pair, levels in zip(self.codes, self.levels, strict=True)
                    for code in levels
                ]
                yield x, np.array(extra, dtype=np.float64).reshape(-1, len(x)).T, float(which)
