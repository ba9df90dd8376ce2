"""A health survey from a seed: households, keys an intruder may know, and what is confidential."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from coterie.datasets.arguments import Seed, count, generator

if TYPE_CHECKING:
    import pandas as pd

DIAGNOSES = {
    # chance at age 0, and how it changes in sixty years
    "none": (0.46, -0.22),
    "respiratory": (0.20, -0.08),
    "injury": (0.12, -0.05),
    "mental": (0.08, 0.00),
    "circulatory": (0.03, 0.16),
    "metabolic": (0.04, 0.09),
    "digestive": (0.05, 0.03),
    "cancer": (0.02, 0.07),
}
COST = {"none": 0.4, "injury": 1.4, "mental": 1.6, "circulatory": 1.9, "cancer": 3.0}


def health(n: int = 20_000, *, random_state: Seed = None) -> pd.DataFrame:
    """People in households, their diagnosis and what their care cost: made up, but plausible.

    Diagnoses depend on age and costs on the diagnosis, so that records alike in what others know
    tend to be alike in what is confidential; members of a household share region and income.

    Parameters
    ----------
    n : int, default 20000
        Records, one a person.
    random_state : int, numpy.random.Generator or None, default None
        The seed.

    Returns
    -------
    pandas.DataFrame
        Columns household, region, age, sex, height, weight, income, diagnosis, cost.

    Raises
    ------
    ParameterError
        When an argument breaks its rule.

    Examples
    --------
    >>> from coterie.datasets import health
    >>> people = health(1000, random_state=0)
    >>> people.shape, people["diagnosis"].nunique()
    ((1000, 9), 8)
    """
    import pandas as pd

    size = count("health", "n", n, 1)
    rng = generator("health", random_state)
    households = np.repeat(
        np.arange(size), rng.choice(5, size, p=[0.35, 0.33, 0.14, 0.12, 0.06]) + 1
    )
    household = households[:size]
    homes = int(household[-1]) + 1
    region = rng.choice(5, homes, p=[0.3, 0.25, 0.2, 0.15, 0.1])[household]
    anchor = rng.gamma(6.0, 7.0, homes)[household]
    age = np.clip(anchor + rng.normal(0.0, 14.0, size), 0, 98).round()
    female = rng.random(size) < 0.51
    grown = 1.0 - np.exp(-(age + 2.0) / 7.0)
    height = 50 + grown * np.where(female, 115.0, 128.0) + rng.normal(0.0, 6.0, size)
    weight = np.maximum(3.0, (height / 100) ** 2 * rng.normal(15.5 + 9.5 * grown, 3.2, size))
    income = np.exp(rng.normal(10.2, 0.6, homes))[household] + 900 * region
    chances = np.array([[p + slope * a / 60 for p, slope in DIAGNOSES.values()] for a in age])
    chances = np.maximum(chances, 0.01)
    chances /= chances.sum(axis=1, keepdims=True)
    drawn = (rng.random(size)[:, None] > np.cumsum(chances, axis=1)).sum(axis=1)
    names = np.array(list(DIAGNOSES))[np.minimum(drawn, len(DIAGNOSES) - 1)]
    level = np.array([COST.get(name, 1.0) for name in names])
    cost = np.exp(rng.normal(5.5 + level + age / 120, 0.8))
    return pd.DataFrame(
        {
            "household": household,
            "region": np.array(["north", "east", "south", "west", "centre"])[region],
            "age": age.astype(np.int64),
            "sex": np.where(female, "f", "m"),
            "height": height.round(),
            "weight": weight.round(1),
            "income": income.round(-2),
            "diagnosis": names,
            "cost": cost.round(2),
        }
    )
