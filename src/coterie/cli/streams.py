"""``-`` for standard input and output: spooled through a file, so that both stay atomic."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

__all__ = ["input_path", "output_path"]

EXTENSIONS = {"csv": ".csv", "parquet": ".parquet", "feather": ".feather"}


@contextlib.contextmanager
def input_path(given: str, format: str | None) -> Iterator[str]:
    """A path that holds what `given` names, standard input included."""
    if given != "-":
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="coterie-") as folder:
        path = Path(folder) / ("input" + EXTENSIONS.get(format or "csv", f".{format}"))
        with path.open("wb") as spool:
            shutil.copyfileobj(sys.stdin.buffer, spool)
        yield str(path)


@contextlib.contextmanager
def output_path(given: str, format: str | None) -> Iterator[str]:
    """A path to write to; if `given` is ``-`` it is copied to standard output at the end."""
    if given != "-":
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="coterie-") as folder:
        path = Path(folder) / ("output" + EXTENSIONS.get(format or "csv", f".{format}"))
        yield str(path)
        with path.open("rb") as spool:
            shutil.copyfileobj(spool, sys.stdout.buffer)
        sys.stdout.buffer.flush()
