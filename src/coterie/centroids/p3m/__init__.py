"""P3M: centroids that keep the moments and stay away from the originals they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coterie.imports.lazy import lazily

if TYPE_CHECKING:
    from coterie.centroids.p3m.release import P3M, p3m

__all__ = ["P3M", "p3m"]

__getattr__ = lazily(__name__, {"P3M": "release", "p3m": "release"})
