"""k-map: how many people of a population a released class may stand for.

Sweeney (2002), "k-anonymity: a model for protecting privacy", IJUFKS 10(5):557-570: every released
record must fit at least k people of the population. A centroid is nobody's value, so a person fits
the class whose released keys are nearest to hers, among those with the same gaps and in the same
stratum, which is where an intruder who has the population register would look for her.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.attacks.reach import Persons, reach
from coterie.evaluation.case import Case, Finding

__all__ = ["k_map", "people"]


def k_map(case: Case) -> Finding:
    """The least number of people that a class stands for."""
    held = people(case)
    parts = {"people": float(len(_register(case).rows)), "mean": float(held.mean())}
    return Finding(float(held.min()), by_record=held, parts=parts)


def people(case: Case) -> NDArray[np.int64]:
    """Of each released record, the people of the population who fit its class."""
    names = [column.name for column in case.pair.keys]
    found = reach(case, _register(case), names)
    arrived = found.ends[found.ends >= 0]
    return np.bincount(arrived, minlength=len(found.sizes))[found.places]


def _register(case: Case) -> Persons:
    population = case.pair.population
    assert population is not None
    rows = np.arange(len(population.keys[0].original))
    nobody = np.zeros(len(rows), dtype=np.bool_)
    return Persons(population.keys, (), rows, nobody, population.blocks)
