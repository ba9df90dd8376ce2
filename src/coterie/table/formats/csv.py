"""CSV and its relatives: text separated by comma, semicolon, tab or bar, by pyarrow."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coterie.errors import DataError, bad_parameter, shown
from coterie.table.arrays import constant
from coterie.table.formats import dialect, durations, formulas, quotes, text
from coterie.table.formats.notation import Notation, check_dates, kept_notations

BLOCK = 1 << 24
ROWS = 1 << 16  # rows written at a time
QUOTED = 1  # the letter that marks a field in quotes, where spelling counts: no text holds it


def read(
    path: Path,
    origin: str,
    delimiter: str | None = None,
    encoding: str | None = None,
    spelled: bool = False,
    line_breaks: bool = False,
    dates: str | None = None,
    notations: Mapping[str, Notation] | None = None,
) -> tuple[Any, dict[str, Any]]:
    """The table in a text file; details hold delimiter, encoding and the spelling of values.

    `notations` are known of a file that we have written ourselves.
    """
    import pyarrow as pa

    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n' or delimiter > "~"):
        raise bad_parameter("delimiter", "read", "one ASCII character, no quote", delimiter)
    content, encoding = dialect.decoded(path.read_bytes(), origin, encoding)
    if not content.strip():
        raise DataError(f"{origin} holds only white space. Check the program that wrote it.")
    if delimiter is None:
        head = content[: 4 * dialect.SAMPLE].decode(errors="ignore")
        delimiter = dialect.find_delimiter(head, path.suffix.lower())
    quotes.check([content], delimiter, origin, line_breaks=line_breaks)
    table = _parse(content, origin, delimiter)
    columns = table.columns
    comma = text.decimal_comma(columns, delimiter)
    order, known = check_dates(dates), dict(notations or {})
    arrays, truths, found = [], {}, {}
    for name, column in zip(_named(table.column_names), columns, strict=True):
        array, booleans, how = text.written(
            column, comma=comma, delimiter=delimiter, order=order, known=known.get(name)
        )
        if how is not None:
            found[name] = how
        arrays.append(formulas.unmarked(array) if pa.types.is_string(array.type) else array)
        if booleans:
            truths[name] = booleans
    details = {
        "delimiter": delimiter,
        "encoding": encoding,
        "decimal": "," if comma else ".",
        "booleans": truths,
        **kept_notations(found, origin, dates),
    }
    if spelled:
        marked = _marked(content, delimiter)
        cells = table if marked is content else _parse(marked, origin, delimiter)
        details["spelled"] = dict(zip(_named(table.column_names), cells.columns, strict=True))
    return pa.table(arrays, names=_named(table.column_names)), details


def without_marks(table: Any) -> Any:
    """A table of text without the marks of what would else be formulas."""
    import pyarrow as pa

    columns = [formulas.unmarked(column) for column in table.columns]
    return pa.table(columns, names=_named(table.column_names))


def write(table: Any, path: Path, details: dict[str, Any], *, more: bool = False) -> None:
    """Write text with the delimiter, encoding, decimal point and booleans that it came with.

    With `more`, the records are added to those that a file holds already.
    """
    encoding = details.get("encoding", "utf-8")
    delimiter = details.get("delimiter", ",")
    how = details.get("formulas", formulas.CHOICES[0])
    quoted = [_heading(name, delimiter, how) for name in table.column_names]
    if more:  # one mark at the beginning of a file is enough
        encoding = {"utf-16": f"utf-16-{sys.byteorder[0]}e", "utf-8-sig": "utf-8"}.get(
            encoding, encoding
        )
    with path.open("a" if more else "w", encoding=encoding, newline="") as file:
        if not more:
            file.write((delimiter.join(quoted) or '""') + "\n")
        for start in range(0, table.num_rows, ROWS):
            file.writelines(_lines(table.slice(start, ROWS), delimiter, details))


def fields(table: Any, details: dict[str, Any]) -> Any:
    """The text of every field of a table, before quotes and marks."""
    import pyarrow as pa

    pairs = zip(table.column_names, table.columns, strict=True)
    return pa.table({name: _as_text(column, name, details) for name, column in pairs})


def _marked(content: bytes, delimiter: str) -> bytes:
    """The text with a mark in every field that stands in quotes: readers can tell "a" from a."""
    import numpy as np

    if b'"' not in content:
        return content
    letters = np.frombuffer(content, np.uint8)
    quotes = np.flatnonzero(letters == ord('"'))
    before = np.where(quotes > 0, letters[quotes - 1], ord("\n"))
    starts = np.isin(before, np.frombuffer(f"{delimiter}\r\n".encode(), np.uint8))
    opening = np.arange(len(quotes)) % 2 == 0
    if not (starts | (before == ord('"')))[opening].all():
        return content  # quotes that are mere characters: who can tell which are not?
    return np.insert(letters, quotes[opening & starts] + 1, QUOTED).tobytes()


def _parse(content: bytes, origin: str, delimiter: str) -> Any:
    """Every column as text; an empty field, quoted or not, is missing."""
    import pyarrow as pa

    if not content.endswith((b"\n", b"\r")):
        content += b"\n"  # pyarrow takes a header alone for an empty file
    try:
        table = _records(content, delimiter, BLOCK)
    except pa.ArrowInvalid:
        try:  # a record may be longer than a block
            table = _records(content, delimiter, min(max(len(content) + 1, BLOCK), 2**31 - 1))
        except pa.ArrowInvalid as error:
            quotes.count_fields([content], delimiter, origin)
            raise DataError(
                f"{origin} cannot be read as text separated by {shown(delimiter)}: "
                f"{shown(str(error), 120)}. Repair it, or give delimiter=."
            ) from None
    names = [column[0].as_py() or "" for column in table.columns]
    return table.slice(1).rename_columns(names)


def _records(content: bytes, delimiter: str, block: int) -> Any:
    """All records, the names in the first one included, as columns f0, f1, ... of text."""
    import pyarrow as pa
    from pyarrow import csv

    width = content[:BLOCK].partition(b"\n")[0].count(delimiter.encode()) + 1
    content = _native(content)
    while True:
        table = csv.read_csv(
            pa.BufferReader(content),
            csv.ReadOptions(block_size=block, autogenerate_column_names=True),
            csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            csv.ConvertOptions(
                null_values=[""],
                strings_can_be_null=True,
                column_types={f"f{i}": pa.string() for i in range(width)},
            ),
        )
        if table.num_columns <= width:
            return table
        width = table.num_columns  # a name holds a line break


def _lines(table: Any, delimiter: str, details: dict[str, Any]) -> list[str]:
    """The records of a part of the table, quoted where they must be."""
    import pyarrow as pa
    import pyarrow.compute as pc

    quote, nothing = constant('"'), constant("")
    how = details.get("formulas", formulas.CHOICES[0])
    fields = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        field = _as_text(column, name, details)
        risky = _is_text(column.type) or pa.types.is_duration(column.type)  # -PT1S
        run = formulas.found(field) if how != "keep" and risky else None
        if run is not None and how == "prefix":
            mark = constant(formulas.MARK)
            field = pc.if_else(run, pc.binary_join_element_wise(mark, field, nothing), field)
        if (
            _may_need_quotes(column.type)
            or name in details.get("notations", {})
            or delimiter not in dialect.DELIMITERS
        ):
            special = pc.match_substring_regex(field, _special(delimiter))
            special = special if run is None or how == "prefix" else pc.or_(special, run)
            inside = pc.replace_substring(field, '"', '""')
            quoted = pc.binary_join_element_wise(quote, inside, quote, nothing)
            field = pc.if_else(special, quoted, field)
        fields.append(pc.fill_null(field, nothing))
    if len(fields) == 1:  # a line without a character would be no record
        fields[0] = pc.if_else(pc.equal(fields[0], nothing), constant('""'), fields[0])
    lines = pc.binary_join_element_wise(*fields, constant(delimiter))
    return [line + "\n" for line in lines.to_pylist()]


def _as_text(column: Any, name: str, details: dict[str, Any]) -> Any:
    """A column as the text of its values, null where there is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if name in details.get("notations", {}):
        column = details["notations"][name].spell(column)
        kind = column.type
    if pa.types.is_dictionary(kind):
        return _as_text(column.cast(kind.value_type), name, details)
    if pa.types.is_boolean(kind):
        true, false = details.get("booleans", {}).get(name, text.BOOLEANS[0])
        return pc.if_else(column, constant(true), constant(false))
    if pa.types.is_null(kind) or pa.types.is_string(kind):
        return column.cast(pa.string())
    if pa.types.is_large_string(kind) or str(kind) == "string_view":
        return column.cast(pa.string())
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        raise DataError(
            f"Column {name!r} of type {kind} cannot be written as text. "
            "Drop it, or write to .parquet or .feather."
        )
    if pa.types.is_duration(kind):
        return durations.spelled(column)
    field = column.cast(pa.string())
    if pa.types.is_floating(kind):
        # 1.0 stays a float for who reads it, and so does a column of nothing but whole numbers.
        whole = pc.match_substring_regex(field, "^-?[0-9]+$")
        field = pc.if_else(
            whole, pc.binary_join_element_wise(field, constant(".0"), constant("")), field
        )
    if pa.types.is_timestamp(kind):
        if kind.tz:
            # Before there were time zones, offsets had seconds, which Arrow cuts off.
            universal = column.cast(pa.timestamp(kind.unit, "UTC"))
            exact = pc.equal(field.cast(universal.type), universal)
            field = pc.if_else(exact, field, universal.cast(pa.string()))
        field = pc.replace_substring_regex(field, r"^([^.]*)\.0+(Z|[+-].*)?$", r"\1\2")
    if details.get("decimal") == "," and (pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        field = pc.replace_substring(field, ".", ",")
    return field


def _named(names: list[str]) -> list[str]:
    """Names without the mark of what would else be a formula."""
    return [name[1:] if name == formulas.marked(name[1:]) else name for name in names]


def _heading(name: str, delimiter: str, how: str) -> str:
    """A name as it is written."""
    risky = how != "keep" and formulas.is_formula(name)
    name = formulas.marked(name) if how == "prefix" else name
    special = any(c in name for c in (delimiter, '"', "\r", "\n")) or name != name.strip()
    special = special or (risky and how == "quote")
    return '"' + name.replace('"', '""') + '"' if special else name


def _special(delimiter: str) -> str:
    """Pattern of what must stand in quotes."""
    return "[" + re.escape(delimiter) + '"\r\n]|^\\s|\\s$'


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or str(kind) == "string_view"


def _may_need_quotes(kind: Any) -> bool:
    import pyarrow as pa

    if pa.types.is_duration(kind):  # a sign in front may be taken for a formula
        return True
    return not (pa.types.is_integer(kind) or pa.types.is_temporal(kind))


def _native(content: bytes) -> Any:
    """The same bytes in memory of pyarrow's own.

    A thread of pyarrow may let go of what was read after the table has been returned. If that were
    an object of Python's, the thread would ask for the interpreter, and an interpreter that is just
    ending then aborts the process (exit code 134 in place of ours).
    """
    import pyarrow as pa

    buffer = pa.allocate_buffer(len(content))
    memoryview(buffer).cast("B")[:] = content
    return buffer
