"""A real browser: the system's Chromium, driven by Playwright; every request that it makes is kept.

A request to any other address than the app's fails the test that made it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.apart import started

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PATIENCE = 240_000  # milliseconds: an end to what hangs, whatever else the machine does


def chromium() -> str | None:
    """Where the system's Chromium is; COTERIE_CHROMIUM names another one."""
    named = os.environ.get("COTERIE_CHROMIUM")
    found = (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    return named or next((path for path in found if path), None)


def needs_browser() -> None:
    """Skip the module where there is none, and say so."""
    pytest.importorskip("starlette", reason="needs the extra app")
    pytest.importorskip("playwright", reason="needs playwright (extra browser)")
    if chromium() is None:
        pytest.skip(
            "Chromium not found: `python3 dev.py browser` installs it, COTERIE_CHROMIUM names one",
            allow_module_level=True,
        )


@dataclass
class Served:
    """An app that runs: its process, and the address that opens it."""

    process: subprocess.Popen
    address: str
    folder: Path
    log: list[str] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return self.address.partition("/enter")[0]


@contextlib.contextmanager
def served(folder: Path | None = None, *arguments: str):
    """`coterie app`, until the block is left; without a folder its demonstration."""
    words = ["-m", "coterie", "app", "--no-browser", *arguments]
    words += ["--demo"] if folder is None else [str(folder)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started(*words, **pipes) as process:
        line = process.stdout.readline()
        assert "http://" in line, process.stderr.read()
        yield Served(process, line.split()[-1], folder or Path())


@contextlib.contextmanager
def opened():
    """A browser of its own, with nothing kept from before."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def visit(browser, app: Served, **options):
    """A page of the app, entered by its address; what it asks elsewhere, or breaks, fails."""
    options = {"viewport": {"width": 1280, "height": 860}, "locale": "en-GB", **options}
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    asked, broken = [], []
    context.on("request", lambda request: asked.append(request.url))
    context.on("weberror", lambda error: broken.append(str(error.error)))
    page = context.new_page()
    page.on("console", lambda one: broken.append(one.text) if one.type == "error" else None)
    try:
        page.goto(app.address)
        page.wait_for_url("**/open")
        try:
            yield page
        except Exception:
            with contextlib.suppress(Exception):  # what was to be seen when it went wrong
                print(page.url, page.inner_text("body", timeout=5000), broken, sep="\n")
            raise
        ours = (app.origin + "/", "about:", "data:")  # the last two ask nobody
        assert [url for url in asked if not url.startswith(ours)] == []
        assert broken == []
    finally:
        context.close()
