"""The one folder that the app reads from and writes to, whatever a request names."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from coterie.errors import ParameterError, shown
from coterie.table import formats

if TYPE_CHECKING:
    from coterie.plan import Plan

__all__ = ["Folder"]

MOST_LISTED = 500
LONGEST = 255  # bytes of a name on most file systems


@dataclass(frozen=True)
class Folder:
    """A folder; what a name leads to must lie within it, links resolved.

    Examples
    --------
    >>> Folder.at(".").inside("../etc/passwd")
    Traceback (most recent call last):
    coterie.errors.ParameterError: The file must lie within the folder that the app was given. ...
    """

    root: Path

    @classmethod
    def at(cls, path: str | os.PathLike[str]) -> Folder:
        """The folder behind a path."""
        return cls(Path(os.path.realpath(path)))

    def inside(self, name: str) -> Path:
        """The path of `name`, which lies within the folder.

        Raises
        ------
        ParameterError
            If it does not: by ``..``, as another root, or through a link.
        """
        try:
            if not name.strip() or "\0" in name or name.startswith("~"):
                raise ValueError
            if any(len(part.encode()) > LONGEST for part in Path(name).parts):
                raise ValueError
            real = Path(os.path.realpath(self.root / name))
        except (ValueError, OSError):
            raise _outside(name) from None
        if self.root not in real.parents:
            raise _outside(name)
        return real

    def target(self, name: str) -> Path:
        """The path of a file to be written: as `inside`, in a folder that is there, not hidden."""
        path = self.inside(name)
        if path.name.startswith("."):
            raise ParameterError(
                f"A file to write must not be hidden. Got {shown(name)}; leave out the dot at the "
                "start of its name."
            )
        if not path.parent.is_dir():
            raise ParameterError(
                f"A file must be written into a folder that is there. Got {shown(name)}; make its "
                "folder first, or leave it out."
            )
        return path

    def holds_files_of(self, plan: Plan) -> None:
        """Refuse a plan that names a file outside: crosswalks, a population, hierarchies.

        Raises
        ------
        ParameterError
        """
        trees = (plan.hierarchies or {}).values()
        named = [rule["file"] for rule in trees if "file" in rule]
        for path in (*plan.previous, *([plan.population] if plan.population else ()), *named):
            self.inside(str(path))

    def tables(self) -> list[str]:
        """Names of the tables in the folder, those in folders of the first level included."""
        known = {e for f in formats.FORMATS.values() for e in f.extensions}
        return self._named(known)

    def plans(self) -> list[str]:
        """Names of the settings files."""
        return self._named({".toml"})

    def shown(self, path: Path) -> str:
        """How a path within the folder is named on the pages."""
        return path.relative_to(self.root).as_posix()

    def _named(self, extensions: set[str]) -> list[str]:
        found: list[str] = []
        for place in (self.root, *self._folders()):
            for entry in _entries(place):
                name = (place / entry.name).relative_to(self.root).as_posix()
                if Path(entry.name).suffix.lower() in extensions and self._holds(name):
                    found.append(name)
                if len(found) == MOST_LISTED:
                    return found
        return found

    def _folders(self) -> list[Path]:
        return [self.root / e.name for e in _entries(self.root) if e.is_dir(follow_symlinks=False)]

    def _holds(self, name: str) -> bool:
        try:
            return self.inside(name).is_file()
        except (ParameterError, OSError):
            return False


def _entries(place: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(place) as entries:
            seen = [entry for entry in entries if not entry.name.startswith(".")]
    except OSError:
        return []
    return sorted(seen, key=lambda entry: entry.name.casefold())


def _outside(name: str) -> ParameterError:
    return ParameterError(
        "The file must lie within the folder that the app was given. "
        f"Got {shown(name)}; choose one of the list, or start the app in its folder."
    )
