"""A confidential column as an intruder is after it: what counts as a right guess.

A category or level is right if it is the same one, a number if it is within `tolerance` of the true
value, relative to it, and a date if it is within `sd` standard deviations. A gap is guessed rightly
as a gap. The best single guess for some records is the value, or the number, that would be right
for most of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.column import ColumnPair

__all__ = ["Secret", "fullest"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Secret:
    """A confidential column of the release, and how near a guess must be.

    Attributes
    ----------
    column : Column
        Its released side holds what can be read; gaps are codes of their own.
    numbers : bool
        Whether guesses are numbers; else they are categories, or positions of levels.
    reach : float
        How far a guess may be off: relative to the true value, or for dates absolute.
    relative : bool
        Which of the two.
    """

    column: ColumnPair
    numbers: bool
    reach: float
    relative: bool

    @classmethod
    def of(cls, column: ColumnPair, tolerance: float, sd: float) -> Secret:
        """From a column of the pair."""
        numbers = column.kind == "number"
        if numbers and column.temporal:
            there = column.original[column.there[0]]
            spread = float((there / 2.0**20).std()) * 2.0**20 if len(there) else 0.0
            return cls(column, True, sd * spread, False)
        return cls(column, numbers, tolerance, True)

    def span(self, truth: Floats) -> tuple[Floats, Floats]:
        """The least and the largest guess that are right, for each true value."""
        width = self.reach * np.abs(truth) if self.relative else np.full(len(truth), self.reach)
        with np.errstate(over="ignore"):  # beyond the largest number there is nothing to guess
            return truth - width, truth + width

    def right(
        self, guess: Floats, gap: NDArray, truth: Floats, absent: NDArray
    ) -> NDArray[np.bool_]:
        """Whether guesses are right; `gap` and `absent` say what stands in place of a value."""
        if not self.numbers:
            return (gap == absent) & ((gap != 0) | (guess == truth))
        low, high = self.span(truth)
        inside = (low <= guess) & (guess <= high)
        return (gap == absent) & ((gap != 0) | inside)

    def best(self, rows: Ints) -> tuple[float, int]:
        """The best single guess for these released records: a value, and which gap if one."""
        gaps = self.column.gaps[1][rows]
        values = self.column.released[rows][gaps == 0].astype(np.float64)
        kinds, held = np.unique(gaps[gaps != 0], return_counts=True)
        if self.numbers:
            guess, most = fullest(*self.span(values)) if len(values) else (0.0, 0)
        elif len(values):
            found, count = np.unique(values, return_counts=True)
            guess, most = float(found[count.argmax()]), int(count.max())
        else:
            guess, most = 0.0, 0
        if len(held) and held.max() > most:
            return 0.0, int(kinds[held.argmax()])
        return guess, 0

    def shares(self, places: Ints, ends: Ints, truth: Floats, absent: NDArray) -> Floats:
        """For each person the share of the records of a place whose value would be right."""
        order = np.lexsort((self.column.released, places))
        bounds = np.searchsorted(places[order], np.arange(int(places.max()) + 2))
        values = self.column.released[order].astype(np.float64)
        gaps = self.column.gaps[1][order]
        low, high = self.span(truth) if self.numbers else (truth, truth)
        found = np.zeros(len(ends))
        for person, place in enumerate(ends.tolist()):
            if place < 0:
                continue
            here = slice(bounds[place], bounds[place + 1])
            if absent[person]:
                found[person] = float((gaps[here] == absent[person]).mean())
                continue
            start = np.searchsorted(values[here], low[person], "left")
            stop = np.searchsorted(values[here], high[person], "right")
            inside = gaps[here][start:stop] == 0
            found[person] = float(inside.sum()) / (bounds[place + 1] - bounds[place])
        return found


def fullest(low: Floats, high: Floats) -> tuple[float, int]:
    """A point that lies in most of the intervals, the lowest such one, and in how many."""
    starts, ends = np.sort(low), np.sort(high)
    # At the start of an interval, those that began so far less those that ended before.
    inside = np.arange(1, len(starts) + 1) - np.searchsorted(ends, starts, "left")
    # Equal starts: the last of them counts them all.
    best = int(inside.argmax())
    return float(starts[best]), int(inside[best])
