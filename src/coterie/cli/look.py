"""``coterie look``: what a table is and what it would give away, before anything is protected."""

from __future__ import annotations

from typing import Annotated

import typer

from coterie.cli.asked import number_or_text, takes
from coterie.cli.options import AS_USUAL, Json, Reading
from coterie.cli.streams import distinct_paths, read_input, write_text

__all__ = ["command"]


@takes()
def command(
    input_file: Annotated[str, typer.Argument(metavar="IN", help="File to look at, or -.")],
    k: Annotated[
        str, typer.Option("-k", metavar="INTEGER", help="Values fewer units share stay hidden.")
    ] = "5",
    html: Annotated[
        str | None, typer.Option("--html", metavar="FILE", help="Write the page to this file.")
    ] = None,
    internal: Annotated[
        bool, typer.Option("--internal", help="Show rare values and extremes, too.")
    ] = False,
    reading: Reading = AS_USUAL,
    json: Json = False,
) -> None:
    """Say what every column is, which roles fit, and what the table would give away."""
    from coterie.advice import look
    from coterie.advice.rendering import terminal

    distinct_paths({"IN": input_file, "--html": html}, written=("--html",))
    source = read_input(input_file, reading.file_format, **reading.options)
    found = look(source, k=number_or_text(k), internal=internal)
    if html:
        write_text(html, found.html())
    if json:
        typer.echo(found.json())
        return
    from rich.console import Console

    Console().print(terminal(found))
    if html:
        typer.echo(f"Wrote {html}.", err=True)
