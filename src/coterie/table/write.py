"""Writing: the file is read back and proven before it takes its name."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.errors import CoterieError, DataError, shown
from coterie.table import atomic, categories, formats
from coterie.table.arrays import constant, from_values
from coterie.table.formats import arrow
from coterie.table.read import read_file
from coterie.table.restore import nothing_hidden
from coterie.table.source import Source

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["to_arrow", "write"]

LAST_DIGIT = 1e-15  # relative


def write(
    source: Source,
    frame: Any,
    target: str | os.PathLike[str],
    *,
    proof: Callable[[Source], object] | None = None,
    format: str | None = None,  # noqa: A002 - the word users know
    called: str | None = None,
    as_asked: Mapping[str, Any] | None = None,
) -> None:
    """Write a table into a file that appears only when it has been read back and proven.

    The table goes into a hidden file beside the target, is brought to the disk, read back, and
    given to `proof`; then it takes the target's name in one step. An error, Ctrl-C or a full disk
    at any moment leaves the old file as it was and nothing else behind.

    Parameters
    ----------
    source : Source
        Where the table came from: its delimiter, encoding and labels are used again.
    frame : narwhals.DataFrame or a pandas, polars or pyarrow table
        What to write.
    target : str or path
        The format follows from the extension; without one it is the source's.
    proof : callable, optional
        Gets a `Source` of what was read back, and raises to refuse it.
    format : str, optional
        The format, where the extension does not say.
    called : str, optional
        What messages call the target, in place of its path.
    as_asked : mapping, optional
        What the format is told beside the details of the source (`Plan.put_down`), such as how a
        CSV file holds text that a spreadsheet would run.

    Raises
    ------
    DataError
        When the file cannot be written. Errors of `proof` are passed on as they are.

    Examples
    --------
    >>> import pandas as pd, tempfile, pathlib
    >>> from coterie.table import read, write
    >>> source = read(pd.DataFrame({"age": [30, 40]}))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "out.csv")
    ...     write(source, source.frame, path)
    ...     print(path.read_text())
    age
    30
    40
    """
    path = atomic.path_of(target)
    chosen = _format(source, path, format)
    module = chosen.load()
    details = {**_details(source, chosen, path), **(as_asked or {})}
    table = to_arrow(source, frame)
    name = str(path) if called is None else called
    if not table.num_rows or not table.num_columns:
        raise DataError(
            f"{name} needs at least a row and a column. Got {table.num_rows} rows and "
            f"{table.num_columns} columns; nothing was written."
        )
    with atomic.replacing(path, called) as temporary:
        try:
            module.write(table, temporary, details)
            atomic.sync(temporary)
        except CoterieError:
            raise
        except OSError as error:
            raise atomic.cannot_write(name, error) from error
        except MemoryError:
            raise
        except Exception as error:  # each library has its own words for a value it cannot hold
            raise DataError(
                f"{name} cannot be written as {chosen.name} ({shown(str(error), 160)}). Choose "
                "another format, such as .parquet; nothing was changed."
            ) from error
        back = read_file(
            temporary,
            name,
            chosen.name,
            {o: details.get(o) for o in chosen.options},
            spelled=True,
        )
        _compare(table, to_arrow(back, back.frame), name)
        if proof is not None:
            proof(back)


def to_arrow(source: Source, frame: Any) -> pa.Table:
    """Any table as Arrow, without a pandas index or attributes."""
    import narwhals as nw
    import pyarrow as pa

    narrow = nw.from_native(frame, eager_only=True, pass_through=False)
    if not narrow.implementation.is_pandas():
        return nothing_hidden(categories.used_in_arrow(arrow.bare(narrow.to_arrow())))
    try:
        return pa.Table.from_pandas(source.native(narrow), preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        raise DataError(
            f"A column holds values of several types ({shown(str(error), 160)}). "
            "Convert it to one type, or drop it."
        ) from error


def _compare(table: pa.Table, back: pa.Table, path: str) -> None:
    """Whether the file gives back the rows, columns, gaps and numbers that went into it."""
    for what, written, found in (
        ("rows", table.num_rows, back.num_rows),
        ("columns", table.column_names, back.column_names),
        *(
            (f"missing values in column {name!r}", *map(_gaps, pair))
            for name, *pair in zip(table.column_names, table.columns, back.columns, strict=False)
        ),
    ):
        if written != found:
            raise DataError(
                f"{path} cannot hold the table: {what} were {shown(written)} and were read back as "
                f"{shown(found)}. Choose another format, such as .parquet; nothing was changed."
            )
    for name, one, other in zip(table.column_names, table.columns, back.columns, strict=True):
        _check_numbers(name, one, other, path)


def _check_numbers(name: str, written: pa.ChunkedArray, found: pa.ChunkedArray, path: str) -> None:
    """Whether numbers that are numbers again are the same: some formats round or overflow."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not (_is_number(written.type) and _is_number(found.type)):
        return
    before, after = (c.cast(pa.float64(), safe=False) for c in (written, found))
    # Spreadsheets keep 16 digits: the last one may change, alike wherever the value stands.
    slack = pc.multiply(pc.abs(before), constant(LAST_DIGIT))
    changed = pc.invert(pc.less_equal(pc.abs(pc.subtract(after, before)), slack))
    equal = pc.fill_null(
        pc.equal(before, after), constant(True)
    )  # infinities; null where one is missing
    changed = pc.and_(
        pc.and_(pc.fill_null(changed, constant(False)), pc.invert(equal)),
        pc.invert(pc.fill_null(pc.is_nan(before), constant(True))),
    )
    if pc.any(changed).as_py():
        row = pc.index(changed, constant(True)).as_py()
        raise DataError(
            f"{path} cannot hold column {name!r} exactly: {written[row].as_py()} was read back as "
            f"{found[row].as_py()}. Choose another format, such as .parquet; nothing was changed."
        )


def _is_number(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return pa.types.is_integer(kind) or pa.types.is_floating(kind)


def _gaps(column: pa.ChunkedArray) -> int:
    """Values that are missing in one format or another: null, NaN, empty text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    odd = None
    if pa.types.is_floating(column.type):
        odd = pc.is_nan(column)
    elif pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        odd = pc.equal(column, from_values([""], column.type)[0])
    return column.null_count + (pc.sum(odd).as_py() or 0 if odd is not None else 0)


def _format(source: Source, path: Path, name: str | None) -> formats.Format:
    if name is not None:
        return formats.by_name(name)
    if not path.suffix and source.format in formats.FORMATS:
        return formats.by_name(source.format)
    return formats.by_extension(path, writing=True)


def _details(source: Source, chosen: formats.Format, path: Path) -> dict[str, Any]:
    """What the source's format says beyond values, where the chosen one can say it too."""
    known = formats.FORMATS.get(source.format)
    if known is None or known.module != chosen.module:
        noted = source.format == "pyarrow"  # pandas' types, which files of Arrow can note
        details = {
            n: source.details[n] for n in ("pandas", "types") if noted and n in source.details
        }
    else:
        details = dict(source.details)
    suffix = path.suffix.lower()
    details["extension"] = suffix if suffix in chosen.writable else chosen.writable[0]
    if chosen.name == "csv":
        tabbed = path.suffix.lower() in (".tsv", ".tab")
        given = details.get("delimiter", ",")
        details["delimiter"] = "\t" if tabbed else "," if given == "\t" else given
        details.setdefault("encoding", "utf-8")
        details["line_breaks"] = True  # what is read back was quoted here
    return details
