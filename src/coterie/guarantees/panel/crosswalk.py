"""Crosswalks: which original record each released row came from, and the class it stood in.

Internal: a crosswalk undoes the sorting of a release and, with a column to match by, names the
respondents. It is what a later release needs to keep both safe together, and nothing to publish.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, ParameterError, about, shown, unknown_name
from coterie.numbers.renumber import renumber
from coterie.table.classes import class_codes
from coterie.table.columns import present
from coterie.table.read import read
from coterie.table.source import Source

if TYPE_CHECKING:
    from coterie.pipeline.release import Release

__all__ = ["Crosswalk", "identities", "read_crosswalk"]

COLUMNS = ("original_row", "records", "class")


@dataclass(frozen=True, eq=False)
class Crosswalk:
    """Where the records of one release stood.

    Attributes
    ----------
    rows : (m,) int array
        Original row of each released row.
    records : int
        Rows of the original table.
    classes : (m,) int array
        Equal numbers mean equal released keys and strata.
    units : (m,) int array or None
        Equal numbers mean the same respondent; None if each record is one.
    identities : list of str or None
        What the record is called in the column to match by.
    origin : str
        What messages call it.
    """

    rows: NDArray[np.int64]
    records: int
    classes: NDArray[np.int64]
    units: NDArray[np.int64] | None = None
    identities: list[str] | None = None
    origin: str = "the earlier release"

    @classmethod
    def of(cls, release: Release, match: str | None = None) -> Crosswalk:
        """The crosswalk of a release; with the column `match` to find its records again."""
        names = list(dict.fromkeys(name for keys in release.key_sets for name in keys))
        released = Source(release.frame, release.source.format, "release")
        known = None if match is None else identities(release.source, match)
        return cls(
            release.crosswalk,
            len(release.source.frame),
            class_codes(released, names),
            release.units,
            None if known is None else [known[row] for row in release.crosswalk.tolist()],
        )

    def text(self) -> str:
        """As CSV, for `read_crosswalk`."""
        import csv
        import io

        columns: dict[str, Any] = {
            "original_row": self.rows.tolist(),
            "records": [self.records] * len(self.rows),
            "class": self.classes.tolist(),
        }
        if self.units is not None:
            columns["unit"] = renumber(self.units).tolist()
        if self.identities is not None:
            columns["match"] = self.identities
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
        return out.getvalue()


def identities(source: Source, match: str) -> list[str]:
    """What each record is called: text of a column without gaps or repetitions."""
    if match not in source.frame.columns:
        raise unknown_name("column in match:", match, source.frame.columns)
    source.refuse_odd([match])
    series = source.frame[match]
    names = [str(value) for value in series.to_list()]
    gaps = len(series) - len(present(series))
    if gaps or len(set(names)) < len(names):
        error = DataError(
            f"Column {match!r}, by which records are matched, must name every record once. Got "
            f"{gaps} gap(s) and {len(names) - len(set(names))} repetition(s) in {source.origin}; "
            "choose another column."
        )
        raise about(match, error)
    return names


def read_crosswalk(given: Any, match: str | None) -> Crosswalk:
    """A crosswalk from a file that ``--crosswalk`` wrote, or from a `Release`."""
    if hasattr(given, "key_sets") and hasattr(given, "crosswalk"):
        return Crosswalk.of(given, match)
    if isinstance(given, Crosswalk):
        return given
    if not isinstance(given, (str, os.PathLike)):
        raise ParameterError(
            "The 'previous' parameter of anonymize must be the crosswalk of an earlier release (a "
            f"file) or a Release, or several. Got {shown(given)} instead."
        )
    source = read(given)
    frame = source.frame
    lacking = [name for name in COLUMNS if name not in frame.columns]
    if lacking:
        raise DataError(
            f"{source.origin} must be a crosswalk, as anonymize --crosswalk writes it. Got a file "
            f"without the column {lacking[0]!r}; write that release again with --crosswalk."
        )
    numbers = {name: _whole(frame, name, source.origin) for name in COLUMNS}
    rows, records = numbers["original_row"], numbers["records"]
    if len(np.unique(rows)) < len(rows) or len(np.unique(records)) > 1 or rows.max() >= records[0]:
        raise DataError(
            f"{source.origin} must name every original row at most once. Got rows that repeat or "
            "lie beyond the table; use the file as it was written."
        )
    names = None
    if match is not None:
        if "match" not in frame.columns:
            raise DataError(
                f"{source.origin} must hold the column to match records by. Got a crosswalk "
                "without one; write that release again with --match as well."
            )
        names = identities(source, "match")
    units = _whole(frame, "unit", source.origin) if "unit" in frame.columns else None
    return Crosswalk(rows, int(records[0]), numbers["class"], units, names, source.origin)


def _whole(frame: Any, name: str, origin: str) -> NDArray[np.int64]:
    values: Mapping[int, Any] | list[Any] = frame[name].to_list()
    if not all(isinstance(v, int) and not isinstance(v, bool) and v >= 0 for v in values):
        raise DataError(
            f"{origin} must hold whole numbers in column {name!r}. Got others; use the file as it "
            "was written."
        )
    return np.asarray(values, dtype=np.int64)
