"""What a process leaves behind that was killed."""

from __future__ import annotations

import secrets
import subprocess
import sys
from dataclasses import replace

from coterie.scratch.folders import MARKER, SUFFIX
from coterie.scratch.owner import Owner


def dead():
    """The owner of folders of a process that has ended."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return replace(Owner.here(), pid=child.pid, started=1)


def abandoned(place, name, owner=None):
    """A folder for the target `name`, as a dead process leaves it; or another owner's."""
    folder = place / f".{name}.{secrets.token_hex(8)}{SUFFIX}"
    folder.mkdir(mode=0o700)
    (folder / MARKER).write_bytes((owner or dead()).text())
    return folder
