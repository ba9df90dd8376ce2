"""Scenarios: what an intruder knows and does, how often that succeeds, and the bar set for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coterie.evaluation.bars import Bar, read_bars
from coterie.evaluation.registry import find
from coterie.report.words import figure, percent

__all__ = ["SCENARIOS", "Bar", "bars", "judge"]

# Measure, name, what the intruder has and does, what the number is, whether it is a percentage.
SCENARIOS: tuple[tuple[str, str, str, str, bool], ...] = (
    (
        "singling_out",
        "singling out",
        "knows nobody, and reads predicates on keys and confidential columns off the release that "
        "hold for one row of it",
        "predicates that hold for exactly one person, beyond guesses",
        True,
    ),
    (
        "linkability",
        "linkability",
        "has half of the keys of a person, another one the other half; each takes the nearest row",
        "persons for whom both take the same row, beyond chance",
        True,
    ),
    (
        "inference",
        "inference",
        "knows all keys of a person and guesses a confidential value from rows like hers",
        "values guessed rightly, beyond a guess without keys",
        True,
    ),
    (
        "partial_knowledge",
        "partial knowledge",
        "knows one key or two of a person and links her to the nearest released record",
        "records linked rightly with the worst two keys",
        True,
    ),
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


def bars(thresholds: Mapping[str, Any] | None, k: int) -> dict[str, Bar]:
    """The thresholds by measure; the chance that k guarantees, 100/k percent, is always one.

    Examples
    --------
    >>> from coterie.report.dossier.scenarios import bars
    >>> {name: str(bar) for name, bar in bars({"distinct_l": 2}, 5).items()}
    {'prosecutor': 'at most 20', 'distinct_l': 'at least 2'}
    """
    return {"prosecutor": Bar("prosecutor", 100.0 / k, False), **read_bars(thresholds)}


def judge(values: Mapping[str, float | None], against: Mapping[str, Bar]) -> list[dict[str, Any]]:
    """Each scenario with what was found, the bar and whether it is met; then bars of their own."""
    rows = []
    reported = {name for name, *_ in SCENARIOS}
    others = [(n, n, "", find(n).title, False) for n in against if n not in reported]
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
