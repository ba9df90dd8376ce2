"""Proof: what written parts keep, as a group-by over all of them.

Each part, as read back from the disk, sends every combination of released values to one bucket by
a hash of its values; a bucket holds whole classes and judges them. For k alone the combinations
are counted on the way; guarantees beyond k are judged on the records themselves, with the same
functions as those of a table in memory. No value is rounded or hashed away: combinations are
compared by themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from coterie.centroids.edits.check import Check, check
from coterie.errors import DataError
from coterie.guarantees.beyond_k import NotAdmissible
from coterie.guarantees.finding import RuleFinding
from coterie.guarantees.proof import Verification, verified
from coterie.pipeline.engines.engine import Run
from coterie.pipeline.engines.row_hash import buckets
from coterie.pipeline.engines.spill import EVERY, Pieces, Spilled, gather, pieces_of, scatter
from coterie.pipeline.guarantees import Proof
from coterie.pipeline.households import refuse_torn
from coterie.pipeline.ordering import UNIT, amount, unreleased_columns
from coterie.pipeline.work import Work, load
from coterie.table.classes import as_meant, as_seen, class_codes, count_classes, value_codes
from coterie.table.parts import Part
from coterie.table.source import from_frame

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Proven", "Read", "Tally", "count", "prove", "rules_kept", "tally"]

COUNT = "coterie: records"
BUCKET = 1 << 19  # records of a bucket, at most: its combinations are fewer


@dataclass(frozen=True, eq=False)
class Read:
    """A written part, its columns as they are read, and where what is not released of it lies.

    Attributes
    ----------
    part : Part
    schema : pyarrow.Schema
    unreleased : tuple of (path, first record, records)
        In the order of the part's records.
    """

    part: Part
    schema: pa.Schema
    unreleased: tuple[tuple[str, int, int], ...] = ()

    def hidden(self, columns: list[str]) -> pa.Table:
        """What is not released of the records."""
        import pyarrow as pa

        found = [
            gather([(path, EVERY)], columns).slice(start, size)
            for path, start, size in self.unreleased
        ]
        return pa.concat_tables(found)


@dataclass(frozen=True, eq=False)
class Tally:
    """Classes of one bucket.

    Attributes
    ----------
    sizes : Counter
        How many classes there are of so many units.
    records : int
    findings : tuple of Finding
        How they stand to each guarantee.
    spread : pyarrow.Table or None
        In how many classes each unit is, where its records must stay together.
    """

    sizes: Counter[int]
    records: int
    findings: tuple[RuleFinding, ...] = ()
    spread: pa.Table | None = None


@dataclass(frozen=True, eq=False)
class Proven:
    """What was counted on the written parts.

    Attributes
    ----------
    verifications : tuple of Verification
        One for each set of keys.
    sizes : Counter
        Classes of so many units, of all sets.
    findings : tuple of Finding
        How classes stand to each guarantee.
    """

    verifications: tuple[Verification, ...]
    sizes: Counter[int] = field(default_factory=Counter)
    findings: tuple[RuleFinding, ...] = ()

    @property
    def verification(self) -> Verification | None:
        """Of all keys together; None if sets of them were masked apart."""
        return self.verifications[0] if len(self.verifications) == 1 else None


def count(work: str, job: tuple[int, int, Read, int]) -> Spilled:
    """Send the classes of a written part, or their records, to their buckets."""
    known = load(work)
    which, number, read, many = job
    names = list(known.key_sets[which])
    hidden = unreleased_columns(known)
    path = Path(known.folder) / f"classes-{which}-{number:06d}.arrow"
    if known.constrained:
        free = [n for n in known.beyond_k.watched if n in read.schema.names and n not in names]
        table = read.part.read(read.schema, [*names, *free])
        seen = _seen(table.select(names))
        if hidden:
            for name, column in zip(hidden, read.hidden(hidden).columns, strict=True):
                table = table.append_column(name, column)
        return scatter(table, buckets(seen, names, many), path)
    table = _seen(read.part.read(read.schema, names))
    by = list(names)
    if hidden:
        unit = known.own(UNIT)
        table = table.append_column(unit, as_meant(read.hidden([unit]).column(0)))
        by.append(unit)
    found = table.group_by(by, use_threads=False).aggregate([([], "count_all")])
    found = found.rename_columns([*by, known.own(COUNT)])
    return scatter(found, buckets(found, names, many), path)


def _seen(table: pa.Table) -> pa.Table:
    for place, name in enumerate(table.column_names):
        table = table.set_column(place, name, as_seen(table.column(name)))
    return table


def tally(work: str, job: tuple[int, Pieces]) -> Tally:
    """Judge the classes of one bucket."""
    known = load(work)
    which, pieces = job
    names = list(known.key_sets[which])
    found = gather(pieces)
    if known.constrained:
        return _judged(known, which, found)
    records = int(found.column(known.own(COUNT)).to_numpy().sum())
    if known.schema.unit is not None:
        found = found.group_by([*names, known.own(UNIT)], use_threads=False).aggregate([])
        found = found.group_by(names, use_threads=False).aggregate([([], "count_all")])
    else:
        found = found.group_by(names, use_threads=False).aggregate([(known.own(COUNT), "sum")])
    # By place: a key may have the name that Arrow gives it.
    return Tally(Counter(found.columns[-1].to_numpy().tolist()), records)


def _judged(known: Work, which: int, table: pa.Table) -> Tally:
    """Classes of records, by all that is guaranteed of them."""
    import pyarrow as pa

    names = known.key_sets[which]
    source = from_frame(table, "parquet", "release")
    unit = known.own(UNIT)
    units = value_codes(source, [unit]) if known.schema.unit is not None else None
    amounts = {}
    for name in known.guarantees.amounts:
        held = from_frame(pa.table({name: table.column(amount(known, name))}))
        amounts[name] = known.beyond_k.amounts(held, name)
    proof = Proof(
        known.beyond_k,
        known.k,
        (names,),
        frozenset(known.schema.keys),
        units,
        known.together,
        amounts,
        known.spreads,
    )
    codes = class_codes(source, names)
    sizes = Counter(count_classes(codes, units).tolist())
    spread = None
    if known.together:
        pairs = pa.table({"unit": as_meant(table.column(unit)), "class": pa.array(codes)})
        pairs = pairs.group_by(["unit", "class"], use_threads=False).aggregate([])
        spread = pairs.group_by(["unit"], use_threads=False).aggregate([([], "count_all")])
    return Tally(sizes, table.num_rows, proof.findings(source), spread)


def rules_kept(work: str, read: Read) -> tuple[Check, ...]:
    """How the records of a written part keep the rules."""
    known = load(work)
    table = read.part.read(read.schema, list(known.edits.columns))
    return check(from_frame(table, "parquet", read.part.path), known.edits.rules, known.edits.codes)


def gather_units(work: str, job: tuple[int, Read, int]) -> Spilled:
    """Send what a written part says of each unit to the bucket of the unit."""
    known = load(work)
    number, read, many = job
    names, unit = list(known.plan.unit_columns), known.own(UNIT)
    table = _seen(read.part.read(read.schema, names))
    table = table.append_column(unit, as_meant(read.hidden([unit]).column(0)))
    found = table.group_by([unit, *names], use_threads=False).aggregate([])
    path = Path(known.folder) / f"units-{number:06d}.arrow"
    return scatter(found, buckets(found, [unit], many), path)


def torn(work: str, pieces: Pieces) -> dict[str, int]:
    """In how many units of a bucket each column of units differs."""
    known = load(work)
    names, unit = known.plan.unit_columns, known.own(UNIT)
    table = gather(pieces)
    found = {}
    for name in names:
        pairs = table.group_by([unit, name], use_threads=False).aggregate([])
        counted = pairs.group_by([unit], use_threads=False).aggregate([([], "count_all")])
        found[name] = int((counted.columns[-1].to_numpy() > 1).sum())
    return found


def _prove_units(run: Run, work: str, parts: Sequence[Read], records: int) -> None:
    """Raise `DataError` if a column of units differs within one."""
    many = _buckets(records)
    spilled = run(gather_units, work, [(n, read, many) for n, read in enumerate(parts)])
    found: Counter[str] = Counter()
    pieces = [pieces_of(spilled, [bucket]) for bucket in range(many)]
    for one in run(torn, work, [piece for piece in pieces if piece]):
        found.update(one)
    refuse_torn(found)


def _buckets(records: int) -> int:
    return max(1, -(-records // BUCKET))


def prove(run: Run, work: str, parts: Sequence[Read], records: int) -> Proven:
    """Judge all classes by `run`, which maps a task over jobs.

    Raises
    ------
    NotKAnonymous, NotAdmissible, RuleBroken
    """
    known = load(work)
    sets = [_prove_set(run, work, which, parts, records) for which in range(len(known.sets))]
    findings = tuple(one for _, found, _ in sets for one in found)
    NotAdmissible.unless_kept(findings)
    if known.schema.unit is not None and known.plan.unit_columns:
        _prove_units(run, work, parts, records)
    if known.edits.rules:
        kept = zip(*run(rules_kept, work, list(parts)), strict=True)
        known.edits.refuse([_together(checks) for checks in kept])
    total: Counter[int] = Counter()
    for _, _, sizes in sets:
        total.update(sizes)
    return Proven(tuple(one for one, _, _ in sets), total, findings)


def _prove_set(
    run: Run, work: str, which: int, parts: Sequence[Read], records: int
) -> tuple[Verification, list[RuleFinding], Counter[int]]:
    """The classes of one set of keys."""
    known = load(work)
    names = known.key_sets[which]
    many = _buckets(records)
    counted = run(count, work, [(which, n, read, many) for n, read in enumerate(parts)])
    pieces = [pieces_of(counted, [bucket]) for bucket in range(many)]
    tallies: list[Tally] = run(tally, work, [(which, piece) for piece in pieces if piece])
    total = sum(one.records for one in tallies)
    if total != records:
        raise DataError(
            f"The written parts must hold the {records} records released. Got {total}; nothing "
            "was kept."
        )
    sizes: Counter[int] = Counter()
    for one in tallies:
        sizes.update(one.sizes)
    unit = known.schema.unit
    proven = verified(known.k, sizes, names, records, unit)
    merged = [
        RuleFinding.merged(group) for group in zip(*(t.findings for t in tallies), strict=True)
    ]
    if known.together:
        merged = [_spread(tallies, one) if one.rule == "together" else one for one in merged]
    if unit is not None and not merged:
        worst = float(proven.achieved)
        merged = [RuleFinding("unit", None, known.k, worst, 0, proven.classes)]
    return proven, merged, sizes


def _spread(tallies: Sequence[Tally], finding: RuleFinding) -> RuleFinding:
    """How many classes each unit is in: those of all buckets count."""
    import pyarrow as pa

    table = pa.concat_tables([one.spread for one in tallies if one.spread is not None])
    counted = table.group_by(["unit"], use_threads=False).aggregate([("count_all", "sum")])
    classes = counted.column("count_all_sum").to_numpy()
    failing = int((classes > 1).sum())
    return replace(finding, worst=float(classes.max()), failing=failing, classes=len(classes))


def _together(checks: Sequence[Check]) -> Check:
    return Check(
        checks[0].rule, sum(one.records for one in checks), sum(one.broken for one in checks)
    )
