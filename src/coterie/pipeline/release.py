"""Release: the protected table, how it was made, and the proof that goes with every file.

Nothing leaves unproven: `Release.prove` counts the classes of the released table, and
`Release.write` counts them again on the file as it was read back, before it takes its name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, bad_parameter
from coterie.guarantees.proof import Verification, verified_table
from coterie.report.plain import to_json
from coterie.table.schema import Schema
from coterie.table.source import Source

if TYPE_CHECKING:
    from os import PathLike

    import narwhals as nw

    from coterie.partitioning.core import Partition
    from coterie.partitioning.driver import Progress
    from coterie.plan import Plan
    from coterie.report.subject import Subject

__all__ = ["MASKED", "Evidence", "Release", "ReleaseFacts"]

MASKED = "masked, not k-anonymous on all keys together"


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
        return to_json(getattr(self, kind), indent=2)


class ReleaseFacts:
    """What a release tells about itself, in memory or in files."""

    evidence: Evidence

    if TYPE_CHECKING:  # attributes of one kind of release, properties of the other

        @property
        def verification(self) -> Verification | None:
            """What was counted; None if sets of keys were masked apart."""

        @property
        def subject(self) -> Subject:
            """What a report looks at. Original values are in it."""

        @property
        def inputs(self) -> Sequence[str]:
            """The files that the table came from."""

        @property
        def k(self) -> int:
            """Least units in a class."""

        @property
        def schema(self) -> Schema:
            """Roles and types of the columns."""

        @property
        def plan(self) -> Plan:
            """What was asked, with the seed that was used. Internal."""

        @property
        def units(self) -> NDArray[np.int64] | None:
            """The unit of each released record, where that is known."""

        @property
        def masked_only(self) -> bool:
            """True if sets of attributes were masked apart."""

        @property
        def records(self) -> int:
            """How many are released."""

        @property
        def columns(self) -> list[str]:
            """Names of the released columns."""

        def column(self, name: str) -> nw.Series[Any]:
            """A released column."""

    @property
    def information_loss(self) -> float:
        """Percent of the keys' information that the released values do not keep.

        0 if they are the original ones, 100 if as much is lost as by one value for everybody
        (`coterie.space.loss`). The search's own objective is ``evidence.internal["search"]``.
        """
        return float(self.evidence.internal["information_loss_percent"])

    def summary(
        self, kind: str = "internal", callback: Callable[[Progress], object] | None = None
    ) -> dict[str, Any]:
        """What a report tells, as plain data."""
        from coterie.report.released import summary_of

        return summary_of(self.subject, kind, callback)

    def report(
        self,
        path: str | PathLike[str],
        kind: str = "internal",
        *,
        callback: Callable[[Progress], object] | None = None,
    ) -> None:
        """Write a report: the verdict in plain words, pictures, evidence, limits of the claim.

        Of a release in files, loss, class sizes and proof are those of all records. Pictures and
        further measures are of records drawn by a hash of their number, all of a small table; the
        report says so.

        Parameters
        ----------
        path : str or path
            Ends in ``.html`` (one self-contained page) or ``.json`` (the same as plain data).
            Written whole or not at all.
        kind : {"internal", "public"}
            For those who hold the original; or for everybody: only statistics that at least k
            units share, no extremes, no seed, axes from released data.
        callback : callable, optional
            Called with a `Progress` of the phase ``"report"``.

        Raises
        ------
        ParameterError
            If the path ends otherwise or names the input, or the kind is unknown.
        """
        from coterie.report import check_path, write

        target = check_path(path)
        for origin in self.inputs:
            if os.path.exists(origin) and os.path.realpath(origin) == os.path.realpath(target):
                rule = "a file other than the input"
                raise bad_parameter("path", "report", rule, str(path), "Choose another name.")
        write(self.summary(kind, callback), target)

    def __str__(self) -> str:
        claim = str(self.verification) if self.verification else MASKED
        return f"{claim}; {self.information_loss:.2f} % of the information lost"


@dataclass(frozen=True, eq=False)
class Release(ReleaseFacts):
    """A protected table. Made by `coterie.anonymize`.

    Attributes
    ----------
    data : pandas, polars or pyarrow table
        Of the input's kind (pyarrow for files).
    partition : Partition
        Groups of the original records that were not dropped, in their order. `partitions` holds
        one for each set of attributes that was masked by itself.
    evidence : Evidence
        Internal and public.
    schema : Schema
        Roles and types of the columns.
    key_sets : tuple of tuples of str
        The columns, strata included, whose combinations at least k units share: all keys together,
        or each set of attributes that was masked by itself.
    verification : Verification or None
        What was counted; None for a table that is masked but not k-anonymous on all keys.
    crosswalk : (m,) int array
        Original row of each released row. Internal: it undoes the sorting of the rows.
    proofs : tuple of callables
        What else was guaranteed: each gets the released table, or the file as it was read back, and
        raises a `CoterieError` if the guarantee is not kept there.
    plan : Plan
        What was asked, with the seed that was used: ``anonymize(table, plan)`` does it again.
        Internal.
    """

    frame: nw.DataFrame[Any] = field(repr=False)
    partitions: tuple[Partition, ...]
    evidence: Evidence = field(repr=False)
    schema: Schema = field(repr=False)
    source: Source = field(repr=False)
    k: int
    key_sets: tuple[tuple[str, ...], ...]
    crosswalk: NDArray[np.int64] = field(repr=False)
    plan: Plan = field(repr=False)
    units: NDArray[np.int64] | None = field(default=None, repr=False)
    proofs: tuple[Callable[[Source], object], ...] = field(default=(), repr=False)

    @property
    def data(self) -> Any:
        """The protected table, of the input's kind."""
        return self.source.native(self.frame)

    @property
    def partition(self) -> Partition:
        """The groups; of the first set of attributes if several were masked apart."""
        return self.partitions[0]

    @property
    def masked_only(self) -> bool:
        """True if sets of attributes were masked apart: not k-anonymous on all keys together."""
        return len(self.key_sets) > 1

    @cached_property
    def verification(self) -> Verification | None:
        """What `prove` counts on the released table; None if it is masked only."""
        return None if self.masked_only else self.prove()[0]

    @property
    def subject(self) -> Subject:
        """What a report looks at: all records, row by row."""
        from coterie.report.subject import subject_of

        return subject_of(self)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The file that the table came from, if it came from one."""
        return (self.source.origin,)

    @property
    def records(self) -> int:
        """How many are released."""
        return len(self.frame)

    @property
    def columns(self) -> list[str]:
        """Names of the released columns."""
        return list(self.frame.columns)

    def column(self, name: str) -> nw.Series[Any]:
        """A released column."""
        return self.frame[name]

    @cached_property
    def formula_cells(self) -> dict[str, int]:
        """How many texts of each column a spreadsheet would run, were they not marked in CSV."""
        from coterie.table.formats.formulas import cells

        return cells(self.frame.to_arrow())

    def prove(self, table: Source | None = None) -> tuple[Verification, ...]:
        """Count the classes of the released table, or of a file that was read back.

        Returns
        -------
        tuple of Verification
            One for each of `key_sets`.

        Raises
        ------
        NotKAnonymous
            If a class has fewer than k units.
        DataError
            If the file does not hold the rows and columns that were written.
        """
        found = table if table is not None else Source(self.frame, self.source.format, "release")
        if list(found.frame.columns) != list(self.frame.columns) or len(found.frame) != len(
            self.frame
        ):
            raise DataError(
                f"The file read back must hold the {len(self.frame)} rows and "
                f"{len(self.frame.columns)} columns written. Got {found.frame.shape}; "
                "nothing was kept. Choose another format."
            )
        unit = self.schema.unit if self.units is not None else None
        counted = tuple(
            verified_table(found, self.k, names, self.units, unit) for names in self.key_sets
        )
        for proof in self.proofs:
            proof(found)
        return counted

    def write(self, target: str | PathLike[str], *, called: str | None = None) -> None:
        """Write the release: whole, proven and then renamed, or not at all.

        The format follows the target's extension. The file is written beside its target, read
        back and proven; until then an older file of that name stays as it is. Messages call the
        target `called`, if that is given.
        """
        from coterie.table.write import write

        write(
            self.source,
            self.frame,
            target,
            proof=self.prove,
            called=called,
            as_asked=self.plan.put_down,
        )
