"""Risk for the population that a sample stands for, from its sampling weights.

The superpopulation model of the SDC handbook (Hundepool et al. (2012), Statistical Disclosure
Control, Wiley, section 3.3; Benedetti, Franconi (1998), "Statistical and technological solutions
for controlled data dissemination"; Rinott (2003)): where a class has f units in the sample, the
number F in the population is negative binomial with the success probability p = f / (sum of the
weights of the class). Then

- the individual risk, the chance that a link with one of the F is right, is E(1 / F | f) =
  p^f / f * 2F1(f, f; f + 1; 1 - p), which is p / (1 - p) * log(1 / p) for f = 1;
- a unit that is unique in the sample is so in the population with probability p.

The first is told of the released classes, the second of the original ones: whom the release must
hide. A unit counts once, with the mean of its records' weights.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case, Finding, average
from coterie.evaluation.links import equal_rows
from coterie.evaluation.risk.classes import class_weights

__all__ = ["individual_risk", "population_risk"]

Floats = NDArray[np.float64]


def population_risk(case: Case) -> Finding:
    """Mean modeled chance of a right link to somebody of the population, in percent."""
    labels, sizes = case.classes
    risk = individual_risk(sizes, _sampled(case, labels, sizes))[labels]
    arrays = [array for column in case.pair.keys for array in column.apart(0)]
    original = equal_rows(arrays)
    units = case.settings.units
    held = np.bincount(original) if units is None else _units(original, units)
    shares = _sampled(case, original, held)
    alone = held == 1
    parts = {
        "highest": 100.0 * float(risk.max()),
        "expected_links": float(risk.sum()),
        "sample_risk": average(100.0 / sizes[labels]),
        "original_sample_uniques": float(alone.sum()),
        "original_population_uniques": float(shares[alone].sum()),
    }
    return Finding(average(100.0 * risk), by_record=100.0 * risk, parts=parts)


def individual_risk(sizes: NDArray[np.int64], shares: Floats) -> Floats:
    """E(1 / F | f) of classes of f units of which a share p was sampled; 1 / f if all were."""
    from scipy.special import hyp2f1

    f, p = sizes.astype(np.float64), np.maximum(shares, 1e-12)
    # Euler: 2F1(f, f; f + 1; z) = (1 - z)^(1 - f) 2F1(1, 1; f + 1; z), without its huge powers.
    return p / f * hyp2f1(1.0, 1.0, f + 1.0, 1.0 - p)


def _sampled(case: Case, labels: NDArray[np.int64], sizes: NDArray[np.int64]) -> Floats:
    """The share of each class that was sampled."""
    with np.errstate(over="ignore"):  # weights near 0: more were sampled than there are
        return np.minimum(sizes / class_weights(case, labels), 1.0)


def _units(labels: NDArray[np.int64], units: NDArray[np.int64]) -> NDArray[np.int64]:
    from coterie.table.classes import count_classes

    return count_classes(labels, units)
