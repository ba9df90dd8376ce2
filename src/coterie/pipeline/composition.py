"""The stages in their order: table -> schema -> space -> partition -> centroids -> proven release.

`anonymize` is the function behind the API and the command line. It finds every problem that
refuses the table before it does any work, and tells them all at once.
"""

from __future__ import annotations

import inspect
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np

from coterie.aggregation.typed import AGGREGATIONS
from coterie.edits.plan import BROKEN
from coterie.errors import ParameterError, bad_parameter
from coterie.evidence import edit_evidence, gather, judge, previous_evidence
from coterie.partitioning import registry
from coterie.partitioning.constraints import ON_VIOLATION
from coterie.partitioning.driver import Progress
from coterie.pipeline.assembly import assemble, order
from coterie.pipeline.assurance import Assurance, told
from coterie.pipeline.grouping import group, share
from coterie.pipeline.preparation import Prepared, prepare
from coterie.pipeline.reuse import regroup
from coterie.pipeline.stages import Stages
from coterie.previous import LEAVERS
from coterie.public import Influence, Rule
from coterie.release import Release
from coterie.space import coordinates
from coterie.table.source import Source

__all__ = ["anonymize"]

MISSING = ("error", "drop", "pattern")
SMALL_STRATA = ("error", "merge", "drop")
ROW_ORDERS = ("sorted", "keep")
UNIT_MEMBERS = ("any", "together")
RESERVED = {
    "X",
    "k",
    "method",
    "random_state",
    "time_limit",
    "iterations",
    "workers",
    "callback",
    "constraints",
}


def anonymize(
    table: Any,
    k: int,
    quasi_identifiers: Sequence[str],
    *,
    confidential: Sequence[str] = (),
    identifiers: Sequence[str] = (),
    declared: Sequence[str] = (),
    unit: str | None = None,
    strata: Sequence[str] = (),
    unit_members: str = "any",
    min_distinct: int | Mapping[str, int] | None = None,
    max_share: float | Mapping[str, float] | None = None,
    entropy_l: float | Mapping[str, float] | None = None,
    t_closeness: float | Mapping[str, float] | None = None,
    p_percent: float | Mapping[str, float] | None = None,
    dominance: tuple[int, float] | Mapping[str, tuple[int, float]] | None = None,
    on_violation: str = "repair",
    method: str = "auto",
    method_options: Mapping[str, Any] | None = None,
    time_limit: float | None = None,
    iterations: int | None = None,
    random_state: int | np.random.Generator | None = None,
    aggregation: str = "mean",
    delta: Any = None,
    importance: Any = None,
    alpha: float | None = None,
    missing: str = "error",
    small_strata: str = "error",
    sample_weight: str | None = None,
    attribute_weights: Mapping[str, float] | None = None,
    attribute_groups: Sequence[Sequence[str]] | None = None,
    types: Mapping[str, str] | None = None,
    orders: Mapping[str, Sequence[Any]] | None = None,
    missing_codes: Mapping[str, Sequence[Any]] | None = None,
    transforms: Mapping[str, str] | None = None,
    rules: Sequence[str] = (),
    broken_rules: str = "error",
    previous: Any = None,
    match: str | None = None,
    leavers: str | None = None,
    row_order: str = "sorted",
    callback: Callable[[Progress], object] | None = None,
) -> Release:
    """Protect a table: k-anonymous on the declared keys, proven, with as little loss as can be.

    Parameters
    ----------
    table : path, or pandas, polars or pyarrow table
        CSV, Parquet, Feather; Excel, SPSS, Stata and SAS with the extra ``formats``.
    k : int
        Every combination of released key values is shared by at least k units.
    quasi_identifiers : sequence of str
        The keys: what an intruder may know. Grouped and released as centroids.
    confidential : sequence of str
        Released as they are, and watched. A column may be key and confidential.
    identifiers : sequence of str
        Dropped.
    declared : sequence of str
        Columns that look like identifiers and are none.
    unit : str, optional
        Column that tells respondents apart, where one may have several records: every group then
        holds at least k different ones.
    strata : sequence of str
        Columns whose combinations are never mixed in a group; released as they are.
    unit_members : {"any", "together"}
        Records of a unit (members of a household) may be in different groups, or share one.
    min_distinct, max_share, entropy_l, t_closeness : number, or mapping of column to number
        How alike the confidential values in a group may be: least different values, largest share
        of one, least exp(entropy), largest distance from the whole table (by ranks for numbers,
        dates and ordinals, with equal distances for other categories). A number is for every
        confidential column that is no key.
    p_percent, dominance : number or (count, percent), or mapping by column
        How much a unit may dominate the sum of an amount over a group: all but the two largest
        units add at least p percent of the largest; the `count` largest add at most so many
        percent. Without columns, for every numeric key.
    on_violation : {"repair", "refuse"}
        Groups that miss one of these are repaired at the least loss, or the table is refused.
    method, method_options, time_limit, iterations, random_state
        As `coterie.partition` takes them.
    aggregation : {"mean", "median", "p3m"}
        What is released for numbers; categories always release a median or mode.
    delta, importance, alpha
        Wishes of P3M: least distance between an original number and the released one in standard
        deviations, how much that matters, and the weight of the wishes; numbers, one for each key,
        or names of columns that hold each person's wish (`coterie.aggregation.p3m`).
    missing : {"error", "drop", "pattern"}
        Records with missing keys are refused, dropped, or grouped with those that miss the same.
    small_strata : {"error", "merge", "drop"}
        Strata of fewer than k units are refused, pooled, or dropped.
    sample_weight : str, optional
        Column of positive weights for the centroids.
    attribute_weights : mapping, optional
        Weight of a key in distances; 1 by default.
    attribute_groups : sequence of sequences of str, optional
        Disjoint sets of keys, each grouped by itself (one key a set: individual ranking). Less is
        lost, but the release is masked, not k-anonymous on all keys together, and says so.
    types, orders, missing_codes, transforms : mapping, optional
        By column: its type, the order of its categories, values that mean missing, and
        ``"log1p"``, ``"asinh"`` or ``"rank"`` before standardising.
    rules : sequence of str
        What every record of the release must keep: bounds, sums and comparisons of columns, such as
        ``"income >= 0"`` or ``"total == a + b"``. Proven on the file.
    broken_rules : {"error", "repair", "drop"}
        Records of the original that break a rule are refused with their number, released within a
        group whose values keep it, or dropped.
    previous : Release, path of a crosswalk, or sequence of these, optional
        Earlier releases of these records. Groups become parts or unions of their classes, so that
        who has all releases still finds every record among at least k units.
    match : str, optional
        Column that names each record, where the table has changed since; may be an identifier.
    leavers : {"error", "drop", "tell"}, optional
        Old classes that some records, fewer than k, have left are refused (the default), left out
        with the records that stay of them, or told in the evidence.
    row_order : {"sorted", "keep"}
        Sorted by the released values, so that the order tells nothing; or as it came.
    callback : callable, optional
        Called with a `Progress`.

    Returns
    -------
    Release
        With data, partition, evidence; ``write`` it to a file.

    Raises
    ------
    CoterieError
        One message with every problem found, and what to do about each.

    Examples
    --------
    >>> import coterie
    >>> patients = coterie.datasets.diabetes()
    >>> r = coterie.anonymize(
    ...     patients,
    ...     k=5,
    ...     quasi_identifiers=["age", "sex", "bmi", "bp"],
    ...     confidential=["progression"],
    ... )
    >>> r.verification.achieved >= 5
    True
    """
    if random_state is None:
        random_state = secrets.randbits(32)  # a seed that the evidence can tell
    arguments = _given({n: v for n, v in locals().items() if n not in ("table", "callback")})
    stages = Stages(callback)
    _check_choices(
        method,
        method_options,
        missing=missing,
        small_strata=small_strata,
        row_order=row_order,
        broken_rules=broken_rules,
        leavers="error" if leavers is None else leavers,
        unit_members=unit_members,
        on_violation=on_violation,
    )
    for name, value in (("leavers", leavers), ("match", match)):
        if value is not None and previous is None:
            raise ParameterError(
                f"{name} must come with previous. Got {value!r} alone; leave it out."
            )
    wishes = _wishes(aggregation, sample_weight, delta=delta, importance=importance, alpha=alpha)
    assurance = Assurance(
        {
            "min_distinct": min_distinct,
            "max_share": max_share,
            "entropy_l": entropy_l,
            "t_closeness": t_closeness,
            "p_percent": p_percent,
            "dominance": dominance,
        },
        unit_members,
        on_violation,
        weighted=sample_weight is not None,
    )
    prepared = prepare(
        table,
        k,
        {
            "quasi_identifiers": quasi_identifiers,
            "confidential": confidential,
            "identifiers": identifiers,
            "strata": strata,
            "unit": unit,
            "sample_weight": sample_weight,
            "types": types,
            "orders": orders,
            "missing_codes": missing_codes,
            "transforms": transforms,
            "attribute_weights": attribute_weights,
            "declared": declared,
        },
        stages,
        attribute_groups=attribute_groups,
        missing=missing,
        small_strata=small_strata,
        rules=[rules] if isinstance(rules, str) else rules,
        broken_rules=broken_rules,
        previous=previous,
        match=match,
        leavers=leavers or "error",
        checks=[assurance.check],
    )
    constraints = assurance.constraints(prepared)
    layers, sets = prepared.layers, prepared.sets
    spaces = [coordinates([c for c in prepared.columns if c.name in names]) for names in sets]
    stages.done("space")
    search: dict[str, Any] = {
        "method": method,
        "random_state": random_state,
        "time_limit": share(time_limit, 1 / len(sets)),
        "iterations": iterations,
        "callback": callback,
        "options": dict(method_options or {}),
    }
    grouped = group
    if prepared.earlier is not None:
        grouped = partial(regroup, old=prepared.earlier.codes[layers.rows])
    keys = set(prepared.schema.keys)
    partitions = tuple(
        grouped(points, prepared.k, layers, constraints.without(keys - set(names)), **search)
        for points, names in zip(spaces, sets, strict=True)
    )
    stages.done("partition")

    assembled = assemble(prepared, partitions, aggregation, wishes)
    frame = assembled.frame
    stages.done("aggregation")
    judged = judge(assembled.kept, frame, prepared.schema)
    influence = Influence.of(
        assembled.kept,
        frame,
        prepared.schema,
        Rule("public", prepared.k, None if prepared.units is None else prepared.units[layers.rows]),
    )
    if assembled.wished:
        judged["wishes"] = assembled.wished
    stages.done("evaluation")
    rows = np.arange(len(layers.rows))
    if row_order == "sorted":
        rows = order(frame, prepared.schema)
        frame = frame[rows.tolist()]
    crosswalk = layers.rows[rows]
    stages.done("order")
    key_sets = tuple((*names, *prepared.schema.strata) for names in sets)
    proofs = (assurance.proof(prepared, crosswalk, key_sets),) if constraints else ()
    promised = (
        told(partitions, proofs[0].findings(Source(frame, "frame", "release")), assurance)
        if proofs
        else ({}, {})
    )

    asked = {
        "method": method,
        "aggregation": aggregation,
        "wishes": {name: np.asarray(value).tolist() for name, value in wishes.items()},
        "missing": missing,
        "small_strata": small_strata,
        "broken_rules": broken_rules,
        "row_order": row_order,
        "random_state": int(random_state) if isinstance(random_state, Integral) else None,
    }
    release = Release(
        frame=frame,
        partitions=partitions,
        evidence=gather(
            prepared.source,
            prepared.schema,
            partitions,
            prepared.k,
            layers,
            prepared.columns,
            stages.seconds,
            asked,
            judged,
            promised,
            edit_evidence(prepared.edits, assembled.edited),
            previous_evidence(prepared.earlier, prepared.beside, layers.rows),
            units=prepared.units,
            influence=influence.loss,
        ),
        schema=prepared.schema,
        source=prepared.source,
        k=prepared.k,
        key_sets=key_sets,
        crosswalk=crosswalk,
        units=None if prepared.units is None else prepared.units[crosswalk],
        proofs=(*proofs, *_proofs(prepared, crosswalk)),
        arguments=arguments,
    )
    release.prove()
    stages.done("proof")
    return release


def _given(values: dict[str, Any]) -> dict[str, Any]:
    """Arguments that are not what they are by default."""
    usual = {name: p.default for name, p in inspect.signature(anonymize).parameters.items()}
    return {name: value for name, value in values.items() if value is not usual[name]}


def _proofs(prepared: Prepared, crosswalk: Any) -> tuple[Callable[[Source], object], ...]:
    """What the file must show beside k-anonymity: rules, and cells with earlier releases."""
    made: list[Callable[[Source], object]] = []
    if prepared.edits.rules:
        made.append(prepared.edits.prove)
    if prepared.earlier is not None:
        made.append(
            partial(
                prepared.earlier.prove,
                keys=(*prepared.schema.keys, *prepared.schema.strata),
                crosswalk=crosswalk,
                units=None if prepared.units is None else prepared.units[crosswalk],
            )
        )
    return tuple(made)


def _check_choices(method: str, options: Mapping[str, Any] | None, **choices: str) -> None:
    for name, allowed in (
        ("missing", MISSING),
        ("small_strata", SMALL_STRATA),
        ("row_order", ROW_ORDERS),
        ("broken_rules", BROKEN),
        ("leavers", LEAVERS),
        ("unit_members", UNIT_MEMBERS),
        ("on_violation", ON_VIOLATION),
    ):
        _one_of(name, choices[name], allowed)
    check_method(method, options)


def check_method(method: str, options: Mapping[str, Any] | None) -> None:
    """Refuse an unknown method, and options that are arguments of their own."""
    registry.find(method)
    reserved = sorted(set(options or {}) & RESERVED)
    if reserved:
        raise ParameterError(
            f"method_options must hold options of the method only. Got {reserved[0]!r}; give it as "
            "an argument of its own."
        )


def _wishes(aggregation: str, sample_weight: str | None, **given: Any) -> dict[str, Any]:
    """P3M's wishes that were made; refused with another aggregation."""
    _one_of("aggregation", aggregation, AGGREGATIONS)
    wishes = {name: value for name, value in given.items() if value is not None}
    if wishes and aggregation != "p3m":
        raise ParameterError(
            f"The {next(iter(wishes))!r} parameter is for aggregation='p3m'. Got {aggregation!r}; "
            "leave it out or change the aggregation."
        )
    if aggregation == "p3m" and sample_weight is not None:
        raise ParameterError(
            f"aggregation='p3m' must have no sample_weight. Got {sample_weight!r}; use 'mean'."
        )
    return wishes


def _one_of(name: str, value: object, choices: Sequence[str]) -> None:
    if value not in choices:
        rule = "one of " + ", ".join(map(repr, choices))
        raise bad_parameter(name, "anonymize", rule, value)
