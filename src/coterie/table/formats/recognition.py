"""Which notation a column of text follows, if every value does.

Dates that could be day first or month first are unclear: whoever knows the file is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from coterie.table.formats.notation import CLOCK, Notation, Unclear, dated

__all__ = ["recognize", "witnesses"]

HEAD = 200  # values looked at before a pattern is tried on the whole column
SPACES = " \u00a0\u202f"
BEFORE = r"(?:€|\$|£|¥|R\$|CHF|EUR|USD|GBP|kr\.?)"
AFTER = r"(?:€|\$|£|¥|CHF|EUR|USD|GBP|kr\.?|zł|Kč|Ft|%|‰)"
AROUND = re.compile(
    rf"-?(?P<prefix>{BEFORE}[{SPACES}]?)?-?[0-9][0-9.,'’{SPACES}]*?(?P<suffix>[{SPACES}]?{AFTER})?"
)
# Marks between thousands and before decimals, the plain ones first.
MARKS = [("", "."), ("", ","), (".", ","), (",", "."), *((s, ",") for s in SPACES)]
MARKS += [*((s, ".") for s in SPACES), ("'", "."), ("’", "."), ("'", ","), ("’", ",")]
DAYS_FIRST = re.compile(
    r"[0-9]{1,2}([./-])[0-9]{1,2}\1[0-9]{4}(?: [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)?"
)
YEAR_FIRST = re.compile(
    r"[0-9]{4}([./])[0-9]{1,2}\1[0-9]{1,2}(?: [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)?"
)


def recognize(
    column: Any, *, order: str | None = None, comma: bool | None = None
) -> Notation | Unclear | None:
    """The notation of a column of text; None if it has none, or is plain.

    Parameters
    ----------
    column : pyarrow array of text
        Without white space around its values.
    order : {"dmy", "mdy"}, optional
        Of dates that could be either.
    comma : bool, optional
        Whether the other columns of the file have decimal commas, where that is known.

    Examples
    --------
    >>> import pyarrow as pa
    >>> recognize(pa.array(["23.07.1999", "1.2.2000"])).order
    'dmy'
    >>> recognize(pa.array(["7.672,55 €", "12,00 €"])).example
    '1.234,50 €'
    >>> recognize(pa.array(["03/04/1999"])).reason
    'day or month may stand first in NN/NN/NNNN'
    """
    import pyarrow.compute as pc

    values = pc.drop_null(column)
    if not len(values):
        return None
    head = values[:HEAD].to_pylist()
    for pattern, first in ((DAYS_FIRST, True), (YEAR_FIRST, False)):
        if all(pattern.fullmatch(value) for value in head):
            return _date(values, head, order, days_first=first)
    if all(AROUND.fullmatch(value) for value in head):
        return _number(values, head, comma)
    return None


def witnesses(column: Any) -> Any:
    """A few values that show as much of a notation as all of them do; None if they have none.

    Notations look at the digits of dates, and of numbers at zeros and the number of digits only.

    Examples
    --------
    >>> import pyarrow as pa
    >>> witnesses(pa.array(["7.672,55", "2.345,67", "8,00"])).to_pylist()
    ['1.111,11', '1,00']
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    values = pc.drop_null(column)
    head = values[:HEAD].to_pylist()
    if not any(all(one.fullmatch(value) for value in head) for one in (DAYS_FIRST, YEAR_FIRST)):
        if not all(AROUND.fullmatch(value) for value in head):
            return None
        return pc.unique(pc.replace_substring_regex(values, "[1-9]", "1"))
    if " " not in head[0]:
        return pc.unique(values)
    # Days with one time of day, and times of day on one day.
    first = head[0].split(" ", 1)
    days = pc.unique(pc.replace_substring_regex(values, r"^(\S*) .*$", rf"\1 {first[1]}"))
    hours = pc.unique(pc.replace_substring_regex(values, r"^\S* ", f"{first[0]} "))
    return pc.unique(pa.concat_arrays([days, hours]))


def _date(
    values: Any, head: list[str], order: str | None, *, days_first: bool
) -> Notation | Unclear | None:
    import pyarrow as pa
    import pyarrow.compute as pc

    separator = next(c for c in head[0] if c in "./-")
    clock = " " in head[0]
    shape = dated("dmy" if days_first else "ymd", separator) + (CLOCK if clock else "")
    if not _all(values, f"^{shape}$"):
        return None
    if not days_first:
        order = "ymd"
    elif separator == ".":
        order = "dmy"  # nobody writes the month first with points
    else:
        parts = pc.extract_regex(values, f"^{shape}$")
        one, two = (pc.max(pc.struct_field(parts, n).cast(pa.int64())).as_py() for n in "dm")
        if one > 12 and two > 12:
            return None
        if one <= 12 and two <= 12 and order is None:
            return Unclear(f"day or month may stand first in NN{separator}NN{separator}NNNN")
        order = "dmy" if one > 12 else "mdy" if two > 12 else order
    unpadded = r"(?:^|[./-])[0-9](?:[./-]|$|\s)"
    padded = not pc.any(pc.match_substring_regex(values, unpadded)).as_py()
    seconds = clock and bool(pc.any(pc.match_substring_regex(values, r":[0-9]{2}:")).as_py())
    notation = Notation(order or "", separator, padded, clock, whole=seconds)
    try:
        notation.parse(values)
    except pa.ArrowInvalid:  # a day that does not exist
        return None
    return notation


def _number(values: Any, head: list[str], comma: bool | None) -> Notation | None:
    import pyarrow.compute as pc

    found = AROUND.fullmatch(head[0])
    assert found is not None
    prefix, suffix = found["prefix"] or "", found["suffix"] or ""
    signed = bool(prefix or suffix)
    fitting = [m for m in MARKS if _all(values, _shape(*m, prefix, suffix))]
    chosen = _chosen(fitting, comma, money=signed and suffix.strip() not in ("%", "‰"))
    if chosen is None or (chosen == ("", ".") and not signed):
        return None
    thousands, decimal = chosen
    bare = marked = False  # of numbers with four digits
    if thousands:
        rest = f"[0-9]{{3}}(?:{re.escape(decimal)}[0-9]+)?{re.escape(suffix)}$"
        bare, marked = (
            pc.any(
                pc.match_substring_regex(values, f"^-?{re.escape(prefix)}[1-9]{mark}{rest}")
            ).as_py()
            for mark in ("", re.escape(thousands))
        )
    if bare and marked:
        return None  # of one number two spellings: neither could be written back
    decimals = f"{re.escape(decimal)}[0-9]+{re.escape(suffix)}$"
    some = pc.match_substring_regex(values, decimals)
    whole = not pc.any(some).as_py()
    places = 0
    if pc.all(some).as_py():
        spread = {len(v.removesuffix(suffix).rpartition(decimal)[2]) for v in _distinct(values)}
        places = min(spread)
    digits = 16 if whole else None  # of an integer beyond which it may not fit
    if digits and pc.max(pc.utf8_length(values)).as_py() > digits + len(prefix + suffix):
        return None
    return Notation(
        thousands=thousands,
        decimal=decimal,
        prefix=prefix,
        suffix=suffix,
        places=places,
        whole=whole,
        marked_from=5 if bare else 4,
    )


def _distinct(values: Any) -> Iterator[str]:
    import pyarrow.compute as pc

    yield from pc.unique(values).to_pylist()


def _shape(thousands: str, decimal: str, prefix: str, suffix: str) -> str:
    mark = re.escape(thousands)
    whole = "(?:0|[1-9][0-9]*)"  # leading zeros are those of a code
    if mark:
        whole = f"(?:[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+|0|[1-9][0-9]{{0,3}})"
    body = f"{whole}(?:{re.escape(decimal)}[0-9]+)?"
    return f"^-?{re.escape(prefix)}{body}{re.escape(suffix)}$"


def _chosen(
    fitting: list[tuple[str, str]], comma: bool | None, *, money: bool
) -> tuple[str, str] | None:
    """Marks that fit every value; where 1.234 may be one or a thousand, what the file says."""
    for thousand, single in (((".", ","), ("", ".")), ((",", "."), ("", ","))):
        if thousand in fitting and single in fitting:
            if ("", ".") in fitting and ("", ",") in fitting:
                return ("", ".")  # no mark at all
            if money or (comma is not None and comma == (thousand[1] == ",")):
                return thousand
            return single if comma is not None else None
    return fitting[0] if fitting else None


def _all(values: Any, pattern: str) -> bool:
    import pyarrow.compute as pc

    return all(
        pc.all(pc.match_substring_regex(part, pattern)).as_py() for part in (values[:HEAD], values)
    )
