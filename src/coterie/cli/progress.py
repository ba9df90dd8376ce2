"""On standard error: a progress bar, and a line where a first use has to compile."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from coterie.compilation.events import Compiling, heard

if TYPE_CHECKING:
    from rich.console import Console

    from coterie.partitioning.driver import Progress

__all__ = ["ANNOUNCEMENT", "announced", "bar"]

ANNOUNCEMENT = "compiling for this machine, once"

_live: list[Console] = []  # of the bars that are drawn now


@contextlib.contextmanager
def announced(quiet: bool) -> Iterator[None]:
    """Say once, before the first function is compiled, why it takes longer this time."""
    reported = quiet

    def say(event: Compiling) -> None:
        nonlocal reported
        if reported:
            return
        reported = True
        if _live:
            _live[-1].print(f"coterie: {ANNOUNCEMENT}", highlight=False)
        else:
            print(f"coterie: {ANNOUNCEMENT}", file=sys.stderr, flush=True)

    with heard(say):
        yield


@contextlib.contextmanager
def bar(quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """A callback that draws, or None where nobody looks: no terminal, or `quiet`."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    with Bar(
        SpinnerColumn(),
        TextColumn("{task.description:12}"),
        BarColumn(),
        TextColumn("{task.fields[loss]}"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    ) as drawn:
        task = drawn.add_task("read", total=1.0, loss="")

        def show(progress: Progress) -> None:
            loss = progress.information_loss
            drawn.update(
                task,
                description=progress.phase,
                completed=progress.fraction or 0.0,
                total=1.0 if progress.fraction is not None else None,
                loss="" if loss is None else f"IL {loss:.3f} %",
            )

        _live.append(console)
        try:
            yield show
        finally:
            _live.remove(console)
