"""The original as its recodings make it: what the rest of the plan is then held against."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal, InvalidOperation, localcontext
from fractions import Fraction
from typing import Any

from tests.fuzz.asked import Asked
from tests.fuzz.grid import Grid, Nearest, number
from tests.fuzz.truth import spelled


def recoded(asked: Asked, before: Grid) -> Grid:
    """The table with its recoded columns; gaps and codes that mean missing stay."""
    rules = asked.plan.get("recodings") or {}
    values = dict(before.values)
    for name, rule in rules.items():
        if name in values:
            codes = asked.codes.get(name, ())
            made = _rule(asked, before, name, rule, codes)
            values[name] = [v if v is None or v in codes else made(v) for v in values[name]]
    return replace(before, values=values)


def _rule(
    asked: Asked, before: Grid, name: str, rule: dict[str, Any], codes: Any
) -> Callable[[Any], Any]:
    if "merge" in rule:
        label_of = {str(v): label for label, some in rule["merge"].items() for v in some}
        return lambda value: label_of.get(spelled(value), value)
    if "prefix" in rule:
        return lambda value: _cut(spelled(value), rule["prefix"])
    if "bands" in rule:
        return lambda value: _band(value, Fraction(str(rule["bands"])))
    step = rule.get("round")

    def rounded(value: Any) -> Any:
        if step is None or number(value) is None or math.isinf(float(value) / step):
            return value
        parts = round(float(value) / step)
        new = parts * step
        if abs(new) > sys.float_info.max:  # the last multiple that is a float
            new = (parts - 1 if parts > 0 else parts + 1) * step
        if abs(new) > sys.float_info.max:
            return value
        # A float stays the float that stands in the column, not the exact product.
        return float(new) if isinstance(value, float) and abs(new) >= 2**53 else new

    ends = {}
    for side, sign in (("top", 1), ("bottom", -1)):
        if side in rule:
            ends[side] = _end(rule[side])
            if rule[side] == "auto":
                told = [None if v in codes else rounded(v) for v in before.values[name]]
                ends[side] = _safe(asked, before, told, sign)

    def made(value: Any) -> Any:
        new = rounded(value)
        if not _ordered(new):
            return new
        if "top" in ends and new > ends["top"]:
            new = ends["top"]
        if "bottom" in ends and new < ends["bottom"]:
            new = ends["bottom"]
        return new

    return made


def _end(asked: Any) -> Any:
    """A limit with a fraction: a column of 32 bits holds the nearest it can."""
    return Nearest(asked) if isinstance(asked, float) and asked % 1 else asked


def _cut(text: str, length: int) -> str:
    """The first so many letters and digits, with what stands between them."""
    seen = 0
    for place, sign in enumerate(text):
        seen += sign.isalnum()
        if seen == length:
            rest = any(map(str.isalnum, text[place + 1 :]))
            return text[: place + 1] if rest else text
    return text


def _band(value: Any, width: Fraction) -> Any:
    if isinstance(value, str):  # a file may hold numbers as text
        with suppress(InvalidOperation):
            value = Decimal(value)
    if number(value) is None:
        return value
    exact = Fraction(repr(value)) if isinstance(value, float) else Fraction(value)
    low = math.floor(exact / width) * width
    return f"[{_plain(low)}, {_plain(low + width)})"


def _plain(exact: Fraction) -> str:
    with localcontext(prec=1000):
        return spelled(Decimal(exact.numerator) / Decimal(exact.denominator))


def _ordered(value: Any) -> bool:
    """Whether it lies above or below others: a number, or an infinity."""
    return number(value) is not None or (isinstance(value, float) and math.isinf(value))


def _safe(asked: Asked, before: Grid, values: list[Any], sign: int) -> Any:
    """The value nearest to the end beyond which at least k units lie, infinities among them."""
    known = [v for v in values if number(v) is not None]
    units = range(before.rows) if asked.unit is None else before.tokens[asked.unit]
    for end in sorted(set(known), key=lambda v: -sign * v):
        beyond = {
            unit
            for unit, v in zip(units, values, strict=True)
            if _ordered(v) and sign * float(v) > sign * float(end)  # numbers are floats there
        }
        if len(beyond) >= asked.k:
            return end
    return math.inf * sign  # none is: it would have to be refused
