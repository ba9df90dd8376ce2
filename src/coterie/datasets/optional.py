"""Optional packages, imported when a data set is asked for."""

from __future__ import annotations

import importlib
from typing import Any

from coterie.errors import MissingDependency


def needed(module: str) -> Any:
    """Import an optional package, or say which command installs it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:  # installed, but broken inside: its own message says more
            raise
        raise MissingDependency(
            f"coterie.datasets needs the package {module!r}, which is not installed. "
            'Run: pip install "coterie[datasets]"'
        ) from error
