"""What holds for every test, examples of docstrings included: what it may reach, what it hears."""

from __future__ import annotations

import pytest

from tests.apart import let_children_hear
from tests.gate import Gate, available, marked

GATE = pytest.StashKey[Gate]()


def pytest_configure(config):
    let_children_hear()
    config.stash[GATE] = Gate()
    config.stash[GATE].build()


def pytest_unconfigure(config):
    config.stash[GATE].remove()


def pytest_collection_modifyitems(items):
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
