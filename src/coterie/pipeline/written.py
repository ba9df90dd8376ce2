"""What a job on parts gives: the release is in files, and this tells about it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.centroids.edits.keep import Kept
from coterie.evaluation.declared import compared_sums
from coterie.guarantees.proof import Verification
from coterie.pipeline.drawing import judged, sides
from coterie.pipeline.evidence import edit_evidence, gather, may_drop, objective
from coterie.pipeline.guarantees import guarantee_evidence
from coterie.pipeline.proof import Proven
from coterie.pipeline.protection import facts_of, lost, tallied
from coterie.pipeline.release import Evidence, ReleaseFacts
from coterie.pipeline.survey import Survey
from coterie.pipeline.tiles import Protected
from coterie.pipeline.work import Work
from coterie.public import NOT_REPORTED, DocumentRule, Influence
from coterie.recoding.apply import Recoded
from coterie.report.subject import Subject
from coterie.space.exact_sums import float_sum, scatter_of
from coterie.table.classes import value_codes
from coterie.table.formats import text
from coterie.table.formats.blocks import blocks
from coterie.table.parts import Input
from coterie.table.source import from_frame

if TYPE_CHECKING:
    import narwhals as nw

    from coterie.plan import Plan
    from coterie.table.schema import Schema

__all__ = ["Written", "evidence", "subject"]


@dataclass(frozen=True, eq=False)
class Written(ReleaseFacts):
    """A release in files, proven. Made by `coterie.distributed.anonymize`.

    Attributes
    ----------
    target : str
        The file or folder that was written.
    parts : tuple of str
        Its files.
    verification : Verification or None
        What was counted on them; None if sets of keys were masked apart.
    evidence : Evidence
        Internal and public.
    peak_memory : mapping
        Most MB that each worker held at once.
    subject : Subject
        What a report looks at; original values of the records drawn are in it.
    plan : Plan
        What was asked, with the seed that was used. Internal.
    dialect : mapping
        How the text of a CSV file is written.
    again : callable
        Does the same job by another plan, and keeps what is told of it, not the files.
    """

    target: str
    parts: tuple[str, ...]
    verification: Verification | None
    evidence: Evidence = field(repr=False)
    peak_memory: Mapping[str, float] = field(repr=False)
    subject: Subject = field(repr=False)
    plan: Plan = field(repr=False)
    dialect: Mapping[str, Any] = field(default_factory=dict, repr=False)
    again: Callable[[Plan], Written] | None = field(default=None, repr=False)

    units = None  # they are not released, and what was known of them is gone

    @property
    def inputs(self) -> Sequence[str]:
        """The files that the table came from."""
        files: list[str] = self.evidence.internal["input"]["files"]
        return files

    @property
    def k(self) -> int:
        """Least units in a class."""
        return self.subject.k

    @property
    def schema(self) -> Schema:
        """Roles and types of the columns."""
        return self.subject.schema

    @property
    def masked_only(self) -> bool:
        """True if sets of attributes were masked apart."""
        return self.subject.sets > 1

    @property
    def records(self) -> int:
        """How many are released."""
        return self.subject.records

    @property
    def columns(self) -> list[str]:
        """Names of the released columns."""
        return self.subject.columns

    def column(self, name: str) -> nw.Series[Any]:
        """A released column, as it is read from the files; no other one is held."""
        import narwhals as nw
        import pyarrow as pa
        import pyarrow.parquet as pq

        if self.dialect:
            how = self.dialect["delimiter"], self.dialect["encoding"]
            found = [one.column(name) for one in blocks(Path(self.target), *how)]
            array, _, _ = text.written(
                pa.chunked_array([chunk for one in found for chunk in one.chunks], pa.string()),
                comma=self.dialect.get("decimal") == ",",
                delimiter=self.dialect["delimiter"],
                order=None,
                known=self.dialect.get("notations", {}).get(name),
            )
        else:
            tables = [pq.read_table(part, columns=[name]) for part in self.parts]
            array = pa.concat_tables(tables).column(0)
        return nw.from_native(array, series_only=True)


def subject(
    work: Work, tiles: Sequence[Protected], proven: Proven, evidence: Evidence, origin: str
) -> Subject:
    """What a report looks at: the records that were drawn, and what all of them told."""
    import narwhals as nw

    before, after = sides([tile.drawn for tile in tiles])
    unit = work.judged_schema.unit
    return Subject(
        work.k,
        work.judged_schema,
        evidence,
        nw.from_native(before, eager_only=True),
        nw.from_native(after, eager_only=True),
        None if unit is None else value_codes(from_frame(before), [unit]),
        sum(tile.outcome.rows for tile in tiles),
        proven.sizes,
        len(work.sets),
        tiles[0].outcome.method,
        origin,
        after.column_names,
        analyses=work.plan.analyses,
        estimated=compared_sums([tile.sums for tile in tiles], work.plan.analyses),
    )


def _edited(work: Work, tiles: Sequence[Protected]) -> list[Kept]:
    """What it took to keep the rules, in standard deviations of the columns over all tiles."""
    tallies = tallied([tile.outcome for tile in tiles])
    kept = [one for tile in tiles for one in tile.outcome.edited]
    squares: dict[str, float] = {}
    for one in kept:
        for name, moved in one.change.items():
            added = one.records * (moved * one.spread[name]) ** 2
            squares[name] = squares.get(name, 0.0) + added
    change: dict[str, float] = {}
    for name, total in squares.items():
        records = sum(one.records for one in kept if name in one.change)
        spread = math.sqrt(tallies[name].original.variance) or 1.0
        change[name] = math.sqrt(total / records) / spread
    projected, rounded = sum(one.projected for one in kept), sum(one.rounded for one in kept)
    return [Kept({}, projected, rounded, change)]


def evidence(
    work: Work,
    table: Input,
    found: Survey,
    tiles: Sequence[Protected],
    proven: Proven,
    *,
    tile: int,
    seconds: Mapping[str, float],
    engine: Mapping[str, Any],
    gained: Mapping[str, Any],
    influence: Influence,
) -> Evidence:
    """Both kinds of evidence, in the words of a release in memory."""
    asked = {**work.plan.record, "tile": tile}
    outcomes = [one.outcome for one in tiles]
    loss = lost(outcomes, work.judged_schema)
    released = sum(one.rows for one in outcomes)
    sse = float_sum([one.sse for one in outcomes])
    sst = scatter_of([one.moments for one in tiles])
    rule = DocumentRule("public", work.k)
    dropped: int | str = 0
    if may_drop(asked):
        # Whether those are of few units, no part of the table can say.
        unknown = work.judged_schema.unit is not None
        dropped = NOT_REPORTED if unknown else rule.count(found.rows - released)
    guaranteed: tuple[Mapping[str, Any], Mapping[str, Any]] = ({}, {})
    if proven.findings:
        repairs = [one for outcome in outcomes for one in outcome.repairs]
        guaranteed = guarantee_evidence(repairs, sst, proven.findings, work.plan)
    return gather(
        facts_of(
            outcomes,
            work.judged_schema,
            asked,
            k=work.k,
            rule=rule,
            read=found.rows,
            dropped=dropped,
            strata=len({one.stratum for one in tiles}),
            sets=len(work.sets),
            loss=loss,
            influence=influence,
            search=objective(sse, sst),
            judged={"il": loss.percent, **judged([one.linked for one in tiles], released)},
            guaranteed=guaranteed,
            rules=edit_evidence(work.edits, _edited(work, tiles)) if work.edits.rules else None,
            seconds=seconds,
            recoded={n: Recoded(rule, found.changed[n]) for n, rule in work.recodings.items()},
            more={
                "epochs": None,
                "interrupted": False,
                "tiles": len(tiles),
                "smallest_class": min(proven.sizes),
                "input": {
                    "files": sorted({p.path for p in table.parts}),
                    "parts": len(table.parts),
                },
                "engine": dict(engine),
                **gained,
            },
        )
    )
