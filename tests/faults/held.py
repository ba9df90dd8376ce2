"""The command line, standing still amid its work: ``python -m tests.faults.held READY ARGUMENTS``.

It makes the file READY when something lies on the disk that must not stay there: a tile that is
being protected, a release that is not proven yet.
"""

from __future__ import annotations

import os
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

READY = "FAULTS_READY"  # also for the workers of a cluster


def hold(*_: Any, **__: Any) -> NoReturn:
    """In the place of a function that would go on."""
    Path(os.environ[READY]).touch()
    while True:
        time.sleep(0.05)


def main() -> int:
    """Run a command that will not get to its end."""
    from coterie.cli import main as run
    from coterie.pipeline import job
    from tests.faults import held

    os.environ[READY] = sys.argv[1]
    job.protect = held.hold  # type: ignore[assignment]
    import_module("coterie.table.write")._compare = held.hold  # type: ignore[attr-defined]
    return run(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
