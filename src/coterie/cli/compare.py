"""``coterie evaluate``: how risky and how useful is a release?"""

from __future__ import annotations

__all__ = ["command"]


def command() -> None:
    """Stub."""
