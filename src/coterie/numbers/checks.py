"""Checks of numeric input that several rooms share: arrays of records and the group size k."""

from __future__ import annotations

import operator
import sys
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.errors import DataError, ParameterError, bad_parameter, shown

__all__ = ["check_k", "check_points"]

EXACT_INTEGER = 2**53  # the first integer whose successor float64 cannot hold


def check_points(X: ArrayLike, owner: str = "partition") -> NDArray[np.float64]:
    """Return `X` as a finite (n, d) float64 array, or say what keeps it from being one."""
    # Whoever has a masked array has loaded numpy.ma; nobody else need wait for it.
    if "numpy.ma" in sys.modules and isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):
        raise DataError(
            f"X of {owner} has {np.ma.count_masked(X)} masked values. "
            "Drop those records or fill the gaps first."
        )
    try:
        array = np.asarray(X)
    except ValueError:
        raise DataError(
            f"X of {owner} must be a two-dimensional array of numbers. "
            "Got rows of unequal length; give every record the same attributes."
        ) from None
    if array.dtype == object and array.size and all(isinstance(v, Real) for v in array.flat):
        array = array.astype(np.float64)  # nullable columns, or booleans beside numbers
    if array.dtype.kind not in "biuf":
        raise DataError(
            f"X of {owner} must hold numbers. Got values of type {array.dtype} "
            f"({_first(array)}); encode or drop such columns first."
        )
    if array.ndim != 2:
        remedy = (
            "Use X.reshape(-1, 1) for one attribute." if array.ndim == 1 else "Flatten it first."
        )
        raise DataError(
            f"X of {owner} must have two dimensions, records and attributes. "
            f"Got shape {array.shape}. {remedy}"
        )
    if array.size == 0:
        raise DataError(
            f"X of {owner} must hold at least one record and one attribute. "
            f"Got shape {array.shape}; check the filter or file it came from."
        )
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        _refuse_inexact_integers(array, owner)
    values = array.astype(np.float64, copy=False)
    if not np.isfinite(values).all():
        raise _not_finite(values, owner)
    return values


def check_k(k: object, n: int, owner: str = "partition") -> int:
    """Return `k` as an int in 2..n, or raise the error that says why not."""
    if isinstance(k, (bool, np.bool_)):
        raise bad_parameter("k", owner, "an integer of at least 2", k)
    try:
        size = operator.index(k)  # type: ignore[arg-type]
    except TypeError:
        raise bad_parameter("k", owner, "an integer of at least 2", k) from None
    if size < 2:
        raise bad_parameter(
            "k", owner, "an integer of at least 2", k, "A group of one protects nobody."
        )
    if size > n:
        raise ParameterError(
            f"The 'k' parameter of {owner} must be at most the number of records, {n}. "
            f"Got {size} instead. Choose a smaller k or add records."
        )
    return size


def _first(array: NDArray) -> str:
    """The first value that is no number, for a message."""
    for value in array.ravel()[:1000].tolist():
        if not isinstance(value, (int, float)):
            return f"for example {shown(value)}"
    return "for example " + shown(array.ravel()[0]) if array.size else "empty"


def _refuse_inexact_integers(array: NDArray, owner: str) -> None:
    for column in range(array.shape[1]):
        low, high = int(array[:, column].min()), int(array[:, column].max())
        if max(-low, high) > EXACT_INTEGER:
            value = low if -low > high else high
            raise DataError(
                f"Column {column} of X of {owner} must hold integers within 2**53, which float64 "
                f"holds exactly. Got {value}; subtract an offset or divide the column first."
            )


def _not_finite(values: NDArray[np.float64], owner: str) -> DataError:
    bad = ~np.isfinite(values)
    row, column = np.argwhere(bad)[0]
    return DataError(
        f"X of {owner} must be finite. Got {int(bad.sum())} missing or infinite value(s), the "
        f"first {values[row, column]} in record {row}, column {column}; drop or fill them first."
    )
