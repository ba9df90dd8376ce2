"""Facts about the columns of a table: every value as a number, how often each occurs, and gaps.

A column is encoded once, O(n); all that is found out about it later works on the codes and on its
distinct values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.table import columns
from coterie.table.arrays import constant, to_numpy
from coterie.table.classes import as_meant
from coterie.table.naming import words
from coterie.table.source import Source

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ColumnFacts", "facts", "facts_of", "sample_of"]

SAMPLE = 2000  # records on which relations are looked for before they are confirmed on all


@dataclass(frozen=True, eq=False)
class ColumnFacts:
    """One column, encoded.

    Attributes
    ----------
    name, kind : str
        The column, and how its values are stored (`coterie.table.columns.kind_of`).
    codes : (n,) int array
        The place of each record's value in `values`; -1 for a gap.
    values : pyarrow.Array
        The distinct values, without gaps.
    counts : (d,) int array
        Records that hold each of them.
    labels : mapping
        What a labeled file calls values.
    """

    name: str
    kind: str
    codes: NDArray[np.int64]
    values: pa.Array
    counts: NDArray[np.int64]
    labels: Mapping[Any, str] = field(default_factory=dict)

    @cached_property
    def said(self) -> set[str]:
        """The words of its name."""
        return words(self.name)

    @property
    def rows(self) -> int:
        """Records."""
        return len(self.codes)

    @property
    def distinct(self) -> int:
        """Different values, gaps left out."""
        return len(self.counts)

    @cached_property
    def present(self) -> int:
        """Records that have a value."""
        return int(self.counts.sum())

    @property
    def gaps(self) -> int:
        """Records that have none."""
        return self.rows - self.present

    @cached_property
    def alone(self) -> int:
        """Records whose value nobody else has."""
        return int((self.counts == 1).sum())

    @cached_property
    def numbers(self) -> NDArray[np.float64] | None:
        """The distinct values as numbers (days and seconds for moments); None for what is none."""
        import pyarrow as pa

        kind, values = self.values.type, self.values
        if pa.types.is_date(kind):
            return to_numpy(values.cast(pa.date32()).cast(pa.int32())).astype(np.float64)
        if pa.types.is_timestamp(kind):
            seconds = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}[kind.unit]
            return to_numpy(values.cast(pa.int64())) / seconds
        if self.kind in ("integer", "float", "decimal") and not pa.types.is_string(kind):
            return np.array(to_numpy(values.cast(pa.float64(), safe=False)), dtype=np.float64)
        return None

    @cached_property
    def whole(self) -> bool:
        """Whether it holds numbers without fractions."""
        numbers = self.numbers
        if self.kind not in ("integer", "float", "decimal") or numbers is None:
            return False
        return bool((np.rint(numbers) == numbers).all())

    def number_of(self, rows: NDArray[np.int64] | slice) -> NDArray[np.float64]:
        """The numbers of some records, NaN at gaps."""
        assert self.numbers is not None
        padded = np.append(self.numbers, np.nan)
        return padded[self.codes[rows]]

    def most(self, least: int) -> list[tuple[Any, int]]:
        """The values that at least so many records share, the most frequent first."""
        order = np.argsort(-self.counts, kind="stable")
        order = order[self.counts[order] >= least]
        return [(self.values[int(i)].as_py(), int(self.counts[i])) for i in order]


def facts(source: Source) -> dict[str, ColumnFacts]:
    """The facts about every column, by name."""
    return {name: facts_of(source, name) for name in source.frame.columns}


def facts_of(source: Source, name: str) -> ColumnFacts:
    """The facts about one column."""
    import pyarrow as pa

    series = source.frame[name]
    array = series.to_arrow()
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
        if isinstance(array, pa.ChunkedArray):
            array = pa.concat_arrays(array.chunks)
    if pa.types.is_nested(array.type):  # equal where it looks equal
        array = pa.array([None if v is None else str(v) for v in array.to_pylist()], pa.string())
    if pa.types.is_null(array.type):
        array = array.cast(pa.string())
    encoded = as_meant(array).dictionary_encode()
    places = encoded.indices.cast(pa.int64())
    if places.null_count:
        places = places.fill_null(constant(-1))
    codes = to_numpy(places)
    counts = np.bincount(codes[codes >= 0], minlength=len(encoded.dictionary)).astype(np.int64)
    labels = source.details.get("labels", {}).get(name) or {}
    return ColumnFacts(name, columns.kind_of(series), codes, encoded.dictionary, counts, labels)


def sample_of(rows: int) -> NDArray[np.int64]:
    """The records on which relations are looked for: all of a small table."""
    if rows <= SAMPLE:
        return np.arange(rows)
    return np.sort(np.random.default_rng(0).choice(rows, SAMPLE, replace=False))
