"""One attribute as P3M sees it: in standard deviations from the mean, and back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError
from coterie.numbers.magnitude import magnitude

__all__ = ["StandardAttribute"]


@dataclass(frozen=True, eq=False)
class StandardAttribute:
    """An attribute in standard deviations from its mean, and the way back.

    Attributes
    ----------
    standard : (n,) array
        Its values.
    constant : bool
        Whether they are all the same.
    center, spread, power
        Mean and standard deviation of the values over two to that power.
    largest : float
        The largest value as it was given, whatever its sign.
    """

    standard: NDArray[np.float64]
    constant: bool
    center: float
    spread: float
    power: int
    largest: float

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> StandardAttribute:
        """Of values in any unit."""
        power = magnitude(values)
        x = np.ldexp(values, -power)
        constant = bool(x.min() == x.max())
        center = float(x.max()) if constant else float(x.mean())
        spread = 1.0 if constant else float(x.std())
        largest = float(np.abs(values).max())
        return cls((x - center) / spread, constant, center, spread, power, largest)

    def limit(self, wanted: NDArray[np.float64], unit: str) -> NDArray[np.float64]:
        """The targeted distances in standard deviations."""
        if unit == "value":
            # A constant has no deviation: its targets are judged in its own unit.
            return wanted / (1.0 if self.constant else float(np.ldexp(self.spread, self.power)))
        return wanted * np.abs(self.standard) if unit == "relative" else wanted

    def standardized(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values in its own unit as standard deviations from the mean."""
        return (np.ldexp(values, -self.power) - self.center) / self.spread

    def restored(self, standard: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        """Standard deviations from the mean as values in its own unit."""
        with np.errstate(over="ignore"):
            values = np.ldexp(self.center + self.spread * standard, self.power)
        if not np.isfinite(values).all():
            raise DataError(
                f"aggregation='p3m' of {name!r} must give numbers within float64. Got "
                f"originals up to {self.largest:g}; divide the column first."
            )
        return values
