"""What Parquet and Feather share: Arrow tables and the types that pandas noted in them.

A file's metadata may hold anything (a program's log, the values of an index), so none of it is
copied into a release, except the dtype of each column as pandas knows it.
"""

from __future__ import annotations

import json
from typing import Any

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
    fields = [field.remove_metadata().with_type(_plain(field.type)) for field in table.schema]
    import pyarrow as pa

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


def _noted(kind: Any) -> dict[str, Any] | None:
    """What pandas wants to know of a type beside its name."""
    import pyarrow as pa

    if pa.types.is_timestamp(kind) and kind.tz:
        return {"timezone": kind.tz}
    return None


def _plain(kind: Any) -> Any:
    """The type with offsets instead of views, which not every program can work on."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, _plain(kind.value_type), kind.ordered)
    views = {"string_view": pa.string(), "binary_view": pa.binary()}
    return views.get(str(kind), kind)
