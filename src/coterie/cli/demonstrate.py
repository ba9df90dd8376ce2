"""``coterie demo``: an embedded table, protected by every method."""

from __future__ import annotations

__all__ = ["command"]


def command() -> None:
    """Protect an embedded table by every method and compare them."""
    from coterie.demo import main

    main()
