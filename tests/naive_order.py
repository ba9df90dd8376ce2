"""The order of rows, plainly: every value as a text that nobody can mistake for another one's."""

from __future__ import annotations

import struct


def spelled(value):
    """A value, however deep, as a text; floats by their bits, any NaN alike."""
    if isinstance(value, float):
        return "nan" if value != value else struct.pack("d", value).hex()
    if isinstance(value, dict):
        return "{" + ",".join(f"{k}:{spelled(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(spelled, value)) + "]"
    return repr(value)


def rows_of(table):
    """Each row of an Arrow table as one such text."""
    columns = [column.to_pylist() for column in table.columns]
    return ["|".join(map(spelled, row)) for row in zip(*columns, strict=True)]
