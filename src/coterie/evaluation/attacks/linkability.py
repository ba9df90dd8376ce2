"""Linkability: two parts of what is known of a person meet in one released record.

One intruder has half of the keys of a person, another one the other half. Each goes to the nearest
released record, ties at random; they have linked the person if they meet in the same record. Giomi
et al. (2023), section 5.2, with one neighbor and ties at random in place of the first. That they
meet in the same class, which is a group of persons, is told beside it.

A class is one place on the first half and one on the second: if the search ends in places of a and
of b records that share a class of c, the two draw the same record with probability c / (a b), and
records of the same class with c^2 / (a b). Where a person has several records, one of hers is as
good as another: in place of c the sum over persons of the squared number of their records.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.attacks.reach import NOWHERE, Persons, persons, reach
from coterie.evaluation.attacks.trial import ALL, RAREST, Attack, Rate, finding, judged
from coterie.evaluation.case import Case, Finding

__all__ = ["halves", "linkability"]

SPLITS = 3  # ways to divide the keys
SALT = 2
NOTE = "ties at random"


def linkability(case: Case) -> Finding:
    """What the release adds to the chance that two halves of the keys meet in one record."""
    names = [column.name for column in case.pair.keys]
    target, control = persons(case, SALT)
    attacks: list[Attack] = []
    for first in halves(names, case.settings.seed):
        second = [name for name in names if name not in first]
        label = f"{', '.join(first)} with {', '.join(second)}"
        hits, alone, baseline = _meetings(case, target, first, second)
        apart = None if control is None else _meetings(case, control, first, second)
        for who, rare in ((ALL, False), (RAREST, True)):
            these = target.rare == rare
            if not these.any():
                continue
            rates = []
            for place, chances in enumerate((hits, alone)):
                reference = None
                if control is not None and apart is not None:
                    alike = control.rare == rare
                    some = alike if alike.any() else ~control.rare
                    reference = Rate.of((apart[0], apart[1])[place][some])
                rates.append((Rate.of(chances[these]), Rate(baseline[place]), reference))
            attacks.append(judged(label, *rates[0], knows="half the keys each", who=who))
            if who == ALL:
                attacks.append(
                    judged(f"{label}, class", *rates[1], knows="half the keys each", who="class")
                )
    found = finding(attacks, NOTE)
    in_class = max(one.risk for one in attacks if one.who == "class")
    assert found.parts is not None
    found.parts["same class"] = in_class
    return found


def halves(names: list[str], seed: int | None) -> list[list[str]]:
    """First halves of some divisions of the keys: as declared, and drawn."""
    rng = np.random.default_rng(None if seed is None else [seed, SALT])
    size = (len(names) + 1) // 2
    divisions = [names[:size]]
    ways = list(itertools.islice(itertools.combinations(range(len(names)), size), 500))
    for way in rng.permutation(len(ways)).tolist():
        half = [names[place] for place in ways[way]]
        other = [name for name in names if name not in half]
        if half not in divisions and other not in divisions:
            divisions.append(half)
        if len(divisions) == SPLITS:
            break
    return divisions


def _meetings(
    case: Case, who: Persons, first: list[str], second: list[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[float, float]]:
    """For each person the chance to meet in one record and in one class; and that of anybody."""
    one, other = reach(case, who, first), reach(case, who, second)
    width = len(other.sizes)
    classes, sizes = np.unique(one.places * width + other.places, return_counts=True)
    wanted = one.ends * width + other.ends
    at = np.minimum(np.searchsorted(classes, wanted), len(classes) - 1)
    met = (classes[at] == wanted) & (one.ends != NOWHERE) & (other.ends != NOWHERE)
    both = one.sizes[one.ends].astype(np.float64) * other.sizes[other.ends]
    size = np.where(met, sizes[at], 0.0)
    shared = _own(classes, one.places * width + other.places, case.settings.units)
    own = np.where(met, shared[at], 0.0)
    n = case.n
    by_chance = (_same(case) / n, float(np.square(sizes / n).sum()))
    return own / both, size * size / both, by_chance


def _own(
    classes: NDArray[np.int64], rows: NDArray[np.int64], units: NDArray[np.int64] | None
) -> NDArray[np.float64]:
    """Of each class, in how many of all pairs of its records both are of one person."""
    at = np.searchsorted(classes, rows)
    if units is None:
        return np.bincount(at, minlength=len(classes)).astype(np.float64)
    pairs, many = np.unique(np.column_stack([at, units]), axis=0, return_counts=True)
    squares = np.square(many).astype(np.float64)
    return np.bincount(pairs[:, 0], weights=squares, minlength=len(classes)).astype(np.float64)


def _same(case: Case) -> float:
    """How many records of the table are of the person of a record, in the mean."""
    units = case.settings.units
    return 1.0 if units is None else float(np.square(np.bincount(units)).sum()) / case.n
