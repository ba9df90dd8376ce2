"""Two tables to compare, column by column, and what belongs to a record beside its attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, ParameterError, bad_parameter
from coterie.evaluation.column import ColumnPair
from coterie.evaluation.tables import Table
from coterie.space import LossTally, tally_of
from coterie.table.encoding import pattern_codes

__all__ = ["Control", "Pair", "Rows", "numbered"]


@dataclass(frozen=True, eq=False)
class Control:
    """Records that were not released, for attacks to be tried on; the original side counts.

    Attributes
    ----------
    keys, confidential : tuples of Column
        In the order and with the codes of the pair's.
    blocks : (m,) int array or None
        Their strata as they are released; -1 where no released record has them.
    units : (m,) int array or None
        The unit of each; None if each is one, or nothing is known.
    """

    keys: tuple[ColumnPair, ...]
    confidential: tuple[ColumnPair, ...]
    blocks: NDArray[np.int64] | None = None
    units: NDArray[np.int64] | None = None


@dataclass(frozen=True, eq=False)
class Pair:
    """The original and the released table, row by row if `aligned`.

    Attributes
    ----------
    keys : tuple of Column
        The quasi-identifiers.
    confidential : tuple of Column
        Attributes released as they are, watched for what they tell about a class.
    aligned : bool
        Whether row i of both tables is the same record.
    n : int
        Number of records.
    pooled : (n,) bool array or None
        Records whose strata were pooled, so that their own is no longer released; None if none
        were, or nothing is known of strata.
    strata : tuple of str
        Columns of strata that the schema names.
    blocks : (n,) int array or None
        The released stratum of each record: an intruder knows it as he knows the keys.
    control : Control or None
        Records that were held out.
    others : mapping of name to Column
        What else was asked for by name.
    population : Control or None
        People whom the records may stand for: their keys alone.
    """

    keys: tuple[ColumnPair, ...]
    confidential: tuple[ColumnPair, ...]
    aligned: bool
    n: int
    pooled: NDArray[np.bool_] | None = None
    strata: tuple[str, ...] = ()
    blocks: NDArray[np.int64] | None = None
    control: Control | None = None
    others: Mapping[str, ColumnPair] = field(default_factory=dict)
    population: Control | None = None

    @property
    def numeric(self) -> tuple[ColumnPair, ...]:
        """The numeric keys that some record has, in both tables."""
        return tuple(c for c in self.keys if c.numeric and all(t.any() for t in c.there))

    def patterns(self, which: int, names: Sequence[str] | None = None) -> NDArray[np.int64]:
        """A number for each record: the same for the same gaps and missing codes in the keys."""
        chosen = [c for c in self.keys if names is None or c.name in names]
        return pattern_codes(np.column_stack([column.gaps[which] for column in chosen]))

    def torn(self, names: Sequence[str] | None = None) -> int:
        """Records whose gaps are not the same in both tables."""
        chosen = [c for c in self.keys if names is None or c.name in names]
        other = [column.gaps[0] != column.gaps[1] for column in chosen]
        return int(np.logical_or.reduce(other).sum())

    def tallies(
        self, weights: NDArray[np.float64] | None, *, part: bool = False
    ) -> dict[str, LossTally]:
        """What each key lost; and, where strata were pooled, what was given up of those.

        A part of a table counts its strata in any case: others may have been pooled.
        """
        found = {column.name: column.tally(weights) for column in self.keys}
        if self.pooled is not None or (part and self.strata):
            here = np.ones(self.n, dtype=np.bool_)
            own = np.zeros(self.n, dtype=np.int64)
            now = own if self.pooled is None else self.pooled.astype(np.int64)
            lost = tally_of("stratum", own, now, here, ~here, weights, ("its own",))
            found[self._pooled_name] = lost
        return found

    @property
    def pooled_strata(self) -> dict[str, tuple[str, ...]]:
        """The strata behind the entry of the loss that is theirs; none where none were pooled."""
        return {} if self.pooled is None else {self._pooled_name: self.strata}

    @property
    def _pooled_name(self) -> str:
        """What pooled strata are called among the keys, none of which is called so."""
        name = f"pooled {', '.join(self.strata)}"
        while any(name == key.name for key in self.keys):
            name += " (strata)"
        return name


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
