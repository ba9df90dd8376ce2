"""Probabilistic information loss: how large a statistic's change is beside its sampling error.

Mateo-Sanz, Domingo-Ferrer, Sebe (2005), DMKD 11:181-193; Equations (9) to (11) of Mortazavi,
Jalili (2017), with the absolute value that Equation (10) needs to stay a probability. A statistic
that did not change costs 0; one that changed although its sampling error is 0 costs 1. The
asymptotic variances are those of large samples (n > 100): see docs/reference/definitions.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case, Finding
from coterie.evaluation.risk.linkage import MOMENTS
from coterie.evaluation.utility.moments import correlation, covariance

__all__ = ["pil"]

QUANTILES = np.arange(1, 20) / 20.0
ROUNDING = 1e-12  # a difference of standardized statistics below this is none


def pil(case: Case) -> Finding:
    """Mean of five parts, in percent: quantiles, means, variances, covariances, correlations.

    Both tables are in the original's moments, or each in its own. With gaps, a key counts over the
    records that have it and a pair over those that have both.
    """
    before, after = case.normal
    single = list(map(_alone, before.T, after.T))
    parts = {
        name: np.column_stack([found[place] for found in single])
        for place, name in enumerate(("quantiles", "means", "variances"))
    }
    by_column = np.mean([part.mean(axis=0) for part in parts.values()], axis=0)
    if case.gapless:
        pairs = [_pairs(before, after)]
    else:
        pairs = [
            _pairs(*(side[~np.isnan(side).any(axis=1)] for side in sides))
            for sides in _two_by_two(before, after)
        ]
    for place, name in enumerate(("covariances", "correlations")):
        parts[name] = np.concatenate([found[place] for found in pairs]) if pairs else np.empty(0)
    shares = {
        name: 100.0 * float(part.mean()) if part.size else 0.0 for name, part in parts.items()
    }
    return Finding(
        sum(shares.values()) / 5.0,
        by_column={c.name: 100.0 * float(v) for c, v in zip(case.numeric, by_column, strict=True)},
        parts=shares,
        note="; ".join(
            text for text in (MOMENTS[case.settings.moments], case.by_column_note) if text
        ),
    )


def _alone(before: NDArray[np.float64], after: NDArray[np.float64]) -> tuple[NDArray, ...]:
    """Loss of the quantiles, the mean and the variance of one column, which may have any unit."""
    before, after = before[~np.isnan(before)], after[~np.isnan(after)]
    n, centered = len(before), before - before.mean()
    m2, m4 = np.square(centered).mean(), np.square(np.square(centered)).mean()
    mean = loss(after.mean() - before.mean(), m2 / n)
    return _quantiles(before, after), mean, loss(after.var() - m2, (m4 - m2**2) / n)


def _two_by_two(
    before: NDArray[np.float64], after: NDArray[np.float64]
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Every two columns of both tables that some records have together."""
    d = before.shape[1]
    for a in range(d):
        for b in range(a + 1, d):
            sides = before[:, [a, b]], after[:, [a, b]]
            if all((~np.isnan(side)).all(axis=1).any() for side in sides):
                yield sides


def loss(change: NDArray, variance: NDArray) -> NDArray[np.float64]:
    """Equation (10): 2 P(0 <= Z <= |change| / sqrt(variance)) for a standard normal Z."""
    from scipy.special import erf

    size = np.where(np.abs(change) <= ROUNDING, 0.0, np.abs(change))
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(size == 0.0, 0.0, size / np.sqrt(np.maximum(variance, 0.0)))
    return erf(z / math.sqrt(2.0))


def _quantiles(before: NDArray[np.float64], after: NDArray[np.float64]) -> NDArray[np.float64]:
    """Loss of the quantiles from 5 % to 95 %: variance q (1 - q) / (n f(Q)^2)."""
    n = len(before)
    ranked = np.sort(before)
    at = np.quantile(ranked, QUANTILES)
    change = np.quantile(after, QUANTILES) - at
    density = _density(ranked, at)
    # Numbers that lie together in the least part of their range: no sampling error to speak of.
    with np.errstate(divide="ignore", over="ignore"):
        variance = QUANTILES * (1.0 - QUANTILES) / (n * np.square(density))
    return loss(change, variance)


def _density(ranked: NDArray[np.float64], at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Normal kernel estimate with the rule-of-thumb width 1.06 min(sd, IQR / 1.34) n^(-1/5)."""
    n = len(ranked)
    spread = ranked.std()
    quartiles = np.quantile(ranked, [0.25, 0.75])
    middle = (quartiles[1] - quartiles[0]) / 1.34
    width = 1.06 * (min(spread, middle) if middle > 0 else spread) * n**-0.2
    if width == 0:
        return np.full(len(at), np.inf)  # a constant: every change counts
    density = np.empty(len(at))
    for i, value in enumerate(at):
        # Beyond 9 widths the kernel is below 1e-17: only the rows in reach are looked at.
        start, stop = np.searchsorted(ranked, [value - 9 * width, value + 9 * width])
        z = (ranked[start:stop] - value) / width
        density[i] = np.exp(-0.5 * z * z).sum() / (n * width * math.sqrt(2 * math.pi))
    return density


def _pairs(
    before: NDArray[np.float64], after: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Loss of covariances and correlations, over pairs of different columns."""
    constant = before.min(axis=0) == before.max(axis=0)
    centered = np.where(constant, 0.0, before - before.mean(axis=0))
    n, d = centered.shape
    a, b = upper = np.triu_indices(d, 1)
    square = np.square(centered)
    m22 = (square.T @ square / n)[upper]
    m31 = (square * centered).T @ centered / n
    m2, m4 = square.mean(axis=0), np.square(square).mean(axis=0)
    m11 = (centered.T @ centered / n)[upper]
    cov = loss((covariance(after) - covariance(before))[upper], (m22 - m11**2) / n)
    r = correlation(before)[upper]
    m2[constant] = 1.0  # a divisor of nothing but zeros
    va, vb, vab = m2[a], m2[b], m2[a] * m2[b]
    s = np.sqrt(vab)
    # Kendall, Stuart, "The advanced theory of statistics", vol. 1, section 10.9, times rho^2:
    # multiplied out, so that rho = 0 needs no division.
    variance = (
        m22 / vab
        + r**2 / 4.0 * (m4[a] / va**2 + m4[b] / vb**2 + 2.0 * m22 / vab)
        - r * (m31[a, b] / (va * s) + m31[b, a] / (vb * s))
    ) / n
    return cov, loss(correlation(after)[upper] - r, variance)
