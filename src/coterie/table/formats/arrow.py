"""Arrow tables on their way from and to files, and the types that pandas noted in them.

A file's metadata may hold anything (a program's log, the values of an index), so none of it is
copied into a release, except the dtype of each column as pandas knows it.
"""

from __future__ import annotations

import json
from typing import Any

from coterie.checks import EXACT_INTEGER
from coterie.errors import DataError
from coterie.table.plain import plain_table

PANDAS = b"pandas"


def taken(table: Any) -> tuple[Any, dict[str, Any]]:
    """A table without metadata, and its pandas dtypes as details."""
    metadata = table.schema.metadata or {}
    details = {}
    try:
        columns = json.loads(metadata.get(PANDAS, b"{}")).get("columns", [])
        details["pandas"] = {c["field_name"]: c for c in columns if c.get("field_name")}
        details["types"] = {field.name: field.type for field in table.schema}
    except (ValueError, AttributeError, TypeError):
        details = {}
    import pyarrow as pa

    table = plain_table(table)
    fields = [field.remove_metadata() for field in table.schema]
    return table.cast(pa.schema(fields)), details if details.get("pandas") else {}


def given(table: Any, details: dict[str, Any]) -> Any:
    """A table with the pandas dtypes of the columns whose Arrow type is still the same."""
    known, types = details.get("pandas", {}), details.get("types", {})
    if not known:
        return table
    columns = [
        {**known[f.name], "metadata": _noted(f.type)}
        for f in table.schema
        if f.name in known and types.get(f.name) == f.type
    ]
    note = {"index_columns": [], "column_indexes": [], "columns": columns, "pandas_version": "2.0"}
    return table.replace_schema_metadata({PANDAS: json.dumps(note).encode()})


def simple(table: Any, where: str) -> Any:
    """A table of numbers, text, booleans, dates and times without zones, for older formats."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for i, field in enumerate(table.schema):
        column, kind = table.column(i), field.type
        if pa.types.is_dictionary(kind):
            kind = kind.value_type
            column = column.cast(kind)
        if pa.types.is_nested(kind) or "binary" in str(kind):
            raise DataError(
                f"{where} cannot hold column {field.name!r} of type {kind}. "
                "Drop it, or write to .parquet or .feather."
            )
        if pa.types.is_decimal(kind) or pa.types.is_null(kind) or str(kind) == "string_view":
            column = column.cast(pa.string())
        elif pa.types.is_integer(kind) and _beyond(column, EXACT_INTEGER):
            column = column.cast(pa.string())  # these formats would round it
        elif pa.types.is_timestamp(kind):
            if kind.unit == "ns":
                column = pc.floor_temporal(column, unit="microsecond")
            if kind.tz:
                column = column.cast(pa.timestamp("us", "UTC"))
            column = column.cast(pa.timestamp("us"))
        table = table.set_column(i, field.name, column)
    return table


def _beyond(column: Any, limit: int) -> bool:
    """Whether an integer of the column is larger than `limit`, with either sign."""
    import pyarrow.compute as pc

    low, high = pc.min_max(column).as_py().values()
    return low is not None and max(-low, high) > limit


def _noted(kind: Any) -> dict[str, Any] | None:
    """What pandas wants to know of a type beside its name."""
    import pyarrow as pa

    if pa.types.is_timestamp(kind) and kind.tz:
        return {"timezone": kind.tz}
    return None
