"""Every measure by its name: risks, then what is left of the data, then both together."""

from __future__ import annotations

from coterie.evaluation.measure import Measure, Measures
from coterie.evaluation.risks import RISKS
from coterie.evaluation.utilities import UTILITIES

__all__ = ["MEASURES", "Measure", "find", "measures"]

MEASURES = Measures((measure.name, measure) for measure in (*RISKS, *UTILITIES))
find = MEASURES.find


def measures() -> list[Measure]:
    """Every measure: name, one-line title, kind, direction in words, bounds and reference.

    Examples
    --------
    >>> from coterie.evaluation import measures
    >>> [m.name for m in measures() if m.kind == "trade-off"]
    ['dr', 'si', 'sl']
    """
    return list(MEASURES.values())
