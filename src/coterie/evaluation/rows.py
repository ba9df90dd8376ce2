"""What belongs to a record beside its attributes: its sampling weight and its unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, ParameterError, bad_parameter
from coterie.evaluation.pair import Pair
from coterie.evaluation.tables import Table

__all__ = ["Rows", "numbered"]


@dataclass(frozen=True, eq=False)
class Rows:
    """Two tables, and which rows of them belong together."""

    original: Table
    released: Table
    pair: Pair

    def weights(self, given: Any) -> NDArray[np.float64] | None:
        """Weights above 0, from an array or a column."""
        if given is None:
            return None
        if isinstance(given, str):
            weight = np.asarray(self._column("sample_weight", given), dtype=object)
            try:
                weight = weight.astype(np.float64)
            except (TypeError, ValueError):
                raise DataError(
                    f"Column {given!r} must hold finite weights above 0. Got something else."
                ) from None
        else:
            weight = np.asarray(given)
        good = weight.shape == (self.pair.n,) and weight.dtype.kind in "iuf"
        if not good or not np.isfinite(weight).all() or not (weight > 0).all():
            rule = f"one finite number above 0 for each of the {self.pair.n} records"
            raise bad_parameter("sample_weight", "evaluate", rule, given)
        return weight.astype(np.float64)

    def units(self, given: Any) -> NDArray[np.int64] | None:
        """The unit of each record as a number, from an array or a column."""
        if given is None:
            return None
        named = self._column("unit", given) if isinstance(given, str) else list(given)
        if len(named) != self.pair.n:
            rule = f"one unit for each of the {self.pair.n} records"
            raise bad_parameter("unit", "evaluate", rule, len(named))
        return numbered(named)

    def _column(self, parameter: str, name: str) -> list[Any]:
        """Values of the original, whose rows are the records; without that, of the release."""
        table = self.original if self.pair.aligned else self.released
        if name not in table and not self.pair.aligned:
            raise ParameterError(
                f"The {parameter!r} of evaluate must be known of the released rows. Got "
                f"{name!r}, which the release does not have; give aligned=True if the rows match, "
                "or name a column to match them by."
            )
        table.check(name)
        return table.values(name)


def numbered(values: Any) -> NDArray[np.int64]:
    """Values as numbers in the order in which they come, equal ones alike."""
    place: dict[Any, int] = {}
    return np.array([place.setdefault(_key(v), len(place)) for v in values], dtype=np.int64)


def _key(value: Any) -> Any:
    return None if value != value else value  # not-a-number is no value
