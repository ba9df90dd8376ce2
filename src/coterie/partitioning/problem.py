"""What a method is asked to partition: checked once, then trusted by every kernel.

The points are moved and scaled before any kernel sees them: each column is centered on its middle
value and all are divided by one power of two. Both operations are exact for the values that
matter, so offsets like 1e9 cost no digit, and neither an offset nor a change of unit by a power of
two can change a group.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.errors import DataError
from coterie.numbers.checks import check_k, check_points

__all__ = ["Problem"]


@dataclass(frozen=True, eq=False)
class Problem:
    """Points ready for the kernels, and the least group size.

    Attributes
    ----------
    values : (n, d) float64 array
        The caller's X; never written to.
    points : (n, d) float64 array, C order
        ``(X - middle value of each column) / scale``: what kernels see.
    scale : float
        A power of two.
    k : int
        Least number of records in a group.
    """

    values: NDArray[np.float64]
    points: NDArray[np.float64]
    scale: float
    k: int

    @property
    def n(self) -> int:
        """Number of records."""
        return self.points.shape[0]

    @property
    def d(self) -> int:
        """Number of attributes."""
        return self.points.shape[1]

    def part(self, records: NDArray[np.int64] | slice) -> Problem:
        """The same question about some of the records, in the same coordinates."""
        points = np.ascontiguousarray(self.points[records])
        return Problem(self.values[records], points, self.scale, self.k)

    @classmethod
    def of(cls, X: ArrayLike, k: object, owner: str = "partition") -> Problem:
        """Check `X` and `k` and prepare the points. Raises `DataError` or `ParameterError`."""
        values = check_points(X, owner)
        size = check_k(k, len(values), owner)
        # An order statistic, not the mean: it moves and scales exactly with the data, and a
        # single outlier cannot drag the origin away from the bulk of the records.
        middle = len(values) // 2
        origin = np.partition(values, middle, axis=0)[middle]
        with np.errstate(over="ignore"):
            points = np.subtract(values, origin, order="C")
        widest = max(points.max(), -points.min())
        if not np.isfinite(widest):
            raise _too_wide(values, owner)
        # Only the exponent is taken out: the mantissas, and so all roundings, stay as they are.
        scale = math.ldexp(1.0, math.frexp(widest)[1] - 1) if widest > 0 else 1.0
        points /= scale
        # Not by a product of BLAS, whose threads cost more than this sum does.
        if not math.isfinite(float(np.einsum("ij,ij->", points, points)) * 4.0 * scale * scale):
            raise _too_wide(values, owner)
        return cls(values, points, scale, size)


def _too_wide(values: NDArray[np.float64], owner: str) -> DataError:
    column = int(np.abs(values / 2.0).max(axis=0).argmax())
    extreme = values[np.abs(values[:, column]).argmax(), column]
    return DataError(
        f"X of {owner} must be small enough for its squared distances to be represented "
        f"(up to about 1e150). Got {extreme:g} in column {column}; standardize or rescale it first."
    )
