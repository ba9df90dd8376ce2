"""The gate before the reference data: it opens for tests with the mark ``data`` alone.

A machine that has the data would hide a missing mark: the test passes there, and fails for
everybody else. So no test without the mark can reach them, wherever it runs. In this process the
loaders refuse; a process that a test starts finds no `COTERIE_DATA`, an empty HOME and no way to
the network. A test with the mark is skipped where the data cannot be had.
"""

from __future__ import annotations

import contextlib
import functools
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from coterie.datasets import reference

PUBLISHED = dict(reference._SHA256)
SOURCE = reference._SOURCE
REFUSED = "reaches the reference data ({}) without the mark `data`"
NOWHERE = "http://127.0.0.1:9"  # the port of the discard service: nobody listens
HIDDEN = ("COTERIE_DATA", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
PROXIES = ("http_proxy", "https_proxy", "all_proxy")


class Gate:
    """Closed, unless a test with the mark is at work."""

    def __init__(self, fonts: Path) -> None:
        self.opened = False
        self.fonts = fonts
        self.home = tempfile.TemporaryDirectory(prefix="coterie-home-")
        self._checked, self._download = reference._checked, reference._download

    def build(self) -> None:
        """Put the gate before the loaders."""

        @functools.wraps(self._checked)
        def checked(path: Path, name: str, *arguments: object, **named: object) -> bytes:
            content = self._checked(path, name, *arguments, **named)
            if not self.opened and reference._SHA256[name] == PUBLISHED[name]:
                pytest.fail(REFUSED.format(path))
            return content

        @functools.wraps(self._download)
        def download(name: str, *arguments: object) -> bytes:
            if not self.opened and reference._SOURCE == SOURCE:
                pytest.fail(REFUSED.format(SOURCE + name))
            return self._download(name, *arguments)

        reference._checked, reference._download = checked, download

    def remove(self) -> None:
        """Leave the loaders as they were."""
        reference._checked, reference._download = self._checked, self._download
        self.home.cleanup()

    @contextlib.contextmanager
    def open(self) -> Iterator[None]:
        """While a test with the mark is at work: everything is where the user has it."""
        self.opened = True
        try:
            yield
        finally:
            self.opened = False

    @contextlib.contextmanager
    def closed(self) -> Iterator[None]:
        """While any other test is at work: what it starts finds what a newcomer has."""
        kept = dict(os.environ)
        for name in HIDDEN:
            os.environ.pop(name, None)
        os.environ["HOME"] = self.home.name
        os.environ["MPLCONFIGDIR"] = str(self.fonts)
        for name in PROXIES:
            os.environ[name] = os.environ[name.upper()] = NOWHERE
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(kept)


def list_fonts(folder: Path) -> None:
    """Let matplotlib list the fonts once, where all tests find the list.

    In an empty home it does so at its first import, and says so on standard error where that takes
    five seconds: in the middle of a test of what is said there.
    """
    if not list(folder.glob("fontlist*")):
        subprocess.run(
            [sys.executable, "-c", "import matplotlib.font_manager"],
            env={**os.environ, "MPLCONFIGDIR": str(folder)},
            stderr=subprocess.DEVNULL,
            check=False,
        )


@functools.cache
def available() -> bool:
    """Whether the data are at hand; asked with the gate open, where the user's folders count."""
    return reference.is_available()


def marked(item: pytest.Item) -> bool:
    return item.get_closest_marker("data") is not None
