"""Options that several commands share and that are no part of a plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

__all__ = ["AS_USUAL", "Config", "Format", "HeldOut", "Json", "Reading", "Sizes"]

# Numbers are taken as text: the library's own checks name the rule and the value seen.
Sizes = Annotated[
    list[str] | None, typer.Option("-k", metavar="INTEGER", help="Group size; repeat for more.")
]
Config = Annotated[
    str | None,
    typer.Option("--config", metavar="TOML", help="Settings; `coterie init` writes one."),
]
Format = Annotated[
    str | None,
    typer.Option("--format", help="Format of standard input or of a file without extension."),
]
LineBreaks = Annotated[
    bool,
    typer.Option("--line-breaks", help="CSV: text in quotes may run over many lines."),
]
Sheet = Annotated[
    str | None, typer.Option("--sheet", metavar="NAME", help="Of an Excel file with several.")
]
Dates = Annotated[
    str | None,
    typer.Option(
        "--dates", metavar="WORD", help="day-first, month-first or text: dates that may be either."
    ),
]
HeldOut = Annotated[
    str | None,
    typer.Option(
        "--control", metavar="SHARE", help="Held out for attacks; 0.2 where there are any."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")]


@dataclass(frozen=True)
class Reading:
    """How a table is read: a command with a parameter `reading` has these flags in its place."""

    file_format: Format = None
    line_breaks: LineBreaks = False
    sheet: Sheet = None
    dates: Dates = None

    @property
    def options(self) -> dict[str, Any]:
        """What `coterie.table.read` takes besides the format."""
        return {"line_breaks": self.line_breaks, "sheet": self.sheet, "dates": self.dates}


AS_USUAL = Reading()
