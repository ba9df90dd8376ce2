"""The command *demonstrate*: the embedded table as a file.

Here and not in the server, which would have to load pandas before it shows its first page.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coterie.app.child.desk import Desk

__all__ = ["write_table"]


def write_table(desk: Desk, command: Mapping[str, Any]) -> dict[str, Any]:
    """Write the diabetes patients as CSV."""
    from coterie.datasets import diabetes
    from coterie.table import atomic

    atomic.write_text(Path(command["path"]), diabetes().to_csv(index=False))
    return {}
