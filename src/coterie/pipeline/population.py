"""The guarantee of k-map: checked on the released table against a population, and refused.

Classes are joined or moved without end before every one of them is the nearest of so many people,
and a union moves all centroids: there is nothing to repair by. What is asked for is checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import CoterieError, DataError
from coterie.evaluation.request import case_of
from coterie.evaluation.risk.k_map import people
from coterie.guarantees.beyond_k import NotAdmissible
from coterie.guarantees.finding import RuleFinding
from coterie.table.arrays import take_rows
from coterie.table.source import Source

if TYPE_CHECKING:
    from coterie.table.schema import Schema

__all__ = ["KMap"]


@dataclass(frozen=True, eq=False)
class KMap:
    """What judges a released table whose rows are `rows` of the source."""

    k: int
    population: Any
    source: Source
    schema: Schema
    rows: NDArray[np.int64]

    def __call__(self, found: Source) -> None:
        """Raise `NotAdmissible` if a class stands for fewer people."""
        try:
            case = case_of(
                take_rows(self.source.frame, self.rows).to_native(),
                found.frame.to_native(),
                aligned=True,
                schema=self.schema,
                population=self.population,
            )
        except CoterieError as error:
            raise DataError(f"k_map cannot be judged: {error}") from error
        held = people(case)
        classes, first = np.unique(case.classes[0], return_index=True)
        failing = int((held[first] < self.k).sum())
        finding = RuleFinding("k_map", None, self.k, float(held.min()), failing, len(classes))
        NotAdmissible.unless_kept([finding])
