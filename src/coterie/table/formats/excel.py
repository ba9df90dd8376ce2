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
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from coterie import scratch
from coterie.errors import DataError, listed, shown, unknown_name
from coterie.imports.optional import needed
from coterie.table.formats import arrow
from coterie.table.formats.notation import Notation, Unclear, check_dates, kept_notations
from coterie.table.formats.recognition import recognize

ROWS = 1_048_576
EXACT = 10**15  # digits that Excel keeps
EPOCH = datetime.datetime(1899, 12, 30)  # day 0
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
    _refuse_lost_days(path, sheet, origin, columns)
    arrays, found = [], {}
    for name, column in zip(names, columns, strict=True):
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


def _refuse_lost_days(path: Path, sheet: str, origin: str, columns: list[list[Any]]) -> None:
    """Times of day that are dates.

    Excel has no days before 1900. Other programs write them as negative numbers, of which nothing
    but the time of day is read: such a column may look like one of times alone.
    """
    kinds = [{type(value) for value in values} for _, *values in columns]
    if not any(datetime.time in some for some in kinds):
        return
    for (name, *values), some in zip(columns, kinds, strict=True):
        if datetime.time in some and some & {datetime.date, datetime.datetime}:
            row, value = next(
                (i, v) for i, v in enumerate(values, 2) if isinstance(v, datetime.time)
            )
            _refuse(origin, f"row {row}: column {shown(_text(name))}", f"a time of day ({value})")
    lost = _negative(path, sheet)
    if lost is not None:
        _refuse(origin, f"cell {lost[0]}: a column", f"{lost[1]:%Y-%m-%d}")


def _refuse(origin: str, where: str, seen: str) -> NoReturn:
    raise DataError(
        f"{origin}, {where} must hold dates from 1900 on: of days before, Excel keeps the time "
        f"alone. Got {seen}. Write them as text, such as 1850-05-31, or the table as .csv or "
        ".parquet."
    )


def _negative(path: Path, sheet: str) -> tuple[str, datetime.datetime] | None:
    """Place and date of the first cell with a number below that of 1900; of new workbooks only."""
    if not zipfile.is_zipfile(path) or path.suffix.lower() not in (".xlsx", ".xlsm"):
        return None
    openpyxl = needed("openpyxl", "Reading times from Excel", "formats")
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    try:
        for row in book[sheet].iter_rows():
            for cell in row:
                if isinstance(cell.value, datetime.datetime) and cell.value < EPOCH:
                    return cell.coordinate, cell.value
    finally:
        book.close()
    return None


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
            written = cell(sheet, value)
            written.data_type = "s"
            return written
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
