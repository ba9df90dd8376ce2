"""Conversion: a text file as Parquet parts, block by block, in the types that reading it gives.

The file is read three times: the first time its quotes are checked, as strictly as
`coterie.table.read` checks them; the second time each block says what its columns could be, and the
narrowest type that holds all blocks is chosen, as for a file in memory; the third time the blocks
are converted and written.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.errors import DataError, bad_parameter, shown
from coterie.numbers.checks import EXACT_INTEGER
from coterie.table.formats import csv as csv_format
from coterie.table.formats import dialect, quotes, text
from coterie.table.formats.notation import Notation, Unclear, check_dates, kept_notations
from coterie.table.formats.recognition import witnesses
from coterie.table.parts import ROWS, spool
from coterie.table.read import check_file
from coterie.table.source import check_names

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["blocks", "convert"]

BLOCK = 1 << 24  # bytes read at a time; a record must fit
UNITS = ("s", "ms", "us", "ns")


@dataclass
class _Kind:
    """What a column could be, by the blocks seen so far; None as long as it has no value."""

    type: Any = None
    booleans: tuple[str, str] | None = None
    widest: int = field(default=0)
    points: bool = False  # whether a value of a file with decimal commas has a point
    shown: Any = None  # values that show its notation
    plain: bool = False  # whether it is known to have none
    notation: Notation | None = None

    def see(self, column: pa.ChunkedArray, comma: bool) -> None:
        """Look at one more block."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if column.null_count == len(column):
            return
        trimmed = pc.utf8_trim_whitespace(column)
        self.points = self.points or bool(
            comma and pc.any(pc.match_substring(trimmed, ".")).as_py()
        )
        if not self.plain:
            more = witnesses(trimmed)
            self.plain = more is None
            both = [one for one in (self.shown, more) if one is not None]
            self.shown = None if self.plain else pc.unique(pa.chunked_array(both))
        if self.type == pa.string():
            return
        array, booleans = text.typed(column, comma=comma)
        if pa.types.is_int64(array.type):
            low, high = pc.min_max(array).as_py().values()
            self.widest = max(self.widest, -low, high)
        if self.type is None:
            self.type, self.booleans = array.type, booleans
        elif array.type != self.type or booleans != self.booleans:
            self.type, self.booleans = _both(self.type, array.type), None
        if self.type == pa.float64() and self.widest > EXACT_INTEGER:
            self.type = pa.string()  # float64 would round an integer

    def settle(self, comma: bool, delimiter: str, order: str | None) -> Notation | Unclear | None:
        """What all blocks together say of the notation; as `text.written` finds it in memory."""
        import pyarrow as pa

        typed = self.type is not None and self.type != pa.string() and not self.points
        if typed or self.shown is None:
            return None
        found = text.notation(self.shown, comma=comma, delimiter=delimiter, order=order)
        if isinstance(found, Notation):
            self.notation, self.booleans = found, None
        return found

    def convert(self, column: pa.ChunkedArray, comma: bool) -> pa.ChunkedArray:
        """A block in the type of all."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if self.notation is not None:
            return self.notation.parse(pc.utf8_trim_whitespace(column))
        wanted = self.type or pa.string()
        if wanted == pa.string() or column.null_count == len(column):
            return column.cast(wanted)
        return text.typed(column, comma=comma)[0].cast(wanted)


def convert(
    paths: Sequence[Path],
    folder: Path,
    delimiter: str | None,
    encoding: str | None,
    line_breaks: bool,
    tell: Callable[[float], object],
    dates: str | None = None,
) -> tuple[list[Path], dict[str, Any]]:
    """Write the table of text files as Parquet parts into `folder`.

    Gives the parts, and how the text was written: delimiter, encoding, decimal point, booleans,
    national notations, and which columns nobody can read for sure.
    """
    import pyarrow as pa

    files = [_Text.of(path, delimiter, encoding, line_breaks) for path in paths]
    size = sum(path.stat().st_size for path in paths)
    kinds: dict[str, _Kind] = {}
    comma, seen = None, 0
    for file in files:
        for block in blocks(file.path, file.delimiter, file.encoding):
            if comma is None:
                check_names(block.column_names, str(file.path))
                comma = text.decimal_comma(block.columns, file.delimiter)
                kinds = {column: _Kind() for column in block.column_names}
            if block.column_names != list(kinds):
                odd = [n for n in block.column_names if n not in kinds] or block.column_names
                raise DataError(
                    f"{file.path} must have the columns of {paths[0]}. Got others "
                    f"({shown(odd)}); write all parts alike."
                )
            for column, kind in kinds.items():
                kind.see(block.column(column), comma)
            seen += block.nbytes
            tell(min(0.5, seen / size / 2))
    if comma is None:
        raise DataError(f"{paths[0]} has no rows. Check the program that wrote it.")
    order = check_dates(dates)
    found = {c: kind.settle(comma, files[0].delimiter, order) for c, kind in kinds.items()}
    written: list[Path] = []
    for file in files:
        for block in blocks(file.path, file.delimiter, file.encoding):
            columns = {c: kind.convert(block.column(c), comma) for c, kind in kinds.items()}
            part = folder / f"input-{len(written):06d}.parquet"
            spool(pa.table(columns), part, ROWS)
            written.append(part)
    details = {
        "delimiter": files[0].delimiter,
        "encoding": files[0].encoding,
        "decimal": "," if comma else ".",
        "booleans": {column: kind.booleans for column, kind in kinds.items() if kind.booleans},
        **kept_notations({c: how for c, how in found.items() if how}, str(paths[0]), dates),
    }
    return written, details


@dataclass(frozen=True)
class _Text:
    """A text file whose quotes were checked, and how it is to be read."""

    path: Path
    delimiter: str
    encoding: str

    @classmethod
    def of(
        cls, path: Path, delimiter: str | None, encoding: str | None, line_breaks: bool
    ) -> _Text:
        check_file(path, str(path))
        if delimiter is not None and (
            len(delimiter) != 1 or delimiter in '"\r\n' or delimiter > "~"
        ):
            raise bad_parameter("delimiter", "read", "one ASCII character, no quote", delimiter)
        name, head = _head(path, encoding)
        if delimiter is None:
            delimiter = dialect.find_delimiter(head, path.suffix.lower())
        quotes.check(_content(path, name), delimiter, str(path), line_breaks=line_breaks)
        return cls(path, delimiter, name)


def _head(path: Path, encoding: str | None) -> tuple[str, str]:
    """The encoding, found by the beginning of the file unless it is given; and that beginning."""
    with path.open("rb") as file:
        head = file.read(4 * dialect.SAMPLE)
    marked = (name for mark, name in dialect.MARKS.items() if head.startswith(mark))
    given = encoding or next(marked, None)
    if given is not None:
        name = dialect.decoded(b"", str(path), given)[1]
        return name, head.decode(name, errors="ignore")  # the end may cut a character in two
    lines = head[: head.rfind(b"\n") + 1] or head
    content, name = dialect.decoded(lines, str(path), None)
    return name, content.decode()


def _content(path: Path, encoding: str) -> Iterator[bytes]:
    """The text in blocks, as UTF-8 without mark."""
    decoder = None
    if encoding not in ("utf-8", "utf-8-sig"):
        decoder = codecs.getincrementaldecoder(encoding)()
    with path.open("rb") as file:
        if file.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8 or decoder is not None:
            file.seek(0)
        while block := file.read(BLOCK):
            try:
                yield block if decoder is None else decoder.decode(block).encode()
            except UnicodeError as error:
                raise DataError(
                    f"{path} cannot be decoded as {encoding} ({shown(str(error), 120)}). Give its "
                    "encoding with encoding=."
                ) from None


def blocks(path: Path, delimiter: str, encoding: str) -> Iterator[pa.Table]:
    """The records in blocks, every column as text; an empty field is missing."""
    import pyarrow as pa
    from pyarrow import csv

    options = csv.ReadOptions(block_size=BLOCK, encoding=encoding.removesuffix("-sig"))
    parse = csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    try:
        with csv.open_csv(path, options, parse) as first:
            names = first.schema.names
        every = csv.ConvertOptions(
            null_values=[""],
            strings_can_be_null=True,
            column_types=dict.fromkeys(names, pa.string()),
        )
        with csv.open_csv(path, options, parse, every) as reader:
            for batch in reader:
                if batch.num_rows:
                    yield csv_format.without_marks(pa.Table.from_batches([batch]))
    except (pa.ArrowInvalid, pa.ArrowKeyError, UnicodeError, LookupError) as error:
        quotes.count_fields(_content(path, encoding), delimiter, str(path))
        raise DataError(
            f"{path} cannot be read as text separated by {shown(delimiter)}: "
            f"{shown(str(error), 120)}. Repair it, or give delimiter= or encoding=."
        ) from None


def _both(one: pa.DataType, other: pa.DataType) -> pa.DataType:
    """The narrowest type that holds the values of both."""
    import pyarrow as pa

    if one == other:
        return one
    kinds = {one, other}
    if kinds == {pa.int64(), pa.float64()}:
        return pa.float64()
    if pa.int64() in kinds and any(pa.types.is_decimal(kind) for kind in kinds):
        return next(kind for kind in kinds if pa.types.is_decimal(kind))
    if all(pa.types.is_timestamp(kind) for kind in kinds) and one.tz == other.tz:
        return pa.timestamp(max(one.unit, other.unit, key=UNITS.index), one.tz)
    return pa.string()
