"""The arguments that generators share, checked once, and the table they all return."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np

from coterie.datasets.optional import needed
from coterie.errors import bad_parameter

if TYPE_CHECKING:
    import pandas as pd

Seed = int | np.random.Generator | None


def count(owner: str, name: str, value: object, low: int, high: int | None = None) -> int:
    """`value` as an int between `low` and `high`, both included."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
        if number >= low and (high is None or number <= high):
            return number
    rule = f"an integer of at least {low}" if high is None else f"an integer from {low} to {high}"
    raise bad_parameter(name, owner, rule, value)


def generator(owner: str, random_state: object) -> np.random.Generator:
    """A numpy Generator from a seed; a given Generator is used, and advanced, as it is."""
    if random_state is None or isinstance(random_state, np.random.Generator):
        return np.random.default_rng(random_state)
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        seed = int(random_state)
        if seed >= 0:
            return np.random.default_rng(seed)
    rule = "None, an integer of at least 0 or a numpy.random.Generator"
    raise bad_parameter("random_state", owner, rule, random_state)


def frame(values: np.ndarray) -> pd.DataFrame:
    """Coordinates as a table with the columns x1, x2, ..."""
    columns = [f"x{j}" for j in range(1, values.shape[1] + 1)]
    table: pd.DataFrame = needed("pandas").DataFrame(values, columns=columns)
    return table
