"""``coterie demo``: an embedded table, protected, written and reported."""

from __future__ import annotations

__all__ = ["command"]


def command() -> None:
    """Protect an embedded table; release and reports go to the folder demo."""
    from coterie.cli.demonstration import main

    main()
