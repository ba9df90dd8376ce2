"""Processes of these tests use a copy of the package beside which nothing was ever compiled.

Whoever has used coterie from its own source, without dev.py, has kernels beside that source, and
they would be found there: nothing would be left to compile.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import coterie

SOURCE = Path(coterie.__file__).parent


def copy(folder):
    """The package in another folder, without anything compiled."""
    shutil.copytree(SOURCE, folder / "coterie", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="session")
def untouched(tmp_path_factory):
    return copy(tmp_path_factory.mktemp("untouched"))


@pytest.fixture(autouse=True)
def nothing_compiled_beside_the_source(untouched, monkeypatch):
    """For tests that name a folder for what is compiled: the copy itself stays as it is."""
    monkeypatch.setenv("PYTHONPATH", str(untouched))


@pytest.fixture
def copied(tmp_path):
    """A copy of one's own, to compile into."""
    return copy(tmp_path / "site")
