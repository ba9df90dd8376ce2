"""Excel workbooks: read by calamine, written by openpyxl.

Excel knows no integers: a column of nothing but whole numbers is read as integers. Blank cells and
cells with an error (#N/A) are missing. What Excel cannot hold is written as text: integers beyond
15 digits, infinity, and days before March 1900, since its calendar has a 29 February in that year.
It knows no time zones: datetimes with one are written in UTC.
"""

from __future__ import annotations

import contextlib
import datetime
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coterie import scratch
from coterie.errors import DataError, listed, shown, unknown_name
from coterie.imports.optional import needed
from coterie.table.formats import arrow
from coterie.table.formats.notation import (
    Notation,
    Unclear,
    check_dates,
    kept_notations,
    recognize,
)

ROWS = 1_048_576
EXACT = 10**15  # digits that Excel keeps
CALENDAR = datetime.date(1900, 3, 1)  # days before this one are others to Excel


def read(
    path: Path,
    origin: str,
    sheet: str | None = None,
    spelled: bool = False,
    dates: str | None = None,
    notations: Mapping[str, Notation] | None = None,
) -> tuple[Any, dict[str, Any]]:
    """The table on a sheet, its names in the first row; text in national notations as values."""
    import pyarrow as pa

    calamine = needed("python_calamine", "Reading Excel", "formats")
    with path.open("rb") as file:
        try:
            book = calamine.CalamineWorkbook.from_filelike(file)
        except calamine.PasswordError:
            raise DataError(
                f"{origin} is protected by a password. Save it without one first."
            ) from None
        if sheet is not None and sheet not in book.sheet_names:
            raise unknown_name(f"sheet of {origin}:", sheet, book.sheet_names)
        sheet = _only(book, origin) if sheet is None else sheet
        rows = book.get_sheet_by_name(sheet).to_python()
    while rows and all(value == "" for value in rows[-1]):
        rows.pop()  # formatted, but empty
    if not rows:
        raise DataError(
            f"Sheet {sheet!r} of {origin} is empty. Sheets: {listed(book.sheet_names)}; "
            "choose another with sheet=."
        )
    columns = [list(column) for column in zip(*rows, strict=True)]
    while columns and all(value == "" for value in columns[-1]):
        columns.pop()
    names = [_text(column[0]) for column in columns]
    arrays, found = [], {}
    for name, column in zip(names, columns, strict=True):
        _refuse_lost_days(name, column[1:], origin)
        array = _array(column[1:])
        if pa.types.is_string(array.type):
            how = _notation(array, check_dates(dates), (notations or {}).get(name))
            array = how.parse(array) if isinstance(how, Notation) else array
            if how is not None:
                found[name] = how
        arrays.append(array)
    details: dict[str, Any] = {
        "sheet": sheet,
        "sheets": book.sheet_names,
        **kept_notations(found, origin, dates),
    }
    if spelled:
        kinds = [{type(value) for value in column[1:] if value != ""} for column in columns]
        details["spelled"] = {
            name: pa.chunked_array([[repr(v) if v != "" else None for v in column[1:]]])
            for name, column, found in zip(names, columns, kinds, strict=True)
            if len(found) > 1 and found != {int, float}  # the number 1 and the text 1
        }
    return pa.table(arrays, names=names), details


def _refuse_lost_days(name: str, values: list[Any], origin: str) -> None:
    """Times of day among dates.

    Excel has no days before 1900. Other programs write them as negative numbers, of which nothing
    but the time of day is read.
    """
    kinds = {type(value) for value in values}
    if datetime.time in kinds and kinds & {datetime.date, datetime.datetime}:
        row = next(i for i, value in enumerate(values, 2) if isinstance(value, datetime.time))
        raise DataError(
            f"{origin}, row {row}: column {shown(name)} must hold dates alone. Got a time of day "
            f"({values[row - 2]}) among them, as Excel has it for days before 1900. Write them as "
            "text, such as 1850-05-31, or the table as .csv or .parquet."
        )


def _only(book: Any, origin: str) -> str:
    """The one sheet that holds something; the first if none does."""
    full = [name for name in book.sheet_names if book.get_sheet_by_name(name).height]
    if len(full) > 1:
        raise DataError(
            f"{origin} has {len(full)} sheets that hold something: {listed(map(repr, full), 20)}. "
            "Choose one with sheet= (--sheet)."
        )
    return str((full or book.sheet_names)[0])


def _notation(array: Any, order: str | None, known: Notation | None) -> Notation | Unclear | None:
    """The notation of a column of text, if it is one of numbers or dates."""
    import pyarrow as pa

    if known is None:
        return recognize(array, order=order)
    try:
        known.parse(array)
    except pa.ArrowInvalid:  # released as something else
        return None
    return known


def write(table: Any, path: Path, details: dict[str, Any]) -> None:
    """Write one sheet; text that looks like a formula stays text."""
    openpyxl = needed("openpyxl", "Writing Excel", "formats")
    if table.num_rows >= ROWS:
        raise DataError(
            f"An Excel sheet holds {ROWS - 1} records. Got {table.num_rows}; write to .csv or "
            ".parquet."
        )
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet(details.get("sheet", "data"))
    cell = openpyxl.cell.WriteOnlyCell

    def put(value: Any) -> Any:
        value = _value(value)
        if isinstance(value, str) and value[:1] in ("=", "#"):
            made = cell(sheet, value)
            made.data_type = "s"
            return made
        return value

    done = False
    try:
        with scratch.temporary_files_in(path.parent):  # openpyxl keeps the rows in one
            sheet.append([put(name) for name in table.column_names])
        for name, how in details.get("notations", {}).items():
            if name in table.column_names:
                place = table.column_names.index(name)
                table = table.set_column(place, name, how.spell(table.column(place)))
        for batch in arrow.simple(table, "Excel").to_batches(max_chunksize=10_000):
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                sheet.append([put(value) for value in row])
        book.save(path)
        done = True
    except openpyxl.utils.exceptions.IllegalCharacterError as error:
        raise DataError(
            f"Excel cannot hold control characters ({' '.join(str(error).split())[:80]}). "
            "Remove them, or write to .csv or .parquet."
        ) from None
    finally:
        if not done:  # openpyxl keeps a file of its own until the interpreter ends
            with contextlib.suppress(Exception):
                sheet.close()
            with contextlib.suppress(Exception):
                sheet._writer.cleanup()


def _array(values: list[Any]) -> Any:
    """A column in the one type of its cells, else as text."""
    import pyarrow as pa

    values = [None if value == "" else value for value in values]
    kinds = {type(value) for value in values} - {type(None)}
    if kinds <= {int, float} and kinds:
        whole = all(v is None or (v == int(v) and abs(v) < 2**53) for v in values)
        return pa.array(values, pa.int64() if whole else pa.float64(), safe=False)
    if kinds == {datetime.date}:
        return pa.array(values, pa.date32())
    if kinds == {datetime.date, datetime.datetime}:  # midnight looks like a date
        values = [_moment(value) for value in values]
        kinds = {datetime.datetime}
    if kinds == {datetime.datetime}:
        return pa.array(values, pa.timestamp("us"))
    if kinds in ({bool}, {datetime.time}, {datetime.timedelta}):
        return pa.array(values)
    return pa.array([None if v is None else _text(v) for v in values], pa.string())


def _moment(value: Any) -> Any:
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return datetime.datetime.combine(value, datetime.time())
    return value


def _text(value: Any) -> str:
    if isinstance(value, float) and value == math.floor(value) and abs(value) < EXACT:
        return str(int(value))
    return str(value)


def _value(value: Any) -> Any:
    """A value as Excel can hold it."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= EXACT:
        return str(value)
    if isinstance(value, datetime.date):
        day = value.date() if isinstance(value, datetime.datetime) else value
        return str(value) if day < CALENDAR else value
    return value
