"""What a job on parts gives: the release is in files, and this tells about it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coterie.distributed.parts import Input
from coterie.distributed.plan import Plan
from coterie.distributed.protection import Protected
from coterie.distributed.survey import Survey
from coterie.evidence import CLAIM, versions
from coterie.public import EVIDENCE, Rule, listed, rounded_to, words_of
from coterie.release import Evidence
from coterie.space.exact_sums import Moments
from coterie.verification import Verification

__all__ = ["Written", "evidence", "information_loss"]


@dataclass(frozen=True, eq=False)
class Written:
    """A release in files, proven. Made by `coterie.distributed.anonymize`.

    Attributes
    ----------
    target : str
        The file or folder that was written.
    parts : tuple of str
        Its files.
    verification : Verification
        What was counted on them.
    evidence : Evidence
        Internal and public.
    information_loss : float
        Percent of the keys' variation that the groups' means do not keep.
    peak_memory : mapping
        Most MB that each worker held at once.
    """

    target: str
    parts: tuple[str, ...]
    verification: Verification
    evidence: Evidence = field(repr=False)
    information_loss: float
    peak_memory: Mapping[str, float] = field(repr=False)

    def __str__(self) -> str:
        return f"{self.verification}; {self.information_loss:.2f} % of the information lost"


def information_loss(tiles: Sequence[Protected]) -> float:
    """IL = 100 SSE / SST in percent, over all tiles, rounded the same way in any order."""
    total = _total(tiles)
    return 100.0 * math.fsum(tile.sse for tile in tiles) / total if total > 0 else 0.0


def influence(tiles: Sequence[Protected], k: int, unit: str | None) -> float:
    """How much of that k - 1 units can make up; a unit may have records in every tile."""
    total = _total(tiles)
    largest = sorted((one for tile in tiles for one in tile.largest), reverse=True)
    return 100.0 * math.fsum(largest if unit else largest[: k - 1]) / total if total > 0 else 0.0


def _total(tiles: Sequence[Protected]) -> float:
    sums = [Moments() for _ in tiles[0].moments]
    for tile in tiles:
        sums = [one + other for one, other in zip(sums, tile.moments, strict=True)]
    return float(sum(m.count * m.variance for m in sums))


def evidence(
    plan: Plan,
    table: Input,
    found: Survey,
    tiles: Sequence[Protected],
    verification: Verification,
    loss: float,
    *,
    asked: Mapping[str, Any],
    seconds: Mapping[str, float],
    engine: Mapping[str, Any],
) -> Evidence:
    """Both kinds of evidence, in the words of a release in memory."""
    schema, k = plan.schema, plan.k
    sizes: Counter[int] = sum((tile.sizes for tile in tiles), Counter())
    released = sum(tile.rows for tile in tiles)
    rule = Rule("public", k)
    dropped: int | str = 0
    if "drop" in (asked["missing"], asked["small_strata"]):
        # Whether those are of few units, no part of the table can say.
        dropped = "not told" if schema.unit else rule.count(found.rows - released)
    told = rule.figure(loss, influence(tiles, k, schema.unit), most=100.0)
    public = {
        "claim": CLAIM,
        "k": k,
        "keys": {name: schema[name].type for name in schema.keys},
        "strata": list(schema.strata),
        "unit": schema.unit,
        "confidential": list(schema.confidential),
        "method": asked["method"],
        "aggregation": asked["aggregation"],
        "records_released": released,
        "groups": sum(sizes.values()),
        "group_sizes": {str(size): sizes[size] for size in sorted(sizes)},
        "records_dropped": dropped,
        "information_loss_percent": words_of(told),
        "rounded_to": rounded_to({"information_loss_percent": told}),
        "measures": {"not_measured": "a release in parts: see coterie evaluate"},
        "versions": versions(),
    }
    internal = {
        **public,
        "records_read": found.rows,
        "records_dropped": found.rows - released,
        "information_loss_percent": round(loss, 4),
        "strata_formed": len(plan.trees),
        "tiles": len(tiles),
        "smallest_class": verification.achieved,
        "method_options": dict(tiles[0].options),
        "asked": dict(asked),
        "identifiers_dropped": list(schema.identifiers),
        "schema": {
            a.name: {"type": a.type, "roles": sorted(a.roles), "reason": a.reason}
            for a in schema.attributes
        },
        "input": {"files": sorted({p.path for p in table.parts}), "parts": len(table.parts)},
        "seconds": dict(seconds),
        "engine": dict(engine),
    }
    return Evidence(internal, listed(public, EVIDENCE))
