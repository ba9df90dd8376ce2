"""What the sizes of the classes tell: achieved k, prosecutor, journalist and marketer risk.

A class is the set of released records that are equal on every key, gaps and missing codes included;
its size counts units where records belong to units. An intruder who knows that a
person is in the table (prosecutor) finds her with probability 1 / f, f being the size of the
class; one who knows only that she is in the population (journalist) with 1 / F, F being the size
of the class there, estimated by the sum of the sample weights (a unit counts once, with the mean of
its records' weights; never fewer than are in the table); one who links everybody (marketer)
succeeds on average with the mean of 1 / F.

El Emam (2010), "Risk-based de-identification of health data", IEEE Security & Privacy 8(3):64-67.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case, Finding, average

__all__ = ["achieved_k", "class_weights", "journalist", "marketer", "prosecutor"]


def achieved_k(case: Case) -> Finding:
    """Units in the smallest class; of every record's class; number and mean size of classes."""
    labels, sizes = case.classes
    parts = {
        "classes": float(len(sizes)),
        "mean_size": float(sizes.mean()),
        "largest": float(sizes.max()),
        "unique_records": float((sizes[labels] == 1).sum()),
    }
    return Finding(float(sizes.min()), by_record=sizes[labels], parts=parts)


def prosecutor(case: Case) -> Finding:
    """Highest chance, in percent, of finding a person known to be in the table."""
    labels, sizes = case.classes
    return _highest(case, 1.0 / sizes[labels])


def journalist(case: Case) -> Finding:
    """Highest chance, in percent, of finding a person of the population."""
    return _highest(case, 1.0 / _population(case))


def marketer(case: Case) -> Finding:
    """Expected share of records, in percent, that linking everybody identifies."""
    risk = 1.0 / _population(case)
    return Finding(average(100.0 * risk), by_record=100.0 * risk)


def _population(case: Case) -> NDArray[np.float64]:
    labels, sizes = case.classes
    if case.settings.sample_weight is None:
        return sizes[labels].astype(np.float64)
    return np.maximum(class_weights(case, labels), sizes)[labels].astype(np.float64)


def class_weights(case: Case, labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Sum of the weights of each class; a unit counts once, with the mean of its records'."""
    weight, units = case.settings.sample_weight, case.settings.units
    assert weight is not None
    if units is None:
        return _sums(labels, weight)
    pairs, which = np.unique(np.column_stack([labels, units]), axis=0, return_inverse=True)
    which = which.ravel()
    return _sums(pairs[:, 0], _sums(which, weight) / np.bincount(which))


def _sums(labels: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum of the values of each label: from the least on, so that the order does not show."""
    order = np.lexsort((values, labels))
    return np.bincount(labels[order], weights=values[order]).astype(np.float64)


def _highest(case: Case, risk: NDArray[np.float64]) -> Finding:
    threshold = case.settings.threshold
    parts = {
        "threshold": 100.0 * threshold,
        "records_at_risk": 100.0 * float((risk > threshold).mean()),
        "mean": average(100.0 * risk),
    }
    return Finding(100.0 * float(risk.max()), by_record=100.0 * risk, parts=parts)
