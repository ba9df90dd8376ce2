"""The offset adversary: values regained by adding one constant per attribute to the release.

A method that keeps released values at a distance from the original ones lowers interval disclosure
(Equation (8) of Mortazavi, Jalili 2017). If it moves most of an attribute's values alike, adding
the opposite constant undoes it. The constant is chosen here with the original at hand: an upper
bound of what an intruder gains who guesses it, and the number to read beside SDID and SI.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case, Finding
from coterie.evaluation.risk.interval import by_cell

__all__ = ["offset_adversary"]


def offset_adversary(case: Case) -> Finding:
    """Share of values within `sd` after the best constant; with `delta`, after either of +-delta.

    Values are compared with the record's own row: the intruder has found the right group.
    """
    before, after = case.standard
    error = before - after
    sd = case.settings.sd
    best = np.array([best_constant(error[:, j], sd) for j in range(error.shape[1])])
    there = ~np.isnan(error)
    found = by_cell(case, np.abs(error - best) <= sd * (1 + 1e-12))
    parts = {"without": 100.0 * float((np.abs(error) <= sd)[there].mean())}
    delta = case.settings.delta
    if delta is not None:
        either = np.minimum(np.abs(error - delta), np.abs(error + delta)) <= sd
        parts["either_delta"] = 100.0 * float(either[there].mean())
    constants = {f"constant {c.name}": float(b) for c, b in zip(case.numeric, best, strict=True)}
    return replace(found, parts={**parts, **constants})


def best_constant(error: NDArray[np.float64], sd: float) -> float:
    """The constant with most errors within `sd` of it: the fullest window of width 2 sd."""
    ranked = np.sort(error[~np.isnan(error)])
    if not len(ranked):
        return 0.0
    inside = np.searchsorted(ranked, ranked + 2.0 * sd, "right") - np.arange(len(ranked))
    start = int(inside.argmax())
    last = ranked[start + inside[start] - 1]
    return float((ranked[start] + last) / 2.0)
