"""Assurance: what a release promises beyond k, from the arguments to the proof on the file.

`Assurance.constraints` gives the search its arrays, once it is clear that every stratum can keep
them; `Assurance.proof` judges the classes of a released table, in memory or as it was read back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.classes import class_codes
from coterie.errors import DataError
from coterie.evidence import K_ALONE
from coterie.partitioning.constraints import Constraints, Finding
from coterie.partitioning.core import Partition
from coterie.pipeline.preparation import Prepared
from coterie.plan import Plan
from coterie.promises import OF_AMOUNTS, NotAdmissible, Promises
from coterie.strata import Strata
from coterie.table.source import Source

__all__ = ["Assurance", "Proof", "told"]


@dataclass(frozen=True)
class Assurance:
    """The promises of one release: what its plan asks of the values of a class."""

    plan: Plan
    promises: Promises

    def constraints(self, prepared: Prepared) -> Constraints:
        """The arrays of the records kept; refused if a stratum cannot keep a promise.

        Raises
        ------
        DataError
            One message with every promise that is impossible, and in how many strata.
        """
        layers = prepared.layers
        units = None if prepared.units is None else prepared.units[layers.rows]
        together = self.plan.unit_members == "together"
        made = self.promises.constraints(
            prepared.source, units, together=together, rows=layers.rows
        )
        strata = np.empty(len(layers.rows), dtype=np.int64)
        for number, part in enumerate(layers.parts):
            strata[part] = number
        impossible = [one for one in made.findings(strata, prepared.k) if one.failing]
        if impossible:
            raise DataError(_impossible(impossible, layers))
        return Constraints(
            made.units, together, made.diversity, made.dominance, self.plan.on_violation
        )

    def proof(
        self,
        prepared: Prepared,
        rows: NDArray[np.int64],
        key_sets: Sequence[tuple[str, ...]],
    ) -> Proof:
        """What judges a released table whose records are `rows` of the source."""
        columns = dict.fromkeys(n for rule in OF_AMOUNTS for n in self.promises.asked.get(rule, {}))
        return Proof(
            self.promises,
            prepared.k,
            tuple(key_sets),
            frozenset(prepared.schema.keys),
            None if prepared.units is None else prepared.units[rows],
            self.plan.unit_members == "together",
            {name: self.promises.amounts(prepared.source, name)[rows] for name in columns},
        )


@dataclass(frozen=True, eq=False)
class Proof:
    """Judges the classes of a released table, whose rows are in a known order.

    Units and amounts of keys are not released: they come from the original, row by row.
    """

    promises: Promises
    k: int
    key_sets: tuple[tuple[str, ...], ...]
    keys: frozenset[str]
    units: NDArray[np.int64] | None
    together: bool
    amounts: Mapping[str, NDArray[np.float64]]

    def findings(self, found: Source) -> tuple[Finding, ...]:
        """How each set of classes of the table stands to each promise."""
        whole = self.promises.constraints(
            found, self.units, together=self.together, amounts=self.amounts
        )
        return tuple(
            one
            for names in self.key_sets
            for one in whole.without(self.keys - set(names)).findings(
                class_codes(found, names), self.k
            )
        )

    def __call__(self, found: Source) -> None:
        """Raise `NotAdmissible` if a class misses a promise."""
        NotAdmissible.unless_kept(self.findings(found))


def told(
    partitions: Sequence[Partition], findings: Sequence[Finding], assurance: Assurance
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What internal and public evidence say about the constraints."""
    asked = [{"rule": one.rule, "column": one.column, "asked": one.asked} for one in findings]
    public = {"constraints": asked, "unit_members": assurance.plan.unit_members}
    repairs = [p.repair for p in partitions if p.repair is not None]
    plain = [repair.plain_sse for repair in repairs]
    spread = sum(p.sst for p in partitions)
    internal = {
        "constraints": [
            {"rule": o.rule, "column": o.column, "asked": o.asked, "worst": o.worst}
            for o in findings
        ],
        "on_violation": assurance.plan.on_violation,
        "repair": [asdict(repair) for repair in repairs],
        K_ALONE: None
        if None in plain or not spread
        else round(100.0 * sum(cost or 0.0 for cost in plain) / spread, 4),
    }
    return {**public, **internal}, public


def _impossible(findings: Sequence[Finding], layers: Strata) -> str:
    parts = []
    for one in findings:
        where = "" if len(layers.parts) == 1 else f" in {one.failing} of {one.classes} strata"
        if one.rule == "together":
            parts.append(f"a unit with records in {one.worst:.0f} strata cannot stay together")
        else:
            parts.append(f"{one}{where}, all records taken together")
    return (
        f"Every stratum must be able to keep the promises. Got {'; '.join(parts)}. Use milder "
        "thresholds, fewer strata, or other columns."
    )
