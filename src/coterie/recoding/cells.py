"""The cells of a column that is to be recoded: its values, and where there are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.table import columns
from coterie.table.classes import plain_array, value_codes
from coterie.table.encoding import BLANK, absences
from coterie.table.source import Source

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Cells"]


@dataclass(frozen=True, eq=False)
class Cells:
    """One column of a table or of a part of it.

    Attributes
    ----------
    array : pyarrow.Array
        Its cells, without a dictionary.
    kind : str
        What they are.
    there, blank : (n,) bool arrays
        Where a value is; where nothing stands, not even a missing code.
    units : (n,) int array or None
        Whose they are.
    owners : pyarrow.Array or None
        What tells units apart, so that those of parts can be put together.
    """

    array: pa.Array
    kind: str
    there: NDArray[np.bool_]
    blank: NDArray[np.bool_]
    units: NDArray[np.int64] | None = None
    owners: pa.Array | None = None

    @classmethod
    def of(
        cls, source: Source, name: str, codes: tuple[Any, ...], unit: str | None = None
    ) -> Cells:
        """The cells of a column; `codes` mean missing."""
        import pyarrow as pa

        series = source.frame[name]
        array = series.to_arrow()
        array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
        if pa.types.is_dictionary(array.type):
            array = array.cast(array.type.value_type)
        gaps = absences(array, codes)
        known = unit is not None and unit in source.frame.columns
        return cls(
            array,
            columns.kind_of(series),
            gaps == 0,
            gaps == BLANK,
            value_codes(source, [unit]) if known and unit is not None else None,
            plain_array(source, unit) if known and unit is not None else None,
        )

    def owners_of(self, rows: NDArray[np.int64]) -> set[Any]:
        """The units of some records."""
        import pyarrow as pa

        assert self.owners is not None
        return set(self.owners.take(pa.array(rows)).to_pylist())
