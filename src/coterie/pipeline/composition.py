"""The stages in their order: table -> schema -> space -> partition -> centroids -> proven release.

`anonymize` is the function behind the API and the command line: `prepare` finds every problem that
refuses the table before any work and tells them all at once, `protect` does the work.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, cast, overload

import numpy as np

from coterie.evidence import edit_evidence, gather, judge, previous_evidence
from coterie.partitioning.driver import Progress
from coterie.pipeline.assembly import assemble, order
from coterie.pipeline.assurance import Assurance, told
from coterie.pipeline.grouping import group, share
from coterie.pipeline.preparation import Prepared, prepare
from coterie.pipeline.reuse import regroup
from coterie.pipeline.stages import Stages
from coterie.plan import Plan
from coterie.plan.asking import document, requested
from coterie.public import Influence, Rule
from coterie.release import Release
from coterie.space import Space
from coterie.table.arrays import take_rows
from coterie.table.source import Source

__all__ = ["anonymize", "protect"]

P = ParamSpec("P")


class Anonymize(Protocol[P]):
    """How type checkers see `anonymize`: a plan, or the parameters of one."""

    @overload
    def __call__(
        self, table: Any, plan: Plan, /, *, callback: Callable[[Progress], object] | None = None
    ) -> Release: ...

    @overload
    def __call__(self, table: Any, *args: P.args, **asked: P.kwargs) -> Release: ...


if TYPE_CHECKING:

    @dataclass(frozen=True, kw_only=True)
    class _Asked(Plan):
        callback: Callable[[Progress], object] | None = None


def _signed(like: Callable[P, object]) -> Callable[[Callable[..., Release]], Anonymize[P]]:
    """The parameters of `like` for a function that takes any."""

    def sign(function: Callable[..., Release]) -> Anonymize[P]:
        document(function)
        return cast("Anonymize[P]", function)

    return sign


@_signed(_Asked if TYPE_CHECKING else Plan)
def anonymize(
    table: Any,
    *args: Any,
    callback: Callable[[Progress], object] | None = None,
    **asked: Any,
) -> Release:
    """Protect a table: k-anonymous on the declared keys, proven, with as little loss as can be.

    Takes a `coterie.Plan` in place of k and all that follows, too: ``anonymize(table, plan)``.

    Parameters
    ----------
    table : path, or pandas, polars or pyarrow table
        CSV, Parquet, Feather; Excel, SPSS, Stata and SAS with the extra ``formats``.
    {parameters}
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
    plan, problems = requested(args, asked, "anonymize")
    stages = Stages(callback)
    return protect(prepare(table, plan, stages, problems=problems), stages)


def protect(prepared: Prepared, stages: Stages) -> Release:
    """Group, aggregate, judge and prove a table that `prepare` has nothing to say against."""
    plan = prepared.plan
    if plan.random_state is None:
        plan = plan.replace(random_state=secrets.randbits(32))  # a seed that the evidence can tell
    assurance = Assurance(plan, prepared.promises)
    constraints = assurance.constraints(prepared)
    layers, sets = prepared.layers, prepared.sets
    parts = [[c for c in prepared.columns if c.name in names] for names in sets]
    spaces = [Space.of(columns).coordinates(columns) for columns in parts]
    stages.done("space")
    search: dict[str, Any] = {
        "method": plan.method,
        "random_state": plan.random_state,
        "time_limit": share(plan.time_limit, 1 / len(sets)),
        "iterations": plan.iterations,
        "callback": stages.callback,
        "options": dict(plan.method_options or {}),
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

    assembled = assemble(prepared, partitions)
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
    if plan.row_order == "sorted":
        rows = order(frame, prepared.schema)
        frame = take_rows(frame, rows)
    crosswalk = layers.rows[rows]
    stages.done("order")
    key_sets = tuple((*names, *prepared.schema.strata) for names in sets)
    proofs = (assurance.proof(prepared, crosswalk, key_sets),) if constraints else ()
    promised = (
        told(partitions, proofs[0].findings(Source(frame, "frame", "release")), assurance)
        if proofs
        else ({}, {})
    )
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
            plan.record,
            judged,
            promised,
            edit_evidence(prepared.edits, assembled.edited),
            previous_evidence(prepared.earlier, prepared.beside, layers.rows),
            units=prepared.units,
            influence=influence,
        ),
        schema=prepared.schema,
        source=prepared.source,
        k=prepared.k,
        key_sets=key_sets,
        crosswalk=crosswalk,
        units=None if prepared.units is None else prepared.units[crosswalk],
        proofs=(*proofs, *_proofs(prepared, crosswalk)),
        plan=plan,
    )
    release.prove()
    stages.done("proof")
    return release


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
