"""A table as it came, and how to give it back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from coterie.errors import DataError, listed, shown
from coterie.table import categories
from coterie.table.admission import admit, back_to_polars
from coterie.table.formats import arrow
from coterie.table.restore import nothing_hidden, nothing_hidden_in_pandas

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["Source", "from_frame"]


@dataclass(frozen=True)
class Source:
    """A table with the kind of thing it came from.

    Attributes
    ----------
    frame : narwhals.DataFrame
        The values, over pandas or pyarrow; a file or a polars table is read into pyarrow.
    format : str
        ``"pandas"``, ``"polars"``, ``"pyarrow"``, or the format of the file: ``"csv"``,
        ``"parquet"``, ``"feather"``, ``"excel"``, ``"spss"``, ``"stata"``, ``"sas"``.
    origin : str
        What messages call it: the path, or "the table".
    details : mapping
        What the format says beyond the values, so that `write` can say it again: a CSV file's
        delimiter and encoding; value labels and user-missing codes of a labeled file.
    odd : mapping of column to str
        Columns that may only be dropped, and why (`coterie.table.admission`).
    spelled : mapping
        The cells of some columns as the file spells them, or the objects of a pandas table, for
        `verify`: two spellings of a value can be told apart. Only where `read` was asked for them.
    """

    frame: nw.DataFrame[Any]
    format: str
    origin: str
    details: Mapping[str, Any] = field(default_factory=dict)
    odd: Mapping[str, str] = field(default_factory=dict)
    spelled: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def refuse_odd(self, names: Iterable[str]) -> None:
        """Raise `DataError` if one of the columns may only be dropped."""
        reasons = [self.odd[name] for name in names if name in self.odd]
        if reasons:
            raise DataError("; ".join(reasons) + ".")

    def native(self, frame: nw.DataFrame[Any]) -> Any:
        """The caller's kind of table for a narwhals frame of the same backend.

        Only values of records go out. A pandas index is no column: the result has a fresh one,
        since an index kept through sorting would tell which record a released row came from.
        Attributes and metadata stay behind, categories are cut down to those in use, and nothing
        lies under a gap.
        """
        table = frame.to_native()
        if frame.implementation.is_pandas():
            table = table.reset_index(drop=True)
            table.attrs = {}
            table.columns = table.columns.rename(None)
            return nothing_hidden_in_pandas(categories.used_in_pandas(table))
        if frame.implementation.is_pyarrow():
            table = nothing_hidden(categories.used_in_arrow(table))
        if self.format == "polars":
            return back_to_polars(table, self.details["dtypes"])
        return arrow.given(table, dict(self.details)) if self.format == "pyarrow" else table


def from_frame(
    table: Any,
    format: str | None = None,  # noqa: A002 - the word users know
    origin: str = "the table",
    details: Mapping[str, Any] | None = None,
    spelled: Mapping[str, Any] | None = None,
) -> Source:
    """A `Source` over a pandas, polars or pyarrow table, its columns and rows checked."""
    import narwhals as nw

    check_names(names_of(table), origin)
    admitted = admit(table)
    table = admitted.table
    if admitted.notes and details is None:
        details = admitted.notes
    try:
        frame = nw.from_native(table, eager_only=True)
    except TypeError:
        lazy = hasattr(table, "collect")
        raise DataError(
            f"A table must be a path or a pandas, polars or pyarrow table. Got "
            f"{type(table).__module__.split('.')[0]}.{type(table).__qualname__}"
            f"{'; call .collect() first.' if lazy else ' instead; convert it first.'}"
        ) from None
    if frame.implementation.is_pandas_like():
        frame = nw.from_native(table.reset_index(drop=True), eager_only=True)
    if not len(frame):
        raise DataError(
            f"{origin} has no rows, only the columns {shown(frame.columns)}. "
            "Check the filter or program it came from."
        )
    if admitted.dtypes is not None:
        return Source(frame, "polars", origin, {"dtypes": admitted.dtypes}, admitted.odd)
    kind = format or frame.implementation.value
    return Source(frame, kind, origin, details or {}, admitted.odd, spelled or {})


def check_names(names: list[Any], origin: str) -> None:
    """Refuse a table without columns, or with names that are repeated or no text."""
    if not names:
        raise DataError(f"{origin} has no columns. Check the file or program it came from.")
    odd = [name for name in names if not isinstance(name, str)]
    if odd:
        raise DataError(
            f"Column names of {origin} must be text. Got {shown(odd[0])}; "
            "rename the columns first, e.g. table.columns = table.columns.map(str)."
        )
    garbled = [name for name in names if not _encodes(name)]
    if garbled:
        raise DataError(
            f"Column names of {origin} must be Unicode text. Got {shown(garbled[0])}; "
            "rename the column, or read the table again with its own encoding."
        )
    check_different(names, origin)


def check_different(names: list[Any], origin: str) -> None:
    """Refuse names that are repeated."""
    repeated = [f"{shown(name)} {n} times" for name, n in Counter(names).items() if n > 1]
    if repeated:
        raise DataError(
            f"Column names of {origin} must differ from each other. "
            f"Got {listed(repeated)}; rename them."
        )


def _encodes(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return False
    return True


def names_of(table: Any) -> list[Any]:
    """Column names, read before narwhals sees the table: it has its own words for odd ones."""
    if hasattr(table, "collect"):  # lazy: asking for names would start a query
        return [""]
    names = getattr(table, "column_names", getattr(table, "columns", [""]))
    return list(names) if isinstance(names, Iterable) else [""]
