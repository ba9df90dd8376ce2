"""``coterie app``: the whole job in a browser, on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from coterie.cli.asked import number_or_text
from coterie.errors import ParameterError, bad_parameter

__all__ = ["command"]


def command(
    place: Annotated[
        str | None,
        typer.Argument(metavar="[FILE|FOLDER]", help="To open; the current folder by default."),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open one, or print the address.")
    ] = True,
    port: Annotated[
        str, typer.Option(metavar="INTEGER", help="0 for any that is free, the default.")
    ] = "0",
    demo: Annotated[bool, typer.Option(help="On an embedded table.")] = False,
    listen: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Let others in, too: needs --token-file."),
    ] = None,
    token_file: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="What they must know: 32 characters or more."),
    ] = None,
) -> None:
    """Open, declare, choose, run and release in a browser; nothing leaves this machine."""
    from coterie.imports.optional import check_installed

    for package in ("starlette", "uvicorn"):
        check_installed(package, "coterie app", "app")
    number = number_or_text(port)
    if not isinstance(number, int) or not 0 <= number <= 65535:
        raise bad_parameter("port", "app", "an integer from 0 to 65535", number)
    if demo and place is not None:
        raise ParameterError("--demo has a table of its own. Leave out the file or folder.")
    from coterie.app.server import LOCAL, serve

    serve(
        place if place is not None else ".",
        port=number,
        browser=browser,
        demo=demo,
        listen=listen or LOCAL,
        token_file=token_file,
    )
