"""Partial knowledge: what an intruder gains who knows one key of a person, or two.

For every key and pair of keys: how many records of the original are among fewer than k by these
alone (k being what the release achieves on all keys), how small the released classes are, and how
many records an intruder links who goes to the nearest released record on these keys, ties at
random. A release is judged on all keys together; the worst set says which knowledge to fear.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.attacks.reach import persons, reach
from coterie.evaluation.case import Case, Finding, average
from coterie.evaluation.links import equal_rows
from coterie.table.classes import count_classes

__all__ = ["KnownKeys", "key_sets", "partial_knowledge"]

SALT = 5
MOST_SETS = 120  # of keys and pairs; fifteen keys have as many


@dataclass(frozen=True)
class KnownKeys:
    """Who knows just these keys; shares in percent.

    Attributes
    ----------
    names : tuple of str
        The keys.
    exposed : float
        Original records that are among fewer than k by these keys.
    smallest : int
        Units in the smallest released class on these keys.
    linked : float
        Records that are linked to their own released row, ties at random.
    """

    names: tuple[str, ...]
    exposed: float
    smallest: int
    linked: float


def partial_knowledge(case: Case) -> Finding:
    """The largest share of records linked by who knows one or two keys."""
    keys = [column.name for column in case.pair.keys]
    target, _ = persons(case, SALT)
    some = ~target.rare  # a simple sample of all
    k = max(int(case.classes[1].min()), 2)
    before, after = ([equal_rows(c.apart(side)) for c in case.pair.keys] for side in (0, 1))
    chosen = key_sets(len(keys))
    sets = []
    for done, places in enumerate(chosen):
        case.tell(done / len(chosen))
        names = tuple(keys[place] for place in places)
        ends = reach(case, target, names)
        own = ends.places[target.rows]
        linked = np.where(ends.ends == own, 1.0 / ends.sizes[own], 0.0)[some]
        held = _classes(case, [before[place] for place in places])
        sets.append(
            KnownKeys(
                names,
                100.0 * float((held < k).mean()),
                int(_classes(case, [after[place] for place in places]).min()),
                100.0 * average(linked),
            )
        )
    worst = max(sets, key=lambda one: (one.linked, -len(one.names)))
    every = len(keys) * (len(keys) + 1) // 2
    note = f"worst: {' and '.join(worst.names)}"
    if len(sets) < every:
        note += f"; the first {len(sets)} of {every} keys and pairs"
    singles = {one.names[0]: one.linked for one in sets if len(one.names) == 1}
    return Finding(
        worst.linked,
        by_column=singles,
        parts={"trials": float(some.sum()), "exposed": worst.exposed},
        note=note,
        sets=tuple(sets),
    )


def key_sets(count: int) -> list[tuple[int, ...]]:
    """Each key, then each pair, as far as there is time for."""
    places = range(count)
    pairs = itertools.combinations(places, 2)
    return [*((place,) for place in places), *pairs][:MOST_SETS]


def _classes(case: Case, codes: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Units in the class of each record."""
    labels = codes[0] if len(codes) == 1 else equal_rows(codes)
    return count_classes(labels, case.settings.units)[labels]
