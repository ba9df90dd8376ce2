"""Arrow tables on their way in and out, and the types that pandas noted in them.

Metadata of a table, of a column or of a part of a nested one may hold anything (a program's log,
the values of an index), so none of it is copied into a release, except the dtype of each column as
pandas knows it, and of that only a name that looks like one.
"""

from __future__ import annotations

import json
import re
from typing import Any

from coterie.errors import DataError
from coterie.numbers.checks import EXACT_INTEGER
from coterie.table.plain import plain_table

PANDAS = b"pandas"
DTYPE = re.compile(r"[A-Za-z0-9_<|>=\[\]+\-/:, ]{1,48}")  # Int64, datetime64[ns, Europe/Berlin]


def taken(table: Any) -> tuple[Any, dict[str, Any]]:
    """A table without metadata, and its pandas dtypes as details."""
    dtypes = _dtypes(table.schema)
    types = {field.name: field.type for field in table.schema}
    return bare(plain_table(table)), {"pandas": dtypes, "types": types} if dtypes else {}


def bare(table: Any) -> Any:
    """A table without metadata, that of parts of nested columns included."""
    import pyarrow as pa

    fields = [pa.field(field.name, _bare(field.type), field.nullable) for field in table.schema]
    columns = [
        _rewritten(column, field.type) if _noted_within(column.type) else column
        for column, field in zip(table.columns, fields, strict=True)
    ]
    return pa.Table.from_arrays(columns, schema=pa.schema(fields))


def given(table: Any, details: dict[str, Any]) -> Any:
    """A table with the pandas dtypes of the columns whose Arrow type is still the same."""
    known, types = details.get("pandas", {}), details.get("types", {})
    if not known:
        return table
    columns = [
        {"name": f.name, "field_name": f.name, **known[f.name], "metadata": _noted(f.type)}
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


def _dtypes(schema: Any) -> dict[str, dict[str, str]]:
    """What pandas calls the types of the columns."""
    try:
        columns = json.loads((schema.metadata or {}).get(PANDAS, b"{}")).get("columns", [])
        found = {
            str(c["field_name"]): {n: str(c[n]) for n in ("pandas_type", "numpy_type")}
            for c in columns
            if c.get("field_name")
        }
    except (ValueError, AttributeError, TypeError, KeyError):
        return {}
    return {name: d for name, d in found.items() if all(map(DTYPE.fullmatch, d.values()))}


def _bare(kind: Any) -> Any:
    """A type without the metadata of its parts."""
    import pyarrow as pa

    types = pa.types
    if not types.is_nested(kind) or types.is_union(kind):
        return kind

    def part(field: Any) -> Any:
        return pa.field(field.name, _bare(field.type), field.nullable)

    if types.is_struct(kind):
        return pa.struct([part(kind.field(i)) for i in range(kind.num_fields)])
    if types.is_map(kind):
        return pa.map_(part(kind.key_field), part(kind.item_field), kind.keys_sorted)
    if types.is_fixed_size_list(kind):
        return pa.list_(part(kind.value_field), kind.list_size)
    maker = {pa.ListType: pa.list_, pa.LargeListType: pa.large_list}.get(type(kind))
    return kind if maker is None else maker(part(kind.value_field))


def _noted_within(kind: Any) -> bool:
    """Whether a part of a nested type has metadata."""
    return any(
        kind.field(i).metadata or _noted_within(kind.field(i).type) for i in range(kind.num_fields)
    )


def _rewritten(column: Any, kind: Any) -> Any:
    """A nested column as a type that differs by metadata alone: Arrow takes both for one."""
    import pyarrow as pa

    schema = pa.schema([("", kind)])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as writer:
        writer.write_table(pa.Table.from_arrays([column], schema=schema))
    return pa.ipc.open_stream(sink.getvalue()).read_all().column(0)


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
