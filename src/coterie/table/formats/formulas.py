"""Cells of a text file that a spreadsheet would take for formulas and run.

A field that begins with ``=``, ``+``, ``-`` or ``@`` is a formula to the programs that most people
open a CSV file with; one that a respondent has typed may call another program or send a cell away.
So such a text is written with an apostrophe in front, which spreadsheets take for "this is text",
and that mark is taken off again when the file is read. Signs before nothing but digits are left
alone: they are numbers, telephone numbers or a dash.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from coterie.table.arrays import constant

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["CHOICES", "MARK", "cells", "found", "is_formula", "marked", "unmarked"]

CHOICES = ("prefix", "quote", "keep")
MARK = "'"

# The full-width signs count too: some spreadsheets take them for the narrow ones. Each pattern
# means the same to Python and to Arrow, but for `$`, which Python lets stand before a last line
# break: hence `fullmatch`.
FORMULA = r"^[\t\r\n ]*[=@+\-\x{FF1D}\x{FF20}\x{FF0B}\x{FF0D}]"
HARMLESS = r"^[\t ]*[+\-][\t 0-9.,%]*([eE][+\-]?[0-9]+)?[\t ]*$"
_formula = re.compile(re.sub(r"\\x\{(\w+)\}", r"\\u\1", FORMULA))
_harmless = re.compile(HARMLESS)


def is_formula(text: str) -> bool:
    """Whether a spreadsheet may run the text.

    >>> [is_formula(text) for text in ("=1+1", "-9", "+49 30 1234", "-", "-x", "@sum", "a=b")]
    [True, False, False, False, True, True, False]
    """
    return bool(_formula.match(text)) and not _harmless.fullmatch(text)


def found(column: Any) -> Any:
    """Which values of a column of text a spreadsheet may run; a gap is none."""
    import pyarrow.compute as pc

    begins = pc.fill_null(pc.match_substring_regex(column, FORMULA), constant(False))
    if not pc.any(begins).as_py():
        return begins
    harmless = pc.fill_null(pc.match_substring_regex(column, HARMLESS), constant(False))
    return pc.and_not(begins, harmless)


def marked(text: str) -> str:
    """A name with the mark in front, if it needs one."""
    return MARK + text if is_formula(text) else text


def unmarked(column: Any) -> Any:
    """A column of text without the marks that writing has put there."""
    import pyarrow.compute as pc

    begins = pc.fill_null(pc.starts_with(column, MARK), constant(False))
    if not pc.any(begins).as_py():
        return column
    rest = pc.utf8_slice_codeunits(column, 1)
    return pc.if_else(pc.and_(begins, found(rest)), rest, column)


def cells(table: pa.Table) -> dict[str, int]:
    """Values by column, and the column's name as one more, that a spreadsheet may run."""
    import pyarrow as pa
    import pyarrow.compute as pc

    counts = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        kind = column.type
        counts[name] = int(is_formula(name))
        if pa.types.is_string(kind) or pa.types.is_large_string(kind):
            counts[name] += pc.sum(found(column)).as_py() or 0
        elif pa.types.is_duration(kind):  # written as text, -PT1S
            counts[name] += pc.sum(pc.less(column.cast(pa.int64()), constant(0))).as_py() or 0
    return {name: count for name, count in counts.items() if count}
