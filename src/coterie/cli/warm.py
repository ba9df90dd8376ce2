"""``coterie warm``: compile everything now, for images and clusters."""

from __future__ import annotations

from typing import Annotated

import typer

from coterie.cli.asked import number_or_text

__all__ = ["command"]


def command(
    parts: Annotated[
        list[str] | None, typer.Argument(metavar="[PART]...", help="Some of it; all by default.")
    ] = None,
    workers: Annotated[
        str | None, typer.Option(metavar="INTEGER", help="Processes at a time.")
    ] = None,
    quiet: Annotated[bool, typer.Option(help="No progress, no summary.")] = False,
) -> None:
    """Compile every kernel for this machine, so that no later run has to."""
    from coterie.cli.progress import bar
    from coterie.compilation.warming import warm
    from coterie.partitioning.driver import COMPILING, Progress

    asked = None if workers is None else number_or_text(workers)
    with bar(quiet) as show:

        def note(part: str, fraction: float) -> None:
            if show is not None:
                show(Progress(f"{COMPILING}: {part}", 0.0, fraction))

        done = warm(parts or None, workers=asked, callback=note)
    if not quiet:
        typer.echo(
            f"{done.compiled} functions compiled in {done.seconds:.0f} s, kept in {done.folder}"
        )
