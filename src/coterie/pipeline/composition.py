"""The stages in their order: table -> schema -> space -> partition -> centroids -> proven release.

`anonymize` is the function behind the API and the command line: `prepare` finds every problem that
refuses the table before any work and tells them all at once, `protect` does the work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, cast, overload

import numpy as np

from coterie.partitioning.driver import Progress
from coterie.pipeline.assembly import order
from coterie.pipeline.evidence import (
    edit_evidence,
    gather,
    judge,
    keyed_hash,
    may_drop,
    objective,
    previous_evidence,
)
from coterie.pipeline.guarantees import ReleaseGuarantees, guarantee_evidence
from coterie.pipeline.households import prove_unit_columns
from coterie.pipeline.population import KMap
from coterie.pipeline.preparation import Prepared, prepare
from coterie.pipeline.protection import (
    PartOutcome,
    facts_of,
    find_groups,
    lost,
    release,
    stakes_of,
    suppress,
)
from coterie.pipeline.release import Release
from coterie.pipeline.stages import Stages
from coterie.plan import Plan
from coterie.plan.asking import document, requested, seeded
from coterie.public import DocumentRule, Influence
from coterie.space import Space
from coterie.table.arrays import take_rows
from coterie.table.read import read
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
    plan = seeded(prepared.plan)
    prepared = replace(prepared, plan=plan)
    guarantees = ReleaseGuarantees(plan, prepared.beyond_k)
    constraints = guarantees.constraints(prepared)
    grouped = find_groups(prepared, constraints, Space.of, stages, seed=plan.random_state)
    part = release(suppress(grouped), stages)
    prepared, partitions, assembled = part.prepared, part.partitions, part.assembled
    schema, layers, frame = prepared.schema, prepared.layers, assembled.frame
    units = None if prepared.units is None else prepared.units[layers.rows]
    pair = part.pair()
    outcome = PartOutcome.of(part, pair)
    rule = DocumentRule("public", prepared.k, units)
    influence = Influence.of(pair.shares(stakes_of([outcome])), schema, rule)
    del pair  # as large as the table
    loss = lost([outcome], schema)
    judged = judge(assembled.kept, frame, schema, loss)
    if assembled.targets_met:
        judged["distance_targets"] = assembled.targets_met
    stages.done("evaluation")
    rows = np.arange(len(layers.rows))
    if plan.row_order == "sorted":
        rows = order(frame, schema)
        frame = take_rows(frame, rows)
    crosswalk = layers.rows[rows]
    stages.done("order")
    key_sets = tuple((*names, *schema.strata) for names in prepared.sets)
    proofs = (guarantees.proof(prepared, crosswalk, key_sets),) if constraints else ()
    guaranteed: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    if proofs:
        findings = proofs[0].findings(Source(frame, "frame", "release"))
        guaranteed = guarantee_evidence(outcome.repairs, outcome.sst, findings, plan)
    previous = previous_evidence(prepared.earlier, prepared.divided, layers.rows)
    asked = plan.record
    facts = facts_of(
        [outcome],
        schema,
        asked,
        k=prepared.k,
        rule=rule,
        read=len(prepared.original.frame),
        dropped=_dropped(prepared, rule) if previous or may_drop(asked) else 0,
        strata=len(layers.parts),
        sets=len(partitions),
        loss=loss,
        influence=influence,
        search=objective(outcome.sse, outcome.sst),
        judged=judged,
        guaranteed=guaranteed,
        rules=edit_evidence(prepared.edits, assembled.edited),
        previous=previous,
        seconds=stages.seconds,
        recoded=prepared.recoded,
        more={
            "epochs": partitions[0].epochs,
            "interrupted": partitions[0].interrupted,
            "input_hash": keyed_hash(prepared.original),
            **part.grouped.gained,
        },
    )
    done = Release(
        frame=frame,
        partitions=partitions,
        evidence=gather(facts),
        schema=schema,
        source=prepared.original,
        k=prepared.k,
        key_sets=key_sets,
        crosswalk=crosswalk,
        units=None if prepared.units is None else prepared.units[crosswalk],
        proofs=(*proofs, *_proofs(prepared, crosswalk)),
        plan=plan,
    )
    done.prove()
    stages.done("proof")
    return done


def _dropped(prepared: Prepared, rule: DocumentRule) -> int | str:
    """What everybody may know of how many records were dropped.

    Asked only where some could be: else who sees that there are any knows that they are few.
    """
    rows, units = prepared.layers.rows, prepared.units
    left_out = None if units is None else np.delete(units, rows)
    return rule.count(len(prepared.original.frame) - len(rows), left_out)


def _proofs(prepared: Prepared, crosswalk: Any) -> tuple[Callable[[Source], object], ...]:
    """What the file must show beside k-anonymity: rules, cells with earlier releases, k-map."""
    plan = prepared.plan
    proofs: list[Callable[[Source], object]] = []
    if plan.unit_columns and prepared.units is not None:
        names, units = plan.unit_columns, prepared.units[crosswalk]
        proofs.append(partial(prove_unit_columns, names=names, units=units))
    if prepared.edits.rules:
        proofs.append(prepared.edits.prove)
    if prepared.earlier is not None:
        proofs.append(
            partial(
                prepared.earlier.prove,
                keys=(*prepared.schema.keys, *prepared.schema.strata),
                crosswalk=crosswalk,
                units=None if prepared.units is None else prepared.units[crosswalk],
            )
        )
    if plan.k_map is not None and plan.population is not None:
        people = read(plan.population).frame.to_native()
        proofs.append(KMap(plan.k_map, people, prepared.source, prepared.schema, crosswalk))
    return tuple(proofs)
