"""What a release was made with and from: versions, and a hash that only its key can read."""

from __future__ import annotations

import hashlib
import hmac
import platform
import secrets
from functools import cache
from importlib.metadata import version

from coterie import __version__
from coterie.table.source import Source

__all__ = ["keyed_hash", "versions"]


def versions() -> dict[str, str]:
    """Of coterie and what decides its results."""
    return {"coterie": __version__, "python": platform.python_version(), **_installed()}


@cache
def _installed() -> dict[str, str]:
    return {name: version(name) for name in ("numpy", "numba", "pyarrow")}


def keyed_hash(source: Source) -> dict[str, str]:
    """HMAC over names and values: tells whether two inputs are equal only to who has the key."""
    key = secrets.token_bytes(16)
    digest = hmac.new(key, digestmod=hashlib.sha256)
    arrow = source.frame.to_arrow()
    digest.update(str(arrow.schema.remove_metadata()).encode())
    for column in arrow.columns:
        for chunk in column.chunks:
            for buffer in chunk.buffers():
                if buffer is not None:
                    digest.update(memoryview(buffer))
    return {"hmac_sha256": digest.hexdigest(), "key": key.hex()}
