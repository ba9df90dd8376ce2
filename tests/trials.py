"""How many random tables a test tries: some by default, more of them in the long run."""

from __future__ import annotations

import pytest

__all__ = ["later", "trials"]


def trials(some, more):
    """Give the test `trials`: `some`, and, marked `long`, `more`, of which those are the first."""
    return pytest.mark.parametrize("trials", [some, later(more)], ids=["some", "more"])


def later(*values):
    """One set of parameters that belongs to the long run."""
    return pytest.param(*values, marks=pytest.mark.long)
