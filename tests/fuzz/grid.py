"""Tables as a reader sees them: read with pandas, polars, pyarrow, csv, openpyxl and pyreadstat.

A token stands for what is written in a cell: tokens are equal only where no reader can tell the
cells apart. A value is what the cell means: a number, a time in nanoseconds, a text, or None.
"""

from __future__ import annotations

import datetime as dt
import math
import re
import zipfile
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa

from tests.fuzz import strict_csv

PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
EPOCH = dt.datetime(1970, 1, 1)
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?inf|nan", re.ASCII | re.IGNORECASE)
FORMULA = ("=", "+", "-", "@")  # how cells begin that a spreadsheet would run
NOT_A_TIME = -(2**63)  # of NumPy


@dataclass
class Grid:
    """Columns by name, and what else a file says.

    Attributes
    ----------
    tokens, values : dict of column to list
        What is written, and what it means.
    listed : dict of column to list
        Categories that the column lists beside its cells.
    beside : list of str
        All other text: metadata, labels, names of sheets.
    times : set of str
        Columns of a labeled file that hold times.
    """

    tokens: dict[str, list[Any]] = field(default_factory=dict)
    values: dict[str, list[Any]] = field(default_factory=dict)
    listed: dict[str, list[Any]] = field(default_factory=dict)
    beside: list[str] = field(default_factory=list)
    times: set[str] = field(default_factory=set)

    @property
    def names(self) -> list[str]:
        """Columns in order."""
        return list(self.tokens)

    @property
    def rows(self) -> int:
        """How many records."""
        return len(next(iter(self.tokens.values()), []))

    def add(self, name: str, cells: list[Any], values: list[Any] | None = None) -> None:
        """One more column: its cells, and what they mean where that is not plain from the cell."""
        self.tokens[name] = [token(cell) for cell in cells]
        self.values[name] = [meaning(cell) for cell in (cells if values is None else values)]


def token(cell: Any) -> Any:
    """What is written, so that equal tokens cannot be told apart."""
    if isinstance(cell, float):
        return ("float", repr(cell))
    if type(cell) in (bool, int, str, bytes) or cell is None:
        return (type(cell).__name__, cell)
    return (type(cell).__name__, repr(cell))


def meaning(cell: Any) -> Any:
    """A cell as a number, a time, a text, or None."""
    if cell is None or cell is pd.NA or cell is pd.NaT:
        return None
    if isinstance(cell, float):
        return None if math.isnan(cell) else cell
    if isinstance(cell, Decimal):
        return None if cell.is_nan() else cell
    if isinstance(cell, dt.datetime):
        plain = cell.replace(tzinfo=None) - (cell.utcoffset() or dt.timedelta())
        return (plain - EPOCH) // dt.timedelta(microseconds=1) * 1000
    if isinstance(cell, dt.date):
        return (cell - EPOCH.date()).days * 86_400 * 10**9
    return cell


class Nearest(float):
    """A number for which the nearest one of 32 bits may stand."""


def number(value: Any) -> Fraction | None:
    """A value as an exact number, if it is one."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    finite = math.isfinite(value) if isinstance(value, float) else True
    if isinstance(value, Decimal) and not value.is_finite():
        finite = False
    return Fraction(value) if finite else None


def of_table(table: Any) -> Grid:
    """A table in memory."""
    if isinstance(table, pd.DataFrame):
        return _of_pandas(table)
    if isinstance(table, pl.DataFrame):
        grid = Grid()
        for series in table.get_columns():
            if series.dtype in (pl.Object, pl.Int128):
                grid.add(series.name, series.to_list())
            else:
                _add_arrow(grid, series.name, series.alias("").to_arrow(), listing=False)
        return grid
    grid = Grid()
    for name, column in zip(table.column_names, table.columns, strict=True):
        _add_arrow(grid, name, column)
    notes = {**(table.schema.metadata or {})}
    for known in table.schema:
        notes.update(known.metadata or {})
    grid.beside += [text.decode("utf-8", "replace") for pair in notes.items() for text in pair]
    return grid


def _of_pandas(table: pd.DataFrame) -> Grid:
    grid = Grid(beside=[repr(table.attrs), repr(list(table.index.names))])
    if not table.index.equals(pd.RangeIndex(len(table))):
        grid.beside.append("index " + " ".join(map(str, table.index)))
    for place, name in enumerate(table.columns):
        column = table.iloc[:, place]
        dtype: Any = column.dtype
        if isinstance(dtype, pd.ArrowDtype):
            _add_arrow(grid, name, pa.chunked_array([pa.array(column.array)]))
            continue
        if isinstance(dtype, pd.CategoricalDtype):
            grid.listed[name] = [meaning(_plain(c)) for c in dtype.categories]
            column = column.astype(object)
            cells = [
                None if gap else _plain(v) for gap, v in zip(column.isna(), column, strict=True)
            ]
            grid.add(name, cells)
        elif getattr(dtype, "kind", "") == "M":
            naive = column if dtype == column.to_numpy().dtype else column.dt.tz_convert("UTC")
            ticks = naive.dt.tz_localize(None).to_numpy()
            unit = str(ticks.dtype)[11:-1]
            whole = [None if t == NOT_A_TIME else t for t in ticks.view("int64").tolist()]
            grid.add(name, whole)
            scale = 10**9 // PER_SECOND[unit]
            grid.values[name] = [None if t is None else t * scale for t in whole]
            grid.times.add(name)
        else:
            grid.add(name, [_plain(v) for v in column])
    return grid


def _plain(value: Any) -> Any:
    """A scalar of NumPy as Python's."""
    return value.item() if hasattr(value, "item") and not isinstance(value, pd.Timestamp) else value


def _add_arrow(grid: Grid, name: str, column: Any, *, listing: bool = True) -> None:
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    kind = column.type
    if pa.types.is_run_end_encoded(kind):
        column = pa.compute.run_end_decode(column)
        kind = column.type
    if pa.types.is_dictionary(kind):
        if listing:
            grid.listed[name] = [meaning(v) for v in column.dictionary.to_pylist()]
        column = column.dictionary_decode()
        kind = column.type
    if pa.types.is_timestamp(kind):
        ticks = column.cast(pa.int64()).to_pylist()
        grid.add(name, ticks)
        scale = 10**9 // PER_SECOND[kind.unit]
        grid.values[name] = [None if t is None else t * scale for t in ticks]
    elif pa.types.is_date(kind):
        days = column.cast(pa.date32()).cast(pa.int32()).to_pylist()
        grid.add(name, days)
        grid.values[name] = [None if d is None else d * 86_400 * 10**9 for d in days]
    elif pa.types.is_duration(kind) or pa.types.is_time(kind):
        wide = pa.int32() if kind.bit_width == 32 else pa.int64()
        ticks = column.cast(wide).to_pylist()
        scale = 10**9 // PER_SECOND[kind.unit]
        grid.add(name, ticks, [None if t is None else t * scale for t in ticks])
    else:
        grid.add(name, column.to_pylist())


def of_csv(content: bytes, delimiter: str) -> Grid:
    """A text file, by the letter."""
    records = strict_csv.parse(strict_csv.sniff(content), delimiter)
    grid = Grid()
    for place, name in enumerate(records[0]):
        cells = [record[place] for record in records[1:]]
        values = [meaning_of_text(cell) for cell in cells]
        if any(isinstance(value, str) for value in values):  # among words "nan" is one
            pairs = zip(values, cells, strict=True)
            values = [cell if value != value else value for value, cell in pairs]
        grid.add(name, cells, values)
    return grid


def meaning_of_text(cell: str) -> Any:
    """A field as a number or a time, if it is written as one; None where it is empty."""
    if cell == "":
        return None
    try:
        if NUMBER.fullmatch(cell):
            return int(cell) if cell.lstrip("+-").isdigit() else float(cell)
        return meaning(dt.datetime.fromisoformat(cell)) if cell[4:5] == "-" else cell
    except ValueError:
        return cell


def of_file(path: Path, delimiter: str = ",") -> Grid:
    """A written file, by its extension."""
    kind = path.suffix.lower()
    if kind == ".csv":
        return of_csv(path.read_bytes(), delimiter)
    if kind in (".parquet", ".pq"):
        import pyarrow.parquet as pq

        with pq.ParquetFile(path) as file:
            return of_table(file.read())
    if kind == ".feather":
        import pyarrow.feather as feather

        return of_table(feather.read_table(path))
    if kind == ".xlsx":
        return _of_excel(path)
    import pyreadstat

    reader = pyreadstat.read_sav if kind == ".sav" else pyreadstat.read_dta
    table, noted = reader(str(path), user_missing=True)
    grid = _of_pandas(table)
    grid.beside += [repr(noted.variable_value_labels), repr(noted.column_labels), repr(noted.notes)]
    return grid


def _of_excel(path: Path) -> Grid:
    import openpyxl

    book = openpyxl.load_workbook(path)
    rows = list(book.worksheets[0].iter_rows(values_only=True))
    grid = Grid()
    for place, name in enumerate(rows[0]):
        cells = [row[place] for row in rows[1:]]
        values = [None if isinstance(cell, str) and not cell.strip() else cell for cell in cells]
        grid.add("" if name is None else str(name), cells, values)  # blanks alone are a blank cell
    with zipfile.ZipFile(path) as archive:
        grid.beside += [archive.read(n).decode("utf-8", "replace") for n in archive.namelist()]
    return grid
