"""Published figures, and the tables that they are about."""

from __future__ import annotations

import csv
from functools import cache, partial
from pathlib import Path

import numpy as np

from coterie import datasets, standardize

HERE = Path(__file__).parent
REAL = ("Tarragona", "Census", "EIA")
MAKERS = {
    "Tarragona": datasets.tarragona,
    "Census": datasets.census,
    "EIA": partial(datasets.eia, attributes=11),
    "EIA-10": partial(datasets.eia, attributes=10),
    "Synthetic": partial(datasets.synthetic, random_state=0),
}


def published(name: str) -> list[dict[str, str]]:
    """The rows of the committed table `name`, a CSV file beside this one."""
    with open(HERE / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def rows_of(name: str, dataset: str) -> list[dict[str, str]]:
    """The printed rows of one dataset."""
    return [row for row in published(name) if row["dataset"] == dataset]


def decimals(printed: str) -> int:
    """How many decimals are printed."""
    return len(printed.partition(".")[2])


@cache
def table(name: str) -> np.ndarray:
    """A table of the literature, standardized."""
    return np.asarray(standardize(MAKERS[name]()))
