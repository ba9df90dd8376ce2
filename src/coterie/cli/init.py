"""``coterie init``: a commented settings file with a guess for every column."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from coterie.cli.asked import takes
from coterie.cli.options import AS_USUAL, Reading
from coterie.cli.streams import distinct_paths, read_input, write_text
from coterie.errors import ParameterError

__all__ = ["command"]


@takes()
def command(
    input_file: Annotated[str, typer.Argument(metavar="IN", help="File to look at, or -.")],
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Settings file; printed by default.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Replace an existing settings file.")] = False,
    reading: Reading = AS_USUAL,
) -> None:
    """Write a settings file to be read, corrected and given to --config."""
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
    given = {
        "--format": reading.file_format,
        "--line-breaks": reading.line_breaks,
        "--sheet": reading.sheet,
        "--dates": reading.dates,
    }
    source = read_input(input_file, reading.file_format, **reading.options)
    text = settings_file(infer(source), source)
    if output:
        write_text(output, text)
        reported = _next(input_file, output, source.format, given)
        typer.echo(f"Wrote {output}: read it, correct it, then\n{reported}")
    else:
        typer.echo(text, nl=False)


def _next(input_file: str, output: str, found: str, given: Mapping[str, Any]) -> str:
    """The command that protects the table as the settings say, ready to be run."""
    from coterie.table import formats

    suffix = Path(input_file).suffix.lower()
    writable = formats.FORMATS[found].writable
    suffix = suffix if suffix in writable else writable[0]
    odd = input_file.startswith("-") and input_file != "-"  # a name that looks like a flag
    words = [input_file] * (not odd) + ["--config", output, "-o", f"released{suffix}"]
    for flag, value in given.items():
        words += [flag] if value is True else [flag, str(value)] if value else []
    words = ["coterie", "anonymize", *words, *(["--", input_file] * odd)]
    return " ".join(map(shlex.quote, words))
