"""CSV by the letter: what a careful reader takes a file for, and files that only look like one.

A record is a list of fields, a field the text between delimiters with its quotes taken off. A quote
opens a field only at its beginning; within a quoted field a doubled quote is one.
"""

from __future__ import annotations

from typing import Any


class Malformed(ValueError):
    """The text is no table: the reason is the message."""


def parse(text: str, delimiter: str) -> list[list[str]]:
    """Records of equal length, empty lines left out; `Malformed` where it is no table."""
    records: list[list[str]] = []
    fields: list[str] = []
    place, end = 0, len(text)
    while place < end:
        quoted = text[place] == '"'
        value, place = (_quoted if quoted else _plain)(text, place, delimiter)
        fields.append(value)
        if text[place : place + 1] == delimiter:
            place += 1
            if place == end:
                fields.append("")
            else:
                continue
        if fields != [""] or quoted:
            records.append(fields)
        fields = []
        place += 2 if text[place : place + 2] == "\r\n" else 1
    if not records:
        raise Malformed("no record")
    for number, record in enumerate(records):
        if len(record) != len(records[0]):
            raise Malformed(f"record {number} has {len(record)} fields, not {len(records[0])}")
    return records


def _plain(text: str, place: int, delimiter: str) -> tuple[str, int]:
    """The field that begins at `place` without a quote, and where it ends."""
    stop = place
    while stop < len(text) and text[stop] not in (delimiter, "\n", "\r"):
        stop += 1
    return text[place:stop], stop


def _quoted(text: str, place: int, delimiter: str) -> tuple[str, int]:
    """The field that begins with a quote at `place`, and where it ends."""
    parts = []
    place += 1
    while True:
        stop = text.find('"', place)
        if stop < 0:
            raise Malformed("a quoted field is never closed")
        parts.append(text[place:stop])
        place = stop + 1
        if text[place : place + 1] != '"':
            break
        parts.append('"')
        place += 1
    if text[place : place + 1] not in ("", delimiter, "\n", "\r"):
        raise Malformed("text after a closing quote")
    return "".join(parts), place


def write(
    records: list[list[str]],
    *,
    delimiter: str = ",",
    line: str = "\n",
    quote_all: bool = False,
    last_line: bool = True,
) -> str:
    """Records as text, fields in quotes where they must be, or all of them."""
    special = {delimiter, '"', "\n", "\r"}

    def field(value: str, alone: bool) -> str:
        if quote_all or special & set(value) or (alone and not value):
            return '"' + value.replace('"', '""') + '"'
        return value

    lines = [delimiter.join(field(v, len(r) == 1) for v in r) for r in records]
    return line.join(lines) + (line if last_line else "")


def records_of(columns: list[dict[str, Any]], rows: int) -> list[list[str]]:
    """The header and the records of columns with names and values."""
    names = [column["name"] for column in columns]
    return [names, *([text_of(c["values"][row]) for c in columns] for row in range(rows))]


def sniff(content: bytes) -> str:
    """Text of a file in one of the encodings that a case is written in."""
    for mark, name in (
        (b"\xef\xbb\xbf", "utf-8-sig"),
        (b"\xff\xfe\x00\x00", "utf-32"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
    ):
        if content.startswith(mark):
            return content.decode(name)
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("cp1252")


def text_of(value: Any) -> str:
    """A plain value as a careful program writes it; a gap is the empty field."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return value.hex()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
