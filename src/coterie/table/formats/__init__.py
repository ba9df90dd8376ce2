"""File formats by extension: one file a format, each with `read` and `write`.

A format module has ``read(path, origin, **options) -> (pyarrow.Table, details)`` and
``write(table, path, details)``; it loads its packages only when called. Where a file can spell one
value in several ways, `read` takes ``spelled=True`` and adds the cells of such columns to the
details, equal only where the file shows the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import Any

from coterie.errors import DataError, ParameterError, listed, shown, unknown_name
from coterie.imports.optional import check_installed

__all__ = ["FORMATS", "Format", "by_extension", "by_name"]


@dataclass(frozen=True)
class Format:
    """A file format: its extensions, those that can be written, and the options of its `read`.

    `spells` says that it can write one value in several ways.
    """

    name: str
    module: str
    extensions: tuple[str, ...]
    writable: tuple[str, ...]
    options: tuple[str, ...] = ()
    writer: str = ""  # optional package that writes it
    spells: bool = False

    def load(self) -> Any:
        """The module that reads and writes it."""
        return import_module(f"coterie.table.formats.{self.module}")

    def check_writing(self) -> None:
        """Refuse to write it without the package that does, before it is needed."""
        if self.writer:
            check_installed(self.writer, f"Writing {self.name}", "formats")


FORMATS = {
    f.name: f
    for f in (
        Format(
            "csv",
            "csv",
            (".csv", ".tsv", ".tab", ".txt"),
            (".csv", ".tsv", ".tab", ".txt"),
            ("delimiter", "encoding", "line_breaks", "dates", "notations"),
            spells=True,
        ),
        Format("parquet", "parquet", (".parquet", ".pq"), (".parquet", ".pq")),
        Format("feather", "feather", (".feather", ".arrow"), (".feather", ".arrow")),
        Format(
            "excel",
            "excel",
            (".xlsx", ".xlsm", ".xls", ".ods"),
            (".xlsx",),
            ("sheet", "dates", "notations"),
            "openpyxl",
            True,
        ),
        Format(
            "spss", "labeled", (".sav", ".zsav"), (".sav", ".zsav"), ("encoding",), "pyreadstat"
        ),
        Format("stata", "labeled", (".dta",), (".dta",), ("encoding",), "pyreadstat", True),
        Format(
            "sas", "labeled", (".sas7bdat", ".xpt"), (".xpt",), ("encoding",), "pyreadstat", True
        ),
    )
}


def by_name(name: object) -> Format:
    """The format of that name, or an error that lists them."""
    if not isinstance(name, str) or name not in FORMATS:
        raise unknown_name("format", name, FORMATS)
    return FORMATS[name]


def by_extension(path: PurePath, *, writing: bool = False) -> Format:
    """The format that a file's extension names, or an error that lists the known ones."""
    extension = path.suffix.lower()
    for f in FORMATS.values():
        if extension in f.extensions:
            if writing and extension not in f.writable:
                raise DataError(
                    f"{path}: files with extension {extension!r} can be read but not written. "
                    f"Choose one of {listed(_extensions(writing=True), 20)}."
                )
            return f
    what = f"extension {extension!r}" if extension else "missing extension"
    known = listed(_extensions(writing=writing), 20)
    raise DataError(f"{path}: unknown format ({what}). Known: {known}; or give format=.")


def check_options(chosen: Format, given: dict[str, Any]) -> dict[str, Any]:
    """Options that were given, refused where the format has no use for them."""
    given = {name: value for name, value in given.items() if value is not None}
    for name, value in given.items():
        if name not in chosen.options:
            raise ParameterError(
                f"The {name!r} parameter means nothing for format {chosen.name!r}. "
                f"Got {shown(value)}; leave it out."
            )
    return given


def _extensions(*, writing: bool) -> list[str]:
    return [e for f in FORMATS.values() for e in (f.writable if writing else f.extensions)]
