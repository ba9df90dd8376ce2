"""A point of the relaxation's dual, and how many steps are taken from one to the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.partitioning.driver import Run

__all__ = ["Prices", "Steps"]


@dataclass(frozen=True, eq=False)
class Prices:
    """A point of the dual: prices of records, a charge on every group, fines on triples."""

    records: NDArray[np.float64]
    charge: float
    fines: NDArray[np.float64]

    def toward(self, other: Prices, share: float) -> Prices:
        """The point between the two, `share` of the way from the other to this one."""
        fines = np.zeros(len(other.fines))  # triples that were not known yet had no fine
        fines[: len(self.fines)] = self.fines
        return Prices(
            share * self.records + (1 - share) * other.records,
            share * self.charge + (1 - share) * other.charge,
            share * fines + (1 - share) * other.fines,
        )


@dataclass
class Steps:
    """Ascents, searches and linear programs that were brought to an end, and how many may be.

    What the clock cuts short is thrown away and not counted: the same number of steps always comes
    to the same.
    """

    done: int = 0
    most: int | None = None

    def left(self, run: Run) -> bool:
        """Whether there may be another step."""
        return not run.out_of_time and (self.most is None or self.done < self.most)

    def ended(self, run: Run) -> bool:
        """Count the step that has just been made; False, and not counted, if it was cut short."""
        if run.out_of_time:
            return False
        self.done += 1
        return True
