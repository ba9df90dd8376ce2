"""How a text file is written: its encoding and its delimiter, found or refused."""

from __future__ import annotations

import codecs
import csv
import itertools

from coterie.errors import DataError, bad_parameter, shown

__all__ = ["decoded", "find_delimiter"]

DELIMITERS = ",;\t|"
SAMPLE = 1 << 16  # characters looked at to find the delimiter

MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # begins like the UTF-16 mark: must be tried before it
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}

MAGIC = {
    b"PAR1": "a Parquet file",
    b"ARROW1": "a Feather file",
    b"FEA1": "a Feather file",
    b"PK\x03\x04": "a zip archive or Excel file",
    b"\xd0\xcf\x11\xe0": "an old Excel file",
    b"\x1f\x8b": "a gzip archive",
    b"%PDF": "a PDF file",
    b"SQLite": "an SQLite database",
    b"$FL2": "an SPSS file",
    b"<stata_dta>": "a Stata file",
}

# Text never holds these: backspace to unit separator without tab, line feed, form feed, return.
CONTROL = bytes(set(range(32)) - set(b"\t\n\f\r"))


def decoded(content: bytes, origin: str, encoding: str | None) -> tuple[bytes, str]:
    """The content as UTF-8 without mark, and the encoding it came in."""
    if encoding is not None:
        name = _known(encoding)
        if name == "utf-8" and content.startswith(codecs.BOM_UTF8):
            name = "utf-8-sig"
        return _strict(content, origin, name), name
    for mark, name in MARKS.items():
        if content.startswith(mark):
            return _strict(content, origin, name), name
    _refuse_binary(content, origin)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        first = error
    else:
        return content, "utf-8"
    try:
        return content.decode("cp1252").encode(), "cp1252"
    except UnicodeDecodeError as error:
        raise DataError(
            f"{origin} must be text in UTF-8 or Windows-1252. Got byte "
            f"0x{content[first.start]:02x} at offset {first.start}, which is not UTF-8, and byte "
            f"0x{content[error.start]:02x} at offset {error.start}, which is not Windows-1252; "
            "give encoding=."
        ) from None


def find_delimiter(text: str, extension: str = "") -> str:
    """The delimiter that cuts every record of the sample into the same number of fields."""
    sample = text[:SAMPLE]
    cut = len(text) > SAMPLE
    best = (False, 0)
    found = "\t" if extension in (".tsv", ".tab") else ","
    for delimiter in DELIMITERS:
        try:
            rows = [row for row in csv.reader(_lines(sample), delimiter=delimiter) if row]
        except csv.Error:
            continue
        if cut and len(rows) > 2:
            rows.pop()
        widths = {len(row) for row in rows}
        if not rows or len(rows[0]) < 2:
            continue
        score = (len(widths) == 1, len(rows[0]))
        if score > best:
            best, found = score, delimiter
    return found


def _lines(text: str) -> itertools.chain[str]:
    return itertools.chain(text.replace("\r\n", "\n").replace("\r", "\n").splitlines(keepends=True))


def _known(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except (LookupError, TypeError):
        raise bad_parameter(
            "encoding", "read", "a name that Python knows, such as 'utf-8' or 'latin-1'", encoding
        ) from None


def _strict(content: bytes, origin: str, name: str) -> bytes:
    try:
        return content.decode(name).removeprefix("\ufeff").encode()
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        raise DataError(
            f"{origin} cannot be decoded as {name}: {shown(content[start : start + 4])} at byte "
            f"offset {start}. Give its encoding with encoding=."
        ) from None


def _refuse_binary(content: bytes, origin: str) -> None:
    if len(content.translate(None, CONTROL)) < len(content):
        # Only now: "PAR1" and "SQLite" by themselves are names of columns like any other.
        for magic, what in MAGIC.items():
            if content.startswith(magic):
                raise DataError(
                    f"{origin} must be text separated by commas or the like. Got {what}; "
                    "give it its own extension, or format=."
                )
        offset = next(i for i, byte in enumerate(content) if byte in CONTROL)
        raise DataError(
            f"{origin} must be text. Got byte 0x{content[offset]:02x} at offset {offset}: it is "
            "binary, or UTF-16 without a byte order mark (then give encoding='utf-16-le')."
        )
