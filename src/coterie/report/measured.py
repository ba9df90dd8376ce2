"""The measures that a report shows: of all keys together, and column by column."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation import Evaluation, registry
from coterie.evaluation.declared import Judgment, evaluate_declared
from coterie.partitioning.driver import Progress
from coterie.public import DocumentRule
from coterie.report.questions import attacked_records

if TYPE_CHECKING:
    import narwhals as nw

    from coterie.table.schema import Schema

__all__ = ["MEASURES", "by_column", "linked", "measure", "scores", "within"]

MOST_LINKED = 5_000_000  # records times (keys - 3)^2, up to which nearest records are looked for
MOST_FITTED = 20_000  # records up to which it fits a model that tells the two tables apart
LINKAGE = ("dld_expected", "own_group", "sdid")
FITTED = ("pmse",)
MOST_ATTACKED = 250_000  # records up to which attacks are tried: each looks at the whole table
ATTACKS = ("singling_out", "linkability", "inference", "partial_knowledge")
MEASURES = (
    "achieved_k",
    "prosecutor",
    "journalist",
    "marketer",
    *LINKAGE,
    "offset_adversary",
    "exact_share",
    "distinct_l",
    "entropy_l",
    "t_closeness",
    *ATTACKS,
    "population_risk",
    "proximity_m",
    "dissimilarity",
    "il",
    "changed",
    "pil",
    "means",
    "variances",
    "correlations",
    "ks",
    *FITTED,
)
OF_ALL = (
    *("achieved_k", "prosecutor", "journalist", "marketer", *LINKAGE),
    *("distinct_l", "entropy_l", "t_closeness", "il", "changed", "pil", *FITTED),
)
BY_COLUMN = ("il", "changed", "exact_share", "sdid", "offset_adversary", "ks")


def measure(
    original: nw.DataFrame[Any],
    released: nw.DataFrame[Any],
    schema: Schema,
    callback: Callable[[Progress], object] | None = None,
    analyses: Sequence[str] = (),
    *,
    drawn: bool = False,
) -> tuple[Judgment, list[str]]:
    """Every measure of two aligned tables that can be had in seconds; and those left out.

    With `drawn`, the records are some of a larger table: measures of whole classes, and figures
    that all records tell exactly, are not taken from them.
    """
    work = len(original) * max(len(schema.keys) - 3, 1) ** 2
    left = [*(LINKAGE if work > MOST_LINKED else ())]
    left += ATTACKS if len(original) > MOST_ATTACKED else ()
    left += FITTED if len(original) > MOST_FITTED else ()
    left = list(OF_ALL) if drawn else left
    chosen = [name for name in MEASURES if name not in left]
    tell = within(callback, 0.0, 0.6)
    chosen += ["analyses"] if analyses else []
    return evaluate_declared(original, released, schema, chosen, tell, analyses), left


def within(
    callback: Callable[[Progress], object] | None, start: float, stop: float
) -> Callable[[Progress], object] | None:
    """A callback that tells of a part of the report's work."""
    if callback is None:
        return None
    began = time.perf_counter()
    seen = [0.0]

    def tell(progress: Progress) -> None:
        # Measures report from 0 to 1 each; a report's own share only grows.
        seen[0] = max(seen[0], (progress.fraction or 0.0) / len(MEASURES), seen[0] + 1e-3)
        share = start + (stop - start) * min(seen[0], 1.0)
        callback(Progress("report", time.perf_counter() - began, share))

    return tell


def scores(
    found: Evaluation | None, rule: DocumentRule, n: int, influence: float = math.inf
) -> list[dict[str, Any]]:
    """The measures as plain data, as far as the rule lets them be told.

    `influence` is that of k - 1 units on the loss.
    """
    reported = []
    for name, score in (found or {}).items():
        figure = rule.measure(name, score.value, attacked_records(score, n), influence)
        if figure is not None:
            one: dict[str, Any] = {
                "name": name,
                # Which attack was the best is told by those whom it hit.
                "title": score.says if rule.internal or not score.attacks else score.title,
                "kind": score.kind,
                "direction": score.direction,
                "reference": score.reference,
                **figure,
            }
            if rule.internal and score.attacks:
                one["attacks"] = [asdict(attack) for attack in score.attacks]
            reported.append(one)
    return reported


def linked(
    evidence: Mapping[str, Any], rule: DocumentRule, schema: Schema
) -> dict[str, dict[str, Any]]:
    """Loss of all records and linkage of those drawn, as the internal evidence has them."""
    reported = {}
    for name in ("dld_expected", "own_group", "il"):
        value = evidence["measures"].get(name)
        if value is None or (not rule.internal and (name == "il" or schema.unit is not None)):
            continue
        figure = described(name, value, rule, evidence["measures"]["linked"]["records"])
        if figure is not None:
            reported[name] = figure
    return reported


def described(name: str, value: float, rule: DocumentRule, records: int) -> dict[str, Any] | None:
    """A measure that was taken elsewhere, with what it is; None if it may not be told."""
    about, figure = registry.find(name), rule.measure(name, value, records)
    if figure is None:
        return None
    return {
        "name": name,
        "title": about.title,
        "kind": about.kind,
        "direction": about.direction,
        "reference": about.reference,
        **figure,
    }


def by_column(
    found: Evaluation | None,
    present: Mapping[str, NDArray[np.bool_]],
    rule: DocumentRule,
    influence: Mapping[str, float],
) -> dict[str, dict[str, Any]]:
    """Measures of each key; `present` says which records have it.

    `influence` is that of k - 1 units on the loss of each key.
    """
    reported: dict[str, dict[str, Any]] = {name: {} for name in present}
    for name, there in present.items():
        records = int(there.sum())
        here = rule.where(there)
        for measure_name in BY_COLUMN if records and found is not None else ():
            score = found.get(measure_name) if found is not None else None
            value = (score.by_column or {}).get(name) if score is not None else None
            if value is not None:
                figure = here.measure(measure_name, value, records, influence[name])
                if figure is not None:
                    reported[name][measure_name] = figure
    return reported
