"""Reading: a path or a table in, a `Source` out, or one line that says why not."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from coterie.errors import CoterieError, DataError, ParameterError, bad_parameter, shown
from coterie.table import formats
from coterie.table.objects import spelled_objects
from coterie.table.source import Source, check_names, from_frame

__all__ = ["STDIN", "read", "read_file"]

STDIN = "standard input"  # what messages call a table that has no path


def read(
    table: Any,
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    dates: str | None = None,
    spelled: bool = False,
    line_breaks: bool = False,
) -> Source:
    """Read a table from a file, or take one that is in memory.

    In a CSV file only the empty field is a missing value: "NA", "NULL" and -999 stay themselves
    until they are declared. A column becomes numbers, booleans (true, false), dates or datetimes
    only if every value in it is one; leading zeros ("00123") and a leading plus sign keep a column
    text. Among numbers, "inf" is infinity and "nan" is not a number, which counts as missing.
    Integers beyond 64 bits are kept as decimals, never rounded. National notations are understood
    and written back: decimal commas, marks between thousands, signs of currencies and percent,
    dates such as 23.07.1999. Where day or month may stand first, the column may only be dropped
    until `dates` says which.

    CSV is read strictly, since an unbalanced quote makes the records that follow part of one field:
    a quoted field must be closed, nothing may follow the closing quote, every record has as many
    fields as the header, and text over several lines is refused where it may be records.

    Parameters
    ----------
    table : str, path, or a pandas, polars or pyarrow table
        A path is read by its extension: .csv .tsv .tab .txt, .parquet .pq, .feather .arrow, and
        with the extra ``formats`` .xlsx .xlsm .xls .ods, .sav .zsav, .dta, .sas7bdat .xpt.
    format : str, optional
        The file's format, where its extension does not say: "csv", "parquet", "feather", "excel",
        "spss", "stata" or "sas".
    delimiter : str, optional
        Of a CSV file; by default found among comma, semicolon, tab and bar.
    encoding : str, optional
        Of a CSV or labeled file; by default, for CSV, UTF-8, UTF-16 by its byte order mark, then
        Windows-1252.
    sheet : str, optional
        Of an Excel file; needed where several sheets hold something.
    dates : {"day-first", "month-first", "text"}, optional
        Of a CSV or Excel file with dates that can be read both ways.
    spelled : bool
        Keep the cells of a file, and pandas' objects, as they are spelled beside their values, for
        `verify`: "1" and "1.0" are one number, and can be told apart.
    line_breaks : bool
        Your word that text in quotes of a CSV file may hold many line breaks, or lines with as many
        fields as the header.

    Returns
    -------
    Source
        The table; a pandas index is left behind, since it is no column.

    Raises
    ------
    DataError
        When the file cannot be read as a table with columns of different names and at least a row.
    ParameterError
        When an option means nothing for the format.
    MissingDependency
        When the format needs a package of the extra ``formats``.

    Examples
    --------
    >>> import pandas as pd
    >>> from coterie.table import read
    >>> source = read(pd.DataFrame({"age": [30, 40]}))
    >>> source.format, source.frame.columns
    ('pandas', ['age'])
    """
    if isinstance(table, Source):
        return table
    if not isinstance(line_breaks, bool):
        raise bad_parameter("line_breaks", "read", "True or False", line_breaks)
    options = {
        "delimiter": delimiter,
        "encoding": encoding,
        "sheet": sheet,
        "dates": dates,
        "line_breaks": line_breaks or None,
    }
    if isinstance(table, (str, os.PathLike)):
        path = Path(table)
        return read_file(path, str(path), format, options, spelled=spelled)
    for name, value in {"format": format, **options}.items():
        if value is not None:
            raise ParameterError(
                f"The {name!r} parameter is for files, and the table is in memory. "
                f"Got {shown(value)}; leave it out."
            )
    source = from_frame(table)
    return replace(source, spelled=spelled_objects(table, source.frame)) if spelled else source


def read_file(
    path: Path, origin: str, name: str | None, options: dict[str, Any], *, spelled: bool = False
) -> Source:
    """Read `path`, which messages call `origin`; with its cells as they are `spelled`."""
    check_file(path, origin)
    chosen = formats.by_extension(path) if name is None else formats.by_name(name)
    given = formats.check_options(chosen, options)
    if chosen.module == "labeled":
        given["format"] = chosen.name
    if spelled and chosen.spells:
        given["spelled"] = True
    try:
        table, details = chosen.load().read(path, origin, **given)
    except CoterieError:
        raise
    except PermissionError as error:
        raise DataError(
            f"{origin} cannot be opened ({error.strerror}). Check who may read it."
        ) from error
    except MemoryError:
        raise
    except Exception as error:  # each library has its own way to say that a file is broken
        raise DataError(
            f"{origin} cannot be read as {chosen.name}: it is damaged, cut short or of another "
            f"format ({shown(str(error), 120)}). Fetch it again, or give format=."
        ) from error
    check_names(table.column_names, origin)
    cells, unclear = details.pop("spelled", {}), details.pop("unclear", {})
    source = from_frame(table, chosen.name, origin, details, cells)
    return replace(source, odd={**source.odd, **unclear}) if unclear else source


def check_file(path: Path, origin: str) -> None:
    """Refuse what is no file with something in it."""
    try:
        if "\0" in str(path):
            raise ValueError("a null character in its name")
        if path.is_dir():
            raise DataError(f"{origin} is a folder, not a file. Name the file in it.")
        if not path.exists():
            raise DataError(f"{origin} does not exist. Check the path.")
        if path.is_file() and path.stat().st_size == 0:
            raise DataError(f"{origin} is empty (0 bytes). Check the program that wrote it.")
    except DataError:
        raise
    except (OSError, ValueError) as error:  # a name too long, or with a null character
        raise DataError(f"{shown(origin)} cannot be opened ({error}). Check the path.") from error
