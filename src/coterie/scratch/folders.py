"""Folders that hold what is not released yet: hidden, the user's alone, gone when the work ends.

A process that is killed leaves its folders behind. Whoever makes one in the same place later
removes those first: of any process of this machine that is dead, and of those on other machines
that wrote the same target. A process is dead if the lock on its marker is free, or, where the file
system has no locks, if the marker says so for certain. Nothing is touched but folders of this
user with our name and marker. Content goes before the marker, so that whoever is killed while
removing leaves something that the next one still knows.

A folder elsewhere (``--scratch``) is named in one beside the target, before it is made: the next
job on that target finds it there, wherever it puts its own.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import mmap
import os
import re
import shutil
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from coterie.scratch.owner import Owner, lock

SUFFIX = ".coterie-work"
MARKER = "owner.json"
ELSEWHERE = "elsewhere.json"
OURS = re.compile(r"\.(?P<name>.+)\.[0-9a-f]{16}" + re.escape(SUFFIX), re.DOTALL)
NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)

# What this process has made and not removed yet, with its number then (a fork has another) and the
# locked marker. Changed by single steps only: a signal may end the process between any two.
_folders: dict[Path, tuple[int, int]] = {}
_swept: set[Path] = set()
# Address space that is given back before anything is removed: where a limit is used up, a folder
# could not even be listed. Never touched, so it costs none of the machine's memory.
_reserve: list[mmap.mmap] = []
RESERVED = 2**23

written: deque[str] = deque(maxlen=20)  # names that whole files and folders have taken


@contextlib.contextmanager
def folder(
    place: str | os.PathLike[str] | None, name: str, *, holder: Path | None = None
) -> Iterator[Path]:
    """A new hidden folder in `place`, for the target `name`; removed when the block ends.

    Parameters
    ----------
    place : path or None
        None for the system's folder for temporary files.
    name : str
        What it is for: part of the folder's name.
    holder : path, optional
        Another folder of ours, which is to tell where this one is.

    Raises
    ------
    OSError
        If it cannot be made.
    """
    temporary = Path(os.path.realpath(tempfile.gettempdir()))
    here = temporary if place is None else Path(os.path.realpath(place))
    if temporary not in _swept:  # once: what is left there is no target's
        _swept.add(temporary)
        atexit.register(clear)  # what an interrupt kept from being removed
        sweep(temporary)
    if not _reserve:
        with contextlib.suppress(OSError):
            _reserve.append(mmap.mmap(-1, RESERVED))
    sweep(here, name)
    tried: list[Path] = []
    try:
        yield _make(here, name, holder, tried)
    finally:
        for path in tried:
            _remove(path)
            _give_up(path)


def private_file(path: Path) -> None:
    """Make an empty file that nobody else may read, to be written by whoever knows its name."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


@contextlib.contextmanager
def temporary_files_in(place: Path) -> Iterator[None]:
    """Libraries that make files of their own make them in `place` as long as the block lasts."""
    before = tempfile.tempdir
    tempfile.tempdir = str(place)
    try:
        yield
    finally:
        tempfile.tempdir = before


def note_written(name: str) -> None:
    """Remember that a file or folder has taken its name."""
    written.append(name)


def clear(*, settle: float = 0.0) -> bool:
    """Remove all folders that this process has made; whether they are gone.

    Where another thread has been stopped amid making one, that appears within `settle` seconds.
    """
    # The latest first: what lies elsewhere goes before the folder that names it.
    paths = list(reversed(_folders))
    gone = [_remove(path) for path in paths]
    if settle:
        time.sleep(settle)
        for path in paths:
            shutil.rmtree(path, ignore_errors=True)
    return all(gone) and not any(path.exists() for path in paths)


def sweep(place: Path, name: str | None = None) -> None:
    """Remove from `place` what dead processes left: of this machine, or of any for `name`."""
    wanted = None if name is None else _short(name)
    with contextlib.suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            ours = OURS.fullmatch(entry.name)
            if ours and entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _sweep_one(Path(entry.path), same_target=ours["name"] == wanted)


def _make(place: Path, name: str, holder: Path | None, tried: list[Path]) -> Path:
    """A folder with a locked marker; `tried` holds every name before it exists."""
    while True:
        path = place / f".{_short(name)}.{_drawn()}{SUFFIX}"
        if holder is not None:
            (holder / ELSEWHERE).unlink(missing_ok=True)
            private_file(holder / ELSEWHERE)
            (holder / ELSEWHERE).write_text(json.dumps([str(path)]), encoding="utf-8")
        tried.append(path)
        _folders[path] = (os.getpid(), -1)
        try:
            path.mkdir(mode=0o700)
        except FileExistsError:  # not ours
            del tried[-1], _folders[path]
            continue
        try:
            marker = os.open(path / MARKER, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        except FileNotFoundError:  # it was empty, and somebody who sweeps took it for abandoned
            continue
        _folders[path] = (os.getpid(), marker)
        # The same may happen until the lock is taken.
        if lock(marker) is not False and os.fstat(marker).st_nlink:
            os.write(marker, Owner.here().text())
            return path


def _remove(path: Path) -> bool:
    """Remove a folder of this process; whether it is gone."""
    if _folders.get(path, (0, -1))[0] != os.getpid():  # made before a fork: it is the parent's
        return True
    _reserve.clear()
    for attempt in range(20):
        if attempt:  # a worker that was told to stop may still be writing
            time.sleep(0.1)
        if _emptied(path):
            _give_up(path)
            _drop(path)
            if not path.exists():
                return True
            _folders[path] = (os.getpid(), -1)
    return False


def _give_up(path: Path) -> None:
    """Forget a folder and free its marker: what is left of it is anybody's to sweep."""
    process, marker = _folders.pop(path, (0, -1))
    if marker >= 0 and process == os.getpid():
        os.close(marker)


def _emptied(path: Path) -> bool:
    """Remove what a folder holds but its marker; whether nothing else is left."""
    try:
        names = [name for name in os.listdir(path) if name != MARKER]
        for one in map(path.joinpath, names):
            if one.is_dir() and not one.is_symlink():
                shutil.rmtree(one, ignore_errors=True)
            else:
                one.unlink(missing_ok=True)
        return all(name == MARKER for name in os.listdir(path))
    except FileNotFoundError:
        return True
    except (OSError, MemoryError):
        return False


def _drop(path: Path) -> None:
    """Remove the marker, which nobody holds any more, and the folder."""
    with contextlib.suppress(OSError):
        (path / MARKER).unlink(missing_ok=True)
        path.rmdir()


def _sweep_one(path: Path, *, same_target: bool) -> None:
    """Remove a folder if it is this user's and its process is dead."""
    if path in _folders or not _of_this_user(path):
        return
    try:
        marker = os.open(path / MARKER, os.O_RDWR | NOFOLLOW)
    except FileNotFoundError:
        path.rmdir()  # only an empty one: its process ended before it left a marker
        return
    try:
        if not _abandoned(marker, same_target=same_target):
            return
        for other in _elsewhere(path):
            with contextlib.suppress(OSError):
                _sweep_one(other, same_target=True)
            if other.exists():  # not yet: the next one must still find it
                return
        if not _emptied(path):
            return
        if os.name != "nt":  # which removes no open file
            # Before the lock is free: whoever is about to take it sees that the marker has gone.
            (path / MARKER).unlink()
    finally:
        os.close(marker)
    _drop(path)


def _abandoned(marker: int, *, same_target: bool) -> bool:
    """Whether the process that wrote an open marker is dead, for certain."""
    owner = Owner.parse(os.read(marker, 4096))
    lives = None if owner is None or owner == Owner.here() else owner.lives  # ours: given up
    free = lock(marker)
    if free is False or lives or (free is None and lives is None):
        return False
    # Where locks do not reach from machine to machine, a free one says nothing about another's.
    return same_target or owner is None or owner.near


def _elsewhere(path: Path) -> list[Path]:
    """Folders of ours in other places that a folder names."""
    try:
        found = json.loads((path / ELSEWHERE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    places = [Path(one) for one in found if isinstance(one, str)] if isinstance(found, list) else []
    return [
        one
        for one in places
        if one.is_absolute() and OURS.fullmatch(one.name) and one.is_dir() and not one.is_symlink()
    ]


def _of_this_user(path: Path) -> bool:
    return not hasattr(os, "geteuid") or path.lstat().st_uid == os.geteuid()


def _drawn() -> str:
    return os.urandom(8).hex()


def _short(name: str) -> str:
    """A target's name, short enough to be part of another on any file system."""
    if len(name.encode(errors="surrogateescape")) > 150:
        import hashlib

        digest = hashlib.sha256(name.encode(errors="surrogateescape")).hexdigest()
        name = name[:30] + "-" + digest[:16]
    return name
