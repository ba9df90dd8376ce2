"""Columns of text turned into numbers, booleans, dates and datetimes, where every value is one.

A column changes its type only if nothing is lost: leading zeros and plus signs keep it text, an
integer too large for 64 bits makes it decimal, a number too large for float64 keeps it text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from coterie.table.arrays import constant
from coterie.table.formats.notation import Notation, Unclear
from coterie.table.formats.recognition import recognize

__all__ = ["decimal_comma", "notation", "typed", "written"]

INTEGER = r"^(?:0|-?[1-9][0-9]*)$"
NUMBER = r"^-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"
COMMA = r"^-?(?:0|[1-9][0-9]*)(?:,[0-9]+)?$"
THOUSANDS = r"^-?[0-9]{1,3}(?:\.[0-9]{3})*$"  # or decimals: 1.234 says nothing by itself
BOTH = r"^[^0-9a-zA-Z]*[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+[^0-9a-zA-Z]*$"  # 7.672,55, in any sign
NOT_FINITE = r"^(?i:-?inf(?:inity)?|nan)$"
LONG = r"^-?[0-9]{16,}$"
DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
DATETIME = (
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}"
    r"(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?$"
)
ZONE = r"(?:Z|[+-][0-9]{2}:?[0-9]{2})$"
BOOLEANS = (("true", "false"), ("True", "False"), ("TRUE", "FALSE"))
DIGITS = 38  # of the largest decimal
HEAD = 1000  # values looked at before a pattern is tried on the whole column


def typed(column: Any, *, comma: bool = False) -> tuple[Any, tuple[str, str] | None]:
    """The column in the narrowest type that holds every value, and how it spells booleans."""
    import pyarrow.compute as pc

    values = pc.drop_null(column)
    if not len(values):
        return column, None
    distinct = pc.unique(values[:HEAD]).to_pylist()
    for pair in BOOLEANS:
        if set(distinct) <= set(pair) and set(pc.unique(values).to_pylist()) <= set(pair):
            return pc.equal(column, constant(pair[0])), pair
    trimmed = pc.utf8_trim_whitespace(column)
    found = _number(trimmed, comma)
    if found is None:
        found = _moment(trimmed)
    return (column if found is None else found), None


def written(
    column: Any, *, comma: bool, delimiter: str, order: str | None, known: Notation | None
) -> tuple[Any, tuple[str, str] | None, Notation | Unclear | None]:
    """As `typed`, and the national notation of the column, if it has one.

    `order` says which part of dates comes first where nobody can tell, `known` is the notation of
    a column that we have written ourselves.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim_whitespace(column)
    if known is not None:
        try:
            return known.parse(trimmed), None, known
        except pa.ArrowInvalid:  # released as something else
            return *typed(column, comma=comma), None
    points = comma and pc.any(pc.match_substring(trimmed, ".")).as_py()
    array, booleans = (column, None) if points else typed(column, comma=comma)
    if not pa.types.is_string(array.type) or column.null_count == len(column):
        return array, booleans, None
    found = notation(trimmed, comma=comma, delimiter=delimiter, order=order)
    if isinstance(found, Notation):
        return found.parse(trimmed), None, found
    if points:
        array, booleans = typed(column, comma=comma)
    return array, booleans, found


def notation(
    values: Any, *, comma: bool, delimiter: str, order: str | None
) -> Notation | Unclear | None:
    """The national notation of values without white space around them, in a file of text."""
    found = recognize(values, order=order, comma=comma or None)
    plain = isinstance(found, Notation) and replace(found, places=0) == Notation(decimal=",")
    return None if plain and delimiter == "," and not comma else found  # "3,5" may be a list


def decimal_comma(columns: list[Any], delimiter: str = ";") -> bool:
    """Whether numbers are written 1,5 and not 1.5 in these columns of text.

    Between commas, 1,5 may be a list, and only 1.234,5 is a number for sure.
    """
    import pyarrow.compute as pc

    with_comma = False
    for column in columns:
        head = pc.utf8_trim_whitespace(pc.drop_null(column)[:HEAD])
        if not len(head):
            continue
        if pc.any(pc.match_substring(head, ",")).as_py():
            single = delimiter != "," and _all(head, COMMA)
            with_comma = with_comma or single or _some_and_no_points(head)
        elif pc.any(pc.match_substring(head, ".")).as_py() and (
            _all(head, NUMBER) and not _all(head, THOUSANDS)
        ):
            return False
    return with_comma


def _some_and_no_points(head: Any) -> bool:
    """Whether 7.672,55 is among the values, and 7,672.55 is not."""
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring_regex(head, BOTH)).as_py()) and not bool(
        pc.any(pc.match_substring_regex(head, r",[0-9]*\.")).as_py()
    )


def _number(column: Any, comma: bool) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    if _all(column, INTEGER):
        try:
            return column.cast(pa.int64())
        except pa.ArrowInvalid:
            pass
        # Arrow does not notice a text of 39 digits: it would come out as another number.
        if pc.max(pc.utf8_length(column)).as_py() > DIGITS:
            return None
        return column.cast(pa.decimal128(DIGITS, 0))
    if comma and _all(column, COMMA):
        column = pc.replace_substring(column, ",", ".")
    plain = column
    if not _all(column, NUMBER):
        if not _all(column, f"{NUMBER}|{NOT_FINITE}"):
            return None
        plain = column.filter(pc.invert(pc.match_substring_regex(column, NOT_FINITE)))
        if not len(pc.drop_null(plain)):
            return None  # words only
    finite = pc.all(pc.is_finite(plain.cast(pa.float64()))).as_py()
    long = plain.filter(pc.match_substring_regex(plain, LONG))
    if not finite or any(int(x) != float(x) for x in long.to_pylist() if x is not None):
        return None  # float64 would turn a number into infinity, or round an integer
    return column.cast(pa.float64())


def _moment(column: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        if _all(column, DATE):
            return column.cast(pa.date32())
        if not _all(column, DATETIME):
            return None
        if pc.any(pc.match_substring_regex(column, r"\.[0-9]{7}")).as_py():
            unit = "ns"
        else:
            unit = "us" if pc.any(pc.match_substring(column, ".")).as_py() else "s"
        zoned = pc.all(pc.match_substring_regex(column, ZONE)).as_py()
        return column.cast(pa.timestamp(unit, "UTC" if zoned else None))
    except pa.ArrowInvalid:  # a day that does not exist, or only some values with a zone
        return None


def _all(column: Any, pattern: str) -> bool:
    import pyarrow.compute as pc

    for part in (column[:HEAD], column):
        if pc.all(pc.match_substring_regex(part, pattern)).as_py() is False:
            return False
    return True
