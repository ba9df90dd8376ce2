"""National notations: ``23.07.1999``, ``7.672,55``, ``€ 1.200``, ``12,5 %`` read and written back.

A notation belongs to a whole column: every value must follow it, with the same sign in the same
place. Dates that could be day first or month first are unclear: whoever knows the file is asked.
A column of plain numbers or ISO dates has no notation.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from coterie.errors import bad_parameter
from coterie.table.arrays import constant, from_values

__all__ = [
    "ORDERS",
    "Notation",
    "Unclear",
    "check_dates",
    "kept_notations",
    "recognize",
    "witnesses",
]

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
AS_TEXT = "text"
ORDERS = {"day-first": "dmy", "month-first": "mdy"}  # what may be said of unclear dates
DAYS_FIRST = re.compile(
    r"[0-9]{1,2}([./-])[0-9]{1,2}\1[0-9]{4}(?: [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)?"
)
YEAR_FIRST = re.compile(
    r"[0-9]{4}([./])[0-9]{1,2}\1[0-9]{1,2}(?: [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)?"
)
CLOCK = r"(?: (?P<h>[0-9]{1,2}):(?P<i>[0-9]{2})(?::(?P<s>[0-9]{2}))?)?"


@dataclass(frozen=True)
class Unclear:
    """Why nobody can tell what the values of a column mean."""

    reason: str


@dataclass(frozen=True)
class Notation:
    """How a column writes its values.

    Attributes
    ----------
    order, separator, padded, clock
        Of dates: "dmy", "mdy" or "ymd", what stands between the parts, whether days and months
        have two digits, whether a time of day follows.
    thousands, decimal, prefix, suffix, places, whole
        Of numbers: marks between thousands and before decimals, signs before and after, digits
        behind the decimal mark that every value has, and whether no value has any.
    marked_from : int
        Digits before the decimal mark from which on there are marks between thousands: 5 where
        ``1234`` stands beside ``12 345``.
    """

    order: str = ""
    separator: str = ""
    padded: bool = True
    clock: bool = False
    thousands: str = ""
    decimal: str = "."
    prefix: str = ""
    suffix: str = ""
    places: int = 0
    whole: bool = False
    marked_from: int = 4

    @property
    def moments(self) -> bool:
        """Whether it is one of dates."""
        return bool(self.order)

    @property
    def meant(self) -> str:
        """date, datetime, percentage, money or number."""
        if self.order:
            return "datetime" if self.clock else "date"
        if self.suffix.strip() in ("%", "‰"):
            return "percentage"
        return "money" if (self.prefix + self.suffix).strip() else "number"

    @property
    def example(self) -> str:
        """A value that no table needs to have, as the column would write it."""
        if self.order:
            moment = dt.datetime(1999, 12, 31, 23, 59) if self.clock else dt.date(1999, 12, 31)
            return self.spelled(moment)
        return self.spelled(1234 if self.whole else 1234.5)

    def parse(self, column: Any) -> Any:
        """A column of text as dates, datetimes or numbers; ArrowInvalid where it is none."""
        return self._moments(column) if self.order else self._numbers(column)

    def spell(self, column: Any) -> Any:
        """A column of dates or numbers as text; what is of another type stays as it is."""
        import pyarrow as pa
        import pyarrow.compute as pc

        kind = column.type
        fits = pa.types.is_date(kind) or pa.types.is_timestamp(kind)
        if not self.order:
            fits = pa.types.is_integer(kind) or pa.types.is_floating(kind)
        if not fits:
            return column
        encoded = pc.dictionary_encode(column)
        if isinstance(encoded, pa.ChunkedArray):
            encoded = encoded.unify_dictionaries()
        chunks = encoded.chunks if isinstance(encoded, pa.ChunkedArray) else [encoded]
        made = [
            from_values(self._all(c.dictionary.to_pylist()), pa.string()).take(c.indices)
            for c in chunks
        ]
        return pa.chunked_array(made, pa.string())

    def _all(self, values: Iterable[Any]) -> list[str | None]:
        return [None if v is None or v != v else self.spelled(v) for v in values]

    def spelled(self, value: Any) -> str:
        """One value as the column writes it."""
        if self.order:
            two = "02d" if self.padded else "d"
            part = {
                "d": f"{value.day:{two}}",
                "m": f"{value.month:{two}}",
                "y": f"{value.year:04d}",
            }
            date = self.separator.join(part[one] for one in self.order)
            if not self.clock:
                return date
            seconds = f":{value.second:02d}" if value.second or self.whole else ""
            return f"{date} {value.hour:02d}:{value.minute:02d}{seconds}"
        text = repr(abs(value))
        sign = "-" if str(value).startswith("-") else ""
        if "e" not in text and "n" not in text:
            before, _, after = text.partition(".")
            after = "" if after == "0" else after
            if len(before) >= self.marked_from:
                before = f"{int(before):,}".replace(",", self.thousands)
            after = after.ljust(self.places, "0")
            text = before + (self.decimal + after if after else "")
        return f"{sign}{self.prefix}{text}{self.suffix}"

    def _moments(self, column: Any) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        parts = pc.extract_regex(column, "^" + _dated(self.order, self.separator) + CLOCK + "$")

        def of(name: str, width: int = 2) -> Any:
            return pc.utf8_lpad(pc.struct_field(parts, name), width, "0")

        iso = pc.binary_join_element_wise(of("y", 4), of("m"), of("d"), constant("-"))
        if not self.clock:
            return iso.cast(pa.date32())
        time = pc.binary_join_element_wise(of("h"), of("i"), of("s"), constant(":"))
        return pc.binary_join_element_wise(iso, time, constant(" ")).cast(pa.timestamp("s"))

    def _numbers(self, column: Any) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        for around in (self.prefix, self.suffix, self.thousands):
            if around:
                column = pc.replace_substring(column, around, "")
        if self.decimal != ".":
            column = pc.replace_substring(column, self.decimal, ".")
        return column.cast(pa.int64() if self.whole else pa.float64())


def check_dates(dates: str | None) -> str | None:
    """The order of the parts of unclear dates that a reader is told."""
    if dates is None or dates == AS_TEXT:
        return None
    if dates not in ORDERS:
        raise bad_parameter("dates", "read", "'day-first', 'month-first' or 'text'", dates)
    return ORDERS[dates]


def kept_notations(
    found: Mapping[str, Notation | Unclear], origin: str, dates: str | None
) -> dict[str, Any]:
    """What the details of a file hold of notations: those in use, and what is unclear and why."""
    unclear = {
        name: f"Column {name!r} of {origin} holds dates of which {how.reason}: say which with "
        "dates='day-first' or 'month-first' (--dates), or 'text' to leave them as they are"
        for name, how in found.items()
        if isinstance(how, Unclear) and dates != AS_TEXT
    }
    used = {name: how for name, how in found.items() if isinstance(how, Notation)}
    return {**({"notations": used} if used else {}), **({"unclear": unclear} if unclear else {})}


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


def _dated(order: str, separator: str) -> str:
    part = {"d": "(?P<d>[0-9]{1,2})", "m": "(?P<m>[0-9]{1,2})", "y": "(?P<y>[0-9]{4})"}
    return re.escape(separator).join(part[one] for one in order)


def _date(
    values: Any, head: list[str], order: str | None, *, days_first: bool
) -> Notation | Unclear | None:
    import pyarrow as pa
    import pyarrow.compute as pc

    separator = next(c for c in head[0] if c in "./-")
    clock = " " in head[0]
    shape = _dated("dmy" if days_first else "ymd", separator) + (CLOCK if clock else "")
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
    made = Notation(order or "", separator, padded, clock, whole=seconds)
    try:
        made.parse(values)
    except pa.ArrowInvalid:  # a day that does not exist
        return None
    return made


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
