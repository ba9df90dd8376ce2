"""Parts: runs of row groups of Parquet files, with the number of their first record.

A part is what one task holds at a time. Records are numbered through all files in the order given,
a folder's by name with numbers compared as numbers; nothing that follows depends on where one file
or part ends and the next begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.errors import DataError, shown
from coterie.table.atomic import whole
from coterie.table.formats import arrow
from coterie.table.plain import plain_table
from coterie.table.read import check_file
from coterie.table.source import check_names

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["PARQUET", "ROWS", "Input", "Part", "split", "spool", "unreadable"]

PARQUET = (".parquet", ".pq")
ROWS = 1 << 18  # records of a part, unless one row group alone has more


@dataclass(frozen=True)
class Part:
    """Some row groups of one file.

    Attributes
    ----------
    path : str
        The file.
    groups : tuple of int
        Its row groups.
    first, rows : int
        Number of the first record in the whole table, and how many there are.
    """

    path: str
    groups: tuple[int, ...]
    first: int
    rows: int

    def read(self, schema: pa.Schema, columns: Sequence[str] | None = None) -> pa.Table:
        """The records as `schema` says, or some columns of them; an error names the file."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        names = schema.names if columns is None else list(columns)
        try:
            with pq.ParquetFile(self.path) as file:
                table = plain_table(file.read_row_groups(list(self.groups), columns=names))
            return table.select(names).cast(pa.schema([schema.field(name) for name in names]))
        except MemoryError:
            raise
        except Exception as error:  # pyarrow has many ways to say that a file is broken
            raise unreadable(self.path, error) from None


@dataclass(frozen=True)
class Input:
    """A table in files.

    Attributes
    ----------
    parts : tuple of Part
        All of it, in order.
    schema : pyarrow.Schema
        Of every part, without metadata.
    details : dict
        The pandas types that the first file notes, to be written again.
    """

    parts: tuple[Part, ...]
    schema: pa.Schema
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Number of records."""
        return sum(part.rows for part in self.parts)


def split(files: Sequence[Path], rows: int = ROWS) -> Input:
    """The parts of Parquet files, each of about `rows` records, from their footers alone."""
    import pyarrow.parquet as pq

    parts: list[Part] = []
    first, schema, details = 0, None, {}
    for path in files:
        check_file(path, str(path))
        try:
            with pq.ParquetFile(path) as file:
                found, noted = arrow.taken(file.schema_arrow.empty_table())
                sizes = [file.metadata.row_group(g).num_rows for g in range(file.num_row_groups)]
        except Exception as error:
            raise unreadable(str(path), error) from None
        if schema is None:
            schema, details = found.schema, noted
            check_names(schema.names, str(path))
        elif not _alike(found.schema, schema):
            raise DataError(
                f"{path} must have the columns and types of {files[0]}. "
                f"{_difference(found.schema, schema)}; write all parts alike."
            )
        waiting: list[int] = []
        held = 0
        for group, size in enumerate(sizes):
            if waiting and held + size > rows:
                parts.append(Part(str(path), tuple(waiting), first, held))
                first, waiting, held = first + held, [], 0
            if size:
                waiting.append(group)
                held += size
        if waiting:
            parts.append(Part(str(path), tuple(waiting), first, held))
            first += held
    if not parts:
        raise DataError(f"{files[0]} has no rows. Check the program that wrote it.")
    assert schema is not None
    return Input(tuple(parts), schema, details)


def spool(table: pa.Table, path: Path, rows: int) -> None:
    """Write a part of a converted table, in row groups of `rows`, whole.

    Only categories have a list of their values, theirs: a scale keeps its order by it.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    listed = [field.name for field in table.schema if pa.types.is_dictionary(field.type)]
    how = {"compression": "lz4", "use_dictionary": listed or False, "write_statistics": False}
    with whole(path) as temporary:
        pq.write_table(table, temporary, row_group_size=rows, **how)


def unreadable(path: str, error: Exception) -> DataError:
    """The one line for a part that is missing, broken or of another shape."""
    if isinstance(error, DataError):
        return error
    return DataError(
        f"{path} cannot be read as Parquet ({shown(str(error), 120)}). Fetch it again, or leave "
        "it out; nothing was written."
    )


def _alike(one: pa.Schema, other: pa.Schema) -> bool:
    """Whether columns and types are the same; whether gaps are allowed is no difference."""
    return one.names == other.names and one.types == other.types


def _difference(found: pa.Schema, wanted: pa.Schema) -> str:
    if found.names != wanted.names:
        odd = [n for n in found.names if n not in wanted.names]
        gone = [n for n in wanted.names if n not in found.names]
        return f"Got other columns ({shown(odd or gone or found.names)})"
    name = next(n for n in found.names if found.field(n).type != wanted.field(n).type)
    return f"Got {found.field(name).type} instead of {wanted.field(name).type} in {name!r}"
