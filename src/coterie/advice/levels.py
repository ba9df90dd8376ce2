"""Levels in the characters of codes: the prefix rule of a hierarchy that a column suggests.

A length is taken where it says more than the coarser one and less than the codes themselves; one
at which codes have a separator always is. O(d) of the distinct values for each length.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from coterie.hierarchy.rungs import Prefix, text_of

if TYPE_CHECKING:
    from coterie.advice.facts import ColumnFacts
    from coterie.advice.meaning import Meaning

__all__ = ["levels_of", "prefix_lengths"]

LEAST = 20  # codes below which a hierarchy says little
MORE = 1.5  # labels of a level for each of the coarser one, at least
LONGEST = 12  # characters that are looked at
YEAR_AND_MONTH = (4, 6)  # of YYYYMMDD
LOOKED = 5000  # codes, those that occur first
DIGITS = 3  # of whole numbers whose first digits mean something
# Codes that are numbered through: what begins alike has nothing in common.
UNORDERED = {
    *("country", "nationality", "citizenship", "cob", "language", "birthplace", "sex", "gender"),
    *("party", "religion"),
}


def levels_of(column: ColumnFacts, meant: Meaning) -> tuple[int, ...]:
    """The lengths of a prefix rule that a column of codes suggests; none if there is no such."""
    if meant.calendar:
        return YEAR_AND_MONTH
    if meant.meant != "code" or column.distinct < LEAST or column.said & UNORDERED:
        return ()
    if column.labels:  # a label says what a code means, its digits need not
        return ()
    texts = [text_of(value) for value in column.values[:LOOKED].to_pylist()]
    if column.kind != "text":
        digits = {len(text) for text in texts}
        if len(digits) > 1 or min(digits) < DIGITS:  # leading zeros would be lost
            return ()
    return prefix_lengths(texts)


def prefix_lengths(codes: Sequence[str]) -> tuple[int, ...]:
    """The lengths, in letters and digits, at which codes have levels, the coarsest first.

    Examples
    --------
    >>> prefix_lengths([f"{a}{b}{c}.{d}" for a in "CI" for b in "12" for c in "345" for d in "01"])
    (1, 2, 3)
    >>> prefix_lengths(["1", "2", "3"])
    ()
    """
    separated = _before_separators(codes)
    found: list[int] = []
    before = 1
    for length in range(1, LONGEST):
        labels = len({Prefix((length,)).labels(code)[1] for code in codes})
        last = MORE * labels > len(codes)
        if labels >= max(2, MORE * before) and (not last or length in separated):
            found.append(length)
            before = labels
        if last:
            break
    return tuple(found)


def _before_separators(codes: Sequence[str]) -> set[int]:
    """Lengths after which most codes have a separator."""
    seen: dict[int, int] = {}
    for code in codes:
        ends = [place for place, sign in enumerate(code) if sign.isalnum()]
        for count, (place, after) in enumerate(pairwise(ends), 1):
            if after - place > 1:
                seen[count] = seen.get(count, 0) + 1
    return {length for length, many in seen.items() if 2 * many > len(codes)}
