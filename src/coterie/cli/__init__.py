"""The command line: a thin skin over the same functions, one file a command.

Exit codes: 0 done, 1 not k-anonymous, 2 bad input, 130 interrupted. Every error is one line.
"""

from coterie.cli.app import main

__all__ = ["main"]
