"""The command line: a thin skin over the same functions, one file a command.

Exit codes: 0 done, 1 not k-anonymous, 2 bad input, 70 a bug, 130 interrupted, 128 plus the number
of another signal that ended it. Every error is one line.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    # Loaded here, so that Ctrl-C meanwhile ends in one line.
    try:
        from coterie.cli.memory import begin_modestly

        begin_modestly()
        from coterie.cli.signals import ended, heard

        with heard():
            try:
                from coterie.cli.app import run

                return run(arguments)
            except KeyboardInterrupt:
                print(ended("interrupted"), file=sys.stderr)
                return 130
    except KeyboardInterrupt:
        print("coterie: interrupted; nothing was written", file=sys.stderr)
        return 130
