"""Files and folders that are replaced whole or not at all.

The new content is written into a hidden folder beside its target (`coterie.scratch`), on the same
file system, and takes the target's name in one step. Whatever happens before that step leaves the
old file as it was. A process that is killed leaves its hidden folder behind; the next one that
writes into the same place removes it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coterie import scratch
from coterie.errors import DataError, bad_parameter

__all__ = [
    "cannot_write",
    "check_folder",
    "check_target",
    "ends_in_slash",
    "folder",
    "new_mode",
    "path_of",
    "replacing",
    "sync",
    "try_folder",
    "try_target",
    "whole",
    "write_bytes",
    "write_text",
]


@contextlib.contextmanager
def replacing(target: str | os.PathLike[str], called: str | None = None) -> Iterator[Path]:
    """A hidden file to write to; it replaces `target` when the block ends without an error.

    A link is followed: the file behind it is replaced. An existing file keeps its mode. Messages
    call the target `called`.

    Raises
    ------
    DataError
        When the target is no file or its folder cannot be written.
    """
    path = Path(os.path.realpath(target))
    name = str(target) if called is None else called
    check_target(path, name)
    with contextlib.ExitStack() as stack:
        try:
            place = stack.enter_context(scratch.folder(path.parent, path.name))
            temporary = place / path.name
            mode = _create(temporary)
        except OSError as error:
            raise cannot_write(name, error) from error
        yield temporary
        try:
            sync(temporary)
            with contextlib.suppress(FileNotFoundError):
                mode = stat.S_IMODE(path.stat().st_mode)
            temporary.chmod(mode)
            os.replace(temporary, path)
        except OSError as error:
            raise cannot_write(name, error) from error
        if called is None:  # else the caller goes on with it
            scratch.note_written(name)
        _sync_folder(path.parent)


def write_text(target: Path, text: str) -> None:
    """Write a text file whole or not at all."""
    write_bytes(target, text.encode())


def write_bytes(target: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    with replacing(target) as temporary:
        try:
            temporary.write_bytes(content)
        except OSError as error:
            raise cannot_write(str(target), error) from error


@contextlib.contextmanager
def folder(target: str | os.PathLike[str]) -> Iterator[Path]:
    """A hidden folder to write to; it becomes `target` when the block ends without an error.

    What is there is never overwritten: the target must not exist, or be empty.
    """
    path = Path(os.path.realpath(target))
    check_folder(path, str(target))
    with contextlib.ExitStack() as stack:
        try:
            temporary = stack.enter_context(scratch.folder(path.parent, path.name)) / path.name
            temporary.mkdir(mode=0o700)
        except OSError as error:
            raise cannot_write(str(target), error) from error
        yield temporary
        try:
            for file in temporary.rglob("*"):
                if file.is_file():
                    sync(file)
            temporary.chmod(new_mode(0o777))
            if path.exists():
                path.rmdir()  # empty; POSIX would replace it, Windows does not
            temporary.rename(path)
        except OSError as error:
            raise cannot_write(str(target), error) from error
        scratch.note_written(str(target))
        _sync_folder(path.parent)


def check_folder(path: Path, target: str) -> None:
    """Refuse a folder that cannot be made, or that holds something."""
    try:
        if path.exists() and not path.is_dir():
            raise DataError(f"{target} is a file, not a folder. Name a new folder.")
        if path.is_dir() and any(path.iterdir()):
            raise DataError(
                f"{target} must be a new or empty folder. Got one with files in it; choose another "
                "name, or move them."
            )
        if not path.parent.is_dir():
            raise DataError(
                f"{target} cannot be written: the folder above does not exist. Make it first."
            )
        if not os.access(path.parent, os.W_OK):
            raise DataError(
                f"{target} cannot be written: the folder above is read-only. Choose another one."
            )
    except DataError:
        raise
    except (OSError, ValueError) as error:
        raise DataError(f"{target!r} cannot be written ({error}). Check the path.") from error


def new_mode(mode: int) -> int:
    """A mode without what the process leaves out of new files; only setting that tells it."""
    mask = os.umask(0)
    os.umask(mask)
    return mode & ~mask


def sync(path: Path) -> None:
    """Wait until the file's content is on the disk."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def cannot_write(target: str, error: OSError) -> DataError:
    """The one line for a file that could not be written."""
    remedy = {
        errno.ENOSPC: "Free some space or choose another disk",
        errno.EDQUOT if hasattr(errno, "EDQUOT") else -1: "Free some of your quota",
        errno.EFBIG: "Choose a disk that holds larger files",
        errno.EACCES: "Choose a folder you may write to",
        errno.EPERM: "Choose a folder you may write to",
        errno.EROFS: "Choose a folder you may write to",
        errno.ENAMETOOLONG: "Choose a shorter name",
    }.get(error.errno or 0, "Check the path and the disk")
    reason = error.strerror or " ".join(str(error).split())
    return DataError(f"{target} cannot be written ({reason}). {remedy}; nothing was changed.")


@contextlib.contextmanager
def whole(path: Path, *, lasting: bool = False) -> Iterator[Path]:
    """A name to write to; the file takes its own when it is whole, and on the disk if `lasting`.

    For files in a scratch folder: what is cut short is beside nothing that anybody reads.
    """
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}.partial")
    try:
        scratch.private_file(temporary)
        yield temporary
        if lasting:
            sync(temporary)
        os.replace(temporary, path)
    except OSError as error:
        raise cannot_write(str(path), error) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def path_of(target: Any, owner: str = "write", *, folders: bool = False) -> Path:
    """The path of a file to write, or `ParameterError`.

    Where there may be `folders`, too, a name without extension may end in a slash.
    """
    try:
        path, name = Path(target), os.fsencode(target)
        if not name or b"\0" in name:
            raise ValueError
    except (TypeError, ValueError):  # no path, or a name that no file can have
        raise bad_parameter("target", owner, "the path of a file", target) from None
    if ends_in_slash(target) and (path.suffix or not folders):
        rule = "the path of a file" + (", without a slash at its end" if path.name else "")
        rule += ", or of a folder without extension" if folders else ""
        raise bad_parameter("target", owner, rule, target)
    return path


def ends_in_slash(target: str | os.PathLike[str]) -> bool:
    """Whether a name is that of a folder: a `Path` of it would be a file's.

    >>> ends_in_slash("out.csv/"), ends_in_slash("folder/out.csv")
    (True, False)
    """
    return os.path.basename(os.fspath(target)) in ("", os.curdir)


def check_target(path: Path, target: str) -> None:
    """Refuse what cannot be written: a folder, a device, a file in no folder, a read-only one."""
    try:
        if path.is_dir():
            raise DataError(f"{target} is a folder, not a file. Name a file in it.")
        if not path.parent.is_dir():
            raise DataError(
                f"{target} cannot be written: its folder does not exist. Make it first."
            )
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise DataError(
                f"{target} cannot be written: its folder is read-only. Choose another one."
            )
        if path.exists():
            if not path.is_file():
                raise DataError(f"{target} is a device or pipe, not a file. Name a file.")
            if not os.access(path, os.W_OK):
                raise DataError(f"{target} is read-only. Allow writing, or choose another name.")
    except DataError:
        raise
    except (OSError, ValueError) as error:
        raise DataError(f"{target!r} cannot be written ({error}). Check the path.") from error


def try_target(path: Path, target: str) -> None:
    """Refuse a file that cannot be written, whatever the reason, by trying it."""
    check_target(path, target)
    _try(path, target)


def try_folder(path: Path, target: str) -> None:
    """Refuse a folder that cannot be made, or that holds something, by trying it."""
    check_folder(path, target)
    _try(path, target)


def _try(path: Path, target: str) -> None:
    try:
        with scratch.folder(path.parent, path.name):
            pass
    except OSError as error:
        raise cannot_write(target, error) from error


def _create(path: Path) -> int:
    """Make a file that nobody else may read; gives the mode that the caller's umask wanted."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666)
    try:
        mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
        path.chmod(0o600)
    finally:
        os.close(descriptor)
    return mode


def _sync_folder(folder: Path) -> None:
    """Make the rename last through a crash, where folders can be synchronized."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
