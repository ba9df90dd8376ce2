"""``coterie evaluate``: how risky and how useful a release is."""

from __future__ import annotations

__all__ = ["command"]


def command() -> None:
    """Stub."""
