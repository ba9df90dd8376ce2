"""Release: the protected table, how it was made, and the proof that goes with every file.

Nothing leaves unproven: `Release.prove` counts the classes of the released table, and
`Release.write` counts them again on the file as it was read back, before it takes its name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError
from coterie.table.schema import Schema
from coterie.table.source import Source
from coterie.verification import NotKAnonymous, Verification, class_codes, count_classes

if TYPE_CHECKING:
    from os import PathLike

    import narwhals as nw

    from coterie.partitioning.core import Partition

__all__ = ["Evidence", "Release"]


@dataclass(frozen=True)
class Evidence:
    """What was done and found, in two kinds.

    Attributes
    ----------
    internal : dict
        For those who hold the original: seed, options, rows dropped, keyed hash of the input.
    public : dict
        For everybody: only statistics that at least k units share.
    """

    internal: Mapping[str, Any]
    public: Mapping[str, Any]

    def json(self, kind: str = "public") -> str:
        """One of the two as JSON text."""
        if kind not in ("public", "internal"):
            raise DataError(f"kind must be 'public' or 'internal'. Got {kind!r}.")
        return json.dumps(getattr(self, kind), indent=2, default=str, ensure_ascii=False)


@dataclass(frozen=True, eq=False)
class Release:
    """A protected table. Made by `coterie.anonymize`.

    Attributes
    ----------
    data : pandas, polars or pyarrow table
        Of the input's kind (pyarrow for files).
    partition : Partition
        Groups of the original records that were not dropped, in their order.
    evidence : Evidence
        Internal and public.
    schema : Schema
        Roles and types of the columns.
    verification : Verification or None
        What `prove` counted; None for a table that is masked but not k-anonymous.
    """

    frame: nw.DataFrame[Any] = field(repr=False)
    partition: Partition
    evidence: Evidence = field(repr=False)
    schema: Schema = field(repr=False)
    source: Source = field(repr=False)
    k: int
    keys: tuple[str, ...]
    rows: NDArray[np.int64] = field(repr=False)
    units: NDArray[np.int64] | None = field(default=None, repr=False)
    verification: Verification | None = None

    @property
    def data(self) -> Any:
        """The protected table, of the input's kind."""
        return self.source.native(self.frame)

    @property
    def crosswalk(self) -> NDArray[np.int64]:
        """Original row of each released row. Internal: it undoes the shuffling of rows."""
        return self.rows

    def prove(self, table: Source | None = None) -> Verification:
        """Count the classes of the released table, or of a file that was read back.

        Raises
        ------
        NotKAnonymous
            If a class has fewer than k units.
        DataError
            If the file does not hold what was written.
        """
        read_back = (
            table if table is not None else Source(self.frame, self.source.format, "release")
        )
        if len(read_back.frame) != len(self.frame) or list(read_back.frame.columns) != list(
            self.frame.columns
        ):
            raise DataError(
                f"The file read back must hold the {len(self.frame)} rows and "
                f"{len(self.frame.columns)} columns written. Got {read_back.frame.shape}; "
                "nothing was kept. Choose another format."
            )
        codes = class_codes(read_back, self.keys)
        counts = count_classes(codes, self.units)
        smallest = int(counts.min())
        if smallest < self.k:
            small = np.flatnonzero(counts < self.k)
            raise NotKAnonymous(
                self.k, smallest, self.keys, [{"units": int(counts[c])} for c in small]
            )
        unit = self.schema.unit if self.units is not None else None
        return Verification(self.k, smallest, len(codes), len(counts), self.keys, unit)

    def write(self, target: str | PathLike[str]) -> None:
        """Write the release: whole, proven and then renamed, or not at all.

        The format follows the target's extension. The file is written beside its target, read
        back and proven; until then an older file of that name stays as it is.
        """
        from coterie.table.write import write

        proof = self.prove if self.verification is not None else None
        write(self.source, self.frame, target, proof=proof)

    def __str__(self) -> str:
        claim = str(self.verification) if self.verification else "masked, not k-anonymous"
        return f"{claim}; {self.partition.information_loss:.2f} % of the information lost"
