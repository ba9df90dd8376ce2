"""The stages composed: table -> schema -> space -> partition -> centroids -> proven release.

`anonymize` is the function behind the API and the command line. It finds every problem that
refuses the table before it does any work, and tells them all at once.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.aggregation.typed import AGGREGATIONS, centroids, disclosure_aware
from coterie.checks import check_k
from coterie.encoding import Column
from coterie.errors import DataError, ParameterError, bad_parameter
from coterie.evidence import gather, judge
from coterie.partitioning import registry
from coterie.partitioning.core import Outcome, Partition
from coterie.partitioning.dispatch import partition
from coterie.partitioning.driver import Progress
from coterie.partitioning.problem import Problem
from coterie.release import Release
from coterie.space import coordinates
from coterie.strata import Strata, form_strata, pattern_codes
from coterie.table.infer import Problems, examine
from coterie.table.read import read
from coterie.table.restore import replace_columns
from coterie.table.schema import Schema
from coterie.table.source import Source
from coterie.table.suspects import suspects
from coterie.table.write import to_arrow
from coterie.verification import class_codes

__all__ = ["anonymize"]

MISSING = ("error", "drop", "pattern")
SMALL_STRATA = ("error", "merge", "drop")
ROW_ORDERS = ("sorted", "keep")
RESERVED = {"X", "k", "method", "random_state", "time_limit", "iterations", "workers", "callback"}


@dataclass
class Stages:
    """Seconds of each stage, and the one loop that tells the caller about them."""

    callback: Callable[[Progress], object] | None
    seconds: dict[str, float] = field(default_factory=dict)
    _began: float = field(default_factory=time.perf_counter)

    def done(self, name: str) -> None:
        """The stage `name` ended now."""
        now = time.perf_counter()
        self.seconds[name] = now - self._began
        self._began = now
        if self.callback is not None:
            self.callback(Progress(name, sum(self.seconds.values()), fraction=1.0))


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
        Column that tells respondents apart, where one may have several records.
    strata : sequence of str
        Columns whose combinations are never mixed in a group; released as they are.
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
    stages = Stages(callback)
    if random_state is None:
        random_state = secrets.randbits(32)  # a seed that the evidence can tell
    _one_of("missing", missing, MISSING)
    _one_of("small_strata", small_strata, SMALL_STRATA)
    _one_of("row_order", row_order, ROW_ORDERS)
    _one_of("aggregation", aggregation, AGGREGATIONS)
    registry.find(method)
    reserved = sorted(set(method_options or {}) & RESERVED)
    if reserved:
        raise ParameterError(
            f"method_options must hold options of the method only. Got {reserved[0]!r}; give it as "
            "an argument of its own."
        )
    wishes = {"delta": delta, "importance": importance, "alpha": alpha}
    wishes = {name: value for name, value in wishes.items() if value is not None}
    if wishes and aggregation != "p3m":
        raise ParameterError(
            f"The {next(iter(wishes))!r} parameter is for aggregation='p3m'. Got {aggregation!r}; "
            "leave it out or change the aggregation."
        )
    if aggregation == "p3m" and sample_weight is not None:
        raise ParameterError(
            f"aggregation='p3m' must have no sample_weight. Got {sample_weight!r}; use 'mean'."
        )
    source = table if isinstance(table, Source) else read(table)
    schema, problems = examine(
        source,
        quasi_identifiers=quasi_identifiers,
        confidential=confidential,
        identifiers=identifiers,
        strata=strata,
        unit=unit,
        sample_weight=sample_weight,
        types=types,
        orders=orders,
        missing_codes=missing_codes,
        transforms=transforms,
        attribute_weights=attribute_weights,
        declared=declared,
    )
    if quasi_identifiers is None or not len(quasi_identifiers):
        rule = "a sequence of at least one column name"
        problems.add(str(bad_parameter("quasi_identifiers", "anonymize", rule, quasi_identifiers)))
    try:
        size = check_k(k, len(source.frame), "anonymize")
    except ParameterError as error:
        problems.add(str(error))
    to_arrow(source, source.frame)  # refuses columns of several types, by name, before any work
    stages.done("read")
    sets = _attribute_sets(attribute_groups, schema, problems)
    for name in missing_codes if isinstance(missing_codes, Mapping) else ():
        if name in schema.names and name not in schema.keys:
            problems.add(f"missing_codes of {name!r} would have no effect: it is no key")
    columns = _key_columns(source, schema, missing, k, problems)
    problems.refuse()
    gaps = np.column_stack([column.missing for column in columns])
    stages.done("schema")
    rows = np.flatnonzero(~gaps.any(axis=1)) if missing == "drop" else np.arange(len(gaps))
    if len(rows) < size:
        raise DataError(
            f"anonymize must keep at least k = {size} records. Got {len(rows)} after dropping "
            f"{len(gaps) - len(rows)} with missing keys; use missing='pattern' or another key."
        )
    units = class_codes(source, [unit]) if unit is not None else None
    layers = form_strata(source, schema, rows, gaps, units, size, small_strata)
    rows = layers.rows

    columns = [_some(column, rows) for column in columns]
    weights = _weights(source, schema, rows)
    spaces = [coordinates([c for c in columns if c.name in names]) for names in sets]
    stages.done("space")
    search: dict[str, Any] = {
        "method": method,
        "random_state": random_state,
        "time_limit": _share(time_limit, 1 / len(sets)),
        "iterations": iterations,
        "callback": callback,
        "options": dict(method_options or {}),
    }
    partitions = tuple(_group(points, size, layers, units, **search) for points in spaces)
    stages.done("partition")

    kept = source.frame[rows.tolist()] if len(rows) < len(source.frame) else source.frame
    # The unit names the respondent: it is counted, and released only if the caller declares it.
    private = [schema.unit] if schema.unit and not schema[schema.unit].declared else []
    frame = kept.drop(list(dict.fromkeys([*schema.identifiers, *private])))
    arrays, wished = {}, {}
    for names, groups in zip(sets, partitions, strict=True):
        together = [c for c in columns if c.name in names]
        moved: dict[str, NDArray[np.float64]] = {}
        if aggregation == "p3m":
            moved, told = disclosure_aware(together, groups.labels, wishes, kept.to_native())
            wished.update(told)
        for column in together:
            value = moved.get(column.name)
            if value is None:
                value = centroids(column, groups.labels, weights, aggregation)
            arrays[column.name] = column.restore(value[groups.labels], column.missing)
    arrays.update(layers.replaced(source))
    frame = replace_columns(frame, arrays)
    stages.done("aggregation")
    judged = judge(kept, frame, schema)
    if wished:
        judged["wishes"] = wished
    stages.done("evaluation")
    order = np.arange(len(rows))
    if row_order == "sorted":
        order = _order(frame, schema)
        frame = frame[order.tolist()]
    stages.done("order")

    asked = {
        "method": method,
        "aggregation": aggregation,
        "wishes": {name: np.asarray(value).tolist() for name, value in wishes.items()},
        "missing": missing,
        "small_strata": small_strata,
        "row_order": row_order,
        "random_state": int(random_state) if isinstance(random_state, Integral) else None,
    }
    release = Release(
        frame=frame,
        partitions=partitions,
        evidence=gather(
            source, schema, partitions, size, layers, columns, stages.seconds, asked, judged
        ),
        schema=schema,
        source=source,
        k=size,
        key_sets=tuple((*names, *schema.strata) for names in sets),
        crosswalk=rows[order],
        units=None if units is None else units[rows[order]],
    )
    release.prove()
    stages.done("proof")
    return release


def _attribute_sets(
    given: Sequence[Sequence[str]] | None, schema: Schema, problems: Problems
) -> list[tuple[str, ...]]:
    """The sets of keys that are grouped together: all of them, unless the caller says otherwise."""
    if given is None:
        return [schema.keys]
    sets = [(names,) if isinstance(names, str) else tuple(names) for names in given]
    flat = [name for names in sets for name in names]
    if sorted(flat) != sorted(schema.keys) or not all(sets):
        rule = "disjoint sets that hold every key once"
        problems.add(str(bad_parameter("attribute_groups", "anonymize", rule, given)))
    return sets


def _share(seconds: Any, part: float) -> Any:
    """Part of a time limit; what is no number is left for `partition` to refuse."""
    number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    return seconds * part if number else seconds


def _key_columns(
    source: Source, schema: Schema, missing: str, k: int, problems: Problems
) -> list[Column]:
    """The key columns; what speaks against releasing the table is added to `problems`."""
    columns = []
    for name in schema.keys:
        try:
            columns.append(Column.of(schema[name], source.frame[name].to_arrow()))
        except DataError as error:
            problems.add(str(error), data=True)
    gaps = {c.name: int(c.missing.sum()) for c in columns if c.missing.any()}
    if gaps and missing == "error":
        counts = ", ".join(f"{name!r} ({count})" for name, count in gaps.items())
        text = (
            f"Keys must have no missing values. Got gaps in {counts}: use missing='pattern' "
            "(--missing pattern) to group records that miss the same, or 'drop'"
        )
        sizes = np.bincount(pattern_codes(np.column_stack([c.missing for c in columns])))
        few = int(sizes[sizes < k].sum()) if isinstance(k, int) else 0
        if few:
            text += (
                f", and small_strata='drop' (--small-strata drop) for the {few} records whose "
                "pattern of gaps too few share"
            )
        problems.add(text, data=True)
    for suspect in suspects(source, schema):
        problems.add(str(suspect), data=True)
    return columns


def _some(column: Column, rows: NDArray[np.int64]) -> Column:
    if len(rows) == len(column.values):
        return column
    return Column(
        column.attribute,
        column.values[rows],
        column.missing[rows],
        column.categories,
        column.arrow_type,
        column.origin,
        column.gap,
    )


def _weights(source: Source, schema: Schema, rows: NDArray[np.int64]) -> NDArray[np.float64] | None:
    name = schema.sample_weight
    if name is None:
        return None
    weights = source.frame[name].cast(_float()).to_numpy()[rows]
    if not (np.isfinite(weights).all() and (weights > 0).all()):
        bad = weights[~(np.isfinite(weights) & (weights > 0))][0]
        raise DataError(
            f"Column {name!r} must hold finite weights above 0. Got {bad}; drop such records."
        )
    return np.asarray(weights, dtype=np.float64)


def _float() -> Any:
    import narwhals as nw

    return nw.Float64


def _group(
    points: NDArray[np.float64],
    k: int,
    layers: Strata,
    units: NDArray[np.int64] | None,
    *,
    method: str,
    options: dict[str, Any],
    **limits: Any,
) -> Partition:
    """Partition every stratum by itself; the cost is that of all of them together."""
    limits = {name: value for name, value in limits.items() if value is not None}
    if len(layers.parts) == 1:
        whole = partition(points, k, method, **limits, **options)
    else:
        labels = np.empty(len(points), dtype=np.int64)
        groups, runtime, interrupted, used = 0, 0.0, False, None
        share = dict(limits)
        for part in layers.parts:
            if "time_limit" in limits:
                share["time_limit"] = _share(limits["time_limit"], len(part) / len(points))
            used = partition(points[part], k, method, **share, **options)
            labels[part] = used.labels + groups
            groups += len(used.sizes)
            runtime += used.runtime or 0.0
            interrupted = interrupted or used.interrupted
        assert used is not None
        problem = Problem.of(points, k, "anonymize")
        whole = Partition.of(
            problem,
            Outcome(labels, interrupted=interrupted),
            method=used.method,
            options=used.options,
            runtime=runtime,
        )
    if units is not None:
        _check_units(whole, units[layers.rows], k)
    return whole


def _check_units(groups: Partition, units: NDArray[np.int64], k: int) -> None:
    from coterie.verification import count_classes

    counts = count_classes(groups.labels, units)
    if counts.min() < k:
        raise DataError(
            f"Every group must hold at least k = {k} units. Got {int((counts < k).sum())} group(s) "
            f"with fewer, the smallest of {counts.min()}; use one record a unit, or a larger k."
        )


def _order(frame: Any, schema: Schema) -> NDArray[np.int64]:
    """Rows by their released values: keys and strata first, then all the other columns."""
    import pyarrow as pa
    import pyarrow.compute as pc

    first = [*schema.keys, *schema.strata]
    names = first + [name for name in frame.columns if name not in first]
    arrow = frame.to_arrow()
    columns = {}
    for place, name in enumerate(names):
        column = arrow.column(name)
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if not pa.types.is_nested(column.type):
            columns[str(place)] = column
    order = pc.sort_indices(pa.table(columns), sort_keys=[(name, "ascending") for name in columns])
    return order.to_numpy().astype(np.int64)


def _one_of(name: str, value: object, choices: Sequence[str]) -> None:
    if value not in choices:
        rule = "one of " + ", ".join(map(repr, choices))
        raise bad_parameter(name, "anonymize", rule, value)
