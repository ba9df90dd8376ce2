"""What each public document may hold, by name: what is not on its list is not in it.

A list maps names to what may stand there: `AS_IS` for what the release or the one who asked says
anyway, or for numbers that `coterie.public.rule` has passed; another list for a mapping or each of
a sequence; `ANY` in place of a name for those that the table gives, such as columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["ANY", "AS_IS", "DIGITS", "EVIDENCE", "METADATA", "REPORT", "few_digits", "listed"]

ANY = "*"
AS_IS = None
DIGITS = 6  # of any number: what is released need not have more
Names = Mapping[str, Any]


def _names(*names: str, **deeper: Any) -> dict[str, Any]:
    return {**dict.fromkeys(names, AS_IS), **deeper}


FIGURE = _names("value", "step", "below", "above", "reported")

EVIDENCE = _names(
    *(
        "format",
        "claim",
        "truthful",
        "recoded",
        "k",
        "keys",
        "strata",
        "unit",
        "unit_members",
        "confidential",
    ),
    *("method", "aggregation", "records_released", "groups", "group_sizes"),
    *("records_dropped", "records_in_merged_strata", "information_loss_percent"),
    *("information_loss_percent_by_key", "changed_percent_by_key", "pooled_strata"),
    *("rounded_to", "versions"),
    constraints=_names("rule", "column", "asked"),
    measures={ANY: AS_IS, "distance_targets": {ANY: _names("targets_met", "feasible")}},
    rules=_names(
        *("groups_moved_to_keep_them", "groups_rounded_together", "change_sd"),
        checked=_names("rule", "broken_in_original", "broken_in_release"),
    ),
    previous=_names(
        *("releases", "k_together", "records_new", "records_gone", "records_dropped"),
        "classes_that_fewer_than_k_left",
    ),
)

REPORT = _names(
    *("format", "about", "kind", "created", "version", "standing", "verdict"),
    *("claim", "limits", "remaining", "sizes", "search", "bound"),
    figures=_names(
        *("k", "achieved", "records", "classes", "keys", "strata", "unit", "confidential"),
        *("others", "sets", "fates", "loss", "loss_words", "loss_step", "changed", "pooled"),
        *(
            "dropped",
            "read",
            "drawn",
            "too_large",
            "not_measured",
            "method",
            "aggregation",
            "together",
            "truthful",
        ),
    ),
    questions=_names("name", "title", "asks", "found", "interval", "sentence"),
    measures={**_names("name", "title", "kind", "direction", "reference"), **FIGURE},
    columns=_names(
        *("name", "type", "kind", "why", "missing", "codes", "scale", "edges", "labels"),
        *("before", "after", "cell", "mean", "mean_step", "sd"),
        measures={ANY: FIGURE},
    ),
    correlations=_names("names", "before", "after", "steps", "records", "left_out"),
    evidence=EVIDENCE,
)

METADATA = _names(
    *("title", "created", "software", "file", "records", "claim", "method", "rules", "limits"),
    *("information_loss_percent", "rounded_to"),
    variables=_names(
        *("name", "type", "role", "released", "missing", "mean", "standard_deviation"),
        *("categories", "other_categories"),
    ),
)


def listed(found: Any, names: Names | None) -> Any:
    """What is on the list, and of numbers no more digits than a release needs.

    Examples
    --------
    >>> from coterie.public.names import listed
    >>> listed({"k": 5, "seed": 7, "loss": {"value": 1 / 3}}, {"k": None, "loss": {"value": None}})
    {'k': 5, 'loss': {'value': 0.333333}}
    """
    if isinstance(found, Mapping) and names is not None:
        return {
            name: listed(value, names[name if name in names else ANY])
            for name, value in found.items()
            if name in names or ANY in names
        }
    if isinstance(found, Mapping):
        return {name: listed(value, None) for name, value in found.items()}
    if isinstance(found, (list, tuple)):
        return [listed(value, names) for value in found]
    if hasattr(found, "tolist"):
        return listed(found.tolist(), names)
    return few_digits(found) if isinstance(found, float) else found


def few_digits(number: float) -> float:
    """A number as everybody is told it.

    >>> few_digits(-120084.5)
    -120084.0
    """
    return float(f"{number:.{DIGITS}g}")
