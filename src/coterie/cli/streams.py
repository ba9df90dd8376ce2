"""What a command reads and writes: ``-`` for standard input and output, names checked first.

Both streams go through a file of ours (`coterie.scratch`), so that what is read is whole before
anything is done with it, and what is written is proven before anybody sees it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie import scratch
from coterie.errors import DataError, ParameterError

if TYPE_CHECKING:
    from coterie.table.source import Source

__all__ = [
    "check_output",
    "check_text",
    "distinct_paths",
    "read_input",
    "write_output",
    "write_text",
]

STDOUT = "standard output"
USUAL = "csv"  # format of a stream, unless --format says otherwise


def distinct_paths(paths: Mapping[str, str | None], written: Sequence[str]) -> None:
    """Refuse two names of one file, and names that cannot be written, before any work is done."""
    from coterie.table import atomic

    taken: dict[object, str] = {}
    streams = [option for option in written if paths[option] == "-"]
    if len(streams) > 1:
        raise ParameterError(f"Only one of {' and '.join(streams)} can be {STDOUT}.")
    for option, path in paths.items():
        if path in (None, "-"):
            continue
        try:
            real = os.path.realpath(str(path)) if path else ""
        except ValueError:  # no name holds a NUL
            real = ""
        if not real:
            raise ParameterError(f"{option} must name a file. Got {path!r}.")
        if option in written and atomic.ends_in_slash(path) and not os.path.isdir(real):
            raise ParameterError(
                f"{option} must name a file. Got {path!r}; leave out the slash at its end."
            )
        for one in _identities(real):
            if one in taken:
                raise ParameterError(
                    f"{option} must name a file of its own. Got {path!r}, which {taken[one]} names "
                    "too; choose another name."
                )
            taken[one] = option
        if option in written:
            atomic.try_target(Path(real), str(path))


def _identities(real: str) -> Iterator[object]:
    """What two names of one file have in common: the resolved path, or the file behind it."""
    yield os.path.normcase(real)
    with contextlib.suppress(OSError, ValueError):
        found = os.stat(real)
        yield found.st_dev, found.st_ino


def check_output(output: str, given: str, file_format: str | None) -> None:
    """Refuse a format that cannot be written, or lacks a package, before any work is done."""
    from coterie.table import formats

    path = Path(output)
    if output != "-" and path.suffix:
        chosen = formats.by_extension(path, writing=True)
    elif file_format is not None or "-" in (output, given):
        chosen = formats.by_name(file_format or USUAL)
    else:
        chosen = formats.by_extension(Path(given))
    chosen.check_writing()


def check_text(option: str, path: str | None, written: str = "CSV") -> None:
    """Refuse an ending of another format for what is always written as CSV, or as JSON."""
    from coterie.table import formats

    known = formats.FORMATS[USUAL].extensions if written == "CSV" else (".json",)
    if path not in (None, "-") and Path(str(path)).suffix.lower() not in known:
        end = f".{written.lower()}"
        raise ParameterError(
            f"{option} is written as {written} and must end in {end}. Got {path!r}."
        )


def read_input(
    given: str, file_format: str | None, *, spelled: bool = False, **options: Any
) -> Source:
    """The table that `given` names, ``-`` being standard input; see `coterie.table.read`."""
    from coterie.table.read import STDIN, read, read_file

    if given != "-":
        return read(given, format=file_format, spelled=spelled, **options)
    with contextlib.ExitStack() as stack:
        try:
            spool = stack.enter_context(scratch.folder(None, "coterie")) / "input"
            scratch.private_file(spool)
            with spool.open("wb") as file:
                shutil.copyfileobj(sys.stdin.buffer, file)
        except OSError as error:
            raise _no_room(STDIN, error) from error
        given_options = {name: value or None for name, value in options.items()}
        return read_file(spool, STDIN, file_format or USUAL, given_options, spelled=spelled)


def write_output(output: str, file_format: str | None, write: Callable[..., object]) -> None:
    """Call `write` with a path, and `called=` where it has another name for the user.

    What is written for ``-`` is copied to standard output.
    """
    from coterie.table import formats

    if output != "-":
        write(output)
        return
    extension = formats.by_name(file_format or USUAL).writable[0]
    with contextlib.ExitStack() as stack:
        try:
            spool = stack.enter_context(scratch.folder(None, "coterie")) / f"output{extension}"
        except OSError as error:
            raise _no_room(STDOUT, error) from error
        write(spool, called=STDOUT)
        try:
            with spool.open("rb") as file:
                shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise DataError(
                f"{STDOUT} cannot be written to its end ({error.strerror}). What went there is "
                "incomplete; name a file with -o."
            ) from error
    scratch.note_written(STDOUT)


def write_text(target: str, text: str) -> None:
    """Write a text file whole or not at all; ``-`` is standard output."""
    from coterie.table import atomic

    if target == "-":
        sys.stdout.write(text)
        return
    atomic.write_text(Path(target), text)


def _no_room(stream: str, error: OSError) -> DataError:
    reason = error.strerror or " ".join(str(error).split())
    return DataError(
        f"{stream} cannot be kept in a temporary file ({reason}). Free some space, or let TMPDIR "
        "name a folder with more."
    )
