"""Risk against utility in one number: DR, SI and SL of Mortazavi, Jalili (2017).

They are composed of other measures, so read them with those beside: a low SI with a high
`offset_adversary` is a release whose protection one constant undoes.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from coterie.evaluation.case import Case, Finding
from coterie.evaluation.risk.interval import by_cell, sdid
from coterie.evaluation.risk.linkage import dld
from coterie.evaluation.utility.probabilistic import pil

__all__ = ["dr", "si", "sl"]


def dr(case: Case) -> Finding:
    """Disclosure risk: the mean of DLD and SDID."""
    linked = dld(case)
    parts = {"dld": linked.value, "sdid": sdid(case).value}
    return Finding(sum(parts.values()) / 2.0, parts=parts, note=linked.note)


def si(case: Case) -> Finding:
    """Scoring index, Equation (12): the mean of DR and PIL."""
    risk = dr(case)
    parts = {**(risk.parts or {}), "dr": risk.value, "pil": pil(case).value}
    return Finding((parts["dr"] + parts["pil"]) / 2.0, parts=parts, note=risk.note)


def sl(case: Case) -> Finding:
    """Satisfaction level, Equation (13): weighted share of targets that the release fulfills.

    A target is fulfilled if the released value keeps the distance `delta`; weights are
    `importance`. Where all weights are 0, 0/0 counts as 100 %.
    """
    before, after = case.standard
    delta, weight = case.settings.delta, case.settings.importance
    assert delta is not None
    # Rounding must not break a distance target that a solver met at its very boundary.
    kept = np.abs(before - after) >= delta - 1e-9
    plain = by_cell(case, kept)
    if weight is None:
        return plain
    there = ~(np.isnan(before) | np.isnan(after))
    weight, kept = np.where(there, weight, 0.0), kept & there
    total = float(weight.sum())
    value = min(100.0 * float((weight * kept).sum()) / total, 100.0) if total > 0 else 100.0
    return replace(plain, value=value)
