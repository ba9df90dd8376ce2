"""A small file that the commands are tried on, and how they are called."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from coterie.cli import main


@pytest.fixture
def people(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "name": [f"Person {i}" for i in range(60)],
            "age": rng.integers(18, 90, 60),
            "income": np.round(rng.lognormal(10, 0.5, 60), 2),
            "region": rng.choice(["north", "south"], 60),
            "diagnosis": rng.choice(["flu", "none"], 60),
        }
    )
    path = tmp_path / "people.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.fixture
def run(capsys):
    def call(*arguments):
        code = main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return call
