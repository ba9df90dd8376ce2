"""The command line: a thin skin over the same functions, one file a command.

Exit codes: 0 done, 1 not k-anonymous, 2 bad input, 70 a bug, 130 interrupted. Every error is one
line.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    from coterie.cli.memory import begin_modestly

    try:
        begin_modestly()
        from coterie.cli.app import run  # loaded here, so that Ctrl-C meanwhile ends in one line

        return run(arguments)
    except KeyboardInterrupt:
        print("coterie: interrupted; nothing was written", file=sys.stderr)
        return 130
