"""Guarantees: what a release keeps beyond k, from the arguments to the proof on the file.

`constraints` gives the search its arrays, once it is clear that every stratum can keep them;
`proof` judges the classes of a released table, in memory or as it was read back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError
from coterie.guarantees.beyond_k import OF_AMOUNTS, BeyondK, NotAdmissible
from coterie.guarantees.constraints import Constraints
from coterie.guarantees.diversity import Spread
from coterie.guarantees.finding import RuleFinding
from coterie.guarantees.repair import RepairRecord
from coterie.pipeline.evidence import K_ALONE
from coterie.pipeline.households import scattered
from coterie.pipeline.preparation import Prepared
from coterie.plan import Plan
from coterie.table.classes import class_codes
from coterie.table.columns import reported as value_reported
from coterie.table.schema import Schema
from coterie.table.source import Source

__all__ = ["Proof", "ReleaseGuarantees", "guarantee_evidence", "refuse_impossible"]


@dataclass(frozen=True)
class ReleaseGuarantees:
    """The guarantees of one release: what its plan asks of the values of a class."""

    plan: Plan
    beyond_k: BeyondK

    def constraints(self, prepared: Prepared) -> Constraints:
        """The arrays of the records kept; refused if a stratum cannot keep a guarantee.

        Raises
        ------
        DataError
            One message with every guarantee that is impossible, and in how many strata.
        """
        layers = prepared.layers
        units = None if prepared.units is None else prepared.units[layers.rows]
        arrays = self.arrays(prepared.source, units, layers.rows)
        if arrays:
            strata, source = layers.numbers, prepared.source
            refuse_impossible(arrays, strata, prepared.k, source, layers.rows, prepared.schema)
        return arrays

    def arrays(
        self,
        source: Source,
        units: NDArray[np.int64] | None,
        rows: NDArray[np.int64] | None = None,
        spreads: Mapping[str, Spread] | None = None,
    ) -> Constraints:
        """The arrays of a table, or of some of its `rows`; `units` are of those.

        `spreads` are those of the whole table, if this is a part of it.
        """
        together = self.plan.unit_members == "together"
        found = self.beyond_k.constraints(
            source, units, together=together, rows=rows, spreads=spreads
        )
        return replace(found, on_violation=self.plan.on_violation)

    def proof(
        self,
        prepared: Prepared,
        rows: NDArray[np.int64],
        key_sets: Sequence[tuple[str, ...]],
    ) -> Proof:
        """What judges a released table whose records are `rows` of the source."""
        return Proof(
            self.beyond_k,
            prepared.k,
            tuple(key_sets),
            frozenset(prepared.schema.keys),
            None if prepared.units is None else prepared.units[rows],
            self.plan.unit_members == "together",
            {name: self.beyond_k.amounts(prepared.source, name)[rows] for name in self.amounts},
        )

    @property
    def amounts(self) -> tuple[str, ...]:
        """The columns whose amounts must not be dominated."""
        asked = self.beyond_k.asked
        return tuple(dict.fromkeys(n for rule in OF_AMOUNTS for n in asked.get(rule, {})))


@dataclass(frozen=True, eq=False)
class Proof:
    """Judges the classes of a released table, whose rows are in a known order.

    Units and amounts of keys are not released: they come from the original, row by row.
    """

    beyond_k: BeyondK
    k: int
    key_sets: tuple[tuple[str, ...], ...]
    keys: frozenset[str]
    units: NDArray[np.int64] | None
    together: bool
    amounts: Mapping[str, NDArray[np.float64]]
    spreads: Mapping[str, Spread] = field(default_factory=dict)

    def findings(self, found: Source) -> tuple[RuleFinding, ...]:
        """How each set of classes of the table stands to each guarantee."""
        whole = self.beyond_k.constraints(
            found,
            self.units,
            together=self.together,
            amounts=self.amounts,
            spreads=self.spreads,
        )
        return tuple(
            one
            for names in self.key_sets
            for one in whole.without(self.keys - set(names)).findings(
                class_codes(found, names), self.k
            )
        )

    def __call__(self, found: Source) -> None:
        """Raise `NotAdmissible` if a class misses a guarantee."""
        NotAdmissible.unless_kept(self.findings(found))


def guarantee_evidence(
    repairs: Sequence[RepairRecord], spread: float, findings: Sequence[RuleFinding], plan: Plan
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What internal and public evidence say about the constraints."""
    asked = [{"rule": one.rule, "column": one.column, "asked": one.asked} for one in findings]
    public = {"constraints": asked, "unit_members": plan.unit_members}
    plain = [repair.plain_sse for repair in repairs]
    internal = {
        "constraints": [
            {"rule": o.rule, "column": o.column, "asked": o.asked, "worst": o.worst}
            for o in findings
        ],
        "on_violation": plan.on_violation,
        "repair": [asdict(repair) for repair in repairs],
        K_ALONE: None
        if None in plain or not spread
        else round(100.0 * sum(cost or 0.0 for cost in plain) / spread, 4),
    }
    return {**public, **internal}, public


def refuse_impossible(
    constraints: Constraints,
    strata: NDArray[np.int64],
    k: int,
    source: Source,
    rows: NDArray[np.int64],
    schema: Schema,
) -> None:
    """Refuse records, `rows` of a source, of which a stratum cannot keep what is guaranteed.

    Raises
    ------
    DataError
    """
    impossible = [one for one in constraints.findings(strata, k) if one.failing]
    parts = []
    for one in impossible:
        where = "" if strata.max() == 0 else f" in {one.failing} of {one.classes} strata"
        if one.rule == "together":
            assert constraints.units is not None
            parts.append(_scattered(constraints.units, strata, source, rows, schema))
        else:
            parts.append(f"{one}{where}, all records taken together")
    if parts:
        raise DataError(
            f"Every stratum must be able to keep the guarantees. Got {'; '.join(parts)}. Use "
            "milder thresholds, fewer strata, or other columns."
        )


def _scattered(
    units: NDArray[np.int64],
    strata: NDArray[np.int64],
    source: Source,
    rows: NDArray[np.int64],
    schema: Schema,
) -> str:
    """Which unit cannot stay together, and why: its records are in several strata."""
    many, unit = scattered(units, strata), schema.unit or ""
    mine = rows[units == many[0]]
    series = source.frame[unit]
    why = []
    for name in schema.strata:
        values = source.frame[name][mine.tolist()].unique().to_list()
        if len(values) > 1:
            why.append(f"{len(values)} values of {name!r}")
    apart = " and ".join(why) or "different gaps among their keys"
    return (
        f"{len(many)} units whose records are in several strata and cannot stay together, such as "
        f"{unit}={value_reported(series[int(mine[0])])} with {apart}"
    )
