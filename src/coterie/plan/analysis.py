"""Analyses that a release is for, as a plan declares them: read from one line of text.

- ``income ~ age + edu``: a linear regression with an intercept;
- ``mean income by region``, ``total income``: means and totals, by domains or over all;
- ``count by region, sex``: a table of counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Analysis", "read_analysis"]


@dataclass(frozen=True)
class Analysis:
    """One analysis.

    Attributes
    ----------
    text : str
        As it was given.
    kind : str
        "regression", "mean", "total" or "count".
    outcome : str or None
        What is explained, averaged or added up; None where records are counted.
    by : tuple of str
        What explains it, or the domains.
    """

    text: str
    kind: str
    outcome: str | None
    by: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that it needs."""
        first = () if self.outcome is None else (self.outcome,)
        return tuple(dict.fromkeys([*first, *self.by]))


def read_analysis(text: str) -> Analysis:
    """Read one line; `ValueError` says what is wrong with it.

    Examples
    --------
    >>> from coterie.plan.analysis import read_analysis
    >>> read_analysis("income ~ age + edu").by
    ('age', 'edu')
    >>> read_analysis("mean income by region").kind
    'mean'
    """
    if "~" in text:
        explained, _, rest = (part.strip() for part in text.partition("~"))
        by = tuple(name.strip() for name in rest.split("+"))
        if explained and all(by) and explained not in by and len(set(by)) == len(by):
            return Analysis(text, "regression", explained, by)
        raise ValueError(_wrong(text))
    found = re.fullmatch(r"\s*(mean|total|count)\b\s*(.*?)\s*(?:\bby\s+(.+?))?\s*", text)
    if found is None:
        raise ValueError(_wrong(text))
    kind, outcome, domains = found[1], found[2] or None, found[3]
    by = tuple(name.strip() for name in domains.split(",")) if domains else ()
    good = all(by) and (outcome is None) == (kind == "count") and (by or kind != "count")
    if not good:
        raise ValueError(_wrong(text))
    return Analysis(text, kind, outcome, by)


def _wrong(text: str) -> str:
    return (
        "An analysis must read 'y ~ a + b', 'mean y by d', 'total y by d' or 'count by a, b'. "
        f"Got {text!r}; write it so"
    )
