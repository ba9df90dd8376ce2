"""Scenarios: what an intruder knows and does, how often that succeeds, and the bar set for it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coterie.errors import ParameterError
from coterie.evaluation.registry import SAFER_HIGH, find
from coterie.report.words import figure, percent

__all__ = ["SCENARIOS", "Bar", "bars", "judge"]

# Measure, name, what the intruder has and does, what the number is, whether it is a percentage.
SCENARIOS: tuple[tuple[str, str, str, str, bool], ...] = (
    (
        "prosecutor",
        "a guess within the class",
        "knows that a person is in the table and which class is hers, and picks one record of it",
        "highest chance of picking hers",
        True,
    ),
    (
        "dld_expected",
        "record linkage",
        "knows all keys of every person exactly and links each to the nearest released record",
        "records linked rightly",
        True,
    ),
    (
        "own_group",
        "finding the class",
        "links in the same way and is content with the right class",
        "records whose class is found",
        True,
    ),
    (
        "sdid",
        "interval disclosure",
        "takes the nearest released value of an attribute for the original one",
        "numbers right to 0.05 standard deviations",
        True,
    ),
    (
        "distinct_l",
        "homogeneity, values",
        "has found the class of a person and reads its confidential values",
        "different values in the poorest class",
        False,
    ),
    (
        "t_closeness",
        "homogeneity, distance",
        "compares the confidential values of a class with those of all",
        "largest distance of a class from all",
        False,
    ),
)


@dataclass(frozen=True)
class Bar:
    """A threshold: the measure must be at most, or at least, so much."""

    measure: str
    limit: float
    at_least: bool

    def met(self, value: float | None) -> bool:
        """Whether a value keeps it; what was not measured does not."""
        if value is None:
            return False
        return value >= self.limit if self.at_least else value <= self.limit

    def __str__(self) -> str:
        return f"{'at least' if self.at_least else 'at most'} {figure(self.limit)}"


def bars(thresholds: Mapping[str, Any] | None, k: int) -> dict[str, Bar]:
    """The thresholds by measure; the chance that k promises, 100/k percent, is always one.

    Examples
    --------
    >>> from coterie.dossier.scenarios import bars
    >>> {name: str(bar) for name, bar in bars({"distinct_l": 2}, 5).items()}
    {'prosecutor': 'at most 20', 'distinct_l': 'at least 2'}
    """
    if thresholds is not None and not isinstance(thresholds, Mapping):
        raise ParameterError(
            f"thresholds must be a mapping of measures to numbers. Got {thresholds!r}."
        )
    made = {"prosecutor": Bar("prosecutor", 100.0 / k, False)}
    for name, limit in (thresholds or {}).items():
        measure = find(name)
        number = isinstance(limit, (int, float)) and not isinstance(limit, bool)
        if not number or not math.isfinite(limit):
            raise ParameterError(
                f"The threshold of {name!r} must be a finite number. Got {limit!r}; use the unit "
                "of the measure."
            )
        made[name] = Bar(name, float(limit), measure.direction == SAFER_HIGH)
    return made


def judge(values: Mapping[str, float | None], against: Mapping[str, Bar]) -> list[dict[str, Any]]:
    """Each scenario with what was found, the bar and whether it is met; then bars of their own."""
    rows = []
    told = {name for name, *_ in SCENARIOS}
    others = [(n, n, "", find(n).title, False) for n in against if n not in told]
    for name, label, does, number, share in (*SCENARIOS, *others):
        value, bar = values.get(name), against.get(name)
        if value is None and bar is None:
            continue
        rows.append(
            {
                "measure": name,
                "label": label,
                "intruder": does,
                "number": number,
                "value": value,
                "found": "not measured"
                if value is None
                else percent(value)
                if share
                else figure(value),
                "bar": "" if bar is None else str(bar) + (" %" if share else ""),
                "met": None if bar is None else bar.met(value),
            }
        )
    return rows
