"""What holds for every test, examples of docstrings included: what it may reach, what it hears."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.apart import let_children_hear
from tests.gate import Gate, available, list_fonts, marked

pytest_plugins = ["tests.processor"]

GATE = pytest.StashKey[Gate]()


def pytest_configure(config):
    let_children_hear()
    fonts = Path(os.environ.get("MPLCONFIGDIR") or config.rootpath / ".pytest_cache/matplotlib")
    if not hasattr(config, "workerinput"):
        list_fonts(fonts)
    config.stash[GATE] = Gate(fonts)
    config.stash[GATE].build()


def pytest_unconfigure(config):
    config.stash[GATE].remove()


def pytest_collection_modifyitems(items):
    # One test, and the longest: begun last, it would leave the other process without work.
    items.sort(key=lambda item: item.path.name != "test_without_jit.py")
    for item in items:
        if ("reference_data" in getattr(item, "fixturenames", ())) != marked(item):
            raise pytest.UsageError(
                f"{item.nodeid} must have both the fixture `reference_data` and the mark `data`, "
                "or neither"
            )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    gate = item.config.stash[GATE]
    with gate.open() if marked(item) else gate.closed():
        return (yield)


def pytest_runtest_setup(item):
    if marked(item) and not available():
        pytest.skip("reference data not found: set COTERIE_DATA to the folder that holds them")
