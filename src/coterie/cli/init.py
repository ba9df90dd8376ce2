"""``coterie init``: a commented settings file with a guess for every column."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from coterie.cli.options import Format, LineBreaks
from coterie.cli.streams import distinct_paths, read_input, write_text
from coterie.errors import ParameterError

__all__ = ["command"]


def command(
    input_file: Annotated[str, typer.Argument(metavar="IN", help="File to look at, or -.")],
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Settings file; printed by default.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Replace an existing settings file.")] = False,
    file_format: Format = None,
    line_breaks: LineBreaks = False,
) -> None:
    """Write a settings file to be read, corrected and given to --config."""
    from pathlib import Path

    from coterie.advice import settings_file
    from coterie.table import formats
    from coterie.table.infer import infer

    tables = {e for f in formats.FORMATS.values() for e in f.extensions} - {".txt"}
    if output and Path(output).suffix.lower() in tables:
        raise ParameterError(
            f"-o must name a settings file, such as settings.toml. Got {output!r}, which ends like "
            "a table; choose another name."
        )
    distinct_paths({"IN": input_file, "-o": output}, written=("-o",))
    if output and Path(output).exists() and not force:
        raise ParameterError(f"init must not replace {output!r}. Use --force or another name.")
    source = read_input(input_file, file_format, line_breaks=line_breaks)
    text = settings_file(infer(source), source)
    if output:
        write_text(output, text)
        suffix = Path(input_file).suffix or ".csv"
        told = f"{shlex.quote(input_file)} --config {shlex.quote(output)} -o released{suffix}"
        typer.echo(f"Wrote {output}: read it, correct it, then\ncoterie anonymize {told}")
    else:
        typer.echo(text, nl=False)
