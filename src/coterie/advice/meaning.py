"""What a column is meant as, whatever it is stored as: number, code, date, money, free text."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from coterie.advice.facts import ColumnFacts
from coterie.table.formats.notation import Unclear
from coterie.table.formats.recognition import recognize
from coterie.table.naming import AMOUNT, direct_word
from coterie.table.suspects import shape_of
from coterie.table.types import CALENDAR, classified, code_reason

__all__ = ["Meaning", "meaning"]

NAMES_OF_MONEY = {"price", "cost", "costs", "income", "salary", "wage", "wages", "earnings", "rent",
                  "turnover", "revenue", "profit", "debt", "tax", "amount", "expenditure",
                  "balance"}  # fmt: skip
NAMES_OF_SHARES = {"percent", "pct", "percentage", "share", "rate", "ratio", "quota"}
# Classifications by the shape of their texts: diseases, industries, regions, postal codes.
DISEASES = "like ICD codes"
CODED = {
    DISEASES: r"[A-TV-Z][0-9][0-9A-B](?:\.?[0-9A-TV-Z]{1,4})?",
    "like NACE codes": r"(?:[A-U]\.?)?[0-9]{2}\.[0-9]{1,2}",
    "like codes of regions (NUTS)": r"[A-Z]{2}[0-9A-Z]{1,3}",
    "digits with leading zeros": r"0[0-9]+|[0-9]+",
    "short codes of letters and digits": r"[A-Z]{0,3}[0-9]{1,6}[A-Z]?",
}
# Dates that are left as text, by what they look like.
MONTH = (
    r"(?:jan|feb|fev|mar|mär|apr|avr|abr|may|mai|jun|jul|aug|aoû|ago|sep|oct|okt|nov|dec|dez|dic)"
)
DATED = {
    "1999-12-31": r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?",
    "31.12.99, years without a century": r"\d{1,2}([./-])\d{1,2}\1\d{2}",
    "31-Dec-1999, months as words": rf"\d{{1,2}}\.?[-/ ]?{MONTH}\w*\.?,?[-/ ]?\d{{2,4}}",
    "Dec 31, 1999, months as words": rf"{MONTH}\w*\.? \d{{1,2}},? \d{{2,4}}",
}
LONG = 25  # letters, on average, of free text
FEW = 50  # categories
DAY = 86_400  # seconds


@dataclass(frozen=True)
class Meaning:
    """What a column is meant as, the type a plan would take it for, and why.

    `shape` is that of its codes, of `CODED`; `calendar` says that they are days as 19991231.
    """

    meant: str
    type: str
    reason: str
    shape: str = ""
    calendar: bool = False


def meaning(column: ColumnFacts, notation: str | None = None) -> Meaning:
    """What a column is meant as.

    `notation` names the notation that its file wrote it in, where it was read from one.
    """
    if not column.distinct:
        return Meaning("empty", "nominal", "no value at all")
    if column.kind == "boolean":
        return Meaning("flag", "boolean", "true and false")
    if column.kind in ("date", "datetime"):
        how = f", written {notation}" if notation else ""
        numbers = column.numbers
        at_midnight = numbers is not None and bool((numbers % DAY == 0).all())
        kind = "date" if column.kind == "datetime" and at_midnight else column.kind
        return Meaning(kind, kind, f"{kind}s{how}")
    if column.kind in ("integer", "float", "decimal") and column.numbers is not None:
        return _number(column, notation)
    return _text(column)


def _number(column: ColumnFacts, notation: str | None) -> Meaning:
    kind = "integer" if column.whole else "continuous"
    if notation and "%" in notation:
        return Meaning("percentage", kind, f"written {notation}")
    if notation and re.search(r"[^\d\s.,'\u00a0\u202f-]", notation):
        return Meaning("money", kind, f"written {notation}")
    if column.whole or classified(column.name):
        assert column.numbers is not None
        if column.labels and set(column.numbers.tolist()) <= {float(v) for v in column.labels}:
            return Meaning("code", "nominal", "every value has a label")
        coded = code_reason(column.name, column.numbers, column.counts)
        if coded:
            days = coded == CALENDAR
            return Meaning("date" if days else "code", "nominal", coded, calendar=days)
    if column.whole and column.distinct == 2:
        return Meaning("flag", kind, "two values")
    said = column.said
    if said & NAMES_OF_MONEY:
        return Meaning("money", kind, f"named {sorted(said & NAMES_OF_MONEY)[0]!r}")
    assert column.numbers is not None
    low, high = float(column.numbers.min()), float(column.numbers.max())
    if said & NAMES_OF_SHARES and low >= 0 and high <= 100:
        return Meaning("percentage", kind, f"named {sorted(said & NAMES_OF_SHARES)[0]!r}")
    return Meaning("number", kind, "whole numbers" if column.whole else "numbers")


def _text(column: ColumnFacts) -> Meaning:
    import pyarrow as pa

    if not pa.types.is_string(column.values.type):
        try:
            texts = column.values.cast(pa.string())
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            return Meaning("other", "nominal", f"values of type {column.values.type}")
    else:
        texts = column.values
    shape = shape_of(texts[:200].to_pylist())
    if shape:
        return Meaning("identifier", "nominal", f"holds what looks like {shape}")
    found = recognize(texts)
    if isinstance(found, Unclear):
        return Meaning("date", "date", f"text that may be dates: {found.reason}")
    if found is not None:
        kind = "date" if found.moments else "continuous"
        return Meaning(found.meant, kind, f"text, written {found.example}")
    sample = [str(value) for value in texts[:1000].to_pylist()]
    for like, pattern in DATED.items():
        if all(re.fullmatch(pattern, value.strip(), re.IGNORECASE) for value in sample):
            return Meaning("date", "nominal", f"text like {like}; convert it to group by it")
    if direct_word(column.name):
        return Meaning("identifier", "nominal", "named like an identifier")
    # Dots are seldom in names and numbers that are given out: such codes may hardly repeat.
    least = 1.05 if all("." in value for value in sample) else 2.0
    for what, pattern in CODED.items():
        repeats = column.present >= least * column.distinct or classified(column.name)
        if all(re.fullmatch(pattern, value) for value in sample) and repeats:
            if column.said & AMOUNT:
                break
            # R01 to R19 are regions: diseases begin with many letters.
            if what == DISEASES and len({value[0] for value in sample}) < 2:
                continue
            return Meaning("code", "nominal", f"text {what}", shape=what)
    length = float(np.mean([len(value) for value in sample]))
    spaced = np.mean([value.count(" ") for value in sample])
    if length >= LONG and spaced >= 3 and 2 * column.distinct > column.present:
        return Meaning("free text", "nominal", "long texts that hardly repeat")
    if column.distinct <= FEW or column.present >= 5 * column.distinct:
        return Meaning("category", "nominal", f"text of {column.distinct} different values")
    return Meaning("text", "nominal", "texts that hardly repeat")
