"""National notations: ``23.07.1999``, ``7.672,55``, ``€ 1.200``, ``12,5 %`` read and written back.

A notation belongs to a whole column: every value must follow it, with the same sign in the same
place. A column of plain numbers or ISO dates has no notation.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from coterie.errors import bad_parameter
from coterie.table.arrays import constant, from_values

__all__ = ["CLOCK", "ORDERS", "Notation", "Unclear", "check_dates", "dated", "kept_notations"]

AS_TEXT = "text"
ORDERS = {"day-first": "dmy", "month-first": "mdy"}  # what may be said of unclear dates
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
        spelled = [
            from_values(self._all(c.dictionary.to_pylist()), pa.string()).take(c.indices)
            for c in chunks
        ]
        return pa.chunked_array(spelled, pa.string())

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

        parts = pc.extract_regex(column, "^" + dated(self.order, self.separator) + CLOCK + "$")

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


def dated(order: str, separator: str) -> str:
    """The pattern of a date, its parts by name."""
    part = {"d": "(?P<d>[0-9]{1,2})", "m": "(?P<m>[0-9]{1,2})", "y": "(?P<y>[0-9]{4})"}
    return re.escape(separator).join(part[one] for one in order)
