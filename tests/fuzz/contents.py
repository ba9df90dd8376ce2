"""What columns hold: values of one kind as plain Python objects, None where there is a gap.

Each kind has a usual form and extremes: constants, near duplicates, numbers at the ends of float64
and of 64 bits, text that is empty or full of control characters.
"""

from __future__ import annotations

import datetime as dt
import math
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from tests.fuzz.chooser import Chooser

EPOCH = dt.datetime(1970, 1, 1)
FLOATS = [
    math.nan,
    math.inf,
    -math.inf,
    1e300,
    -1e300,
    1e308,
    -1e308,
    1.7976931348623157e308,
    5e-324,
    -0.0,
    1e-300,
    2.0**53 + 2,
    0.1 + 0.2,
    1e16,
]
INTEGERS = [2**53 + 1, -(2**53) - 1, 2**53, 2**63 - 1, -(2**63), 2**31, -1, 255, 256]
TEXTS = [
    "",
    " ",
    "NA",
    "nan",
    "None",
    "null",
    "0",
    "1",
    "1.0",
    "01",
    "1e0",
    "-1",
    "+1",
    " x",
    "x ",
    "é",
    "e\u0301",
    "🙂",
    "a\u0000b",
    "tab\there",
    "line\nbreak",
    "cr\rhere",
    "\x07",
    '"',
    '""',
    "'",
    'say "hi"',
    "a,b",
    "a;b",
    "\u202ertl",
    "\ufeffbom",
    "=1+1",
    "-cmd",
    "@x",
    "+x",
    "$\\frac{x$",
    "<script>",
    "x" * 500,
    "TRUE",
    "true",
    "2020-01-01",
    "2020-01-01T00:00:00Z",
]
LONGITUDES = (2.17, 13.38, -3.7)


def integers(choose: Chooser, n: int) -> list[Any]:
    """Whole numbers: ages, codes, amounts."""
    form = choose.integer(0, 5)
    if form == 0:
        return [choose.integer(0, 9) for _ in range(n)]
    if form == 1:
        return [choose.integer(18, 90) for _ in range(n)]
    if form == 2:
        return [choose.integer(-(10**6), 10**6) for _ in range(n)]
    if form == 3:
        return [choose.one([0, 0, 0, 10**6 + choose.integer(0, 99)]) for _ in range(n)]
    if form == 4:
        return [7] * n
    return [choose.integer(0, 1) for _ in range(n)]


def floats(choose: Chooser, n: int) -> list[Any]:
    """Numbers: incomes, coordinates with jitter, very small and very large ones."""
    form = choose.integer(0, 6)
    if form == 0:
        return [choose.integer(0, 20) / 4 for _ in range(n)]
    if form == 1:
        return [choose.real(-5, 5) for _ in range(n)]
    if form == 2:
        return [choose.one(LONGITUDES) + choose.real(-1e-6, 1e-6) for _ in range(n)]
    if form == 3:
        return [math.exp(choose.real(-10, 20)) for _ in range(n)]
    if form == 4:
        scale = choose.one([1e-300, 1e-9, 1e9, 1e150, 1e300])
        return [choose.real(-1, 1) * scale for _ in range(n)]
    if form == 5:
        return [choose.one([0.0, 0.0, 1e6 + choose.real(0, 1)]) for _ in range(n)]
    return [3.25] * n


def texts(choose: Chooser, n: int) -> list[Any]:
    """Categories, few or many."""
    few = ["x", "y", "z", "North", "South"][: choose.integer(1, 5)]
    if choose.chance(15):
        few = [f"v{i}" for i in range(choose.integer(6, 40))]
    return [choose.one(few) for _ in range(n)]


def booleans(choose: Chooser, n: int) -> list[Any]:
    """True and false."""
    return [choose.chance(50) for _ in range(n)]


def dates(choose: Chooser, n: int) -> list[Any]:
    """Days, over years or centuries."""
    width = choose.one([30, 20_000, 700_000])
    middle = 0 if width > 20_000 else 15_000
    first = EPOCH.date() + dt.timedelta(days=middle)
    return [first + dt.timedelta(days=choose.integer(-width, width)) for _ in range(n)]


def moments(choose: Chooser, n: int) -> list[Any]:
    """Times, to the second or the millisecond; some over more years than 64 bits of nanoseconds."""
    width = choose.one([10**5, 10**9, 8 * 10**9])
    fine = choose.chance(30)
    return [
        EPOCH
        + dt.timedelta(
            seconds=choose.integer(-width, width),
            milliseconds=choose.integer(0, 999) if fine else 0,  # Excel keeps no more
        )
        for _ in range(n)
    ]


def decimals(choose: Chooser, n: int) -> list[Any]:
    """Amounts with cents."""
    return [Decimal(choose.integer(-(10**5), 10**5)).scaleb(-2) for _ in range(n)]


def durations(choose: Chooser, n: int) -> list[Any]:
    """Lengths of time."""
    return [dt.timedelta(seconds=choose.integer(0, 10**6)) for _ in range(n)]


def clocks(choose: Chooser, n: int) -> list[Any]:
    """Times of day."""
    return [dt.time(choose.integer(0, 23), choose.integer(0, 59)) for _ in range(n)]


def blobs(choose: Chooser, n: int) -> list[Any]:
    """Bytes."""
    return [choose.one([b"", b"a", b"\xff\x00", b"abc"]) for _ in range(n)]


def lists(choose: Chooser, n: int) -> list[Any]:
    """Lists of numbers."""
    return [[choose.integer(0, 9) for _ in range(choose.integer(0, 3))] for _ in range(n)]


def structs(choose: Chooser, n: int) -> list[Any]:
    """Records within the record."""
    return [{"x": choose.integer(0, 9), "y": choose.one(["p", "q"])} for _ in range(n)]


def uuids(choose: Chooser, n: int) -> list[Any]:
    """UUIDs, some of them alike."""
    return [uuid.UUID(int=choose.integer(0, 5)) for _ in range(n)]


def mixtures(choose: Chooser, n: int) -> list[Any]:
    """Objects of several types, or that no file can keep."""
    options = choose.one(
        [
            [1, "a"],
            [1, 2.5, None],
            ["a\udc80", "b"],
            [2**70, 1],
            [-(2**64), 2],
            [Decimal("Infinity"), Decimal(1)],
            [Decimal("NaN"), Decimal(1)],
            [b"x", "x"],
            [dt.date(2020, 1, 1), dt.datetime(2020, 1, 1)],
            [(1, 2), (3,)],
            [{1}, {2}],
            [1 + 2j, 0j],
            [True, 1],
            [None],
        ]
    )
    return [choose.one(options) for _ in range(n)]


KINDS: dict[str, Callable[[Chooser, int], list[Any]]] = {
    "integer": integers,
    "float": floats,
    "text": texts,
    "boolean": booleans,
    "date": dates,
    "moment": moments,
    "decimal": decimals,
    "duration": durations,
    "clock": clocks,
    "blob": blobs,
    "list": lists,
    "struct": structs,
    "uuid": uuids,
    "mixture": mixtures,
}
USUAL = ["integer", "float", "text", "boolean", "date", "moment", "decimal"]
EXTREMES: dict[str, list[Any]] = {"integer": INTEGERS, "float": FLOATS, "text": TEXTS}


def contents(choose: Chooser, kind: str, n: int, *, gaps: bool, extreme: bool) -> list[Any]:
    """`n` values of a kind, with gaps and extremes if asked for."""
    values = KINDS[kind](choose, n)
    if extreme and kind in EXTREMES:
        for _ in range(choose.integer(1, 1 + n // 4)):
            values[choose.integer(0, n - 1)] = choose.one(EXTREMES[kind])
    if gaps:
        for _ in range(choose.one([1, 1 + n // 5, 1 + n // 2, n])):
            values[choose.integer(0, n - 1)] = None
    return values
