"""Every measure by its name: risks, then what is left of the data, then both together."""

from __future__ import annotations

from coterie.errors import unknown_name
from coterie.evaluation.measure import Measure
from coterie.evaluation.risks import RISKS
from coterie.evaluation.utilities import UTILITIES

__all__ = ["MEASURES", "Measure", "find", "measures"]

MEASURES: dict[str, Measure] = {measure.name: measure for measure in (*RISKS, *UTILITIES)}


def find(name: object) -> Measure:
    """The measure called `name`, or an error with the nearest one."""
    if isinstance(name, str) and name in MEASURES:
        return MEASURES[name]
    raise unknown_name("measure", name, MEASURES)


def measures() -> list[Measure]:
    """Every measure: name, one-line title, kind, direction in words, bounds and reference.

    Examples
    --------
    >>> from coterie.evaluation import measures
    >>> [m.name for m in measures() if m.kind == "trade-off"]
    ['dr', 'si', 'sl']
    """
    return list(MEASURES.values())
