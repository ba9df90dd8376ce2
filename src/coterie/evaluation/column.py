"""One attribute in two tables: numbers, positions of levels or codes of categories, and gaps.

Numbers stay numbers, dates become microseconds, levels their positions; everything else becomes
codes that are equal where the values are equal. A column counts as numeric only if both tables hold
numbers. What stands in place of a value (nothing, or one of the declared missing codes) is kept
apart and never enters a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, ParameterError, shown
from coterie.evaluation.tables import coded, countable, gaps_of
from coterie.hierarchy.tree import Hierarchy
from coterie.space import NOMINAL, LossTally, Stake, shares_of, tally_of
from coterie.table.arrays import from_numpy, to_numpy
from coterie.table.categories import category_key
from coterie.table.schema import Attribute

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ColumnPair", "Side", "column_of"]

EXACT = 2**53  # whole numbers up to this are floats of their own
TYPES = {"number": "continuous", "ordinal": "ordinal", "category": "nominal"}


@dataclass(frozen=True, eq=False)
class Side:
    """A column of one of the two tables, as a space takes it."""

    attribute: Attribute
    values: NDArray
    missing: NDArray[np.bool_]
    categories: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class ColumnPair:
    """One attribute in both tables.

    Attributes
    ----------
    kind : str
        ``"number"``, ``"ordinal"`` (positions of levels) or ``"category"`` (codes).
    original, released : (n,) arrays
        What each record has; 0 where it has nothing.
    gaps : tuple of two (n,) int arrays
        What stands there instead: 0 a value, 1 nothing, 2, 3, ... the declared missing codes.
    categories : tuple
        What positions and codes stand for.
    ranks : tuple of two (n,) arrays, optional
        Places of whole numbers beyond 2^53, some of which a float would take for equal.
    weight : float
        How much the attribute counts in the loss.
    tree : Hierarchy, optional
        The tree behind the categories.
    temporal : bool
        Whether its numbers are dates or times, whose zero means nothing.
    """

    name: str
    kind: str
    original: NDArray
    released: NDArray
    gaps: tuple[NDArray[np.int16], NDArray[np.int16]]
    categories: tuple[Any, ...] = ()
    ranks: tuple[NDArray, NDArray] | None = None
    weight: float = 1.0
    tree: Hierarchy | None = None
    temporal: bool = False

    @property
    def numeric(self) -> bool:
        """Whether it has an order and distances."""
        return self.kind != "category"

    @property
    def distinct(self) -> tuple[NDArray, NDArray]:
        """Both sides as values, in order, that are equal only where the table's values are."""
        return (self.original, self.released) if self.ranks is None else self.ranks

    @cached_property
    def there(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Where each table has a value."""
        return self.gaps[0] == 0, self.gaps[1] == 0

    @property
    def gapless(self) -> bool:
        """Whether every record has a value in both tables."""
        return not (self.gaps[0].any() or self.gaps[1].any())

    def side(self, which: int) -> Side:
        """The original (0) or the released (1) column for a space in which all weigh alike."""
        attribute = Attribute(
            self.name, frozenset({"key"}), TYPES[self.kind], "", hierarchy=self.tree
        )
        values = (self.original, self.released)[which]
        return Side(attribute, values, ~self.there[which], self.categories)

    def apart(self, which: int) -> list[NDArray]:
        """Arrays that tell its values, gaps included, apart on one side."""
        values = self.distinct[which]
        return [values, self.gaps[which]] if self.gaps[which].any() else [values]

    def rows(self, chosen: Any) -> ColumnPair:
        """The same of some records."""
        ranks = self.ranks
        return replace(
            self,
            original=self.original[chosen],
            released=self.released[chosen],
            gaps=(self.gaps[0][chosen], self.gaps[1][chosen]),
            ranks=None if ranks is None else (ranks[0][chosen], ranks[1][chosen]),
        )

    def tally(self, weights: NDArray[np.float64] | None) -> LossTally:
        """What it lost."""
        before, after = self.there
        return tally_of(
            self.kind,
            self.original,
            self.released,
            before,
            before & ~after,
            weights,
            self.categories,
        )

    def shares(self, stake: Stake, weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
        """What each record adds to its loss; `stake` is that of all records."""
        before, after = self.there
        return shares_of(stake, self.original, self.released, before, before & ~after, weights)


def column_of(
    attribute: Attribute | None,
    name: str,
    before: pa.Array | list[Any],
    after: pa.Array | list[Any],
    levels: Sequence[Any] | None = None,
) -> ColumnPair:
    """One attribute of two tables; `attribute` says what it is, if anything does."""
    codes = attribute.missing_codes if attribute is not None else ()
    arrays = (before, after)
    gaps = (gaps_of(before, codes), gaps_of(after, codes))
    if attribute is not None and attribute.type == "ordinal" and levels is None:
        pairs = zip(arrays, gaps, strict=True)
        found = {value for array, gap in pairs for value in coded(array, gap)[1]}
        levels = attribute.order or sorted(found, key=category_key)
    if levels is not None:
        ordinal = _ordinal(name, arrays, gaps, levels)
    elif (attribute is None or attribute.type not in NOMINAL) and all(map(countable, arrays)):
        ordinal = _number(name, arrays, gaps)
    else:
        ordinal = _category(name, arrays, gaps)
    return ordinal if attribute is None else replace(ordinal, weight=attribute.weight)


def _number(name: str, arrays: Any, gaps: Any) -> ColumnPair:
    """Numbers, dates and times."""
    import pyarrow as pa

    temporal = any(pa.types.is_temporal(array.type) for array in arrays)
    sides, whole = [], []
    for which, array, gap in zip(("original", "released"), arrays, gaps, strict=True):
        present = array.filter(from_numpy(gap == 0)) if gap.any() else array
        if pa.types.is_timestamp(present.type) or pa.types.is_date(present.type):
            zone = getattr(present.type, "tz", None)
            present = present.cast(pa.timestamp("us", zone), safe=False)
        if pa.types.is_temporal(present.type):
            present = present.cast(pa.int64())
        whole.append(present if pa.types.is_integer(present.type) else None)
        numbers = to_numpy(present.cast(pa.float64(), safe=False))
        values = np.zeros(len(gap))
        values[gap == 0] = numbers
        _check_numbers(name, which, values)
        sides.append(values)
    ranks = _ranks(whole, sides, gaps)
    return ColumnPair(name, "number", sides[0], sides[1], gaps, ranks=ranks, temporal=temporal)


def _check_numbers(name: str, which: str, values: NDArray[np.float64]) -> None:
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values))[0])
        raise DataError(
            f"Column {name!r} of {which} must be finite. Got {values[row]} in row {row}; drop such "
            "records in both tables first, or declare a missing code."
        )


def _ranks(whole: Any, sides: Any, gaps: Any) -> tuple[NDArray, NDArray] | None:
    """Places among the values of both sides, where floats would not tell all of them apart."""
    import pyarrow.compute as pc

    def wide(array: Any) -> bool:
        ends = pc.min_max(array).as_py()
        return ends["min"] is not None and not -EXACT <= ends["min"] <= ends["max"] <= EXACT

    if not any(array is not None and wide(array) for array in whole):
        return None
    # Python compares integers and floats exactly; NumPy would make both of them floats first.
    listed = [
        array.to_pylist() if array is not None else side[gap == 0].tolist()
        for array, side, gap in zip(whole, sides, gaps, strict=True)
    ]
    place = {value: rank for rank, value in enumerate(sorted({*listed[0], *listed[1]}))}
    ranked = []
    for values, gap in zip(listed, gaps, strict=True):
        ranks = np.zeros(len(gap), dtype=np.int64)
        ranks[gap == 0] = [place[value] for value in values]
        ranked.append(ranks)
    return ranked[0], ranked[1]


def _ordinal(name: str, arrays: Any, gaps: Any, levels: Sequence[Any]) -> ColumnPair:
    """Positions of levels."""
    place = {value: float(position) for position, value in enumerate(levels)}
    sides = []
    for array, gap in zip(arrays, gaps, strict=True):
        values = np.zeros(len(gap))
        codes, found = coded(array, gap)
        try:
            table = np.array([place[value] for value in found])
            values[gap == 0] = table[codes] if len(found) else 0.0
        except KeyError as unknown:
            raise ParameterError(
                f"The 'ordinal' parameter of evaluate must list every level of {name!r}. Got "
                f"{unknown.args[0]!r} in the data; add it at its place."
            ) from None
        sides.append(values)
    return ColumnPair(name, "ordinal", sides[0], sides[1], gaps, tuple(levels))


def _category(name: str, arrays: Any, gaps: Any) -> ColumnPair:
    """Codes that are equal where values are."""
    codes: dict[Any, int] = {}
    sides = []
    for which, array, gap in zip(("original", "released"), arrays, gaps, strict=True):
        values = np.zeros(len(gap), dtype=np.int64)
        place, found = coded(array, gap)
        try:
            table = np.array([codes.setdefault(v, len(codes)) for v in found], dtype=np.int64)
        except TypeError:
            odd = next(v for v in found if getattr(v, "__hash__", None) is None)
            raise DataError(
                f"Column {name!r} of {which} must hold plain values. Got {shown(odd)}; flatten it."
            ) from None
        values[gap == 0] = table[place] if len(found) else 0
        sides.append(values)
    return ColumnPair(name, "category", sides[0], sides[1], gaps, tuple(codes))
