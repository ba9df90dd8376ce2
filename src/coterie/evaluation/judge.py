"""`evaluate`: every measure of a release, or those asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from coterie.errors import ParameterError, bad_parameter, listed
from coterie.evaluation.case import Case
from coterie.evaluation.registry import MEASURES, Measure, find
from coterie.evaluation.request import Request, case_of
from coterie.evaluation.result import Evaluation, Score
from coterie.evaluation.risk.linkage import MOMENTS
from coterie.partitioning.driver import Progress
from coterie.plan import Plan
from coterie.table.schema import Schema

__all__ = ["evaluate"]


def evaluate(
    original: Any,
    released: Any,
    quasi_identifiers: Plan | Sequence[Any] | None = None,
    confidential: Sequence[Any] = (),
    *,
    aligned: bool = False,
    match: str | None = None,
    measures: Sequence[str] | None = None,
    orders: Mapping[str, Sequence[Any]] | None = None,
    known: Sequence[str] | Mapping[str, Sequence[str]] | None = None,
    noise: float = 0.0,
    sd: float = 0.05,
    rank_window: float = 0.05,
    threshold: float = 0.1,
    delta: Any = None,
    importance: Any = None,
    sample_weight: ArrayLike | str | None = None,
    unit: ArrayLike | str | None = None,
    schema: Schema | None = None,
    moments: str = "original",
    control: Any = None,
    population: Any = None,
    attempts: int = 2000,
    tolerance: float = 0.05,
    epsilon: float = 0.1,
    analyses: Sequence[str] = (),
    random_state: int | None = 0,
    callback: Callable[[Progress], object] | None = None,
) -> Evaluation:
    """Judge a release by any tool: how risky it is and how useful.

    Parameters
    ----------
    original, released : path, pandas, polars or pyarrow table, or 2-D array
        Before and after protection, with as many rows. An array's columns are called x1, x2, ...
    quasi_identifiers : Plan, or list of column names, optional
        What was asked of the release: its keys, types, orders, missing codes, weights, strata and
        unit all count. Or only the keys that were protected; by default those of the schema, or
        every column that is not confidential.
    confidential : list of column names
        Columns released as they are, watched for what a class tells about its members; by default
        those of the schema.
    aligned : bool
        Your word that row i is the same record in both tables. Without it (or `match`), measures
        that compare records one by one are refused by name.
    match : column name, optional
        A column that tells every record apart and is in both tables; rows are matched by it.
    measures : list of names, optional
        Only these; `coterie.evaluation.measures` lists all.
    orders : mapping, optional
        Levels of ordinal columns, from low to high; before those of the schema.
    known : list of column names, or mapping of such lists, optional
        What the intruder knows: linkage is measured for these keys besides all of them.
    noise : float
        Standard deviation of the error in what the intruder knows, in the attribute's own.
    sd : float
        Half width of the interval of `sdid` and `offset_adversary`, in standard deviations.
    rank_window : float
        Share of the records that makes the window of `rank_interval`.
    threshold : float
        Chance above which a record counts as at risk.
    delta, importance : number, sequence, (n, d) array, mapping or column name, optional
        The targets that `sl` judges: distance in standard deviations, and weight 0..1; one for all,
        one a numeric key, one a value, or by name (a column of `original` that holds them).
    sample_weight : (n,) array or column name, optional
        Population units that each record stands for, above 0; for the loss, `journalist` and
        `marketer`.
    unit : (n,) array or column name, optional
        The respondent of each record, where one may have several: classes then count these.
    schema : Schema, optional
        What the columns are: types, orders, missing codes and weights, strata, unit and sampling
        weight (`coterie.table.infer`, ``release.schema``). Without one, numbers and dates are
        numbers and everything else is a category.
    moments : {"original", "own"}
        By which means and standard deviations the release is normalized where records are linked
        and for `pil`: those of the original, or its own.
    control : table or path, optional
        Records like those of the original that were not released, held out before anything else:
        attacks (`singling_out`, `linkability`, `inference`) are tried on these too, and what they
        gain beyond that is the risk. Without it, what they gain beyond a guess.
    population : table or path, optional
        People whom the records may stand for, with the keys and strata: for `k_map`.
    attempts : int
        Persons, or predicates, that an attack is tried on, by the seed; its interval says how far
        they tell of all.
    tolerance : float
        How near a guess of a confidential number must be, relative to the true value.
    epsilon : float
        How near two confidential numbers of a class are alike, in standard deviations; for
        `proximity_m` and `dissimilarity`.
    analyses : sequence of str
        What the release is for, made from both tables: ``"income ~ age + edu"``, ``"mean income by
        region"``, ``"total income"``, ``"count by region, sex"``; by default those of the plan.
    random_state : int or None
        Seed of the noise and of the attacks.
    callback : callable, optional
        Called with a `Progress` as the work goes on.

    Returns
    -------
    Evaluation
        A mapping from names to scores: value, direction, bounds, breakdowns.

    Raises
    ------
    DataError, ParameterError
        If tables or parameters do not fit; the message says what to do.

    Examples
    --------
    >>> import coterie
    >>> x = [[1.0], [2.0], [9.0], [10.0]]
    >>> y = [[1.5], [1.5], [9.5], [9.5]]
    >>> found = coterie.evaluate(x, y, aligned=True)
    >>> found["achieved_k"].value, found["dld_expected"].value
    (2.0, 50.0)
    >>> coterie.evaluate(x, y).refused["il"]
    'it compares records one by one: give aligned=True or match=COLUMN.'
    """
    asked = locals()
    began = time.perf_counter()
    if not isinstance(aligned, bool):
        raise bad_parameter("aligned", "evaluate", "True or False", aligned)
    if callback is not None and not callable(callback):
        raise bad_parameter("callback", "evaluate", "a function of one argument", callback)
    if moments not in MOMENTS:
        raise bad_parameter("moments", "evaluate", "'original' or 'own'", moments)
    chosen = list(MEASURES.values()) if measures is None else [find(name) for name in measures]
    if known is not None and not any(m.links or m.knows for m in chosen):
        linking = [name for name, measure in MEASURES.items() if measure.links or measure.knows]
        raise ParameterError(
            f"known has no effect on {listed([m.name for m in chosen])}. It is for measures of "
            f"what an intruder knows: ask for one of {listed(linking)}, or leave it out."
        )
    given = {one.name: asked[one.name] for one in fields(Request)}
    case = case_of(original, released, quasi_identifiers, confidential, **given)
    scores, refused = {}, {}
    for measure in chosen:
        why = _why_not(measure, case)
        if why:
            refused[measure.name] = why
        else:
            scores[measure.name] = _score(measure, case)
    classes = case.classes[1] if "achieved_k" in scores else None
    seconds = time.perf_counter() - began
    return Evaluation(scores, refused, seconds, classes, case.pair.pooled_strata)


def _score(measure: Measure, case: Case) -> Score:
    """What a measure that the case has all for finds."""
    case.phase = measure.name
    case.tell(0.0)
    found = measure.load()(case)
    case.tell(1.0)
    return Score(
        name=measure.name,
        title=measure.title,
        kind=measure.kind,
        direction=measure.direction,
        bounds=measure.bounds,
        reference=measure.reference,
        **vars(found),
    )


def _why_not(measure: Measure, case: Case) -> str:
    """Why a measure cannot be computed; empty if it can."""
    if measure.rowwise and not case.pair.aligned:
        return "it compares records one by one: give aligned=True or match=COLUMN."
    if measure.links and (torn := case.pair.torn()):
        return (
            f"it links records with the same gaps, and {torn:,} of {case.n:,} have other gaps in "
            "the release than in the original."
        )
    if measure.needs == "numeric" and not case.numeric:
        return "it needs a numeric quasi-identifier."
    if measure.needs == "pairs" and len(case.numeric) < 2:
        return "it needs at least two numeric quasi-identifiers."
    if measure.name == "eigenvalues" and any(
        np.isnan(side).any(axis=1).all() for side in case.standard
    ):
        return "it needs records that have every numeric quasi-identifier."
    if measure.needs == "several" and len(case.pair.keys) < 2:
        return "it needs at least two quasi-identifiers."
    if measure.needs == "category" and not case.loss.changed:
        return "it needs a quasi-identifier of categories."
    if measure.name == "exact_share" and not any(c.there[0].any() for c in case.pair.keys):
        return "it needs a quasi-identifier that some record has."
    if measure.needs == "confidential" and not case.pair.confidential:
        return "it needs a confidential column: name one in 'confidential'."
    if measure.needs == "weights" and case.settings.sample_weight is None:
        return "it needs sampling weights, and none were given: name them in 'sample_weight'."
    if measure.needs == "population" and case.pair.population is None:
        return "it needs a table of the population: give 'population'."
    if measure.needs == "analyses" and not case.settings.analyses:
        return "it needs analyses: name some in 'analyses'."
    if measure.needs == "delta" and (case.settings.delta is None or not case.numeric):
        return "it needs distance targets: give 'delta'."
    return ""
