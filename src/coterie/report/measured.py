"""The measures that a report shows: of all keys together, and column by column."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation import Evaluation
from coterie.evaluation.declared import Judgement, evaluate_declared
from coterie.partitioning.driver import Progress
from coterie.public import Rule

if TYPE_CHECKING:
    import narwhals as nw

    from coterie.table.schema import Schema

__all__ = ["MEASURES", "by_column", "measure", "scores", "within"]

MOST_LINKED = 5_000_000  # records times (keys - 3)^2, up to which nearest records are looked for
MOST_FITTED = 20_000  # records up to which it fits a model that tells the two tables apart
LINKAGE = ("dld_expected", "own_group", "sdid")
FITTED = ("pmse",)
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
    "il",
    "changed",
    "pil",
    "means",
    "variances",
    "correlations",
    "ks",
    *FITTED,
)
BY_COLUMN = ("il", "changed", "exact_share", "sdid", "offset_adversary", "ks")


def measure(
    original: nw.DataFrame[Any],
    released: nw.DataFrame[Any],
    schema: Schema,
    callback: Callable[[Progress], object] | None = None,
) -> tuple[Judgement, list[str]]:
    """Every measure of two aligned tables that can be had in seconds; and those left out."""
    work = len(original) * max(len(schema.keys) - 3, 1) ** 2
    left = [*(LINKAGE if work > MOST_LINKED else ())]
    left += FITTED if len(original) > MOST_FITTED else ()
    chosen = [name for name in MEASURES if name not in left]
    tell = within(callback, 0.0, 0.6)
    return evaluate_declared(original, released, schema, chosen, tell), left


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
    found: Evaluation | None, rule: Rule, n: int, influence: float = math.inf
) -> list[dict[str, Any]]:
    """The measures as plain data, as far as the rule lets them be told.

    `influence` is that of k - 1 units on the loss.
    """
    told = []
    for name, score in (found or {}).items():
        figure = rule.measure(name, score.value, n, influence)
        if figure is not None:
            one: dict[str, Any] = {
                "name": name,
                "title": score.says,
                "kind": score.kind,
                "direction": score.direction,
                "reference": score.reference,
                **figure,
            }
            told.append(one)
    return told


def by_column(
    found: Evaluation | None,
    present: Mapping[str, NDArray[np.bool_]],
    rule: Rule,
    influence: Mapping[str, float],
) -> dict[str, dict[str, Any]]:
    """Measures of each key; `present` says which records have it.

    `influence` is that of k - 1 units on the loss of each key.
    """
    told: dict[str, dict[str, Any]] = {name: {} for name in present}
    for name, there in present.items():
        records = int(there.sum())
        here = rule.where(there)
        for measure_name in BY_COLUMN if records and found is not None else ():
            score = found.get(measure_name) if found is not None else None
            value = (score.by_column or {}).get(name) if score is not None else None
            if value is not None:
                figure = here.measure(measure_name, value, records, influence[name])
                if figure is not None:
                    told[name][measure_name] = figure
    return told
