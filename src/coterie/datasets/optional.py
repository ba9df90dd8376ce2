"""Optional packages, imported when a data set is asked for."""

from __future__ import annotations

from typing import Any

from coterie.imports import optional


def needed(module: str) -> Any:
    """Import a package of the extra ``datasets``, or say which command installs it."""
    return optional.needed(module, "coterie.datasets", "datasets")
