"""Optional packages, imported where they are used."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from coterie.errors import MissingDependency


def needed(module: str, owner: str, extra: str | None) -> Any:
    """Import an optional package, or say which command installs it: its extra, or by itself."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:  # installed, but broken inside: its own message says more
            raise
        raise _lacking(module, owner, extra) from error


def check_installed(module: str, owner: str, extra: str) -> None:
    """The same without importing it: for what is needed only later."""
    if importlib.util.find_spec(module) is None:
        raise _lacking(module, owner, extra)


def _lacking(module: str, owner: str, extra: str | None) -> MissingDependency:
    what = module if extra is None else f'"coterie[{extra}]"'
    return MissingDependency(
        f"{owner} needs the package {module!r}, which is not installed. Run: pip install {what}"
    )
