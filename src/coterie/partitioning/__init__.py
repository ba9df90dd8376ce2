"""Groups of similar records, at least k to a group: methods, their registry and their driver.

Names load on first use: options and thresholds are asked for by commands that partition nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coterie.imports.lazy import lazily

if TYPE_CHECKING:
    from coterie.partitioning.core import Partition
    from coterie.partitioning.dispatch import methods, partition
    from coterie.partitioning.path.mhm import mhm
    from coterie.partitioning.path.successive import fdm

__all__ = ["Partition", "fdm", "methods", "mhm", "partition"]

__getattr__ = lazily(
    __name__,
    {
        "Partition": "core",
        "fdm": "path.successive",
        "methods": "dispatch",
        "mhm": "path.mhm",
        "partition": "dispatch",
    },
)
