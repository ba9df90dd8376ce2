"""``-`` for standard input and output: spooled through a file, so that both stay atomic."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

__all__ = ["input_path", "output_path", "write_text"]

EXTENSIONS = {"csv": ".csv", "parquet": ".parquet", "feather": ".feather"}


@contextlib.contextmanager
def input_path(given: str, file_format: str | None) -> Iterator[str]:
    """A path that holds what `given` names, standard input included."""
    if given != "-":
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="coterie-") as folder:
        path = Path(folder) / ("input" + EXTENSIONS.get(file_format or "csv", f".{file_format}"))
        with path.open("wb") as spool:
            shutil.copyfileobj(sys.stdin.buffer, spool)
        yield str(path)


@contextlib.contextmanager
def output_path(given: str, file_format: str | None) -> Iterator[str]:
    """A path to write to; if `given` is ``-`` it is copied to standard output at the end."""
    if given != "-":
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="coterie-") as folder:
        path = Path(folder) / ("output" + EXTENSIONS.get(file_format or "csv", f".{file_format}"))
        yield str(path)
        with path.open("rb") as spool:
            shutil.copyfileobj(spool, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def write_text(target: str, text: str) -> None:
    """Write a text file whole or not at all; ``-`` is standard output."""
    from coterie.table import atomic

    if target == "-":
        sys.stdout.write(text)
        return
    with atomic.replacing(Path(target)) as temporary:
        try:
            temporary.write_text(text, encoding="utf-8")
            atomic.sync(temporary)
        except OSError as error:
            raise atomic.cannot_write(target, error) from error
