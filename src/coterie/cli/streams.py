"""``-`` for standard input and output: spooled through a file, so that both stay atomic."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from coterie.errors import ParameterError

__all__ = ["distinct_paths", "input_path", "output_path", "write_text"]

EXTENSIONS = {"csv": ".csv", "parquet": ".parquet", "feather": ".feather"}


def distinct_paths(paths: Mapping[str, str | None], written: Sequence[str]) -> None:
    """Refuse two names of one file, and names that cannot be written, before any work is done."""
    from coterie.table import atomic

    taken: dict[str, str] = {}
    streams = [option for option in written if paths[option] == "-"]
    if len(streams) > 1:
        raise ParameterError(f"Only one of {' and '.join(streams)} can be standard output.")
    for option, path in paths.items():
        if path in (None, "-"):
            continue
        real = os.path.realpath(str(path))
        if real in taken:
            raise ParameterError(
                f"{option} must name a file of its own. Got {path!r}, which {taken[real]} names "
                "too; choose another name."
            )
        taken[real] = option
        if option in written:
            atomic.check_target(Path(real), str(path))


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
    atomic.write_text(Path(target), text)
