"""Scratch: the one owner of what lies on the disk before it is released, or holds originals.

`folder` makes a hidden folder that only the user may read, with a marker that tells which process
made it, and removes it when the block ends. `sweep` removes what dead processes left. `clear`
removes everything that this process has made, for those who end it.
"""

from __future__ import annotations

from coterie.scratch.folders import (
    SUFFIX,
    clear,
    folder,
    note_written,
    private_file,
    sweep,
    temporary_files_in,
    written,
)

__all__ = [
    "SUFFIX",
    "clear",
    "folder",
    "note_written",
    "private_file",
    "sweep",
    "temporary_files_in",
    "written",
]
