"""What `evaluate` is asked, checked and read: two tables and settings become a `Case`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from coterie.centroids.p3m.targets import distance_target
from coterie.errors import ParameterError, bad_parameter, unknown_name
from coterie.evaluation.case import Case, Settings
from coterie.evaluation.held_out import with_control
from coterie.evaluation.pair import Pair, Rows
from coterie.evaluation.reading import read_pair
from coterie.evaluation.tables import Table, opened, source_of
from coterie.partitioning.driver import Progress
from coterie.plan import Plan
from coterie.plan.analysis import Analysis, read_analysis
from coterie.table.infer import infer
from coterie.table.schema import Schema

__all__ = ["Request", "case_of"]


@dataclass(frozen=True)
class Request:
    """What `evaluate` takes besides the tables and the roles of their columns, as it takes it."""

    aligned: bool = False
    match: str | None = None
    schema: Schema | None = None
    orders: Mapping[str, Sequence[Any]] | None = None
    known: Any = None
    control: Any = None
    population: Any = None
    unit: Any = None
    sample_weight: Any = None
    delta: Any = None
    importance: Any = None
    analyses: Sequence[str] = ()
    noise: float = 0.0
    sd: float = 0.05
    rank_window: float = 0.05
    threshold: float = 0.1
    tolerance: float = 0.05
    epsilon: float = 0.1
    moments: str = "original"
    attempts: int = 2000
    random_state: int | None = 0
    callback: Callable[[Progress], object] | None = None

    def of_plan(self, plan: Plan, original: Any) -> Request:
        """With what the plan of the release says, where nothing else is given."""
        return replace(
            self,
            schema=infer(source_of(original), **plan.described),
            delta=plan.delta if self.delta is None else self.delta,
            importance=plan.importance if self.importance is None else self.importance,
            analyses=self.analyses or plan.analyses,
            population=plan.population if self.population is None else self.population,
        )


def case_of(
    original: Any,
    released: Any,
    quasi_identifiers: Plan | Sequence[Any] | None = None,
    confidential: Sequence[Any] = (),
    **given: Any,
) -> Case:
    """The two tables read and checked; `given` are fields of `Request`."""
    asked = Request(**given)
    attempts = _count("attempts", asked.attempts)
    if asked.random_state is not None:
        _count("random_state", asked.random_state, 0)
    original, released = opened(original), opened(released)
    if isinstance(quasi_identifiers, Plan):
        for name, value in (("confidential", confidential), ("schema", asked.schema)):
            if value:
                raise bad_parameter(name, "evaluate", "left out beside a plan", value)
        asked = asked.of_plan(quasi_identifiers, original)
        quasi_identifiers = None
    before, after = Table(original, "original"), Table(released, "released")
    analyses = _analyses(asked.analyses)
    held_out = None if asked.control is None else Table(opened(asked.control), "control")
    people = asked.population
    schema = asked.schema
    if schema is not None and not len(confidential):
        watched = schema.confidential if quasi_identifiers is None else ()
        confidential = [name for name in watched if name not in schema.keys]
    pair = read_pair(
        before,
        after,
        quasi_identifiers,
        confidential,
        aligned=asked.aligned,
        match=asked.match,
        orders=asked.orders,
        schema=schema,
        control=held_out,
        population=None if people is None else Table(opened(people), "population"),
        others=list(dict.fromkeys(name for one in analyses for name in one.columns)),
    )
    for one in analyses:
        if one.outcome is not None and pair.others[one.outcome].kind == "category":
            raise ParameterError(
                f"The analysis {one.text!r} needs numbers of {one.outcome!r}. Got categories; "
                "choose another column."
            )
    rows = Rows(before, after, pair)
    unit, weight = asked.unit, asked.sample_weight
    if schema is not None:
        unit = schema.unit if unit is None else unit
        weight = schema.sample_weight if weight is None else weight
    if held_out is not None:
        pair = with_control(pair, held_out, unit)
    settings = Settings(
        sd=_number("sd", asked.sd),
        rank_window=_number("rank_window", asked.rank_window, 1.0),
        threshold=_number("threshold", asked.threshold, 1.0),
        noise=_number("noise", asked.noise),
        known=_known(asked.known, pair),
        delta=_target("delta", asked.delta, pair, original),
        importance=_target("importance", asked.importance, pair, original),
        sample_weight=rows.weights(weight),
        units=rows.units(unit),
        moments=asked.moments,
        seed=asked.random_state,
        attempts=attempts,
        tolerance=_number("tolerance", asked.tolerance),
        epsilon=_number("epsilon", asked.epsilon),
        analyses=analyses,
    )
    return Case(pair, settings, asked.callback)


def _target(name: str, given: Any, pair: Pair, original: Any) -> Any:
    numeric = [column.name for column in pair.numeric]
    return distance_target(name, given, pair.n, numeric, original, "evaluate")


def _number(name: str, value: Any, high: float = math.inf) -> float:
    good = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    if not good or not 0.0 <= value <= high or math.isinf(value):
        rule = "a finite number of at least 0" + (
            "" if math.isinf(high) else f" and at most {high:g}"
        )
        raise bad_parameter(name, "evaluate", rule, value)
    return float(value)


def _analyses(given: Sequence[str]) -> tuple[Analysis, ...]:
    texts = (given,) if isinstance(given, str) else tuple(given)
    try:
        return tuple(read_analysis(text) for text in texts)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{error}.") from None


def _count(name: str, value: Any, low: int = 1) -> int:
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < low:
        raise bad_parameter(name, "evaluate", f"a whole number of at least {low}", value)
    return int(value)


def _known(given: Any, pair: Pair) -> dict[str, tuple[str, ...]]:
    if given is None:
        return {}
    if isinstance(given, str) or not isinstance(given, (Mapping, Sequence)):
        rule = "a list of column names, or a mapping of such lists"
        raise bad_parameter("known", "evaluate", rule, given)
    subsets = given if isinstance(given, Mapping) else {", ".join(map(str, given)): given}
    keys = [column.name for column in pair.keys]
    found = {}
    for label, names in subsets.items():
        for name in names:
            if name not in keys:
                raise unknown_name("quasi-identifier in 'known':", name, keys)
        if not names:
            raise bad_parameter("known", "evaluate", "at least one column in every list", names)
        found[str(label)] = tuple(key for key in keys if key in set(names))
    return found
