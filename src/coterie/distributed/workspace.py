"""Workspace: hidden folders for what tasks leave for each other, gone when the work has ended.

They hold original values, so nobody else may read them. A process that is killed leaves them
behind; the next one that writes the same target removes them.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from coterie.errors import DataError
from coterie.table import atomic

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["Workspace", "check_folder", "workspace"]

SUFFIX = ".coterie-work"
LOCK = "lock"


@dataclass(frozen=True)
class Workspace:
    """Where tasks write: `spool` for each other, `out` what is to be released."""

    spool: Path
    out: Path

    def publish(self, target: Path) -> None:
        """Give the released parts their name, in one step."""
        try:
            umask = os.umask(0)
            os.umask(umask)
            self.out.chmod(0o777 & ~umask)
            if target.is_dir():
                target.rmdir()  # it is empty: that was checked, and is checked again here
            os.replace(self.out, target)
        except OSError as error:
            raise atomic.cannot_write(str(target), error) from error


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
    place = Path(os.path.abspath(scratch)) if scratch is not None else target.parent
    if not place.is_dir():
        raise DataError(f"The scratch folder {place} does not exist. Make it first.")
    with contextlib.ExitStack() as stack:
        try:
            spool = stack.enter_context(_hidden(place, target.name))
            beside = stack.enter_context(_hidden(target.parent, target.name))
            out = beside / "out"
            out.mkdir(mode=0o700)
        except OSError as error:
            raise atomic.cannot_write(str(target), error) from error
        yield Workspace(spool, out)


@contextlib.contextmanager
def _hidden(place: Path, name: str) -> Iterator[Path]:
    prefix = f".{name[:100]}."
    _remove_abandoned(place, prefix)
    folder = place / f"{prefix}{secrets.token_hex(8)}{SUFFIX}"
    folder.mkdir(mode=0o700)
    descriptor = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        if fcntl is not None:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield folder
    finally:
        os.close(descriptor)
        # A worker that was told to stop may still be writing its last file.
        for _ in range(20):
            shutil.rmtree(folder, ignore_errors=True)
            if not folder.exists():
                break
            time.sleep(0.1)


def _remove_abandoned(place: Path, prefix: str) -> None:
    """Remove folders that killed processes left for this target; nothing else."""
    if fcntl is None:
        return
    ours = re.compile(re.escape(prefix) + "[0-9a-f]{16}" + re.escape(SUFFIX))
    with contextlib.suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if ours.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    descriptor = os.open(Path(entry.path) / LOCK, os.O_RDWR)
                    try:
                        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                        shutil.rmtree(entry.path, ignore_errors=True)
                    finally:
                        os.close(descriptor)
