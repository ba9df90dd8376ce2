"""A progress bar on standard error, with the stage and the current information loss."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coterie.partitioning.driver import Progress

__all__ = ["bar"]


@contextlib.contextmanager
def bar(quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """A callback that draws, or None where nobody looks: no terminal, or `quiet`."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    with Bar(
        SpinnerColumn(),
        TextColumn("{task.description:12}"),
        BarColumn(),
        TextColumn("{task.fields[loss]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
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

        yield show
