"""Workspace: where tasks leave what the next ones need, gone when the work has ended.

It holds original values: see `coterie.scratch` for who may read it and who removes it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from coterie import scratch as owned
from coterie.errors import DataError
from coterie.table import atomic

__all__ = ["Workspace", "check_folder", "workspace"]


@dataclass(frozen=True)
class Workspace:
    """Where tasks write: `spool` for each other, `out` what is to be released.

    `own` is for what the workers of a cluster of our own keep for themselves.
    """

    spool: Path
    out: Path
    own: Path

    def publish(self, target: Path) -> None:
        """Give the released parts their name, in one step."""
        try:
            for part in self.out.iterdir():
                part.chmod(atomic.new_mode(0o666))
            self.out.chmod(atomic.new_mode(0o777))
            if target.is_dir():
                target.rmdir()  # it is empty: that was checked, and is checked again here
            os.replace(self.out, target)
        except OSError as error:
            raise atomic.cannot_write(str(target), error) from error
        owned.note_written(str(target))


def check_folder(target: Path) -> None:
    """Refuse a folder that holds something: it could not be replaced in one step."""
    try:
        if target.is_dir() and any(target.iterdir()):
            raise DataError(
                f"{target} is a folder that holds files. Remove it, or choose another name."
            )
        if not target.is_dir():
            atomic.check_target(target, str(target))
        if target.is_file():
            raise DataError(
                f"{target} is a file, and a folder of parts would be written. Choose a name that "
                "ends in .parquet, or another one."
            )
    except OSError as error:
        raise atomic.cannot_write(str(target), error) from error


@contextlib.contextmanager
def workspace(target: Path, scratch: str | os.PathLike[str] | None) -> Iterator[Workspace]:
    """Hidden folders beside `target`; the spool in `scratch` if that is given."""
    if scratch is not None and not Path(scratch).is_dir():
        raise DataError(f"The scratch folder {scratch} does not exist. Make it first.")
    with contextlib.ExitStack() as stack:
        try:
            hidden = stack.enter_context(owned.folder(target.parent, target.name))
            place = hidden
            if scratch is not None:
                place = stack.enter_context(owned.folder(scratch, target.name, holder=hidden))
            folders = Workspace(place / "spool", hidden / "out", place / "own")
            for folder in (folders.spool, folders.out, folders.own):
                folder.mkdir(mode=0o700)
        except OSError as error:
            raise atomic.cannot_write(str(target), error) from error
        yield folders
