"""Files of SPSS, Stata and SAS, by pyreadstat, with value labels and user-missing codes.

Codes that an SPSS file declares missing stay themselves in the table and are listed in the details,
so that the schema counts them as missing. Stata's and SAS's special missing values (.a to .z) have
no number and are read as missing. SPSS and SAS know no integers: a column of nothing but whole
numbers is read as integers, and booleans are written as 0 and 1. Empty text is missing, as in the
programs themselves. Of the value
labels only those are written whose value a record has. Time zones are unknown to all three: such
datetimes are written in UTC.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from coterie.errors import DataError, shown
from coterie.imports.optional import needed
from coterie.table.formats import arrow

STATA_LONG = (-2_147_483_647, 2_147_483_620)


def read(
    path: Path,
    origin: str,
    format: str = "spss",  # noqa: A002 - the word users know
    encoding: str | None = None,
    spelled: bool = False,
) -> tuple[Any, dict[str, Any]]:
    """The table, and as details its labels, measures and user-missing codes."""
    import pyarrow as pa

    pyreadstat = needed("pyreadstat", f"Reading {format}", "formats")
    letters: dict[str, Any] = {}
    if format == "spss":
        data, meta = pyreadstat.read_sav(path, user_missing=True, encoding=encoding)
    elif format == "sas" and _is_transport(path):
        data, meta = pyreadstat.read_xport(path, encoding=encoding)
    else:
        of_kind = pyreadstat.read_dta if format == "stata" else pyreadstat.read_sas7bdat
        data, meta = of_kind(path, encoding=encoding)
        if spelled:
            lettered, kinds = of_kind(path, encoding=encoding, user_missing=True)
            letters = {name: _cells(lettered[name]) for name in kinds.missing_user_values}
    arrays = [
        _array(data[name], integers=format != "stata" or _is_integer(meta, name))
        for name in data.columns
    ]
    table = pa.table(arrays, names=list(data.columns))
    ranges = dict(meta.missing_ranges)
    details = {
        "labels": {name: dict(labels) for name, labels in meta.variable_value_labels.items()},
        "column_labels": {n: text for n, text in meta.column_names_to_labels.items() if text},
        "measures": {n: m for n, m in meta.variable_measure.items() if m != "unknown"},
        "ranges": ranges,
        "missing": {name: _codes(table.column(name), ranges[name]) for name in ranges},
        **({"spelled": letters} if spelled else {}),
    }
    return table, details


def write(table: Any, path: Path, details: dict[str, Any]) -> None:
    """Write by the target's extension, with the labels of the columns that are still there."""
    pyreadstat = needed("pyreadstat", "Writing labeled files", "formats")
    table = arrow.simple(table, "A labeled file")
    _refuse_ends(table)
    data = _frame(table, stata=details["extension"] == ".dta")
    labels = {
        name: _matching(details["labels"][name], table.column(name))
        for name in table.column_names
        if details.get("labels", {}).get(name) and not _retyped(details, name, table)
    }
    labels = {name: named for name, named in labels.items() if named}
    ranges = {n: r for n, r in details.get("ranges", {}).items() if not _retyped(details, n, table)}
    common = {"column_labels": _present(details.get("column_labels", {}), table)}
    if details["extension"] == ".dta":
        pyreadstat.write_dta(data, path, version=15, variable_value_labels=labels, **common)
    elif details["extension"] == ".xpt":
        pyreadstat.write_xport(data, path, file_format_version=8, **common)
    else:
        pyreadstat.write_sav(
            data,
            path,
            compress=details["extension"] == ".zsav",
            variable_value_labels=labels,
            missing_ranges=_present(ranges, table),
            variable_measure=_present(details.get("measures", {}), table),
            **common,
        )


def _refuse_ends(table: Any) -> None:
    """Text in these files ends at the character NUL: what follows it would be lost."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for name, column in zip(table.column_names, table.columns, strict=True):
        if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
            continue
        cut = pc.filter(column, pc.fill_null(pc.match_substring(column, "\0"), False))
        if len(cut):
            raise DataError(
                f"Column {shown(name)} must hold text without the character NUL for a labeled "
                f"file, which ends there. Got {shown(cut[0].as_py(), 30)} ({len(cut)} such "
                "value(s)): replace it, or write to .csv or .parquet."
            )


def _retyped(details: dict[str, Any], name: str, table: Any) -> bool:
    """Whether a column of numbers was released as text, which their labels do not fit."""
    import pyarrow as pa

    if name not in table.column_names or not pa.types.is_string(table.column(name).type):
        return False
    ranges = details.get("ranges", {}).get(name, ())
    said = [*details.get("labels", {}).get(name, ()), *(v for r in ranges for v in r.values())]
    return any(not isinstance(value, str) for value in said)


def _array(column: Any, *, integers: bool) -> Any:
    """A column of pandas as Arrow: empty text is missing, whole numbers are integers."""
    import pyarrow as pa
    import pyarrow.compute as pc

    array = pa.Array.from_pandas(column)
    if pa.types.is_large_string(array.type) or pa.types.is_string(array.type):
        array = array.cast(pa.string())
        return pc.if_else(pc.equal(array, ""), None, array)
    if integers and pa.types.is_floating(array.type) and array.null_count < len(array):
        small = pc.less(pc.abs(array), 2.0**53)
        if pc.all(pc.and_(small, pc.equal(pc.floor(array), array))).as_py():
            return array.cast(pa.int64())
    return array


def _cells(column: Any) -> Any:
    """A column with special missing values: these by their letters, and numbers, as text."""
    import pyarrow as pa

    return pa.chunked_array([[None if v != v else repr(v) for v in column.tolist()]])


def _is_integer(meta: Any, name: str) -> bool:
    return str(meta.readstat_variable_types.get(name, "")).startswith("int")


def _is_transport(path: Path) -> bool:
    """Whether a SAS file is of the transport kind: by its first bytes, whatever its name."""
    with path.open("rb") as file:
        return file.read(13) == b"HEADER RECORD"


def _codes(column: Any, ranges: list[Any]) -> tuple[Any, ...]:
    """Single codes, and the values of the column that lie in a declared range."""
    import pyarrow.compute as pc

    codes: list[Any] = []
    values = pc.unique(column.drop_null()).to_pylist()
    for item in ranges:
        low, high = (item["lo"], item["hi"]) if isinstance(item, dict) else (item, item)
        if low == high:
            codes.append(_like(low, column))
        else:
            codes.extend(sorted(v for v in values if low <= v <= high))
    return tuple(dict.fromkeys(codes))


def _like(code: Any, column: Any) -> Any:
    """A code in the type of the column."""
    import pyarrow as pa

    whole = isinstance(code, float) and code == int(code)
    return int(code) if whole and pa.types.is_integer(column.type) else code


def _matching(labels: dict[Any, str], column: Any) -> dict[Any, str]:
    """The labels of values that the column has: another's tells of a record that is not there."""
    import pyarrow.compute as pc

    there = set(pc.unique(column.drop_null()).to_pylist())
    named = {_like(code, column): label for code, label in labels.items()}
    return {code: label for code, label in named.items() if code in there}


def _present(values: dict[str, Any], table: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in table.column_names}


def _frame(table: Any, *, stata: bool) -> Any:
    """A pandas table as pyreadstat takes it; integers that Stata can hold keep their type."""
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_boolean(column.type):
            column = column.cast(pa.int64())
        small = False
        if stata and pa.types.is_integer(column.type) and column.null_count < len(column):
            low, high = pc.min_max(column).as_py().values()
            small = STATA_LONG[0] <= low and high <= STATA_LONG[1]
        if small and column.null_count:
            columns[name] = pd.Series(column.to_pylist(), dtype="Int32")
        else:
            column = column.cast(pa.int32()) if small else column
            columns[name] = column.to_pandas(date_as_object=True)
    return pd.DataFrame(columns)
