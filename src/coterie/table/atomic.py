"""Files that are replaced whole or not at all.

The new content is written into a hidden file beside its target, on the same file system, and takes
the target's name in one step. Whatever happens before that step leaves the old file as it was. A
process that is killed leaves its hidden file behind; the next one that writes the same target
removes it. A hidden file is locked as long as its writer lives, so that no other takes it for
abandoned; where locks do not exist, Windows refuses to delete an open file.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from coterie.errors import DataError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = [
    "cannot_write",
    "check_folder",
    "check_target",
    "folder",
    "replacing",
    "sync",
    "write_text",
]

SUFFIX = ".coterie-tmp"


@contextlib.contextmanager
def replacing(target: str | os.PathLike[str]) -> Iterator[Path]:
    """A hidden file to write to; it replaces `target` when the block ends without an error.

    A link is followed: the file behind it is replaced. An existing file keeps its mode.

    Raises
    ------
    DataError
        When the target is no file or its folder cannot be written.
    """
    path = Path(os.path.realpath(target))
    check_target(path, str(target))
    _remove_abandoned(path)
    temporary: Path | None = None
    descriptor = -1
    try:
        try:
            while descriptor < 0:
                temporary = path.with_name(_prefix(path.name) + secrets.token_hex(8) + SUFFIX)
                descriptor, mode = _create(temporary)
        except OSError as error:
            raise cannot_write(str(target), error) from error
        assert temporary is not None
        yield temporary
        try:
            sync(temporary)
            with contextlib.suppress(FileNotFoundError):
                mode = stat.S_IMODE(path.stat().st_mode)
            temporary.chmod(mode)
            os.close(descriptor)  # Windows renames no open file
            descriptor = -1
            os.replace(temporary, path)
        except OSError as error:
            raise cannot_write(str(target), error) from error
        _sync_folder(path.parent)
    finally:
        if descriptor >= 0:
            os.close(descriptor)
        if temporary is not None:  # gone after a rename; the name is random, nobody else's
            with contextlib.suppress(OSError):
                temporary.unlink()


def write_text(target: Path, text: str) -> None:
    """Write a text file whole or not at all."""
    with replacing(target) as temporary:
        try:
            temporary.write_text(text, encoding="utf-8")
        except OSError as error:
            raise cannot_write(str(target), error) from error


@contextlib.contextmanager
def folder(target: str | os.PathLike[str]) -> Iterator[Path]:
    """A hidden folder to write to; it becomes `target` when the block ends without an error.

    What is there is never overwritten: the target must not exist, or be empty.
    """
    path = Path(os.path.realpath(target))
    check_folder(path, str(target))
    temporary = path.with_name(_prefix(path.name) + secrets.token_hex(8) + SUFFIX)
    try:
        try:
            temporary.mkdir(mode=0o700)
        except OSError as error:
            raise cannot_write(str(target), error) from error
        yield temporary
        try:
            for file in temporary.rglob("*"):
                if file.is_file():
                    sync(file)
            temporary.chmod(0o777 & ~_umask())
            if path.exists():
                path.rmdir()  # empty; POSIX would replace it, Windows does not
            temporary.rename(path)
        except OSError as error:
            raise cannot_write(str(target), error) from error
        _sync_folder(path.parent)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def check_folder(path: Path, target: str) -> None:
    """Refuse a folder that cannot be made, or that holds something."""
    try:
        if path.exists() and not path.is_dir():
            raise DataError(f"{target} is a file, not a folder. Name a new folder.")
        if path.is_dir() and any(path.iterdir()):
            raise DataError(f"{target} must be a new or empty folder. Got one with files in it.")
        if not path.parent.is_dir():
            raise DataError(
                f"{target} cannot be written: the folder above does not exist. Make it first."
            )
        if not os.access(path.parent, os.W_OK):
            raise DataError(f"{target} cannot be written: the folder above is read-only.")
    except (OSError, ValueError) as error:
        raise DataError(f"{target!r} cannot be written ({error}). Check the path.") from error


def _umask() -> int:
    """What the process leaves out of the mode of new files; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


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


def check_target(path: Path, target: str) -> None:
    """Refuse what cannot be written: a folder, a device, a file in no folder, a read-only one."""
    try:
        if path.is_dir():
            raise DataError(f"{target} is a folder, not a file. Name a file in it.")
        if not path.parent.is_dir():
            raise DataError(
                f"{target} cannot be written: its folder does not exist. Make it first."
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


def _create(path: Path) -> tuple[int, int]:
    """Make a hidden file that is locked; gives -1 if another took it for abandoned meanwhile."""
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666)
    except FileExistsError:
        return -1, 0
    try:
        # The mode that the caller's umask gives a new file; until it is proven, nobody else reads.
        mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
        path.chmod(0o600)
        if fcntl is not None:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            if os.fstat(descriptor).st_nlink == 0:
                os.close(descriptor)
                return -1, 0
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor, mode


def _remove_abandoned(path: Path) -> None:
    """Remove hidden files that killed processes left for this target; nothing else."""
    ours = re.compile(re.escape(_prefix(path.name)) + "[0-9a-f]{16}" + re.escape(SUFFIX))
    with contextlib.suppress(OSError), os.scandir(path.parent) as entries:
        for entry in entries:
            if ours.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _remove_if_unlocked(entry.path)


def _remove_if_unlocked(path: str) -> None:
    if fcntl is None:
        os.unlink(path)
        return
    descriptor = os.open(path, os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # an error: its writer lives
        os.unlink(path)
    finally:
        os.close(descriptor)


def _prefix(name: str) -> str:
    """The beginning of hidden names for a target, short enough for any file system."""
    if len(name.encode()) > 150:
        name = name[:30] + "-" + hashlib.sha256(name.encode()).hexdigest()[:16]
    return f".{name}."


def _sync_folder(folder: Path) -> None:
    """Make the rename last through a crash, where folders can be synchronised."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
