"""Distance-based record linkage: how many records an intruder finds by their nearest neighbor.

Mortazavi, Jalili (2017), Transactions on Data Privacy 10:117-144, Equation (7). There are two
readings of "normalized": both tables by the original's means and standard deviations
(``moments="original"``, what an intruder with the original has, and the default), or each by its
own (``moments="own"``, section 2.3 of the paper). A release with restored moments has one value for
both.

An intruder also sees which values are missing, and why: a record is linked among those with the
same gaps and missing codes, on the keys that it has.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case, Finding, average
from coterie.evaluation.links import Links

__all__ = ["MOMENTS", "dld", "dld_expected", "own_group"]

MOMENTS = {
    "original": "both tables in the original's moments",
    "own": "each table in its own moments",
}


def dld(case: Case) -> Finding:
    """Share of records linked to themselves; among equally near records the first one counts."""

    def linked(links: Links) -> NDArray:
        return links.nearest == np.arange(case.n)

    return _shares(case, linked)


def dld_expected(case: Case) -> Finding:
    """The same share when the intruder breaks ties at random: its expectation."""
    return _shares(case, lambda links: links.hit / links.ties)


def own_group(case: Case) -> Finding:
    """Share of records whose own released row is (one of) the nearest: the right group is found."""
    return _shares(case, lambda links: links.hit)


def _shares(case: Case, chance: Callable[[Links], NDArray]) -> Finding:
    """Mean of `chance` over the records, for all keys and for each subset known to the intruder."""
    found = 100.0 * chance(case.links())
    parts = {
        label: average(100.0 * chance(case.links(names)))
        for label, names in case.settings.known.items()
    }
    note = MOMENTS[case.settings.moments]
    if case.pair.patterns(0).any():
        note += "; records with gaps among those with the same gaps, on the keys they have"
    if case.pair.blocks is not None:
        note += "; within strata"
    return Finding(average(found), by_record=found, parts=parts or None, note=note)
