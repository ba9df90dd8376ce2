"""Quotes in a text file: whether every field ends where it should.

A quote that is never closed makes the following records part of one field, which would release
them as they are. So nothing is guessed: a field must be closed, nothing may follow the closing
quote, and a field that runs over several lines is refused where a stray quote could have made it:
where it holds many line breaks, or where its lines are whole records by themselves. A quote within
a field that does not begin with one is a character like any other, for every reader of such files.

The text is looked at in blocks that end with a record, by operations on whole arrays: some seconds
for a gigabyte that has quotes everywhere, and next to nothing for one that has none.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, shown

__all__ = ["BREAKS", "check", "count_fields"]

BREAKS = 5  # line breaks that a field may hold without being asked about
BLOCK = 1 << 18  # bytes looked at together: they and what is made of them fit a cache

QUOTE, LF, CR = b'"\n\r'


def check(
    blocks: Iterable[bytes], delimiter: str, origin: str, *, line_breaks: bool = False
) -> None:
    """Refuse text whose quotes are not in order, with the line.

    Parameters
    ----------
    blocks : iterable of bytes
        The text in UTF-8, cut anywhere.
    delimiter, origin : str
        What separates fields, and what messages call the file.
    line_breaks : bool
        The caller's word that fields may run over many lines.
    """
    _run(_Scan(delimiter, origin, line_breaks=line_breaks), blocks)


def count_fields(blocks: Iterable[bytes], delimiter: str, origin: str) -> None:
    """Refuse text with a record that has more or fewer fields than the header, with the line."""
    _run(_Scan(delimiter, origin, line_breaks=True, widths=True), blocks)


def _run(scan: _Scan, blocks: Iterable[bytes]) -> None:
    for block in blocks:
        view = memoryview(block)
        for start in range(0, len(view), BLOCK):
            scan.feed(view[start : start + BLOCK])
    scan.close()


@dataclass(frozen=True)
class _Piece:
    """What is looked at together: the bytes, also as numbers, and the quotes that count."""

    buffer: bytes
    text: NDArray[np.uint8]
    quotes: NDArray[np.int64]


@dataclass(frozen=True)
class _Lines:
    """Where lines end in a buffer, and which of these ends lie within a quoted field."""

    ends: NDArray[np.int64]
    inside: NDArray[np.bool_]


class _Scan:
    """Blocks in, an error out; what follows the last whole record waits for the next block."""

    def __init__(
        self, delimiter: str, origin: str, *, line_breaks: bool, widths: bool = False
    ) -> None:
        self.delimiter = ord(delimiter)
        self.origin = origin
        self.line_breaks = line_breaks
        self.widths = widths
        self.line = 1  # of the first byte that waits
        self.fields: int | None = None  # of the header
        self.waiting: list[bytes | memoryview] = []
        self.size = self.due = 0

    def feed(self, block: memoryview) -> None:
        """Look at one more block, unless a long record is still growing."""
        self.waiting.append(block)
        self.size += len(block)
        if self.size >= self.due:
            self._look(final=False)

    def close(self) -> None:
        """Look at what is left."""
        self._look(final=True)

    def _look(self, *, final: bool) -> None:
        buffer = b"".join(self.waiting)
        text = np.frombuffer(buffer, np.uint8)
        quotes = self._quotes(buffer, text)
        piece = _Piece(buffer, text, quotes)
        if self.fields is not None and not self.widths and not len(quotes):
            end = _last_break(buffer)
        else:
            lines = _lines(piece, final)
            whole = lines.ends[~lines.inside]
            end = int(whole[-1]) + 1 if len(whole) else 0
            if final and len(quotes) % 2:
                self._refuse(
                    buffer,
                    quotes[-1],
                    "a quoted field is never closed. Close it, or double a quote that is text",
                )
            if self.fields is None:
                self.fields = self._header(piece, whole, final)
            if self.fields is not None and lines.inside.any() and not self.line_breaks:
                self._check_breaks(piece, lines, len(buffer) if final else end)
            if self.widths and self.fields is not None:
                self._check_widths(piece, whole, len(buffer) if final else end)
        self.line += _breaks(buffer, end)
        self.waiting = [buffer[end:]] if end < len(buffer) else []
        self.size = len(buffer) - end
        self.due = 2 * self.size if self.size > BLOCK else 0

    def _quotes(self, buffer: bytes, text: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Quotes that open or close, by turns; two of a doubled one close and open again."""
        if QUOTE not in buffer:
            return np.empty(0, np.int64)
        found = np.flatnonzero(text == QUOTE)
        border = np.zeros(256, bool)
        border[[self.delimiter, LF, CR]] = True
        before = text[found - 1]
        after = text[np.minimum(found + 1, len(text) - 1)]
        starts, ends = border[before], border[after]
        follows, precedes = before == QUOTE, after == QUOTE
        if found[0] == 0:
            starts[0], follows[0] = True, False
        if found[-1] == len(text) - 1:
            ends[-1], precedes[-1] = True, False
        opening, closing = (starts | follows)[::2], (ends | precedes)[1::2]
        if opening.all() and closing.all():
            return found
        return self._walked(buffer, found, starts, ends, precedes)

    def _walked(
        self, buffer: bytes, found: Any, starts: Any, ends: Any, precedes: Any
    ) -> NDArray[np.int64]:
        """The same where some quotes are mere characters, or out of order: one after the other."""
        starts, ends, precedes = starts.tolist(), ends.tolist(), precedes.tolist()
        kept: list[int] = []
        place, many = 0, len(starts)
        while place < many:
            if not len(kept) % 2:
                if starts[place]:
                    kept.append(place)
                place += 1
            elif precedes[place]:
                kept += (place, place + 1)
                place += 2
            elif ends[place]:
                kept.append(place)
                place += 1
            else:
                self._refuse(
                    buffer,
                    found[place],
                    "text follows a closing quote. Double the quotes that are text, or close the "
                    "field before it",
                )
        return found[kept]

    def _header(self, piece: _Piece, whole: NDArray[np.int64], final: bool) -> int | None:
        """Fields of the first record, None as long as it is not whole; empty lines are none."""
        start = 0
        for end in itertools.chain(whole, [len(piece.buffer)] if final else []):
            if piece.buffer[start:end].strip(b"\r\n"):
                return len(_outside(_found(piece.text[:end], self.delimiter), piece.quotes)) + 1
            start = end + 1
        return None

    def _check_breaks(self, piece: _Piece, lines: _Lines, end: int) -> None:
        """Refuse fields that run over several lines as a stray quote would make them."""
        buffer, opening = piece.buffer, piece.quotes[::2]
        opening = opening[_begins(piece.text, opening)]
        field = np.searchsorted(opening, lines.ends[lines.inside]) - 1
        many = np.bincount(field, minlength=len(opening))
        if many.max() > BREAKS:
            place = opening[np.flatnonzero(many > BREAKS)[0]]
            self._refuse(buffer, place, f"a quoted field holds more than {BREAKS} {ASKED}")
        assert self.fields is not None
        goes_on = np.concatenate([[False], lines.inside])
        several = goes_on.copy()  # lines of records that have more than one
        several[:-1] |= goes_on[1:]
        count = np.full(len(goes_on), -1)
        count[several] = self._cuts(piece, many > 0, lines, np.flatnonzero(several))
        record = count == self.fields - 1
        record[np.searchsorted(lines.ends, end) :] &= end == len(buffer)
        first = np.maximum.accumulate(np.where(goes_on, 0, np.arange(len(goes_on))))
        odd = np.flatnonzero(goes_on & record & record[first])
        if len(odd):
            place = opening[np.searchsorted(opening, lines.ends[odd[0] - 1]) - 1]
            self._refuse(
                buffer,
                place,
                f"a quoted field runs on over line {self.line + int(odd[0])}, which is a whole "
                f"record by itself, and so holds {ASKED}",
            )

    def _cuts(
        self, piece: _Piece, long: NDArray[np.bool_], lines: _Lines, wanted: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Delimiters of each wanted line by itself: the quotes of `long` fields are forgotten."""
        text, quotes = piece.text, piece.quotes
        cuts = _found(text, self.delimiter)
        borders = np.concatenate([[-1], lines.ends, [len(text)]])
        count = np.searchsorted(cuts, borders[wanted + 1]) - np.searchsorted(cuts, borders[wanted])
        opened, closed = quotes[: len(quotes) // 2 * 2 : 2], quotes[1::2]
        field = np.cumsum(_begins(text, opened)) - 1
        place = np.searchsorted(wanted, np.searchsorted(lines.ends, opened))
        place[place == len(wanted)] = 0
        short = (wanted[place] == np.searchsorted(lines.ends, opened)) & ~long[field]
        opened, closed, place = opened[short], closed[short], place[short]
        hidden = np.searchsorted(cuts, closed) - np.searchsorted(cuts, opened)
        return count - np.bincount(place, hidden, len(wanted)).astype(np.int64)

    def _check_widths(self, piece: _Piece, whole: NDArray[np.int64], end: int) -> None:
        """Refuse a record with another number of fields than the header."""
        ends = whole if end <= (whole[-1] + 1 if len(whole) else 0) else np.append(whole, end)
        cuts = _outside(_found(piece.text[:end], self.delimiter), piece.quotes)
        count = np.bincount(np.searchsorted(ends, cuts), minlength=len(ends)) + 1
        for record in np.flatnonzero(count[: len(ends)] != self.fields).tolist():
            start = int(ends[record - 1]) + 1 if record else 0
            if piece.buffer[start : int(ends[record])].strip(b"\r\n"):
                self._refuse(
                    piece.buffer,
                    start,
                    f"it has {count[record]} fields and the header has {self.fields}. Repair it",
                )

    def _refuse(self, buffer: bytes, place: Any, what: str) -> NoReturn:
        place = int(place)
        line = self.line + _breaks(buffer, place)
        seen = buffer[place : place + 24].decode(errors="ignore").splitlines()[0]
        raise DataError(f"{self.origin}, line {line}, at {shown(seen)}: {what}.")


ASKED = (
    "line breaks: a stray quote would swallow records so. Repair the quotes, or allow such text "
    "with line_breaks=True (--line-breaks)"
)


def _found(text: NDArray[np.uint8], character: int) -> NDArray[np.int64]:
    return np.flatnonzero(text == character)


def _outside(places: NDArray[np.int64], quotes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Those places that are in no quoted field."""
    return places[np.searchsorted(quotes, places) % 2 == 0] if len(quotes) else places


def _begins(text: NDArray[np.uint8], opening: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of the quotes that open begin a field: not the second ones of two that are text."""
    return (opening == 0) | (text[opening - 1] != QUOTE)


def _lines(piece: _Piece, final: bool) -> _Lines:
    text = piece.text
    ends = _found(text, LF)
    if CR in piece.buffer:
        returns = _found(text, CR)
        if len(returns) and returns[-1] == len(text) - 1 and not final:
            returns = returns[:-1]  # perhaps one half of a line end
        alone = text[np.minimum(returns + 1, len(text) - 1)] != LF
        ends = np.sort(np.concatenate([ends, returns[alone]]))
    return _Lines(ends, np.searchsorted(piece.quotes, ends) % 2 == 1)


def _last_break(buffer: bytes) -> int:
    """Where the last line ends of a text without quotes."""
    return max(buffer.rfind(b"\n"), buffer.rfind(b"\r", 0, len(buffer) - 1)) + 1


def _breaks(buffer: bytes, end: int) -> int:
    """Line ends before a place."""
    feeds = int(np.count_nonzero(np.frombuffer(buffer, np.uint8, end) == LF)) if end else 0
    if buffer.find(b"\r", 0, end) < 0:
        return feeds
    return feeds + buffer.count(b"\r", 0, end) - buffer.count(b"\r\n", 0, end)
