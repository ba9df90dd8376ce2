"""Fixtures that every test may use."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from tests.clock import Clock

# JIT compilation makes a first call slow: no deadline, and no complaint about slow data. The same
# examples at every run: what a change is judged by must not depend on luck. `explore` draws others.
ALWAYS = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=25, derandomize=True, **ALWAYS)
settings.register_profile("ci", max_examples=100, derandomize=True, **ALWAYS)
# Whether a change of the source is noticed (tests/mutants), whether old dependencies will do.
settings.register_profile("few", max_examples=10, derandomize=True, database=None, **ALWAYS)
settings.register_profile("explore", max_examples=300, **ALWAYS)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


@pytest.fixture
def rng():
    return np.random.default_rng(20240229)


@pytest.fixture
def clock(monkeypatch):
    """The clock of every search, moved by the test alone: it stands, or ticks at every look.

    Time limits, paces and heartbeats are then the same on any machine.
    """
    from coterie.partitioning import driver

    made = Clock()
    monkeypatch.setattr(driver, "time", made)
    return made


@pytest.fixture(scope="session")
def reference_data():
    """The reference microdata, standardized, by name: the one way to them, with the mark `data`.

    Tests of raw tables ask for it, too, and may then call the loaders (see tests/gate.py).
    """
    from coterie import datasets, standardize

    return {
        "Tarragona": standardize(datasets.tarragona()),
        "Census": standardize(datasets.census()),
        "EIA": standardize(datasets.eia(attributes=11)),
        "EIA-10": standardize(datasets.eia(attributes=10)),
    }
