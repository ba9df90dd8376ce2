"""Dominance: how much of a group's total the largest units may make up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from coterie.guarantees import disclosure
from coterie.guarantees.finding import RuleFinding, at_least, at_most

__all__ = ["Dominance"]


@dataclass(frozen=True, eq=False)
class Dominance:
    """An amount and how much of a group's total the largest units may make up.

    Attributes
    ----------
    name : str
    amounts : (n,) float array
        What each record adds; absolute values count.
    p_percent : float or None
        All but the two largest units add at least this much, in percent of the largest.
    dominance : (int, float) or None
        The so many largest units add at most this much, in percent of the total.

    Examples
    --------
    >>> import coterie, numpy as np
    >>> staff = [[10.0], [11.0], [12.0], [40.0], [41.0], [42.0]]
    >>> paid = np.array([90.0, 4.0, 5.0, 30.0, 30.0, 30.0])
    >>> turnover = coterie.Dominance("turnover", paid, dominance=(1, 60.0))
    >>> asked = coterie.Constraints(dominance=(turnover,))
    >>> coterie.partition(staff, 3, constraints=asked).labels.tolist()
    [0, 0, 0, 0, 0, 0]
    """

    name: str
    amounts: NDArray[np.float64]
    p_percent: float | None = None
    dominance: tuple[int, float] | None = None

    def findings(
        self, labels: NDArray[np.int64], units: NDArray[np.int64] | None
    ) -> Iterator[RuleFinding]:
        """How the classes `labels` of all records stand to each rule."""
        if self.p_percent is not None:
            rest = disclosure.remainder_percent(labels, units, self.amounts)
            yield at_least("p_percent", self.name, self.p_percent, rest)
        if self.dominance is not None:
            count, most = self.dominance
            top = disclosure.top_percent(labels, units, self.amounts, count)
            yield replace(at_most("dominance", self.name, most, top), asked=(count, most))

    @property
    def limits(self) -> tuple[float, float, float]:
        """Both rules in the kernels' form: shares, the weakest where nothing is asked."""
        count, most = (0, 100.0) if self.dominance is None else self.dominance
        return (self.p_percent or 0.0) / 100.0, float(count), most / 100.0
