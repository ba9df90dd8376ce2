"""Arrow types that every stage can sort, compare and cast, and columns on their way to them.

| held as | taken and released as |
| --- | --- |
| float16 | float32 |
| decimal32, decimal64; a scale below 0 | decimal128; scale 0 |
| date64 | date32 |
| string_view, binary_view; run-end encoded | string, binary; the values themselves |
| UUIDs, pandas' periods and intervals | text |
| categories that are lists, structs or categories | the values themselves |
| another extension type | what it is stored as |

Every one of these holds the same values: nothing is rounded.
"""

from __future__ import annotations

import uuid
from typing import Any

__all__ = ["plain_column", "plain_table", "plain_type"]

TEXT_EXTENSIONS = ("arrow.uuid", "pandas.period", "pandas.interval")
WIDEST = 38  # digits of a decimal128


def plain_type(kind: Any) -> Any:
    """The type that a column of the Arrow type `kind` is taken as; None if there is none.

    >>> import pyarrow as pa
    >>> plain_type(pa.float16()), plain_type(pa.decimal32(5, 2)), plain_type(pa.int8())
    (DataType(float), Decimal128Type(decimal128(5, 2)), DataType(int8))
    """
    import pyarrow as pa

    types = pa.types
    if isinstance(kind, pa.BaseExtensionType):
        named = getattr(kind, "extension_name", "")
        return pa.string() if named in TEXT_EXTENSIONS else plain_type(kind.storage_type)
    if types.is_dictionary(kind):
        values = plain_type(kind.value_type)
        if values is None or types.is_nested(values) or types.is_dictionary(values):
            return values
        return pa.dictionary(kind.index_type, values, kind.ordered)
    if types.is_run_end_encoded(kind):
        return plain_type(kind.value_type)
    if types.is_decimal(kind):
        return _plain_decimal(kind)
    if types.is_union(kind) or kind == pa.month_day_nano_interval():
        return None
    others = {
        pa.float16(): pa.float32(),
        pa.date64(): pa.date32(),
        pa.string_view(): pa.string(),
        pa.binary_view(): pa.binary(),
    }
    return others.get(kind, kind)


def plain_column(column: Any) -> Any:
    """A chunked array as its plain type; None if there is none or a value does not fit it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    wanted = plain_type(kind)
    if wanted is None or wanted == kind:
        return None if wanted is None else column
    try:
        if isinstance(kind, pa.BaseExtensionType):
            if getattr(kind, "extension_name", "") in TEXT_EXTENSIONS:
                return pa.chunked_array([pa.array(_texts(column), pa.string())])
            stored = [chunk.storage for chunk in column.chunks]
            return plain_column(pa.chunked_array(stored, type=kind.storage_type))
        if pa.types.is_dictionary(kind) and wanted == plain_type(kind.value_type):
            decoded = [chunk.dictionary.take(chunk.indices) for chunk in column.chunks]
            return plain_column(pa.chunked_array(decoded, type=kind.value_type))
        if pa.types.is_dictionary(kind):
            return _plain_dictionary(column, wanted)
        if pa.types.is_run_end_encoded(kind):
            decoded = [pc.run_end_decode(chunk) for chunk in column.chunks]
            return plain_column(pa.chunked_array(decoded, type=kind.value_type))
        return column.cast(wanted)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None


def plain_table(table: Any) -> Any:
    """An Arrow table with plain columns, except those that have no plain type."""
    for place, field in enumerate(table.schema):
        if plain_type(field.type) != field.type:
            column = plain_column(table.column(place))
            if column is not None:
                table = table.set_column(place, field.name, column)
    return table


def _plain_decimal(kind: Any) -> Any:
    import pyarrow as pa

    scale = max(kind.scale, 0)
    digits = kind.precision + scale - kind.scale
    if digits > WIDEST:
        return pa.decimal256(digits, scale) if digits <= 2 * WIDEST else None
    return pa.decimal128(digits, scale)


def _plain_dictionary(column: Any, wanted: Any) -> Any:
    """Indices stay; the list of values becomes plain."""
    import pyarrow as pa

    chunks = []
    for chunk in column.chunks:
        values = plain_column(pa.chunked_array([chunk.dictionary]))
        if values is None:
            return None
        values = values.combine_chunks()
        chunks.append(pa.DictionaryArray.from_arrays(chunk.indices, values, ordered=wanted.ordered))
    return pa.chunked_array(chunks, type=wanted)


def _texts(column: Any) -> list[str | None]:
    """Values of an extension type in words: a UUID, a month, an interval."""
    if column.type.extension_name == "arrow.uuid":
        values = [value for chunk in column.chunks for value in chunk.storage.to_pylist()]
        return [None if value is None else str(uuid.UUID(bytes=value)) for value in values]
    return [None if value != value else str(value) for value in column.to_pandas()]
